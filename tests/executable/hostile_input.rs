//! Whatever bytes arrive: the engine answers what it can, refuses the rest, and neither falls, hangs nor grows.

mod anything;

use kroo::game::{Game, Position, Variant};
use kroo::protocol::{Info, Reply};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use support::client::{Client, is_reason, moves, position};
use support::tools::has;

const MIB: usize = 1 << 20;
/// Far more than the table and everything else take, far less than what is thrown at the engine.
const ENOUGH_MEMORY: u64 = 100 << 20;
/// Moves that lead round to where they began, wherever a position may come back.
const ROUND: &str = "AaBbCcDdEeFf";
const ROUND_FROM: &str = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";

fn is_error(reply: &Reply) -> bool {
    matches!(reply, Reply::Info(Info { string: Some(text), .. }) if text.starts_with("error "))
}

#[test]
fn a_line_of_ten_megabytes_is_dropped() {
    for (head, filler) in [
        ("", "x"),
        ("", " "),
        ("", "\0"),
        ("", "\u{fffd}"),
        ("position startpos moves ", "A"),
        ("position fen ", "4-"),
        ("go searchmoves ", "A "),
        ("setoption name Hash value ", "1"),
        ("isready ", "isready "),
    ] {
        let mut client = Client::new();
        client.send_bytes(head.as_bytes());
        client.send_bytes(filler.repeat(10 * MIB / filler.len()).as_bytes());
        client.send("");
        let said = client.sync();
        assert!(said.len() == 1 && is_error(&said[0]), "{head}{filler}…: {said:?}");
        client.assert_small(ENOUGH_MEMORY);
        assert!(client.go("go depth 2").best.is_some());
    }
}

/// Nearly a megabyte is an ordinary line if it is in the grammar.
#[test]
fn the_longest_lines_are_read() {
    let mut client = Client::new();
    let blanks = " ".repeat(MIB - 10);
    client.send(&format!("isready{blanks}"));
    client.expect("readyok");
    let error = client.refuses(&format!("position startpos moves {}", "Aa".repeat(MIB / 2 - 20)));
    assert!(error.contains("move 3 (`A`)"), "{error}");
    client.refuses(&format!("position fen {}", "4-".repeat(MIB / 2 - 20)));
    client.refuses(&format!("setoption name {} value 3", "x".repeat(MIB - 40)));
    client.refuses(&format!("setoption name Hash value {}", "3".repeat(MIB - 40)));
    client.refuses(&"\u{1f41f}".repeat(MIB / 4 - 1));
    assert_eq!(client.go(&format!("go searchmoves {} depth 3", "C".repeat(MIB - 40))).letter(), 'C');
    client.assert_small(ENOUGH_MEMORY);
}

#[test]
fn strange_bytes_are_refused_line_by_line() {
    let mut client = Client::new();
    for line in [
        &b"\0"[..],
        b"uci\0",
        b"\0isready",
        b"is\0ready",
        b"go depth \0",
        b"go depth 2\0",
        b"\xff\xfe",
        b"isready\xc3",
        b"position startpos moves F\xed\xa0\x80",
        b"position fen \x80",
        b"setoption name \xff value \xff",
        b"setoption name UCI_Variant value awari\0",
        b"\x1b[2J",
        b"uci\x0b",
        b"isready\rquit",
        "d\u{2028}".as_bytes(),
        "go depth ４".as_bytes(),
        "gö".as_bytes(),
    ] {
        client.send_bytes(line);
        client.send_bytes(b"\n");
        let mut said = client.sync();
        said.retain(|reply| !is_reason(reply));
        assert!(said.len() == 1 && is_error(&said[0]), "{line:?}: {said:?}");
    }
    assert_eq!(client.shows().0, Position::start(Variant::Awari).to_string());
}

#[test]
fn the_last_line_needs_no_end() {
    for (line, wanted) in
        [("isready", "readyok"), ("go depth 1", "bestmove"), ("quit", ""), ("xyzzy", "info"), ("", "")]
    {
        let mut client = Client::new();
        client.send_bytes(line.as_bytes());
        client.close_input();
        let rest = client.end().rest;
        assert!(
            rest.last().map(Reply::to_string).unwrap_or_default().starts_with(wanted),
            "{line}: {rest:?}"
        );
        assert_eq!(rest.is_empty(), wanted.is_empty(), "{line}: {rest:?}");
    }
    let mut client = Client::new();
    client.send_bytes(&vec![b'x'; 3 * MIB]);
    client.close_input();
    let rest = client.end().rest;
    assert!(rest.len() == 1 && is_error(&rest[0]), "{rest:?}");
}

#[test]
fn blank_lines_are_not_answered() {
    let mut client = Client::new();
    client.send_bytes("\n\r\n   \n\t\r\n\n".repeat(20_000).as_bytes());
    assert!(client.sync().is_empty());
}

