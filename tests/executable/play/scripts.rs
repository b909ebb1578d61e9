//! The conversations in `tests/fixtures/data/play`: each file is a test.
//!
//! A line that begins with `#` is a remark, the one that begins with `$` the command, `>` a line that is typed. All others
//! are the exact output; `…` matches any text, and alone on a line any lines.

use super::talk;
use crate::transcripts::matches;
use std::fs;
use std::path::Path;

/// Whether lines are those of a pattern.
fn fits(patterns: &[&str], lines: &[&str]) -> Result<(), String> {
    let Some((first, rest)) = patterns.split_first() else {
        return if lines.is_empty() { Ok(()) } else { Err(format!("`{}` is too much", lines[0])) };
    };
    if *first == "…" {
        let found = (0..=lines.len()).find(|&skipped| fits(rest, &lines[skipped..]).is_ok());
        return found.map(|_| ()).ok_or_else(|| format!("nothing fits behind `…`: {rest:?}"));
    }
    match lines.split_first() {
        Some((line, others)) if matches(first, line) => fits(rest, others),
        Some((line, _)) => Err(format!("expected `{first}`, got `{line}`")),
        None => Err(format!("expected `{first}`, and nothing came")),
    }
}

/// Holds a conversation as it is written.
fn hold(name: &str, text: &str) {
    let flags =
        text.lines().find_map(|line| line.strip_prefix("$ ")).and_then(|line| line.split_once("kroo play"));
    let flags: Vec<&str> = flags.expect("a command").1.split_whitespace().collect();
    let typed: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let scratch = tempfile::tempdir().expect("a folder");
    let (output, errors, fine) = talk(&flags, scratch.path(), &typed);
    let is_said = |line: &&str| !["#", "$", ">"].iter().any(|mark| line.starts_with(mark));
    let expected: Vec<&str> = text.lines().filter(is_said).collect();
    let said: Vec<&str> = output.lines().collect();
    assert!(fine && errors.is_empty(), "{name}: {errors}");
    if let Err(wrong) = fits(&expected, &said) {
        panic!("{name}: {wrong}\n{output}");
    }
    // A command that is to be copied is one line, however long.
    let fits = |line: &str| line.chars().count() <= 80 || line.starts_with("  kroo play ");
    assert!(said.iter().all(|line| fits(line)), "{name}");
    assert!(!output.contains('\u{1b}'), "no colours go into a pipe");
}

#[test]
fn the_conversations_go_as_they_are_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/data/play");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        hold(&path.display().to_string(), &fs::read_to_string(&path).expect("a file"));
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn a_conversation_that_goes_otherwise_is_noticed() {
    assert!(fits(&["a", "…", "c…e"], &["a", "b", "b", "cde"]).is_ok());
    assert!(fits(&["a", "…", "c"], &["a", "b"]).is_err());
    assert!(fits(&["a"], &["a", "b"]).is_err() && fits(&["a", "b"], &["a"]).is_err());
}

#[test]
fn the_same_seed_draws_the_same_lots() {
    let scratch = tempfile::tempdir().expect("a folder");
    let game = |seed: &str| {
        let flags = ["--side", "none", "--player", "random", "--board", "plain", "--seed", seed];
        talk(&flags, scratch.path(), &["position"]).0
    };
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
}

