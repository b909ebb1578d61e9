//! How often moves are right, by the endgame files.

use kroo::endgame::Endgames;
use kroo::game::{Awari, Kalah, Move, Position, Rng, Variant, Verdict};
use kroo::value::CENTISEEDS;
use kroo_referee::accuracy::Truth;
use kroo_referee::accuracy::show::share;
use kroo_referee::accuracy::truth::with_open_stores;

/// A position with few seeds whose game goes on, at random.
fn drawn(variant: Variant, rng: &mut Rng, all: u8) -> Position {
    loop {
        let seeds = 2 + rng.below(4) as u8;
        let mut pits = [0; 12];
        (0..seeds).for_each(|_| pits[rng.below(12) as usize] += 1);
        let store = rng.below(u64::from(all - seeds) + 1) as u8;
        let numbers = pits.into_iter().chain([store, all - seeds - store]);
        let text: String = numbers.map(|number| format!("{number}-")).collect();
        let position = Position::parse(variant, &format!("{text}S"));
        if let Some(position) = position.ok().filter(|position| position.verdict().is_none()) {
            return position;
        }
    }
}

/// The best of its moves is what the files say of a position itself, which they were not asked.
#[test]
fn the_best_move_is_worth_what_the_position_is() {
    let endgames = Endgames::new();
    assert!(endgames.build::<Awari>(5, &mut || false) && endgames.build::<Kalah>(5, &mut || false));
    let mut rng = Rng::new(3);
    let mut wrong = 0;
    for round in 0..400 {
        let variant = [Variant::Awari, Variant::Kalah][round % 2];
        let position = drawn(variant, &mut rng, 48);
        let (board, seeds) = (position.board(), position.board().seeds());
        let truth = Truth::of(&position, &endgames).expect("few seeds");
        let score = match variant {
            Variant::Awari => endgames.probe::<Awari>(board, seeds),
            _ => endgames.probe::<Kalah>(board, seeds),
        };
        let score = score.expect("few seeds");
        assert_eq!(Some(truth.best_result()), score.proven(), "{position}");
        let given: Vec<u32> = truth.moves().filter_map(|mv| truth.half_seeds_given(mv)).collect();
        if variant == Variant::Kalah {
            assert!(given.contains(&0), "{position}: {truth:?}");
            let best = truth.moves.iter().map(|mv| mv.worth[0]).max();
            assert_eq!(best, Some(score.value.centiseeds() / CENTISEEDS), "{position}");
        } else {
            for (at, board) in with_open_stores::<Awari>(board).enumerate() {
                let known = endgames.probe::<Awari>(board, seeds).and_then(|score| score.proven());
                let best = truth.moves.iter().map(|mv| mv.worth[at]).max();
                assert_eq!(best, known.map(|verdict| verdict as i32), "{position}, pair {at}");
            }
        }
        wrong += truth.moves().filter(|&mv| truth.result(mv) != Some(truth.best_result())).count();
    }
    assert!(wrong > 20, "{wrong}");
}

#[test]
fn open_stores_leave_neither_side_a_majority() {
    let position = Position::parse(Variant::Awari, "1-0-0-1-0-1-1-0-0-0-1-0-22-21-S").expect("a position");
    let stores: Vec<[u8; 2]> = with_open_stores::<Awari>(position.board())
        .map(|board| [board.mover.store(), board.other.store()])
        .collect();
    assert_eq!(stores, [[19, 24], [20, 23], [21, 22], [22, 21], [23, 20], [24, 19]]);
}

#[test]
fn a_move_that_gives_the_game_away_is_found() {
    let endgames = Endgames::new();
    endgames.build::<Awari>(3, &mut || false);
    // F captures two and wins by the majority; A does not.
    let position = Position::parse(Variant::Awari, "1-0-0-0-0-1-1-0-0-0-0-0-23-22-S").expect("a position");
    let truth = Truth::of(&position, &endgames).expect("three seeds");
    let [a, f] = ['A', 'F'].map(|letter| Move::from_letter(letter).expect("a pit's letter"));
    assert_eq!((truth.best_result(), truth.result(f)), (Verdict::Win, Some(Verdict::Win)));
    assert_eq!(truth.half_seeds_given(f), Some(0));
    assert!(truth.half_seeds_given(a) > Some(0), "{truth:?}");
    assert_eq!(truth.result(Move::from_letter('B').expect("a pit's letter")), None);
    assert_eq!(Truth::of(&position, &Endgames::new()), None);
    let oware = Position::parse(Variant::Oware, "1-0-0-0-0-1-1-0-0-0-0-0-23-22-S").expect("a position");
    assert_eq!(Truth::of(&oware, &endgames), None);
}

/// Wilson's interval of 10 in 100, and of none in 100, as published tables have it.
#[test]
fn shares_have_intervals() {
    assert_eq!(share(10, 100), "10.0 %, 5.5 to 17.4");
    assert_eq!(share(0, 100), "0.0 %, 0.0 to 3.7");
    assert_eq!(share(0, 0), "–");
}
