//! Games with other numbers of seeds and with optional rules: their names, and their play against the slow model.

use kroo::game::{Game, Move, Pit, Position, RuleOptions, Side, Variant, Verdict, names, split_mix};
use kroo::ogn::{GameRecord, Reader};
use kroo::protocol::{Settings, options};
use support::naive::Naive;

/// Kalah with each of its optional rules, and with none.
fn kalahs() -> impl Iterator<Item = Variant> {
    RuleOptions::ALL.into_iter().map(|options| Variant::Kalah.with_options(options).expect("kalah has them"))
}

/// The rule sets that allow several numbers of seeds, with each of these.
fn games() -> Vec<Variant> {
    let games = |rules: Variant| -> Vec<Variant> {
        rules.seeds_range().map(|seeds| rules.with_seeds(seeds).expect("it is in the range")).collect()
    };
    kalahs().chain([Variant::Avalanche, Variant::Awari, Variant::Oware]).flat_map(games).collect()
}

fn naive(position: &Position) -> Naive {
    let board = position.board();
    let seeds = board.seeds() + board.mover.store() + board.other.store();
    Naive::parse_game(position.variant().name(), seeds.into(), &position.to_string())
}

/// A board with `seeds` seeds thrown into the pits and the stores.
fn thrown(variant: Variant, seeds: u32, state: &mut u64) -> Position {
    let mut cells = [0; 14];
    (0..seeds).for_each(|_| cells[split_mix(state) as usize % 14] += 1);
    let text: Vec<String> = cells.iter().map(ToString::to_string).collect();
    let side = if split_mix(state).is_multiple_of(2) { "S" } else { "N" };
    Position::parse(variant, &format!("{}-{side}", text.join("-"))).expect("a set-up")
}

/// Plays up to `plies` random moves on the board and in the model.
fn both_agree(start: Position, plies: usize, state: &mut u64) {
    let (mut game, mut model) = (Game::new(start), naive(&start));
    for _ in 0..plies {
        let position = game.position();
        assert_eq!(position.to_string(), model.text(), "{} from {start}", start.variant());
        let result = position.verdict_for(Side::South).map(|verdict| match verdict {
            Verdict::Win => 1,
            Verdict::Draw => 0,
            Verdict::Loss => -1,
        });
        assert_eq!(result, model.result, "{} {position}", start.variant());
        let legal: Vec<usize> = position.moves().iter().map(|mv| mv.pit.index()).collect();
        assert_eq!(legal, model.legal(), "{} {position}", start.variant());
        let Some(&pit) = legal.get(split_mix(state) as usize % legal.len().max(1)) else { return };
        game.play(Move { side: position.side(), pit: Pit::new(pit) }).expect("a legal move");
        model.play(pit);
    }
}

#[test]
fn names_say_the_seeds() {
    let listed =
        ["awari", "awari1978", "ayoayo", "oware", "kalah", "kalah3", "kalah5", "kalah6", "avalanche"];
    assert!(listed.iter().all(|name| names().contains(name)));
    for variant in games() {
        assert_eq!(variant.name().parse(), Ok(variant));
        assert_eq!(Variant::titled(variant.title()), Some(variant));
        let with_seeds = variant.rule_set().with_seeds(variant.seeds_a_pit()).expect("it is in the range");
        assert_eq!(with_seeds.with_options(variant.options()), Some(variant));
        assert_eq!(Position::start(variant).board().seeds(), variant.seeds());
    }
    for (variant, seeds) in
        [(Variant::Kalah, 7), (Variant::Kalah, 0), (Variant::Awari, 2), (Variant::Ayoayo, 3)]
    {
        assert_eq!(variant.with_seeds(seeds), None, "{variant} {seeds}");
    }
    assert_eq!("kalah6".parse(), Ok(Variant::Kalah.with_seeds(6).expect("six")));
    assert!(["kalah7", "awari2", "kalah06", "ayoayo3"].iter().all(|name| name.parse::<Variant>().is_err()));
}

#[test]
fn titles_and_rules_say_what_is_unusual() {
    let one = Variant::Kalah.with_seeds(1).expect("it is in the range");
    assert_eq!((one.name(), one.title()), ("kalah1", "Kalah, 1 seed a pit"));
    for game in kalahs() {
        let (options, usual) = (game.options(), Variant::Kalah.about().rules());
        let changed: Vec<bool> = game.rules().iter().zip(usual).map(|(rule, usual)| *rule != usual).collect();
        assert_eq!(changed, [false, false, options.empty_capture, options.rest_to_opponent], "{game}");
        assert_eq!(options.are_usual(), game == Variant::Kalah);
    }
    assert!(RuleOptions::ALL[1..].iter().all(|&options| Variant::Awari.with_options(options).is_none()));
}

