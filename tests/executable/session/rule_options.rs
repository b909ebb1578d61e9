//! The options `EmptyCapture` and `RemainingSeeds`, and the names of games with them.

use super::text;
use kroo::endgames::Endgames;
use kroo::game::Kalah;
use kroo::protocol::ScoreValue;
use kroo::value::CENTISEEDS;
use support::client::Client;
use support::data::{KALAH_MARGINS, KALAH_MOVES, lines};

/// A's last seed lands in an empty pit, opposite an empty pit.
const EMPTY: &str = "position fen 1-0-0-0-0-3-1-0-0-0-0-0-20-23-S moves A";
/// F ends the game; North has five seeds left.
const LAST: &str = "position fen 0-0-0-0-0-1-2-3-0-0-0-0-20-22-S moves F";

fn boards(client: &mut Client) -> [String; 2] {
    [EMPTY, LAST].map(|line| {
        client.accepts(line);
        client.shows().0
    })
}

const USUAL: [&str; 2] = ["0-1-0-0-0-3-1-0-0-0-0-0-20-23-N", "0-0-0-0-0-0-0-0-0-0-0-0-21-27-S"];
const CHANGED: [&str; 2] = ["0-0-0-0-0-3-1-0-0-0-0-0-21-23-N", "0-0-0-0-0-0-0-0-0-0-0-0-26-22-S"];

#[test]
fn the_options_choose_the_rules() {
    let mut client = Client::with_flags(&["--variant", "kalah"]);
    assert_eq!(boards(&mut client), USUAL);
    client.set("EmptyCapture", "true");
    assert_eq!(boards(&mut client), [CHANGED[0], USUAL[1]]);
    client.set("RemainingSeeds", "opponent");
    assert_eq!(boards(&mut client), CHANGED);
    let rules = text(&client.says("rules")).join("\n");
    assert!(
        rules.contains("Kalah, empty capture, rest to the opponent (kalah-emptycapture-opponent)"),
        "{rules}"
    );
    assert!(
        rules.contains("even if there are none") && rules.contains("the side with the empty row takes"),
        "{rules}"
    );
    client.set("EmptyCapture", "false");
    assert_eq!(boards(&mut client), [USUAL[0], CHANGED[1]]);
    client.set("RemainingSeeds", "owner");
    assert_eq!(boards(&mut client), USUAL);
    // The seeds and the rules go together, and a name says all of it.
    client.set("Seeds", "6");
    client.set("EmptyCapture", "true");
    client.accepts("position startpos");
    assert_eq!(client.shows().0, "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S");
    client.set("EmptyCapture", "false");
    client.set("Seeds", "0");
    client.set("UCI_Variant", "kalah-emptycapture-opponent");
    assert_eq!(boards(&mut client), CHANGED);
    client.set("UCI_Variant", "kalah");
    assert_eq!(boards(&mut client), USUAL);
}

