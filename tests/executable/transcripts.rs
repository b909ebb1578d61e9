//! The transcripts of the documents, played against the executable.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use support::PATIENCE;
use support::source::read;

/// Matches any text, or any lines if it is alone on its line.
const ANYTHING: &str = "…";

/// A line of a transcript.
enum Step<'a> {
    Send(&'a str),
    Expect(&'a str),
    SkipTo,
}

/// The transcripts with the number of their first line.
fn transcripts(page: &str) -> Vec<(usize, Vec<Step<'_>>)> {
    let mut all = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line == "```transcript" {
            let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            all.push((number + 2, inside.map(step).collect()));
        }
    }
    all
}

fn step(line: &str) -> Step<'_> {
    if let Some(text) = line.strip_prefix("> ") {
        Step::Send(text)
    } else if let Some(text) = line.strip_prefix("< ") {
        Step::Expect(text)
    } else {
        assert_eq!(line, ANYTHING, "a line of a transcript begins with > or <, or is {ANYTHING}");
        Step::SkipTo
    }
}

/// Whether a line is the pattern, with any text for each `…` in it.
pub fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split(ANYTHING);
    let Some(rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Plays one transcript, then quits; nothing may be left unsaid or said too much.
fn play(first: usize, steps: &[Step<'_>]) {
    let mut engine = Command::new(support::programs::kroo_path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = engine.stdin.take().expect("piped");
    let output = BufReader::new(engine.stdout.take().expect("piped"));
    let (sender, replies) = channel();
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let mut skipping = false;
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Send(line) => writeln!(input, "{line}").expect("the engine reads"),
            Step::SkipTo => skipping = true,
            Step::Expect(pattern) => {
                expect(pattern, std::mem::take(&mut skipping), &replies, first + index);
            }
        }
    }
    // A quit that the transcript has sent already has closed the other end.
    let _ = writeln!(input, "quit");
    assert!(engine.wait().expect("the engine ends").success(), "the transcript at line {first}");
    let rest: Vec<String> = replies.iter().collect();
    assert!(skipping || rest.is_empty(), "the transcript at line {first} leaves {rest:?} unsaid");
}

fn expect(pattern: &str, skipping: bool, replies: &Receiver<String>, line: usize) {
    loop {
        let reply = replies.recv_timeout(PATIENCE);
        let reply = reply.unwrap_or_else(|_| panic!("line {line}: no `{pattern}`"));
        if matches(pattern, &reply) {
            return;
        }
        assert!(skipping, "line {line}: expected `{pattern}`, got `{reply}`");
    }
}

#[test]
fn the_pages_say_what_the_engine_does() {
    for name in ["protocol.md", "docs/manual.md", "docs/rules.md"] {
        let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
        let transcripts = transcripts(&page);
        assert!(!transcripts.is_empty(), "{name} has no transcript");
        for (first, steps) in &transcripts {
            play(*first, steps);
        }
    }
}

#[test]
fn patterns_match_what_they_should() {
    assert!(matches("uciok", "uciok") && !matches("uciok", "uciok "));
    assert!(matches("a…b…c", "axxbyc") && matches("…", "x") && matches("a…", "a"));
    assert!(!matches("a…b…c", "axxcyb") && !matches("a…c", "ab"));
}
