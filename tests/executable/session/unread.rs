//! A client that does not read: the engine hears it all the same.

use super::{START, text};
use kroo::protocol::COMMANDS;
use support::client::Client;

/// Boards for more bytes than a pipe has room for.
const BOARDS: usize = 300;

/// An engine that searches, after output that has filled its pipe.
fn with_a_full_pipe() -> Client {
    let mut client = Client::deaf(&[]);
    for _ in 0..BOARDS {
        client.send("d");
    }
    client.send("go infinite");
    client
}

#[test]
fn quit_is_obeyed_while_the_output_is_full() {
    let mut client = with_a_full_pipe();
    client.send("quit");
    let ended = client.end_somehow();
    assert!(ended.status.success(), "{}", ended.stderr);
}

#[test]
fn the_end_of_the_input_is_noticed_while_the_output_is_full() {
    let mut client = with_a_full_pipe();
    client.close_input();
    let ended = client.end_somehow();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.stderr.contains("its reader takes nothing, so its last "), "{}", ended.stderr);
}

/// A slow reader gets everything, in order.
#[test]
fn nothing_is_lost_or_out_of_order_behind_a_full_pipe() {
    let mut client = Client::deaf(&[]);
    for _ in 0..BOARDS {
        client.send("d");
    }
    client.send("sow F");
    client.send("isready");
    client.listen();
    let said = client.expect("readyok");
    let said = text(&said);
    let last = said.iter().position(|line| line == "Move: F").expect("the answer to `sow F`");
    let boards = said[..last].iter().filter(|&line| *line == format!("Fen: {START}")).count();
    assert_eq!(boards, BOARDS);
}

/// Whatever a line has in it, no answer controls a terminal.
#[test]
fn answers_quote_no_control_characters() {
    let mut client = Client::new();
    for (usage, _) in COMMANDS.iter().filter(|(usage, _)| *usage != "quit") {
        let head: Vec<&str> = usage.split(' ').filter(|word| !word.starts_with(['[', '<'])).collect();
        for tail in ["\u{1b}[31m", "\u{9b}1m x", "\u{202e}", "name \u{1b}]0;x\u{7} value \u{1b}"] {
            client.send(&format!("{} {tail}", head.join(" ")));
            client.send("stop");
        }
    }
    for reply in client.sync() {
        let text = reply.to_string();
        assert!(!text.contains(kroo::printable::is_control), "{text:?}");
    }
}
