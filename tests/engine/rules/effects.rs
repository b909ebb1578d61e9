//! The reported effects of a move are its real effects.

use kroo::game::{Cell, EndReason, Game, MOVE_LIMIT, Move, Position, Side, Variant, split_mix};

fn game(variant: Variant, text: &str) -> Game {
    Game::new(Position::parse(variant, text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// Every seed is accounted for: sown, captured, awarded.
#[test]
fn seeds_add_up_in_random_games() {
    let mut ends = Vec::new();
    for &variant in Variant::ALL {
        for seed in 0..200 {
            let (mut game, mut state) = (Game::new(Position::start(variant)), seed);
            while game.position().verdict().is_none() && game.moves().len() < MOVE_LIMIT {
                let moves = game.position().moves();
                let mv = moves[split_mix(&mut state) as usize % moves.len()];
                let before = *game.position();
                let told = game.effects(mv).expect("a listed move");
                game.play(mv).expect("a listed move");
                let after = game.position();
                assert_eq!(told.seeds, before.row(mv.side).pit(mv.pit));
                assert_eq!(told.end.is_some(), after.verdict().is_some(), "{variant} {before} {mv}");
                for side in Side::BOTH {
                    let captured = if side == mv.side { told.captured() } else { 0 };
                    let stored = told.stored[side.index()] + captured + told.awarded[side.index()];
                    assert_eq!(after.store(side), before.store(side) + stored, "{variant} {before} {mv}");
                }
                let awarded: u8 = told.awarded.iter().sum();
                let left: u8 = told.sown.iter().flatten().sum::<u8>() - told.captured() - awarded;
                assert_eq!(left, after.board().seeds(), "{variant} {before} {mv}");
                if awarded == 0 {
                    for side in Side::BOTH {
                        let pits = after.row(side).pits();
                        let [sown, taken] = [told.sown, told.taken].map(|rows| rows[side.index()]);
                        assert!((0..6).all(|pit| pits[pit] == sown[pit] - taken[pit]));
                    }
                }
                ends.extend(told.end);
            }
        }
    }
    let seen = |is: fn(&EndReason) -> bool| ends.iter().any(is);
    assert!(
        seen(|end| matches!(end, EndReason::Majority(_))) && seen(|end| matches!(end, EndReason::Bare(_)))
    );
}

#[test]
fn the_ends_have_their_reasons() {
    let cases = [
        (Variant::Awari, "0-0-0-2-17-0-0-0-0-0-1-0-19-9-S", 'E', EndReason::Majority(Side::South)),
        (Variant::Awari, "0-0-0-0-0-2-1-1-0-0-0-0-20-24-S", 'F', EndReason::Halves),
        (Variant::Awari, "0-0-0-0-18-0-0-0-0-0-0-0-6-24-S", 'E', EndReason::Swept(Side::North)),
        (Variant::Awari, "0-0-0-0-0-0-0-0-0-0-0-1-23-24-N", 'f', EndReason::CannotFeed(Side::South)),
        (Variant::Awari1978, "0-0-0-0-0-1-2-0-0-0-0-0-16-17-S", 'F', EndReason::Bare(Side::South)),
        (Variant::Ayoayo, "1-0-1-0-1-0-0-0-0-0-0-0-40-5-S", 'C', EndReason::Bare(Side::North)),
        (Variant::Kalah, "0-0-0-0-0-1-2-0-0-0-0-0-22-23-S", 'F', EndReason::Bare(Side::South)),
    ];
    for (variant, text, letter, expected) in cases {
        let mv = Move::from_letter(letter).expect("a letter");
        let told = game(variant, text).effects(mv).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(told.end, Some(expected), "{variant} {text} {letter}");
    }
    let mut round = game(Variant::Oware, "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
    for letter in "AaBbCcDdEeF".chars() {
        round.play(Move::from_letter(letter).expect("a letter")).expect("legal");
    }
    let told = round.effects(Move::from_letter('f').expect("a letter")).expect("legal");
    assert_eq!((told.end, told.awarded), (Some(EndReason::Repetition), [1, 1]));
}

#[test]
fn laps_and_captures_are_those_of_the_essay() {
    let start = Position::start(Variant::Ayoayo);
    let told = start.effects(Move::from_letter('D').expect("a letter")).expect("legal");
    assert_eq!(told.captured(), 6);
    assert!(matches!(told.last, Cell::Pit(Move { side: Side::South, .. })) && told.laps > 1);
    let told = start.effects(Move::from_letter('A').expect("a letter")).expect("legal");
    // The laps end at 9, North's fourth pit.
    assert_eq!((told.captured(), told.last), (0, Cell::Pit(Move::from_letter('d').expect("a letter"))));
    let kalah = Position::start(Variant::Kalah).effects(Move::from_letter('C').expect("a letter"));
    let kalah = kalah.expect("legal");
    assert_eq!((kalah.last, kalah.again, kalah.stored), (Cell::Store(Side::South), true, [1, 0]));
    assert_eq!(kalah.laps, 1);
}