#[test]
fn move_sequences_are_those_of_the_model() {
    for variant in games() {
        let start = Position::start(variant);
        for depth in 1..=5 {
            assert_eq!(start.perft(depth, &|| false), Some(naive(&start).perft(depth)), "{variant} {depth}");
        }
    }
}

#[test]
fn games_and_their_results_are_those_of_the_model() {
    let mut state = 46;
    for variant in games() {
        (0..40).for_each(|_| both_agree(Position::start(variant), 400, &mut state));
    }
}

/// Kalah and avalanche can be played from any set-up with up to 72 seeds, even or odd; where half of the seeds decide, only from those with
/// the seeds of the game.
#[test]
fn set_ups_are_those_of_the_model() {
    let mut state = 72;
    for seeds in 0..=72 {
        for variant in kalahs().chain([Variant::Avalanche]) {
            (0..6).for_each(|_| both_agree(thrown(variant, seeds, &mut state), 400, &mut state));
        }
    }
    for variant in [Variant::Awari, Variant::Oware] {
        for seeds in [3, 5, 6] {
            let variant = variant.with_seeds(seeds).expect("it is in the range");
            (0..60).for_each(|_| {
                both_agree(thrown(variant, variant.seeds().into(), &mut state), 400, &mut state)
            });
        }
    }
    let text = |seeds: u32| format!("{seeds}{}-S", "-0".repeat(13));
    assert!(Position::parse(Variant::Kalah, &text(72)).is_ok());
    for (variant, seeds, expected) in [
        (Variant::Kalah, 73, "expected a number of seeds from 0 to 72"),
        (Variant::Awari, 47, "add up to 47 seeds, expected 48 in awari"),
        (Variant::Oware, 24, "add up to 24 seeds, expected 48 in oware"),
        (Variant::Ayoayo, 36, "add up to 36 seeds, expected 48 in ayoayo"),
    ] {
        let error = Position::parse(variant, &text(seeds)).expect_err("too many or too few").to_string();
        assert!(error.contains(expected), "{error}");
    }
    let stores = "36-1-0-0-0-0-0-0-0-0-0-0-0-36-S";
    let error = Position::parse(Variant::Kalah, stores).expect_err("73 seeds").to_string();
    assert!(error.contains("add up to 73 seeds, expected 72 at the most in kalah"), "{error}");
}

#[test]
fn a_game_file_says_the_seeds() {
    let mut state = 5;
    for variant in games() {
        let mut game = Game::new(Position::start(variant));
        for _ in 0..12 {
            let moves = game.position().moves();
            if !moves.is_empty() {
                game.play(moves[split_mix(&mut state) as usize % moves.len()]).expect("a legal move");
            }
        }
        let text = GameRecord::new(game.clone()).to_string();
        assert!(!text.contains("FEN"), "{text}");
        let read =
            Reader::new(text.as_bytes()).next().expect("a game").expect("a game").play().expect("a game");
        assert_eq!((&read.game, read.game.start().variant()), (&game, variant));
    }
}

/// protocol.md promises every name with a number of seeds.
#[test]
fn a_name_may_have_the_usual_number_of_seeds() {
    for (name, same) in [
        ("kalah4", "kalah"),
        ("avalanche4", "avalanche"),
        ("awari4", "awari"),
        ("Oware4", "oware"),
        ("kalah4-emptycapture", "kalah-emptycapture"),
    ] {
        let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(variant.name(), same);
        let mut settings = Settings::default();
        options::set(&mut settings, "UCI_Variant", Some(name)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(settings.variant, variant, "{name}");
    }
    for wrong in ["awari19784", "ayoayo4", "kalah7", "awari19783"] {
        assert!(wrong.parse::<Variant>().is_err(), "{wrong}");
    }
}

#[test]
fn moves_are_taken_back() {
    for variant in games().into_iter().chain([Variant::Awari1978, Variant::Ayoayo]) {
        let mut state = 65;
        let mut games = vec![Game::new(Position::start(variant))];
        loop {
            let mut next = games[games.len() - 1].clone();
            let moves = next.position().moves();
            if moves.is_empty() || games.len() == 200 {
                break;
            }
            next.play(moves[split_mix(&mut state) as usize % moves.len()]).expect("a legal move");
            games.push(next);
        }
        let mut game = games.pop().expect("the last one");
        while let Some(before) = games.pop() {
            let last = game.moves().last().copied();
            assert_eq!(game.undo(), last);
            assert_eq!(game, before, "{variant}");
            assert_eq!(game.line(), before.line(), "{variant}");
        }
        assert_eq!(game.undo(), None);
    }
}
