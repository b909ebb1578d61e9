//! The command line.

use super::{playing, score};
use kroo::game::{Position, Variant};
use kroo::protocol::COMMANDS;
use kroo::protocol::options::{OPTIONS, SpecKind};
use std::process::{Command, Output};
use support::client::Client;
use support::programs::kroo_path;

fn run(arguments: &[&str]) -> Output {
    Command::new(kroo_path()).args(arguments).output().expect("the engine starts")
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_option_is_a_flag() {
    for spec in OPTIONS {
        let flag = format!("--{}", spec.flag());
        let bad = match spec.kind {
            SpecKind::Button => {
                assert_eq!(run(&[&flag, "d"]).status.code(), Some(2), "{flag} is not a setting");
                continue;
            }
            SpecKind::Spin { default, max, .. } => {
                printed(&[&flag, &default.to_string(), "d"]);
                vec![(max + 1).to_string(), "-1".to_owned(), "x".to_owned()]
            }
            SpecKind::Check { .. } => {
                // Some are rules of kalah.
                printed(&[&flag, "true", "--variant", "kalah", "d"]);
                vec!["yes".to_owned()]
            }
            SpecKind::Combo { default, .. } => {
                printed(&[&format!("{flag}={default}"), "d"]);
                vec!["chess".to_owned(), String::new()]
            }
            SpecKind::Text { .. } => {
                printed(&[&flag, "", "d"]);
                // Other players read no lessons.
                let learns = ["--variant", "awari1978", "--player", "classic1978"];
                let more = if spec.name == "LearnFile" { &learns[..] } else { &[] };
                let output = run(&[&[&flag, "no/such/file"], more, &["d"]].concat());
                let message = String::from_utf8(output.stderr).expect("text");
                assert_eq!(output.status.code(), Some(1), "{flag}");
                assert!(message.contains(spec.name) && message.contains("no/such/file"), "{flag}: {message}");
                vec![]
            }
        };
        for value in bad {
            let output = run(&[&flag, &value]);
            let message = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(2), "{flag} {value}");
            assert!(message.contains(spec.name) && message.lines().count() == 1, "{flag} {value}: {message}");
            assert!(output.stdout.is_empty());
        }
        assert_eq!(run(&[&flag]).status.code(), Some(2), "{flag} needs a value");
    }
}

#[test]
fn flags_hold_before_any_line_is_read() {
    let mut client = Client::with_flags(&["--variant", "oware", "--showwdl", "true", "--hash", "2"]);
    assert!(client.says("d").iter().any(|reply| reply.to_string().contains("Oware Abapa")));
    assert!(score(client.go("go depth 2").last()).wdl.is_some());
    drop(client);
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        assert_eq!(client.shows().0, Position::start(variant).to_string());
        client.accepts("ucinewgame");
        client.accepts("position startpos");
        assert_eq!(client.shows().0, Position::start(variant).to_string());
    }
}

#[test]
fn a_strength_that_is_named_is_played() {
    let searched = |flags: &[&str]| {
        let mut client = Client::with_flags(&[&["--variant", "oware"], flags].concat());
        let search = client.go("go nodes 50000");
        drop(client);
        (search.depth(), search.nodes())
    };
    let full = searched(&[]);
    assert!(searched(&["--elo", "100"]) < full);
    assert_eq!(searched(&["--elo", "100", "--limitstrength", "false"]), full);
}

#[test]
fn commands_may_stand_on_the_command_line() {
    assert!(printed(&["perft", "4"]).ends_with("Nodes searched: 1014\n"));
    assert!(printed(&["--variant", "ayoayo", "perft", "1"]).contains("A: 1\n"));
    let (one, other) = (printed(&["bench", "3"]), printed(&["--variant", "kalah", "bench", "3"]));
    let signature = |text: &str| text.lines().last().map(str::to_owned);
    assert!(signature(&one).is_some_and(|line| line.starts_with("Nodes searched: ")));
    assert_eq!(signature(&one), signature(&other));
    let help = printed(&["help", "protocol"]);
    assert!(COMMANDS.iter().all(|(usage, what)| help.contains(usage) && help.contains(what)));
    let usage = printed(&["--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    for spec in OPTIONS.iter().filter(|spec| !matches!(spec.kind, SpecKind::Button)) {
        assert!(
            usage.contains(&format!("--{} ", spec.flag())) && usage.contains(spec.doc.trim_end_matches('.')),
            "{usage}"
        );
    }
    let version = printed(&["--version"]);
    let commit = version.strip_prefix(concat!("kroo ", env!("CARGO_PKG_VERSION"))).expect("the version");
    // Only release builds name their commit.
    assert!(
        commit == "\n" || !cfg!(debug_assertions) && commit.starts_with(" (") && commit.ends_with(")\n"),
        "{version}"
    );
    assert!(printed(&["go", "depth", "3"]).lines().last().is_some_and(|line| line.starts_with("bestmove ")));
    assert!(printed(&["uci"]).ends_with("uciok\n"));
    for wrong in [
        &["xyzzy"][..],
        &["perft"],
        &["perft", "0"],
        &["go", "depth"],
        &["--xyzzy"],
        &["--hash", "1", "--hash"],
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{wrong:?}");
    }
}
