//! `classic1978`: the original's own games, and a model of it written from the text.

use super::{chosen, played, seated};
use crate::client::Client;
use crate::vectors::lines;
use kroo::game::{Side, Variant};
use kroo::roster::Who;

const SESSIONS: &str = include_str!("../../data/awari1978-sessions.txt");

/// The games of the original: how many it held before, and the moves.
fn sessions() -> Vec<(usize, &'static str, &'static str)> {
    let games: Vec<_> =
        lines(SESSIONS).map(|(_, words)| (words[0].parse().expect("a count"), words[1], words[2])).collect();
    assert_eq!(games.len(), 24);
    games
}

/// The same game with the sides changed: upper case to lower and back.
fn mirrored(moves: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    moves.chars().map(swap).collect()
}

#[test]
fn it_plays_every_move_of_the_original_and_learns_as_it_did() {
    let mut classic = seated(Who::Classic1978, Variant::Awari1978, 1);
    let mut held = 0;
    for (before, moves, stores) in sessions() {
        assert_eq!(held, before, "{moves}");
        for (index, letter) in moves.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
            let game = played(Variant::Awari1978, &moves[..index]);
            assert_eq!(chosen(&mut *classic, &game).letter(), letter, "after {}", &moves[..index]);
        }
        let game = played(Variant::Awari1978, moves);
        let found = Side::BOTH.map(|side| game.position().store(side).to_string()).join("-");
        assert_eq!(found, stores, "{moves}");
        held += usize::from(classic.learn(&game, Side::North));
    }
}

/// Plays the games over the protocol, as North or with the sides changed, and says `ucinewgame` before each.
fn over_the_protocol(client: &mut Client, as_south: bool) {
    for (_, moves, _) in sessions() {
        client.accepts("ucinewgame");
        let told = |moves: &str| match as_south {
            // The original always moves second, so South gets the move by a position in which North began.
            true => mirrored(moves),
            false => moves.to_owned(),
        };
        let start = if as_south { "fen 3-3-3-3-3-3-3-3-3-3-3-3-0-0-N" } else { "startpos" };
        for (index, letter) in moves.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
            client.accepts(&format!("position {start} moves {}", told(&moves[..index])));
            let expected = told(&letter.to_string());
            assert_eq!(client.go("go depth 1").letter().to_string(), expected, "{}", &moves[..index]);
        }
        // The end may be told more than once.
        for _ in 0..2 {
            client.accepts(&format!("position {start} moves {}", told(moves)));
        }
    }
}

#[test]
fn it_does_so_over_the_protocol() {
    let mut client = Client::with_flags(&["--variant", "awari1978", "--player", "classic1978"]);
    over_the_protocol(&mut client, false);
    client.quit_cleanly();
}
