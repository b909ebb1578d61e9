//! Games that are saved and taken up again.

use super::talk;
use kroo::game::Variant;
use kroo::ogn::{open, parse};
use std::fs;
use std::path::Path;
use support::data::sessions_1978;

fn moves(path: &Path) -> Vec<String> {
    let games = open(path).expect("a sound file");
    games.iter().map(|record| record.game.moves().iter().map(|mv| mv.letter()).collect()).collect()
}

#[test]
fn a_game_is_saved_and_goes_on_where_it_was() {
    let scratch = tempfile::tempdir().expect("a folder");
    let (folder, path) = (scratch.path(), scratch.path().join("my game.ogn"));
    let flags = ["--variant", "awari1978", "--player", "greedy"];
    let (output, ..) = talk(&flags, folder, &["4", "1", "save my game.ogn", "quit"]);
    assert!(
        output.contains("Saved in my game.ogn.") && output.ends_with("The game is saved in my game.ogn.\n"),
        "{output}"
    );
    assert_eq!(moves(&path), ["DAda"]);
    let text = fs::read_to_string(&path).expect("a file");
    for tag in ["[Variant \"Awari 1978\"]", "[South \"a person\"]", "[North \"greedy\"]", "[Result \"*\"]"] {
        assert!(text.contains(tag), "{text}");
    }
    let flags = ["--load", "my game.ogn", "--player", "greedy"];
    let (output, ..) = talk(&flags, folder, &["moves", "undo", "5", "save"]);
    assert!(output.contains("Moves so far: D A d a"), "{output}");
    assert_eq!(moves(&path)[0][..2], *"DE", "the same game, changed");
}

#[test]
fn with_save_every_turn_is_in_the_file() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("all.ogn");
    let flags = ["--variant", "kalah", "--side", "both", "--save", "all.ogn"];
    talk(&flags, scratch.path(), &["3", "6", "1", "new", "1", "resign", "new oware", "6", "quit"]);
    assert_eq!(moves(&path), ["CFa", "A", "F"], "all games of the sitting");
    let games = open(&path).expect("a sound file");
    let results: Vec<&str> = games.iter().map(|record| record.result()).collect();
    assert_eq!(results, ["*", "1-0", "*"]);
    assert_eq!(games[1].tag("Termination"), Some("resignation"));
    assert_eq!(games[2].game.position().variant(), Variant::Oware);
    // The file is not lost to a second sitting, and goes on with the third.
    let before = fs::read(&path).expect("a file");
    let (_, errors, fine) = talk(&flags, scratch.path(), &["1"]);
    assert!(!fine && errors.contains("all.ogn already exists"), "{errors}");
    assert_eq!(fs::read(&path).expect("a file"), before);
    let flags = ["--side", "both", "--load", "all.ogn", "--save", "all.ogn"];
    talk(&flags, scratch.path(), &["6"]);
    assert_eq!(moves(&path), ["CFa", "A", "Ff"]);
}

#[test]
fn no_file_is_replaced_that_nobody_names() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("other.ogn");
    fs::write(&path, "a poem").expect("written");
    let (output, ..) = talk(&["--side", "both"], scratch.path(), &["1", "save other.ogn", "save"]);
    assert!(
        output.contains("Not saved: other.ogn already exists: `save over other.ogn` replaces it"),
        "{output}"
    );
    assert!(output.contains("the first `save` needs the name of a file"), "{output}");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "a poem");
    let (output, ..) = talk(&["--side", "both"], scratch.path(), &["1", "save over other.ogn"]);
    assert!(output.contains("Saved in other.ogn."), "{output}");
    assert_eq!(moves(&path), ["A"]);
    let (output, ..) = talk(&["--side", "both"], scratch.path(), &["1", "save no/such/folder.ogn"]);
    assert!(
        output.contains("Not saved: `no/such/folder.ogn` cannot be written: there is no folder no/such"),
        "{output}"
    );
}

#[test]
fn a_file_with_an_error_is_named_with_its_place_and_changes_nothing() {
    let scratch = tempfile::tempdir().expect("a folder");
    fs::write(scratch.path().join("bad.ogn"), "[Variant \"Awari\"]\n\n1. F f 2. F 0-0\n").expect("written");
    let script = ["2", "load bad.ogn", "load none.ogn", "position"];
    let (output, ..) = talk(&["--side", "both"], scratch.path(), &script);
    assert!(output.contains("Not loaded: bad.ogn: line 3, column 11: `F`: the pit is empty."), "{output}");
    assert!(output.contains("Not loaded: none.ogn cannot be read: No such file"), "{output}");
    assert!(output.contains("startpos moves B\n"), "{output}");
    let (_, errors, fine) = talk(&["--load", "bad.ogn"], scratch.path(), &[]);
    assert!(!fine && errors.contains("bad.ogn: line 3, column 11: `F`: the pit is empty"), "{errors}");
}

