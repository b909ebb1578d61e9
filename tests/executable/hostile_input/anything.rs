//! Random lines, good and bad, and random bytes.

use super::{ROUND_FROM, is_error};
use kroo::game::{Game, Move, Position, Variant};
use kroo::protocol::{Command, GoCommand, Reply};
use proptest::prelude::*;
use std::io::Write;
use std::thread;
use support::client::Client;

fn letters() -> impl Strategy<Value = String> {
    "[A-Fa-f]{0,12}"
}

/// The moves of a random game.
fn game() -> impl Strategy<Value = String> {
    (prop::sample::select(Variant::ALL), prop::collection::vec(0..60usize, 0..60)).prop_map(
        |(variant, choices)| {
            let mut game = Game::new(Position::start(variant));
            for choice in choices {
                let legal = game.position().moves();
                let Some(&mv) = legal.get(choice % legal.len().max(1)) else { break };
                game.play(mv).expect("it is in the list");
            }
            game.moves().iter().map(Move::to_string).collect()
        },
    )
}

fn fen() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(ROUND_FROM.to_owned()),
        Just("0-0-0-0-0-0-0-0-0-0-0-0-25-23-N".to_owned()),
        Just("3-3-3-0-4-4-3-3-3-3-3-3-1-0-S2".to_owned()),
        Just("0-0-0-0-2-1-0-0-0-0-1-1-21-22-S".to_owned()),
        "([0-9]{1,2}-){12}[0-9]{1,2}-[0-9]{1,2}-[SN]2?",
    ]
}

fn limit() -> impl Strategy<Value = String> {
    prop_oneof![
        (1..7).prop_map(|depth| format!("depth {depth}")),
        (1..2000).prop_map(|nodes| format!("nodes {nodes}")),
        (0..10).prop_map(|time| format!("movetime {time}")),
        (-5..100, 0..5).prop_map(|(time, more)| format!("wtime {time} winc {more} btime {time} binc {more}")),
        (1..4).prop_map(|moves| format!("mate {moves}")),
        letters().prop_map(|list| format!("searchmoves {list}")),
        Just("infinite".to_owned()),
        Just("ponder".to_owned()),
        Just(String::new()),
    ]
}

fn setting() -> impl Strategy<Value = String> {
    let name = prop::sample::select(
        &["Hash", "clear hash", "Threads", "UCI_Variant", "UCI_ShowWDL", "Solution", "x"][..],
    );
    let value = prop::sample::select(
        &["1", "3", "0", "true", "false", "awari1978", "ayoayo", "oware", "kalah", ""][..],
    );
    (name, value).prop_map(|(name, value)| match value {
        "" => format!("setoption name {name}"),
        _ => format!("setoption name {name} value {value}"),
    })
}

/// A line that some program could send.
fn decent() -> impl Strategy<Value = String> {
    let word = prop::sample::select(
        &["uci", "isready", "ucinewgame", "d", "eval", "help", "debug on", "debug off"][..],
    );
    prop_oneof![
        4 => word.prop_map(str::to_owned),
        4 => prop::sample::select(&["stop", "ponderhit"][..]).prop_map(str::to_owned),
        2 => setting(),
        2 => game().prop_map(|list| format!("position startpos moves {list}")),
        1 => letters().prop_map(|list| format!("position startpos moves {list}")),
        2 => (fen(), letters()).prop_map(|(fen, list)| format!("position fen {fen} moves {list}")),
        6 => prop::collection::vec(limit(), 1..3).prop_map(|limits| format!("go {}", limits.join(" "))),
        1 => (1..5).prop_map(|plies| format!("go perft {plies}")),
        1 => (1..3).prop_map(|plies| format!("bench {plies}")),
    ]
}

/// A line with something wrong: cut, doubled, a byte changed, in the wrong case.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    (decent(), any::<prop::sample::Index>(), any::<u8>(), 0..6).prop_map(|(line, place, byte, how)| {
        let mut bytes = line.into_bytes();
        let at = place.index(bytes.len());
        match how {
            0 => bytes.truncate(at),
            1 => bytes[at] = byte,
            2 => bytes.insert(at, byte),
            3 => bytes.extend_from_within(at..),
            4 => bytes.make_ascii_uppercase(),
            _ => bytes.rotate_left(at),
        }
        bytes
    })
}

