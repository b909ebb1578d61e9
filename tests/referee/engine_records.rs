//! The referee's records of an engine's process.

use kroo::game::Move;
use kroo::protocol::{OptionLine, Reply};
use kroo_referee::engine::answer::{Garbage, ScoreLine, take};
use kroo_referee::engine::control_group::{ControlGroup, enable_limits, group_in};
use kroo_referee::engine::conversation::{Conversation, MAX_CHARACTERS, MAX_LAST_WORDS, MAX_LINES, Speaker};
use kroo_referee::engine::line_buffer::{Line, LineBuffer, MAX_LINE_BYTES};
use kroo_referee::engine::options::{SeedOption, set};
use kroo_referee::engine::pipes::{PipeError, Pipes};
use kroo_referee::engine::stop::{StallMonitor, Stalls, TICK, TOLERANCE};
use kroo_referee::engine::{LastWords, Stop};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_group_is_limited_where_it_can_be() {
    let home = tempfile::tempdir().expect("a folder");
    let group = ControlGroup::make(home.path(), "one").expect("a group");
    group.limit(Some(1 << 20), 7);
    assert!(fs::read_dir(group.folder()).expect("a folder").next().is_none(), "no file is made");
    let files = ["memory.max", "memory.swap.max", "pids.max"].map(|file| group.folder().join(file));
    files.iter().for_each(|file| fs::write(file, "").expect("a file"));
    group.limit(Some(1 << 20), 7);
    let found = files.map(|file| fs::read_to_string(file).expect("a file"));
    assert_eq!(found, ["1048576", "0", "7"]);
}

#[test]
fn the_own_group_is_below_the_mount_of_the_second_version() {
    let first = "30 25 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids";
    let second = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";
    let mounts = [first, second].join("\n");
    let group = group_in(&mounts, "4:pids:/other\n0::/user/shell\n").expect("both are there");
    assert_eq!(group, Path::new("/sys/fs/cgroup/unified/user/shell"));
    assert_eq!([group_in(first, "0::/user"), group_in(&mounts, "4:pids:/other")], [None, None]);
}

#[test]
fn without_controllers_nothing_is_enabled() {
    let home = tempfile::tempdir().expect("a folder");
    for (controllers, enabled, limited) in [
        ("", "", false),
        ("cpu pids", "", false),
        ("cpu memory pids", "pids memory", true),
        ("memory pids", "", true),
    ] {
        fs::write(home.path().join("cgroup.controllers"), controllers).expect("a file");
        fs::write(home.path().join("cgroup.subtree_control"), enabled).expect("a file");
        assert_eq!(enable_limits(home.path()), limited, "{controllers}");
    }
    let asked = fs::read_to_string(home.path().join("cgroup.subtree_control")).expect("a file");
    assert_eq!(asked, "+memory +pids +cpu");
}

fn feed(lines: &mut LineBuffer, mut bytes: &[u8], received: &mut Vec<String>) {
    while !bytes.is_empty() {
        let space = lines.space();
        let count = bytes.len().min(space.len()).min(1000);
        space[..count].copy_from_slice(&bytes[..count]);
        lines.filled(count);
        bytes = &bytes[count..];
        while let Some(line) = lines.next_line() {
            received.push(match line {
                Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                Line::Overlong => "(overlong)".to_owned(),
            });
        }
    }
}

#[test]
fn lines_may_come_in_pieces() {
    let (mut lines, mut received) = (LineBuffer::default(), Vec::new());
    for piece in ["one\ntw", "o", "\n\nthr", "ee"] {
        feed(&mut lines, piece.as_bytes(), &mut received);
    }
    assert_eq!(received, ["one", "two", ""]);
    feed(&mut lines, b"\n", &mut received);
    assert_eq!(received.last().map(String::as_str), Some("three"));
}

/// Some systems write it before the first line.
#[test]
fn a_byte_order_mark_is_skipped_before_the_first_line_only() {
    let (mut lines, mut received) = (LineBuffer::default(), Vec::new());
    feed(&mut lines, "\u{feff}one\n\u{feff}two\n".as_bytes(), &mut received);
    assert_eq!(received, ["one", "\u{feff}two"]);
}