/// Files of many games, such as the referee writes, and games that were given up.
#[test]
fn any_game_of_a_file_can_be_taken() {
    let scratch = tempfile::tempdir().expect("a folder");
    let text = "[Variant \"Awari\"]\n[Result \"1-0\"]\n\n1. F f 0-0\n\n[Variant \"Kalah\"]\n\n1. A 0-0\n\n";
    assert_eq!(parse(text).expect("sound").len(), 2);
    fs::write(scratch.path().join("two.ogn"), text).expect("written");
    let script = ["load two.ogn game 1", "position", "load two.ogn game 3", "load two.ogn", "position"];
    let (output, ..) = talk(&["--side", "both"], scratch.path(), &script);
    assert!(output.contains("Loaded: game 1 of 2, Awari, 2 moves."), "{output}");
    assert!(output.contains("two.ogn has 2 games, so there is no game 3"), "{output}");
    assert!(
        output.contains("Loaded: game 2 of 2, Kalah, 1 move.") && output.contains("startpos moves A\n"),
        "{output}"
    );
}

/// A loaded game continues on the same side, against the same opponent.
#[test]
fn a_game_goes_on_as_it_was() {
    let scratch = tempfile::tempdir().expect("a folder");
    let flags = ["--variant", "kalah", "--side", "north", "--level", "beginner", "--time", "0.05"];
    let (output, ..) = talk(&flags, scratch.path(), &["save one.ogn", "quit"]);
    let who = "You play North against Kroo (beginner).";
    assert!(output.contains(who), "{output}");
    let (output, ..) = talk(&["--load", "one.ogn"], scratch.path(), &["time", "save two.ogn", "quit"]);
    assert!(output.contains(who), "{output}");
    let text = fs::read_to_string(scratch.path().join("two.ogn")).expect("a file");
    assert!(text.contains("[TimeControl \"st=0.05\"]"), "{text}");
    let (output, ..) = talk(&["--player", "greedy"], scratch.path(), &["load one.ogn", "1", "quit"]);
    assert!(
        output.contains(&format!("move. {who}")) || output.contains(&format!("moves. {who}")),
        "{output}"
    );
    // Flags take precedence over the saved values.
    let said = ["--load", "one.ogn", "--side", "south", "--player", "greedy", "--time", "2"];
    let (output, ..) = talk(&said, scratch.path(), &["save three.ogn", "quit"]);
    assert!(output.contains("You play South against greedy."), "{output}");
    // And without a file: the line that is printed at the end takes all of it along.
    let (output, ..) = talk(&flags, scratch.path(), &["quit"]);
    let line = output.lines().last().expect("a line");
    let start =
        "  kroo play --variant kalah --side north --level beginner --time 0.05 --position startpos moves ";
    assert!(line.starts_with(start), "{line}");
    let again: Vec<&str> = line.split_whitespace().skip(2).collect();
    let (output, ..) = talk(&again, scratch.path(), &["quit"]);
    assert!(output.contains(who) && output.lines().last() == Some(line), "{output}");
    // So does an Elo.
    let flags = ["--elo", "700", "--time", "0.05"];
    let (output, ..) = talk(&flags, scratch.path(), &["save elo.ogn", "1", "quit"]);
    assert!(output.contains("against Kroo (700).") && output.contains(" --elo 700 --time 0.05"), "{output}");
    let (output, ..) = talk(&["--load", "elo.ogn"], scratch.path(), &["quit"]);
    assert!(output.contains("against Kroo (700)."), "{output}");
    // A game between engines says nothing about a person.
    let engines = "[Variant \"Kalah\"]\n[Event \"Match\"]\n[South \"a\"]\n[North \"greedy\"]\n\n1. A 0-0\n\n";
    fs::write(scratch.path().join("match.ogn"), engines).expect("written");
    let (output, ..) = talk(&["--load", "match.ogn", "--nodes", "100"], scratch.path(), &["quit"]);
    assert!(output.contains("You play South against Kroo (full)."), "{output}");
}