/// As with `Seeds`, another value begins a game; a refused one changes nothing.
#[test]
fn a_change_begins_a_game_and_a_refusal_changes_nothing() {
    let mut client = Client::new();
    client.accepts("position startpos moves A");
    let before = client.says("d");
    for (line, reason) in [
        (
            "setoption name EmptyCapture value true",
            "option EmptyCapture: awari has no such rule; set UCI_Variant first",
        ),
        ("setoption name RemainingSeeds value opponent", "option RemainingSeeds: awari has no such rule"),
        ("setoption name RemainingSeeds value mover", "`owner` or `opponent`, not `mover`"),
        ("setoption name EmptyCapture value 1", "`true` or `false`, not `1`"),
        ("setoption name UCI_Variant value awari-emptycapture", "not `awari-emptycapture`"),
    ] {
        let error = client.refuses(line);
        assert!(error.contains(reason), "{error}");
    }
    // What awari has already is no change.
    client.set("EmptyCapture", "false");
    client.set("RemainingSeeds", "owner");
    assert_eq!(client.says("d"), before);
    client.set("UCI_Variant", "kalah");
    client.accepts("position startpos moves A");
    client.set("EmptyCapture", "true");
    client.set("RemainingSeeds", "opponent");
    assert_eq!(client.shows().0, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    client.accepts("position startpos moves A");
    let before = client.says("d");
    client.set("EmptyCapture", "true");
    assert_eq!(client.says("d"), before);
    let said = text(&client.says("setoption name UCI_Variant value oware"));
    assert_eq!(
        said,
        [
            "info string EmptyCapture is false again: oware has no such rule",
            "info string RemainingSeeds is owner again: oware has no such rule",
        ]
    );
    client.set("UCI_Variant", "kalah");
    assert_eq!(boards(&mut client), USUAL, "the rules are the usual ones again");
}

#[test]
fn files_of_the_usual_rules_are_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let endgames = Endgames::new();
    assert!(endgames.build::<Kalah>(3, &mut || false));
    (0..=3).for_each(|seeds| {
        kroo::endgame_files::save::<Kalah>(&endgames, folder.path(), seeds).expect("a file")
    });
    let path = folder.path().to_str().expect("a path");
    let mut client = Client::with_flags(&["--variant", "kalah", "--endgamepath", path]);
    let said = text(&client.says("setoption name EmptyCapture value true"));
    let why = "games with optional rules have no endgame files";
    assert_eq!(said, [format!("info string no endgames of kalah-emptycapture in {path}: {why}")]);
    let said = text(&client.says("setoption name EmptyCapture value false"));
    assert_eq!(said, ["info string endgames of kalah up to 3 seeds"]);
    client.says("setoption name EmptyCapture value true");
    let weights = folder.path().join("kalah.eval");
    kroo::evaluate::Weights::built_in(kroo::game::Variant::Kalah).write(&weights).expect("a file");
    let error = client.refuses(&format!("setoption name EvalFile value {}", weights.display()));
    assert!(error.contains("kalah-emptycapture"), "{error}");
}

#[test]
fn weights_that_are_set_are_given_up_under_other_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let weights = folder.path().join("kalah.eval");
    kroo::evaluate::Weights::built_in(kroo::game::Variant::Kalah).write(&weights).expect("a file");
    let mut client = Client::with_flags(&["--variant", "kalah"]);
    client.set("EvalFile", &weights.display().to_string());
    for (option, changed, usual) in
        [("EmptyCapture", "true", "false"), ("RemainingSeeds", "opponent", "owner"), ("Seeds", "6", "0")]
    {
        let said = text(&client.says(&format!("setoption name {option} value {changed}")));
        assert_eq!(said, ["info string EvalFile is empty again: it was for another rule set"]);
        client.set(option, usual);
        client.set("EvalFile", &weights.display().to_string());
    }
}

/// The values of few seeds, with endgames that the engine builds, and the moves by the effects.
#[test]
fn searches_and_endgames_know_the_rules() {
    let mut client = Client::new();
    for (line, words) in lines(KALAH_MARGINS).filter(|(line, _)| line % 5 == 0 && *line <= 100) {
        client.set("UCI_Variant", words[0]);
        client.accepts(&format!("position fen {}", words[1]));
        let margin: i32 = words[2].parse().expect("a margin");
        let told = text(&client.says("endgame")).join("\n");
        if kroo::game::Position::parse(words[0].parse().expect("a game"), words[1])
            .expect("a position")
            .verdict()
            .is_none()
        {
            let wanted = match margin {
                0 => "draw".to_owned(),
                1.. => format!("win by {margin}"),
                _ => format!("loss by {}", -margin),
            };
            assert!(
                told.lines().any(|line| line.ends_with(&format!("th   {wanted}"))),
                "line {line}: {told}"
            );
            let score = super::score(client.go("go depth 40").last());
            assert_eq!(score.value, ScoreValue::Cp(margin * CENTISEEDS), "line {line}");
        }
    }
    for (_, words) in lines(KALAH_MOVES) {
        client.set("UCI_Variant", words[0]);
        client.accepts(&format!("position fen {}", words[1]));
        let told = text(&client.says(&format!("sow {}", words[2]))).join("\n");
        assert!(told.contains(words[3].rsplit_once('-').expect("a side").0), "{told}");
    }
}