/// A game of two seeds without an end, up to the move limit of the referee.
#[test]
fn a_game_that_never_ends_is_ended() {
    let scratch = tempfile::tempdir().expect("a folder");
    let position = ["--side", "both", "--position", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"];
    let round = ["1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6", "6"];
    let lines: Vec<&str> = round.iter().copied().cycle().take(250).collect();
    let (before, ..) = talk(&position, scratch.path(), &lines[..249]);
    assert!(!before.contains("The game is over"), "{before}");
    let (output, ..) = talk(&position, scratch.path(), &[&lines[..], &["save it.ogn"]].concat());
    let end = "250 moves have been made, so the stores decide. The 2 seeds left on the board count for neither side. A draw, 23 to 23.";
    assert!(output.split_whitespace().collect::<Vec<_>>().join(" ").contains(end), "{output}");
    let games = kroo::ogn::open(&scratch.path().join("it.ogn")).expect("a sound file");
    assert_eq!((games[0].result(), games[0].tag("Termination")), ("1/2-1/2", Some("move limit")));
}

#[test]
fn what_the_command_line_gets_wrong_is_named() {
    let scratch = tempfile::tempdir().expect("a folder");
    let cases: [(&[&str], &str); 10] = [
        (&["--variant", "chess"], "[possible values: awari, awari1978"),
        (&["--level", "god"], "[possible values: initiation, beginner"),
        (&["--elo", "3000"], "a number from 0 to 2000"),
        (&["--elo", "500", "--level", "full"], "cannot be used with"),
        (&["--player", "me"], "[possible values: random, greedy"),
        (&["--time", "never"], "expected seconds from 0.001 to 86400"),
        (&["--position", "startpos", "moves", "FF"], "move 2 (`F`): it is North's turn"),
        (
            &["--variant", "awari", "--player", "classic1978"],
            "classic1978 cannot play awari: it plays awari1978 only",
        ),
        (&["--load", "none.ogn"], "none.ogn cannot be read: No such file"),
        (&["--save", "no/it.ogn"], "`no/it.ogn` cannot be written: there is no folder no; make it"),
    ];
    for (flags, expected) in cases {
        let (output, errors, fine) = talk(flags, scratch.path(), &[]);
        assert!(!fine && output.is_empty() && errors.contains(expected), "{flags:?}: {errors}");
    }
}

#[test]
fn levels_and_players_are_listed_and_chosen_as_in_the_menu() {
    let scratch = tempfile::tempdir().expect("a folder");
    let lines = [
        "level",
        "level 2",
        "level gra",
        "level 700",
        "level 9",
        "player",
        "player 2",
        "player car",
        "exit",
        "hint",
    ];
    let (output, _, fine) = talk(&["--side", "both"], scratch.path(), &lines);
    let said = output.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "The levels are 1 initiation, 2 beginner, 3 amateur, 4 grandmaster, 5 full; or an Elo from 372 to 1891.",
        "now plays at level beginner.",
        "now plays at level grandmaster.",
        "now plays at 700 Elo.",
        "No level is called `9`; the levels are 1 initiation,",
        "The players are 1 random, 2 greedy,",
        "against greedy.",
        "against careful.",
    ] {
        assert!(said.contains(part), "{part}: {output}");
    }
    assert!(fine && !said.contains("Kroo suggests"), "`exit` leaves: {output}");
    // A player of one game chooses it.
    let (output, ..) = talk(&["--player", "classic1978"], scratch.path(), &[]);
    assert!(output.starts_with("Awari 1978. You play South against classic1978."), "{output}");
}

/// `redo` plays moves again that `undo` took back, the end of the game included, until another move is played.
#[test]
fn moves_that_were_taken_back_are_played_again() {
    let scratch = tempfile::tempdir().expect("a folder");
    let flags = ["--variant", "kalah", "--player", "greedy", "--save", "it.ogn"];
    let said = |lines: &[&str]| {
        let _ = fs::remove_file(scratch.path().join("it.ogn"));
        talk(&flags, scratch.path(), lines).0
    };
    let words = |lines: &[&str]| {
        let output = said(&[lines, &["position"]].concat());
        output.lines().rfind(|line| line.starts_with("startpos")).expect("the game").to_owned()
    };
    let played = ["1", "2", "3"];
    let whole = words(&played);
    assert_eq!(words(&[&played[..], &["undo 3"]].concat()), "startpos");
    for lines in [
        &["undo", "redo"][..],
        &["undo 3", "redo 3"],
        &["undo", "undo 2", "redo 2", "redo"],
        &["undo 9", "redo 9"],
    ] {
        assert_eq!(words(&[&played[..], lines].concat()), whole, "{lines:?}");
    }
    assert_eq!(words(&[&played[..], &["undo 3", "redo"]].concat()), words(&played[..1]));
    let output = said(&[&played[..], &["undo 2", "redo 2"]].concat());
    assert!(output.contains("2 moves played again.\n"), "{output}");
    let nothing = "There is no move to play again: `redo` follows `undo`.";
    for lines in [
        &["redo"][..],
        &["1", "redo"],
        &["1", "undo", "redo", "redo"],
        &["1", "undo", "3", "redo"],
        &["1", "undo", "new", "redo"],
    ] {
        assert!(said(lines).contains(nothing), "{lines:?}");
    }
    let output = said(&["1", "resign", "undo 2", "redo 2", "undo", "redo"]);
    assert_eq!(output.matches("The game is over. You resign. Greedy wins.").count(), 3, "{output}");
    let records = kroo::ogn::open(&scratch.path().join("it.ogn")).expect("a sound file");
    assert_eq!(records[0].result(), "0-1", "{output}");
    // The end of a game that was loaded is what it was.
    let loaded = "[Variant \"Kalah\"]\n[South \"a\"]\n[Result \"1-0\"]\n[Termination \"time forfeit\"]\n\n1. A b 0-0\n\n";
    fs::write(scratch.path().join("end.ogn"), loaded).expect("written");
    let flags = ["--side", "both", "--load", "end.ogn", "--save", "end.ogn"];
    let (output, ..) = talk(&flags, scratch.path(), &["undo 2", "redo 2"]);
    assert_eq!(output.matches("North's time ran out. South wins.").count(), 2, "{output}");
    let after = kroo::ogn::open(&scratch.path().join("end.ogn")).expect("a sound file");
    let tags = ["South", "Result", "Termination"].map(|tag| after[0].tag(tag));
    assert_eq!(tags, [Some("a"), Some("1-0"), Some("time forfeit")]);
}