/// A whole evening at the program of 1978: what it once answered to South's moves, game after game, it answers here, and
/// learns from the games of the sitting as it did.
#[test]
fn the_program_of_1978_is_met_again_in_one_sitting() {
    let scratch = tempfile::tempdir().expect("a folder");
    let games = sessions_1978();
    let mut script = Vec::new();
    for (_, game, _) in &games {
        let south = game.chars().filter(char::is_ascii_uppercase);
        script.extend(south.map(|letter| letter.to_string()));
        script.push("new".to_owned());
    }
    let flags =
        ["--variant", "awari1978", "--player", "classic1978", "--board", "plain", "--save", "1978.ogn"];
    let script: Vec<&str> = script.iter().map(String::as_str).collect();
    let (output, ..) = talk(&flags, scratch.path(), &script);
    let path = scratch.path().join("1978.ogn");
    let played = moves(&path);
    assert_eq!(played.len(), games.len(), "{output}");
    let records = open(&path).expect("a sound file");
    for ((_, expected, stores), (played, record)) in games.iter().zip(played.iter().zip(&records)) {
        let [south, north] = record.stores();
        assert_eq!((played.as_str(), format!("{south}-{north}")), (*expected, (*stores).to_owned()));
    }
}

/// A resignation that is taken back is not in the file, so the program does not say that the game is.
#[test]
fn a_game_is_called_saved_only_as_the_file_has_it() {
    let scratch = tempfile::tempdir().expect("a folder");
    let flags = ["--variant", "kalah", "--side", "both"];
    talk(&flags, scratch.path(), &["1", "resign", "save one.ogn"]);
    let load = ["--load", "one.ogn", "--side", "both"];
    let (output, ..) = talk(&load, scratch.path(), &[]);
    assert!(output.starts_with("Kalah. Two people play. This game is over. `rules`"), "{output}");
    assert!(output.contains("North resigns. South wins.\n"), "{output}");
    assert!(output.ends_with("The game is saved in one.ogn.\n"), "{output}");
    let (output, ..) = talk(&load, scratch.path(), &["undo"]);
    assert!(output.contains("The game is not saved. To continue it:"), "{output}");
    let (output, ..) = talk(&load, scratch.path(), &["undo", "save"]);
    assert!(output.ends_with("The game is saved in one.ogn.\n"), "{output}");
    let (output, ..) = talk(&["--load", "one.ogn"], scratch.path(), &["resign", "new", "exit"]);
    assert!(!output.contains("The previous game is saved"), "{output}");
}

/// The end in a game file is kept: shown when it is loaded, and saved again unchanged.
#[test]
fn every_end_of_a_loaded_game_stays_what_it_was() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("end.ogn");
    for (result, termination, sentence, taken_back) in [
        ("0-1", "time forfeit", "South's time ran out. North wins.", "The loss on time is taken back."),
        ("1-0", "time forfeit: b was late", "North's time ran out. South wins.", "The loss on time"),
        ("0-1", "resignation", "South resigns. North wins.", "The resignation is taken back."),
        ("1/2-1/2", "agreed draw", "The players agreed to a draw.", "The agreement is taken back."),
        ("1-0", "illegal move", "The game file says: illegal move. South wins.", "The end of the game"),
        ("1/2-1/2", "", "A draw, as the game file says.", "The end of the game is taken back."),
    ] {
        let text = format!(
            "[Variant \"Kalah\"]\n[Event \"Match\"]\n[South \"a\"]\n[North \"b\"]\n[Result \"{result}\"]\n\
             [Termination \"{termination}\"]\n\n1. A b 0-0\n\n"
        );
        fs::write(&path, &text).expect("written");
        let flags = ["--side", "both", "--load", "end.ogn"];
        let (output, ..) = talk(&flags, scratch.path(), &["3", "save over again.ogn"]);
        assert!(output.contains("Two people play. This game is over."), "{output}");
        assert!(output.contains(&format!("The game is over. {sentence}\n")), "{output}");
        assert!(output.ends_with("The game is saved in again.ogn.\n"), "{output}");
        let [before, after] =
            ["end.ogn", "again.ogn"].map(|name| open(&scratch.path().join(name)).expect("sound"));
        for tag in ["Event", "South", "North", "Result", "Termination"] {
            assert_eq!(before[0].tag(tag), after[0].tag(tag), "{tag}");
        }
        // It stays so in a file that is saved after every turn, until the end is taken back.
        talk(&[&flags[..], &["--save", "end.ogn"]].concat(), scratch.path(), &["hint"]);
        assert_eq!(open(&path).expect("sound"), before);
        let (output, ..) = talk(&flags, scratch.path(), &["undo", "3", "save"]);
        assert!(output.contains(taken_back), "{output}");
        let records = open(&path).expect("sound");
        assert_eq!((records[0].result(), records[0].game.moves().len()), ("*", 3), "{output}");
    }
}
