//! Ctrl-C, and whatever else ends a program: the game is not lost.

use super::{Running, kroo, listen};
use kroo::ogn::open;
use rustix::process::Signal;
use std::io::Write;
use std::process::{ChildStdin, Stdio};
use support::scene::await_that;

pub(super) fn piped(flags: &[&str]) -> (Running, ChildStdin) {
    let mut child = kroo(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let input = child.stdin.take().expect("a pipe");
    let heard = listen(child.stdout.take().expect("a pipe"));
    (Running { child, heard, text: String::new() }, input)
}

#[test]
fn an_interrupt_ends_the_thinking_and_not_the_game() {
    let (mut game, mut input) = piped(&["--variant", "oware", "--time", "3000"]);
    game.until("Your turn");
    writeln!(input, "3").expect("it reads");
    game.until("You sow pit 3 (C)");
    game.until("gained seeds");
    game.works();
    game.signal(Signal::INT);
    game.until("Kroo sows pit");
    game.until("Your turn");
    writeln!(input, "position").expect("it reads");
    game.until("startpos moves C");
    drop(input);
    assert!(game.rest().1);
}

#[test]
fn what_ends_the_program_leaves_the_game_in_its_file() {
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        for thinking in [false, true] {
            let scratch = tempfile::tempdir().expect("a folder");
            let path = scratch.path().join("game.ogn");
            let side = if thinking { "south" } else { "both" };
            let file = path.to_str().expect("a name");
            let (mut game, mut input) = piped(&["--side", side, "--time", "3000", "--save", file]);
            writeln!(input, "3").expect("it reads");
            game.until("sow");
            game.until("gained seeds");
            if !thinking {
                game.until("North's turn");
            }
            // The file is written before anything else is said or thought about.
            assert!(await_that(|| path.exists()));
            if thinking {
                game.works();
            }
            game.signal(signal);
            if thinking && signal == Signal::INT {
                game.until("Kroo sows");
                drop(input);
            }
            let (_, fine) = game.rest();
            assert_eq!(fine, signal != Signal::KILL, "{signal:?} {thinking}");
            let games = open(&path).unwrap_or_else(|error| panic!("{signal:?} {thinking}: {error}"));
            let first = games[0].game.moves()[0];
            assert_eq!((games.len(), first.letter()), (1, 'C'));
        }
    }
}

/// A closed output is no error.
#[test]
fn a_reader_that_goes_away_ends_the_sitting() {
    let mut child =
        kroo(&["--side", "both"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    let _ = writeln!(input, "1\n1\nboard");
    assert!(child.wait().expect("it ends").success());
}