/// Letters are answered in letters, numbers in numbers.
#[test]
fn pits_are_named_as_the_person_names_them() {
    let scratch = tempfile::tempdir().expect("a folder");
    let flags = ["--variant", "kalah", "--side", "both", "--nodes", "500"];
    let (output, ..) = talk(&flags, scratch.path(), &["a", "a", "hint", "3", "3", "hint"]);
    for part in [
        "South's turn: pits 1 2 3 4 5 6.",
        "South sows pit A: 4 seeds, the last in E.",
        "North's turn: pits a b c d e f.",
        "North sows pit a: 4 seeds",
        "South sows pit 3 (C): 5 seeds",
        "North's turn: pits 1 2 3 4 5 6.",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
    let hints: Vec<&str> = output.lines().filter(|line| line.starts_with("Kroo suggests")).collect();
    assert!(!hints[0].contains('(') && hints[1].contains('('), "{hints:?}");
    let (output, ..) = talk(&flags, scratch.path(), &["A", "A", "A", "moves"]);
    let words = output.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Pit A is empty") && words.contains("You may play pits B C D E F."), "{output}");
    assert!(output.contains("\n  B 5 seeds, the last in "), "{output}");
}

#[test]
fn a_new_game_goes_by_number_as_in_the_menu() {
    let scratch = tempfile::tempdir().expect("a folder");
    let (output, ..) = talk(&["--side", "both"], scratch.path(), &["new 5", "new oware", "new aw", "new 6"]);
    for part in [
        "A new game of Kalah.",
        "A new game of Oware Abapa.",
        "No rule set is called `aw`; the rule sets are 1 awari, 2 awari1978, 3 ayoayo, 4",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
}

#[test]
fn endgame_files_and_the_move_limit_count() {
    let scratch = tempfile::tempdir().expect("a folder");
    let flags = ["--movelimit", "3", "--nodes", "100", "--variant", "awari"];
    let (output, ..) = talk(&flags, scratch.path(), &["rules", "1", "1"]);
    assert!(output.contains("not over after 3 moves"), "{output}");
    assert!(output.contains("3 moves have been made, so the stores decide."), "{output}");
    let build = ["endgame", "build", "--variant", "awari", "--seeds", "8", "--out", "files"];
    let built = std::process::Command::new(support::programs::kroo_path())
        .args(build)
        .current_dir(scratch.path())
        .output()
        .expect("it starts");
    assert!(built.status.success());
    let position = ["--nodes", "1", "--position", "0-2-0-1-0-1-0-1-1-0-2-0-20-20-S"];
    let (output, ..) = talk(&position, scratch.path(), &["hint"]);
    assert!(!output.contains("a certain"), "{output}");
    let flags = [&["--endgamepath", "files"], &position[..]].concat();
    let (output, ..) = talk(&flags, scratch.path(), &["hint"]);
    assert!(output.contains("a certain"), "{output}");
}

#[test]
fn a_level_is_chosen_by_its_number_too() {
    let scratch = tempfile::tempdir().expect("a folder");
    let (output, _, fine) = talk(&["--level", "2"], scratch.path(), &["level"]);
    assert!(fine && output.contains("against Kroo (beginner)"), "{output}");
}