#[test]
fn an_overlong_line_is_reported_once_and_its_rest_forgotten() {
    let (mut lines, mut received) = (LineBuffer::default(), Vec::new());
    feed(&mut lines, &vec![b'x'; 10 * MAX_LINE_BYTES + 77], &mut received);
    assert_eq!(received, ["(overlong)"]);
    feed(&mut lines, b"its end\nnext\n", &mut received);
    assert_eq!(received, ["(overlong)", "next"]);
    feed(&mut lines, &vec![b'z'; 2 * MAX_LINE_BYTES], &mut received);
    feed(&mut lines, b"\n", &mut received);
    assert_eq!(received.pop().as_deref(), Some("(overlong)"));
    feed(&mut lines, &vec![b'y'; MAX_LINE_BYTES - 1], &mut received);
    feed(&mut lines, b"\n", &mut received);
    assert_eq!(received.len(), 3);
    assert_eq!(received[2].len(), MAX_LINE_BYTES - 1);
}

#[test]
fn a_move_has_its_last_definite_line_unless_only_the_bound_after_it_is_about_the_move() {
    let chosen = |definite: char, bound: char| {
        let (mut score, mut garbage) = (ScoreLine::default(), Garbage::default());
        for line in [
            format!("info depth 1 score cp 5 pv {definite}"),
            format!("info depth 2 score cp 5 lowerbound pv {bound}"),
        ] {
            assert_eq!(take(Line::Text(line.as_bytes()), &mut score, &mut garbage), None);
        }
        score.info(Move::from_letter('A').expect("a move")).and_then(|info| info.depth)
    };
    let chosen = [('A', 'A'), ('A', 'B'), ('B', 'A'), ('B', 'B')].map(|(one, two)| chosen(one, two));
    assert_eq!(chosen, [1, 1, 2, 1].map(Some));
}

#[test]
fn values_are_checked_against_the_declaration() {
    let declared: Vec<OptionLine> = [
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Ponder type check default false",
        "option name UCI_Variant type combo default awari var awari var oware",
        "option name Clear Hash type button",
        "option name EvalFile type string default <empty>",
    ]
    .iter()
    .filter_map(|line| match Reply::parse(line) {
        Ok(Reply::Option(option)) => Some(option),
        _ => None,
    })
    .collect();
    let sent = |name, value| set(&declared, name, value).map(|command| command.to_string());
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(sent("hash", "64"), ok("setoption name Hash value 64"));
    assert_eq!(sent("PONDER", "True"), ok("setoption name Ponder value true"));
    assert_eq!(sent("UCI_Variant", "Oware"), ok("setoption name UCI_Variant value oware"));
    assert_eq!(sent("clear hash", ""), ok("setoption name Clear Hash"));
    assert_eq!(sent("EvalFile", "a b"), ok("setoption name EvalFile value a b"));
    let refused = |name, value, why: &str| {
        let problem = set(&declared, name, value).expect_err("is refused");
        assert!(problem.contains(why), "{problem}");
    };
    refused("Hash", "0", "a number from 1 to 1024");
    refused("Hash", "many", "a number from 1 to 1024");
    refused("Ponder", "yes", "true or false");
    refused("UCI_Variant", "go", "one of awari, oware");
    refused("Clear Hash", "now", "empty");
    refused("Skill", "3", "no such option");
    refused("Hsh", "3", "no such option; did you mean `Hash`?");
    refused("UCI Varient", "awari", "did you mean `UCI_Variant`?");
    refused("pondr", "true", "did you mean `Ponder`?");
    assert!(!set(&declared, "Skill", "3").expect_err("is refused").contains("did you mean"));
}

/// Any number becomes a value that the engine declares.
#[test]
fn a_random_seed_is_sent_to_an_option_for_it() {
    let sent = |line: &str, seed: u64| {
        let Ok(Reply::Option(option)) = Reply::parse(line) else { panic!("an option: {line}") };
        SeedOption::of(&[option]).map(|option| option.set(seed).to_string())
    };
    let spin = "option name seed type spin default 1 min 0 max 4294967295";
    assert_eq!(sent(spin, 5).as_deref(), Some("setoption name seed value 5"));
    assert_eq!(sent(spin, (1 << 32) + 7).as_deref(), Some("setoption name seed value 7"));
    let narrow = "option name Random Seed type spin default 1 min -1 max 1";
    assert_eq!(sent(narrow, 4).as_deref(), Some("setoption name Random Seed value 0"));
    let whole = format!("option name RandomSeed type spin default 1 min {} max {}", i64::MIN, i64::MAX);
    assert!(sent(&whole, u64::MAX).is_some());
    assert_eq!(sent("option name Seeds type spin default 0 min 0 max 6", 1), None);
    assert_eq!(sent("option name Seed type check default false", 1), None);
}