/// Lines, and whatever looks like lines once it is read.
fn any_lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let line = prop_oneof![
        6 => decent().prop_map(String::into_bytes),
        2 => mutated(),
        1 => prop::collection::vec(any::<u8>(), 0..60),
    ];
    prop::collection::vec(line, 1..60).prop_map(|lines| {
        let lines = lines.iter().flat_map(|line| line.split(|&byte| byte == b'\n'));
        lines.filter(|line| is_harmless(line)).map(<[u8]>::to_vec).collect()
    })
}

/// Neither `quit` nor a table that is slow to make.
fn is_harmless(line: &[u8]) -> bool {
    match Command::parse(&String::from_utf8_lossy(line)) {
        Ok(Some(Command::Quit)) => false,
        Ok(Some(Command::SetOption { name, value: Some(value) })) => {
            !name.eq_ignore_ascii_case("hash") || value.trim().len() < 2
        }
        _ => true,
    }
}

/// The output between two `readyok` is the answer to a line and the search's reports meanwhile.
fn check(line: &[u8], said: &[Reply], running: &mut usize) {
    let shown = String::from_utf8_lossy(line);
    let errors = said.iter().filter(|reply| is_error(reply)).count();
    let answers = said.iter().filter(|reply| matches!(reply, Reply::BestMove { .. })).count();
    assert!(errors <= 1, "{shown:?}: {said:?}");
    match Command::parse(&shown) {
        Ok(Some(Command::Go(GoCommand::Search(_)))) if errors == 0 => {
            // The search before has been answered before this one was taken.
            *running += 1;
        }
        Ok(Some(Command::Stop)) => assert_eq!((*running, errors), (answers, 0), "{said:?}"),
        Ok(None) => assert_eq!(errors, 0, "{shown:?}"),
        Ok(Some(_)) => {}
        Err(error) => {
            let told = said.iter().any(|reply| reply.to_string() == format!("info string error {error}"));
            assert!(told, "{shown:?}: {said:?}");
        }
    }
    assert!(answers <= *running, "an answer without a question, at {shown:?}: {said:?}");
    *running -= answers;
    assert!(*running <= 1, "a second search was taken at {shown:?}: {said:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// All lines at once, an `isready` behind each, then `quit`.
    #[test]
    fn anything_at_all(lines in any_lines()) {
        let mut client = Client::new();
        let mut input = client.take_input();
        let stream: Vec<u8> = lines.iter().flat_map(|line| [line, &b"\nisready\n"[..]].concat()).collect();
        let writer = thread::spawn(move || {
            input.write_all(&stream).and_then(|()| input.write_all(b"quit\n")).expect("the engine reads");
        });
        let mut running = 0;
        for line in &lines {
            let own = Command::parse(&String::from_utf8_lossy(line)) == Ok(Some(Command::IsReady));
            let mut said = Vec::new();
            for _ in 0..=usize::from(own) {
                said.extend(client.until("`readyok`", |reply| *reply == Reply::ReadyOk));
            }
            check(line, &said, &mut running);
        }
        // No complaint on standard error, status 0: see there.
        let rest = client.end().rest;
        let last = rest.iter().filter(|reply| matches!(reply, Reply::BestMove { .. })).count();
        prop_assert_eq!(last, running, "the search that ran is answered, and nothing else: {:?}", rest);
        writer.join().expect("everything was sent");
    }

    /// Noise from the first byte to the last, which the end of the input cuts off anywhere.
    #[test]
    fn noise(mut bytes in prop::collection::vec(any::<u8>(), 0..20_000), newlines in prop::collection::vec(0..20_000usize, 0..200)) {
        for at in newlines {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = b'\n';
            }
        }
        let parsed = bytes.split(|&byte| byte == b'\n').map(|line| Command::parse(&String::from_utf8_lossy(line)));
        let (wrong, right): (Vec<_>, Vec<_>) = parsed.filter(|line| *line != Ok(None)).partition(Result::is_err);
        let mut client = Client::new();
        client.send_bytes(&bytes);
        client.close_input();
        let rest = client.end().rest;
        let errors = rest.iter().filter(|reply| is_error(reply)).count();
        // A single `d` can happen.
        prop_assert!(errors == wrong.len() && errors == rest.len() || !right.is_empty(), "{errors} of {}", wrong.len());
    }
}
