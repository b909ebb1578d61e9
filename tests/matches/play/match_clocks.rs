//! Clocks follow the side to move, which may be the same one twice in a row.

use kroo::game::{Game, Position, Side, Variant};
use kroo::protocol::{Command, GoCommand, Limits, StartPosition};
use std::fs;
use support::scene::{Scene, words};

/// A position that an engine was shown, and what it was asked about it, if anything.
type Heard = (Game, Option<Limits>);

/// The clocks that an engine received, from a file of all lines it read.
fn heard(variant: Variant, text: &str) -> Vec<Heard> {
    let mut heard: Vec<Heard> = Vec::new();
    for line in text.lines() {
        match Command::parse(line).unwrap().unwrap() {
            Command::Position(position) => {
                assert_eq!(position.start, StartPosition::Startpos);
                let mut game = Game::new(Position::start(variant));
                position.moves.iter().for_each(|&mv| game.play(mv).unwrap());
                heard.push((game, None));
            }
            Command::Go(GoCommand::Search(limits)) => heard.last_mut().unwrap().1 = Some(limits),
            _ => {}
        }
    }
    heard
}

/// Plays a match against an engine that writes down what it hears.
fn chronicle(variant: Variant, own: &str, rival: &str, options: &str) -> Vec<Heard> {
    let scene = Scene::new();
    let file = scene.path("heard.txt");
    let errors = format!("stderr={}", file.display());
    let chronicler = scene.engine("chronicler", &[own, &errors]);
    let options = words(&format!("--variant {variant} --random-plies 0 --rounds 1 {options}"));
    let report = scene.run(&[chronicler, scene.engine("last", &[rival]), options]);
    report.assert_played(2);
    heard(variant, &fs::read_to_string(file).unwrap())
}

fn moves_of(game: &Game, side: Side) -> u64 {
    game.moves().iter().filter(|mv| mv.side == side).count() as u64
}

#[test]
fn each_move_adds_to_the_clock_of_who_made_it() {
    for variant in [Variant::Awari1978, Variant::Kalah, Variant::Awari] {
        let heard = chronicle(variant, "tc=100+1", "tc=200+3", "--max-moves 60");
        let mut doubled = 0;
        let mut own = Side::South;
        for (game, limits) in &heard {
            let Some(limits) = limits else {
                own = Side::North;
                continue;
            };
            assert_eq!(game.position().side(), own, "asked only on its own turn");
            doubled += usize::from(game.moves().last().is_some_and(|mv| mv.side == own));
            for side in Side::BOTH {
                let (base, increment) = if side == own { (100_000, 1_000) } else { (200_000, 3_000) };
                let full = base + increment * (moves_of(game, side) + 1);
                let (time, gain) = match side {
                    Side::South => (limits.wtime, limits.winc),
                    Side::North => (limits.btime, limits.binc),
                };
                // Instant engines use next to nothing, even on a slow machine.
                let time = time.unwrap() as u64;
                assert!(time <= full && full < time + increment / 2, "{side}: {time} of {full} in {variant}");
                assert_eq!(gain, Some(increment));
            }
            assert_eq!((limits.movetime, limits.movestogo), (None, None));
        }
        assert_eq!(doubled > 0, variant != Variant::Awari);
    }
}

#[test]
fn moves_to_go_are_counted_by_side() {
    let heard = chronicle(Variant::Kalah, "tc=3/50", "st=5", "--max-moves 60");
    let asked = heard.iter().filter_map(|(game, limits)| Some((game, limits.as_ref()?)));
    for (game, limits) in asked {
        let side = game.position().side();
        let made = moves_of(game, side);
        assert_eq!(u64::from(limits.movestogo.unwrap()), 3 - made % 3);
        let (own, other) = match side {
            Side::South => (limits.wtime, limits.btime),
            Side::North => (limits.btime, limits.wtime),
        };
        let full = 50_000 * (1 + made as i64 / 3);
        assert!((full - 500..=full).contains(&own.unwrap()), "{own:?} of {full}");
        assert_eq!(other, None, "the rival has no clock");
    }
}

#[test]
fn limits_are_combined_and_passed_on() {
    let heard = chronicle(Variant::Awari, "st=2.5", "depth=3", "--each nodes=5000 depth=7 --max-moves 6");
    let expected = Limits { depth: Some(7), nodes: Some(5000), movetime: Some(2500), ..Limits::default() };
    let asked: Vec<&Limits> = heard.iter().filter_map(|(_, limits)| limits.as_ref()).collect();
    assert_eq!(asked, [&expected; 6]);
}

#[test]
fn engines_are_shown_how_the_game_ended() {
    for (options, finished) in [("--max-moves 250", true), ("--max-moves 7", false)] {
        let heard = chronicle(Variant::Awari1978, "st=5", "st=5", options);
        let shown: Vec<&Game> =
            heard.iter().filter(|(_, limits)| limits.is_none()).map(|(game, _)| game).collect();
        assert_eq!(shown.len(), 2, "once a game");
        assert!(shown.iter().all(|game| game.position().verdict().is_some() == finished));
        assert!(finished || shown.iter().all(|game| game.moves().len() == 7));
    }
}
