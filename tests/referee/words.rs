//! The words of the command line, and its help.

use clap::Command;
use kroo_referee::cli::key_values::KeyValues;
use kroo_referee::cli::{Action, COLUMNS, command, parse};

#[test]
fn no_line_is_wider_than_a_terminal() {
    let mut command = command();
    command.build();
    let all: Vec<Command> = std::iter::once(&command).chain(command.get_subcommands()).cloned().collect();
    for mut command in all {
        let help = command.render_long_help().to_string();
        for line in help.lines() {
            assert!(line.chars().count() <= COLUMNS, "{}: {line}", command.get_name());
        }
    }
}

#[test]
fn the_short_form_is_short() {
    let Ok(Action::Print(help)) = parse(["referee", "-h"].map(Into::into)) else { panic!("no help") };
    assert!(help.lines().count() <= 30, "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= COLUMNS), "{help}");
    for part in ["--engine <WORD>...  ", "--rounds <N> ", "[default: 4]", "Commands: audit, check, merge,"] {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(!help.contains("--lease"), "{help}");
    // The help of a command is whole.
    let Ok(Action::Print(help)) = parse(["referee", "merge", "-h"].map(Into::into)) else {
        panic!("no help")
    };
    assert!(help.contains("--partial"), "{help}");
}

#[test]
fn words_have_known_keys_each_once() {
    let read = |line: &str, keys: &[&str]| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let pairs = |words: KeyValues<'_>| {
            words.iter().map(|(key, value)| format!("{key}:{value}")).collect::<Vec<_>>().join(" ")
        };
        KeyValues::read("--flag", &words, keys).map(pairs).map_err(|error| error.to_string())
    };
    let keys = ["st", "option.NAME"];
    assert_eq!(read("st=1 option.A=x=y option.b=", &keys), Ok("st:1 option.A:x=y option.b:".to_owned()));
    let refused = |line, expected: &str| assert_eq!(read(line, &keys), Err(expected.to_owned()));
    refused("st", "--flag: `st` has no `=`; the words are st, option.NAME");
    refused("tc=1", "--flag: `tc=1`: unknown word; the words are st, option.NAME");
    refused("option.a=1 option.A=2", "--flag: `option.A` is given twice");
}