fn texts(conversation: &Conversation) -> Vec<String> {
    conversation.lines().map(|line| line.line).collect()
}

#[test]
fn the_last_lines_are_kept_in_their_order() {
    let mut conversation = Conversation::begin(None);
    conversation.sent(b"uci\nisready\n");
    conversation.received(Instant::now(), Line::Text(b"uciok\r"));
    assert_eq!(texts(&conversation), ["uci", "isready", "uciok"]);
    assert!(conversation.lines().map(|line| line.from.mark()).eq(['>', '>', '<']));
    for number in 0..2 * MAX_LINES + 7 {
        conversation.received(Instant::now(), Line::Text(number.to_string().as_bytes()));
    }
    let expected: Vec<String> = (MAX_LINES + 7..2 * MAX_LINES + 7).map(|number| number.to_string()).collect();
    assert_eq!(texts(&conversation), expected);
}

#[test]
fn a_line_is_clipped_and_controls_nothing() {
    let mut conversation = Conversation::begin(None);
    conversation.received(Instant::now(), Line::Text("\x1b[2J\u{202e}é".as_bytes()));
    conversation.received(Instant::now(), Line::Text(&[b'x'; 5000]));
    let long = format!("{}… (5000 bytes)", "x".repeat(MAX_CHARACTERS));
    assert_eq!(texts(&conversation), ["\\u{1b}[2J\\u{202e}é".to_owned(), long]);
}

#[test]
fn only_ticks_that_come_too_late_are_stalls() {
    let start = Instant::now();
    let mut stalls = Stalls { last_tick: start, past: VecDeque::new() };
    stalls.tick(start + TICK);
    stalls.tick(start + 2 * TICK + TOLERANCE);
    assert!(stalls.past.is_empty());
    let late = stalls.last_tick + 20 * TICK;
    stalls.tick(late);
    assert_eq!(stalls.past, [(late - 19 * TICK, late)]);
    let monitor = StallMonitor(Mutex::new(stalls));
    // The time until now is part of the sum, without a tick.
    assert!(monitor.stalled_since(start) >= 19 * TICK);
    assert!(monitor.stalled_since(late - TICK) < monitor.stalled_since(start));
    let longest = monitor.longest_since(start);
    assert!(19 * TICK <= longest && longest <= monitor.stalled_since(start), "{longest:?}");
}

#[test]
fn the_standard_error_comes_first_where_there_is_little_room() {
    let mut talk = Conversation::begin(None);
    talk.sent(b"go depth 1\n");
    talk.received(Instant::now(), Line::Text(b"info string one"));
    talk.received(Instant::now(), Line::Text(b"two"));
    let words = talk.last_words(b"");
    assert_eq!(words.brief(), " (it said last `info string one` `two`)");
    assert_eq!(words.lines, ["> go depth 1", "< info string one", "< two"]);
    let words = talk.last_words(b"\x1b[31mpanicked\r\nat line 7\n");
    assert_eq!(words.brief(), " (its standard error ends with `\\u{1b}[31mpanicked` `at line 7`)");
    assert!(
        words
            .text("A")
            .ends_with("  A, the end of its standard error:\n    \\u{1b}[31mpanicked\n    at line 7\n")
    );
    assert_eq!(LastWords::default().brief() + &LastWords::default().text("A"), "");
}

#[test]
fn they_have_an_end() {
    let mut talk = Conversation::begin(None);
    (0..1000).for_each(|_| talk.keep(Instant::now(), Speaker::Engine, b"x"));
    let words = talk.last_words("é\u{7}\n".repeat(1000).as_bytes());
    assert_eq!(words.size(), (2 * MAX_LAST_WORDS, MAX_LAST_WORDS * ("< x".len() + "é\\u{7}".len())));
}

