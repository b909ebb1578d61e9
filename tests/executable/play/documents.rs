//! A game that is loaded is a document: what came in goes out.

use super::interrupted_game::piped;
use super::talk;
use kroo::ogn::open;
use std::fs;
use std::io::Write;
use std::path::Path;
use support::documents::{Errand, stem};

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Documents that any program may have written go through the program with a move more; the others are only saved.
#[test]
fn everything_of_a_document_is_kept() {
    let scratch = tempfile::tempdir().expect("a folder");
    let errands = Errand::some(60);
    let mut script = Vec::new();
    for (number, Errand { document, mv }) in errands.iter().enumerate() {
        fs::write(scratch.path().join(format!("{number}.ogn")), document.to_string()).expect("written");
        script.push(format!("load {number}.ogn"));
        script.extend(mv.map(|mv| mv.letter().to_string()));
        script.push(format!("save new{number}.ogn"));
    }
    let script: Vec<&str> = script.iter().map(String::as_str).collect();
    let (output, errors, fine) = talk(&["--side", "both"], scratch.path(), &script);
    assert!(fine, "{output}{errors}");
    for (number, errand) in errands.iter().enumerate() {
        errand.check(&text(&scratch.path().join(format!("new{number}.ogn"))));
    }
}

const PEOPLE: [&str; 2] = ["--side", "both"];

/// Names are no players: two people write theirs into the file, and it still is their game.
#[test]
fn names_say_nothing_about_who_plays() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("it.ogn");
    talk(&[&PEOPLE[..], &["--save", "it.ogn"]].concat(), scratch.path(), &["3"]);
    let named = text(&path)
        .replace("[South \"a person\"]", "[South \"Ama\"]")
        .replace("[North \"a person\"]", "[North \"Kroo (full)\"]")
        .replace("[Event \"Casual game\"]", "[Event \"Friends\"]");
    fs::write(&path, &named).expect("written");
    let (output, ..) = talk(&["--load", "it.ogn", "--save", "it.ogn"], scratch.path(), &["3"]);
    assert!(output.contains("Two people play.") && output.contains("North sows pit"), "{output}");
    assert!(text(&path).replace('\n', " ").starts_with(&stem(&named)), "{}", text(&path));
    // One person against the engine.
    let flags = ["--side", "north", "--level", "initiation", "--nodes", "100"];
    talk(&[&flags[..], &["--save", "one.ogn"]].concat(), scratch.path(), &["3"]);
    let one = scratch.path().join("one.ogn");
    let named = text(&one).replace("[North \"a person\"]", "[North \"Ama\"]");
    fs::write(&one, named).expect("written");
    let (output, ..) = talk(&["--load", "one.ogn"], scratch.path(), &["swap", "save"]);
    assert!(output.contains("You play North against Kroo (initiation)."), "{output}");
    let record = open(&one).expect("sound").remove(0);
    let tags = ["South", "SouthPlayer", "North", "NorthPlayer"].map(|tag| record.tag(tag).expect("a tag"));
    assert_eq!(tags, ["Ama", "person", "Kroo (initiation)", "Kroo (initiation)"], "the name moves along");
}

/// A file that has changed since it was read is not written over.
#[test]
fn a_changed_file_is_not_written_over() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("it.ogn");
    talk(&[&PEOPLE[..], &["--save", "it.ogn"]].concat(), scratch.path(), &["3"]);
    let named = text(&path).replace("a person", "Ama");
    let file = path.to_str().expect("a name");
    let (mut game, mut input) = piped(&[&PEOPLE[..], &["--load", file]].concat());
    game.until("Type the number");
    fs::write(&path, &named).expect("written");
    writeln!(input, "3\nsave").expect("it reads");
    game.until("has changed");
    assert_eq!(text(&path), named);
    writeln!(input, "save over {file}").expect("it reads");
    game.until("Saved in");
    assert_eq!(open(&path).expect("sound")[0].game.moves().len(), 2);
    drop(input);
    assert!(game.rest().1);
}

/// The limits in force are in the file, and in force again once it is loaded.
#[test]
fn limits_are_kept() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("it.ogn");
    let save = |flags: &[&str], script: &[&str]| {
        let _ = fs::remove_file(&path);
        talk(&[flags, &["--save", "it.ogn"]].concat(), scratch.path(), script);
        open(&path).expect("sound").remove(0)
    };
    let record = save(&["--nodes", "100", "--time", "2", "--variant", "kalah"], &["1"]);
    assert_eq!(record.tag("TimeControl"), Some("st=2 nodes=100"));
    let (output, ..) = talk(&["--load", "it.ogn"], scratch.path(), &["2", "quit"]);
    assert!(output.contains(" --time 2 --nodes 100 "), "{output}");
    let record = save(&[&PEOPLE[..], &["--movelimit", "4"]].concat(), &["1", "2"]);
    assert_eq!(record.tag("MoveLimit"), Some("4"));
    let (output, ..) = talk(&["--load", "it.ogn"], scratch.path(), &["3", "4", "5"]);
    assert!(output.contains("4 moves have been made, so the stores decide."), "{output}");
    let (output, ..) = talk(&["--load", "it.ogn", "--movelimit", "3"], scratch.path(), &["3", "save"]);
    assert!(output.contains("3 moves have been made"), "{output}");
    assert_eq!(open(&path).expect("sound")[0].tag("MoveLimit"), Some("3"));
    // A game that went on beyond the usual limit goes on.
    let position =
        [&PEOPLE[..], &["--movelimit", "0", "--position", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"]].concat();
    let round = ["1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6", "6"];
    let lines: Vec<&str> = round.iter().copied().cycle().take(262).collect();
    let record = save(&position, &lines);
    assert_eq!((record.game.moves().len(), record.tag("MoveLimit")), (262, Some("0")));
    for text in [record.to_string(), record.to_string().replace("[MoveLimit \"0\"]\n", "")] {
        fs::write(&path, text).expect("written");
        let (output, ..) = talk(&[&PEOPLE[..], &["--load", "it.ogn"]].concat(), scratch.path(), &[]);
        assert!(!output.contains("The game is over"), "{output}");
    }
}

/// The second of three games stays where it is, and the others as they are.
#[test]
fn a_game_keeps_its_place_in_the_file() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("it.ogn");
    let [first, second, third] = ["1.A $19 a *\n\n", "1. B b 0-0\n\n", "1. C  c *\n"]
        .map(|moves| format!("[Variant \"Oware\"]\n[Result \"*\"]\n\n{moves}"));
    fs::write(&path, [&*first, &second, &third].concat()).expect("written");
    talk(&PEOPLE, scratch.path(), &["load it.ogn game 2", "3", "save", "new", "1", "save"]);
    let expected = format!("{first}{}{third}\n", second.replace("b 0-0", "b 2. C 0-0"));
    let (old, new) = (text(&path), "[Variant \"Oware Abapa\"]\n[Event \"Casual game\"]");
    let found = old.strip_prefix(&expected).unwrap_or_else(|| panic!("{old}"));
    assert!(found.starts_with(new) && open(&path).expect("sound").len() == 4, "{old}");
}
