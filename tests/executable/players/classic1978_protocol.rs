//! `classic1978` over the line protocol plays and learns as the original did.

use support::client::Client;
use support::data::sessions_1978;

/// The same game with the sides swapped: upper case to lower and back.
fn mirrored(moves: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    moves.chars().map(swap).collect()
}

/// Plays the games over the protocol, as North or with the sides swapped, with `ucinewgame` before each.
fn over_the_protocol(client: &mut Client, as_south: bool) {
    for (_, moves, _) in sessions_1978() {
        client.accepts("ucinewgame");
        // The original always moves second: as South it does in games that North begins.
        let told = |moves: &str| if as_south { mirrored(moves) } else { moves.to_owned() };
        let start = if as_south { "fen 3-3-3-3-3-3-3-3-3-3-3-3-0-0-N" } else { "startpos" };
        for (index, letter) in moves.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
            client.accepts(&format!("position {start} moves {}", told(&moves[..index])));
            let expected = told(&letter.to_string());
            assert_eq!(client.go("go depth 1").letter().to_string(), expected, "{}", &moves[..index]);
        }
        // The end may be reported more than once.
        for _ in 0..2 {
            client.accepts(&format!("position {start} moves {}", told(moves)));
        }
    }
}

#[test]
fn it_does_so_over_the_protocol() {
    let mut client = Client::with_flags(&["--variant", "awari1978", "--player", "classic1978"]);
    over_the_protocol(&mut client, false);
}

#[test]
fn it_does_so_as_south() {
    let mut client = Client::with_flags(&["--variant", "awari1978", "--player", "classic1978"]);
    over_the_protocol(&mut client, true);
}