/// A message that was not read in time is continued where it ended, without a byte lost or sent twice.
#[test]
fn the_rest_of_a_message_is_sent_later() {
    let (input, mut engine) = UnixStream::pair().expect("a pipe");
    let (output, _engine_output) = UnixStream::pair().expect("a pipe");
    let (exit, _running) = io::pipe().expect("a pipe");
    let mut pipes = Pipes::new(input, output, exit.into()).expect("pipes");
    let stop = Stop::new().expect("a switch");
    let message: Vec<u8> = (0..1u32 << 20).flat_map(u32::to_le_bytes).collect();
    let mut rest = &message[..];
    assert_eq!(pipes.send(&mut rest, Instant::now(), &stop), Err(PipeError::TimedOut));
    assert!(!rest.is_empty() && rest.len() < message.len(), "{} bytes are left", rest.len());
    let mut read = vec![0; message.len()];
    let reader = thread::spawn(move || engine.read_exact(&mut read).map(|()| read));
    let deadline = Instant::now() + Duration::from_secs(600);
    assert_eq!(pipes.send(&mut rest, deadline, &stop), Ok(()));
    assert!(reader.join().expect("a thread").expect("the whole message") == message);
}

#[test]
fn a_process_that_has_exited_is_sent_nothing_more() {
    let (input, _unread) = UnixStream::pair().expect("a pipe");
    let (output, _engine_output) = UnixStream::pair().expect("a pipe");
    let (exit, mut running) = io::pipe().expect("a pipe");
    let mut pipes = Pipes::new(input, output, exit.into()).expect("pipes");
    running.write_all(b"x").expect("there is room");
    let (message, deadline) = (vec![0; 4 << 20], Instant::now() + Duration::from_secs(1));
    let sent = pipes.send(&mut &message[..], deadline, &Stop::new().expect("a switch"));
    assert_eq!(sent, Err(PipeError::Closed));
}

/// However much waits to be read: what waits when the time is up is read once more, and then the time is up.
#[test]
fn a_flood_ends_with_the_deadline() {
    let (input, _engine_input) = UnixStream::pair().expect("a pipe");
    let (output, mut engine) = UnixStream::pair().expect("a pipe");
    let (exit, _running) = io::pipe().expect("a pipe");
    let mut pipes = Pipes::new(input, output, exit.into()).expect("pipes");
    let stop = Stop::new().expect("a switch");
    let writer = thread::spawn(move || {
        let flood = b"info depth 1\n".repeat(8 * MAX_LINE_BYTES / 13);
        let _ = engine.write_all(&flood);
    });
    let deadline = Instant::now();
    let mut bytes = 0;
    let end = loop {
        match pipes.receive(deadline, &stop, None) {
            Ok(received) => match received.line {
                Line::Text(text) => bytes += text.len() + 1,
                Line::Overlong => panic!("no line is overlong"),
            },
            Err(error) => break error,
        }
    };
    assert_eq!(end, PipeError::TimedOut);
    assert!(bytes <= MAX_LINE_BYTES, "{bytes} bytes were read after the deadline");
    drop(pipes);
    writer.join().expect("the writer ends with the pipes");
}

/// The same for another output that is watched, of an engine that ponders, and for an engine that is to exit.
#[test]
fn a_flood_elsewhere_ends_with_the_deadline_too() {
    let (input, _engine_input) = UnixStream::pair().expect("a pipe");
    let (output, mut engine) = UnixStream::pair().expect("a pipe");
    let (exit, _running) = io::pipe().expect("a pipe");
    let (aside, mut ponderer) = UnixStream::pair().expect("a pipe");
    let mut pipes = Pipes::new(input, output, exit.into()).expect("pipes");
    let stop = Stop::new().expect("a switch");
    ponderer.write_all(b"info depth 1\n").expect("there is room");
    let later = Instant::now() + Duration::from_secs(600);
    let watch = |pipes: &mut Pipes, deadline| {
        pipes.receive(deadline, &stop, Some(aside.as_fd())).map(|_| ()).expect_err("no line")
    };
    assert_eq!(watch(&mut pipes, later), PipeError::Aside);
    assert_eq!(watch(&mut pipes, Instant::now()), PipeError::TimedOut);
    let writer = thread::spawn(move || while engine.write_all(&[b'\n'; 4096]).is_ok() {});
    assert!(!pipes.await_exit(Instant::now() + Duration::from_millis(20), None));
    drop(pipes);
    writer.join().expect("the writer ends with the pipes");
}