#[test]
fn a_game_of_ten_thousand_moves() {
    let list = ROUND.repeat(1000);
    let mut game = Game::new(position(Variant::Awari, ROUND_FROM));
    moves(&list).into_iter().for_each(|mv| game.play(mv).expect("legal"));
    let mut client = Client::new();
    for list in [list.clone(), list.chars().map(|letter| format!("{letter} ")).collect()] {
        client.accepts("position startpos");
        client.accepts(&format!("position fen {ROUND_FROM} moves {list}"));
        assert_eq!(client.shows().0, game.position().to_string());
        assert_eq!(client.shows().0, ROUND_FROM);
        assert!(client.go("go depth 6").best.is_some());
    }
    client.accepts("position startpos");
    let error = client.refuses(&format!("position fen {ROUND_FROM} moves {list}B"));
    assert!(error.contains("move 12001 (`B`): the pit is empty"), "{error}");
    // Where a repetition ends the game, the thirteenth move comes too late.
    client.set("UCI_Variant", "oware");
    let error = client.refuses(&format!("position fen {ROUND_FROM} moves {list}"));
    assert!(error.contains("move 13 (`A`): the game is over"), "{error}");
    assert_eq!(client.shows().0, Position::start(Variant::Oware).to_string());
    client.assert_small(ENOUGH_MEMORY);
}

#[test]
fn go_needs_no_position() {
    for &variant in Variant::ALL {
        let mut client = Client::with_flags(&["--variant", variant.name()]);
        let best = client.go("go depth 3").best.expect("the start has moves");
        assert!(Position::start(variant).play(best).is_ok());
        drop(client);
        let mut client = Client::new();
        client.set("UCI_Variant", variant.name());
        let best = client.go("go nodes 100").best.expect("the start has moves");
        assert!(Position::start(variant).play(best).is_ok());
    }
}

#[test]
fn a_reader_that_has_gone_is_no_disaster() {
    for lines in [
        "isready\n",
        "d\n",
        "go depth 3\n",
        "go infinite\n",
        "perft 60\n",
        "bench 100\n",
        "go infinite\nisready\n",
    ] {
        for quits in [true, false] {
            let mut client = Client::deaf(&[]);
            client.close_output();
            client.send_bytes(lines.as_bytes());
            if quits {
                // The engine may have ended, and then does not read this.
                let _ = client.take_input().write_all(b"quit\n");
            } else {
                client.close_input();
            }
            client.end();
        }
    }
    // It notices the closed output when it answers the next command.
    let mut client = Client::deaf(&[]);
    client.close_output();
    client.send("go infinite");
    client.end();
}

/// The engine waits with reading until it is read: a client that only talks has to wait too.
#[test]
fn a_client_that_never_reads_does_not_make_it_grow() {
    const ROUNDS: usize = 60_000;
    let mut client = Client::deaf(&[]);
    let mut input = client.take_input();
    let sent = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&sent);
    let writer = thread::spawn(move || {
        for _ in 0..ROUNDS {
            input.write_all(b"isready\nd\n").expect("the engine reads in the end");
            counter.fetch_add(1, Ordering::Relaxed);
        }
        input
    });
    let mut before = usize::MAX;
    while sent.load(Ordering::Relaxed) != before {
        before = sent.load(Ordering::Relaxed);
        client.rests();
    }
    assert!(before < ROUNDS, "the engine has taken everything in without an answer being read");
    client.assert_small(ENOUGH_MEMORY);
    client.listen();
    let mut lines = client.until("the last round", {
        let rounds = AtomicUsize::new(0);
        move |reply| matches!(reply, Reply::Result(_)) && rounds.fetch_add(1, Ordering::Relaxed) + 1 == ROUNDS
    });
    lines.retain(|reply| *reply == Reply::ReadyOk);
    assert_eq!(lines.len(), ROUNDS);
    let mut input = writer.join().expect("everything was sent");
    input.write_all(b"quit\n").expect("the engine reads to the end");
    assert!(client.end().rest.is_empty());
}

#[test]
fn each_go_of_a_crowd_is_answered_or_refused() {
    let mut client = Client::new();
    client.send_bytes(
        "go depth 4\nposition startpos moves FfEc\ngo depth 5\nposition startpos\n".repeat(200).as_bytes(),
    );
    client.send("quit");
    let rest = client.end().rest;
    let answers = rest.iter().filter(|reply| matches!(reply, Reply::BestMove { .. })).count();
    let errors = rest.iter().filter(|reply| is_error(reply)).count();
    assert!(answers > 0);
    assert_eq!(answers + errors, 400, "{answers} answers");
}

/// With or without enough memory, the engine survives: it reports the lack, or allocates memory that the test does not touch.
#[test]
fn a_table_of_64_gibibytes() {
    let mut client = Client::new();
    client.send("setoption name Hash value 65536");
    let said = client.sync();
    assert!(said.is_empty() || said.len() == 1 && is_error(&said[0]), "{said:?}");
    client.assert_small(ENOUGH_MEMORY);
    client.set("Hash", "1");
    assert!(client.go("go depth 6").best.is_some());
}

/// Neither a new table nor one that is to be forgotten is written to from end to end.
#[test]
fn a_large_table_costs_nothing_until_it_is_used() {
    let true = has("memory") else { return };
    let mut client = Client::new();
    client.set("Hash", "1024");
    for line in
        ["ucinewgame", "setoption name Clear Hash", "setoption name UCI_Variant value oware", "ucinewgame"]
    {
        client.accepts(line);
        assert!(client.go("go depth 5").best.is_some());
    }
    client.assert_small(ENOUGH_MEMORY);
}

#[test]
fn a_table_that_is_resized_again_and_again() {
    let mut client = Client::new();
    for size in (1..=48).chain((1..=48).rev()) {
        client.set("Hash", &size.to_string());
        assert!(client.go("go depth 3").best.is_some());
    }
    client.set("Hash", "1");
    client.assert_small(ENOUGH_MEMORY);
}
