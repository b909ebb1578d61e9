//! Tests of `src/play/command.rs`.

use kroo::game::Side;
use kroo::play::command::*;
use std::path::PathBuf;

#[test]
fn pits_go_by_number_and_by_letter() {
    for (text, side, expected) in
        [("1", Side::South, 'A'), ("6", Side::North, 'f'), ("c", Side::South, 'C'), (" C ", Side::North, 'c')]
    {
        match parse(text) {
            Ok(Some(PlayCommand::Sow(named))) => assert_eq!(named.by(side).letter(), expected),
            other => panic!("{text}: {other:?}"),
        }
    }
    for text in ["0", "7", "-1", "99999999999999999999", "1 2", "g", "n", "a b", "12"] {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn commands_can_be_abbreviated_while_unambiguous() {
    assert_eq!(parse("q"), Ok(Some(PlayCommand::Quit)));
    assert_eq!(parse("?"), Ok(Some(PlayCommand::Help)));
    assert_eq!(parse("HINT"), Ok(Some(PlayCommand::Hint)));
    assert_eq!(parse("un 3"), Ok(Some(PlayCommand::Undo(3))));
    assert_eq!(parse("res"), Ok(Some(PlayCommand::Resign)));
    assert_eq!(parse("re"), Err("`re` could be review, redo or resign: type more letters.".to_owned()));
    assert_eq!(parse("redo 2"), Ok(Some(PlayCommand::Redo(2))));
    assert_eq!(parse("new 4"), parse("new oware"));
    assert_eq!(parse(" "), Ok(None));
}

#[test]
fn every_command_of_the_list_is_understood() {
    for (usage, _) in &PLAY_COMMANDS[1..] {
        let word = usage.split(' ').next().expect("a word");
        let needs = match word {
            "time" => " 1",
            "load" => " some file.ogn",
            _ => "",
        };
        assert!(matches!(parse(&format!("{word}{needs}")), Ok(Some(_))), "{word}");
    }
    let over = PlayCommand::Save { path: Some(PathBuf::from("a b.ogn")), over: true };
    assert_eq!(parse("save over a b.ogn"), Ok(Some(over)));
    assert_eq!(parse("load a b.ogn game 3"), Ok(Some(PlayCommand::Load(PathBuf::from("a b.ogn"), Some(3)))));
}

#[test]
fn what_is_wrong_is_said_with_what_is_allowed() {
    for (line, part) in [
        ("level god", "the levels are 1 initiation, 2 beginner, "),
        ("player me", "the players are 1 random, "),
        ("time long", "expected seconds"),
        ("time nan", "expected seconds"),
        ("undo 0", "must be 1 or more"),
        ("redo x", "`redo x`: the number of moves must be 1 or more"),
        ("new 7", "No rule set is called `7`"),
        ("board round", "unicode, ascii, plain"),
        ("new chess", "No rule set is called `chess`; the rule sets are 1 awari, 2 awari1978, "),
        ("load", "needs the name of a file"),
        ("hint please", "takes no argument"),
        ("x\u{1b}[2J", "I do not know `x\\u{1b}[2j`"),
    ] {
        let error = parse(line).expect_err(line);
        assert!(error.contains(part), "{error}");
    }
}
