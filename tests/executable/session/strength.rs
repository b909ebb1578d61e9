//! The options `Level`, `UCI_LimitStrength` and `UCI_Elo`.

use kroo::game::Variant;
use kroo::level::{LEVELS, Level, ladder};
use kroo::protocol::{InfoScore, Reply};
use support::client::Client;

fn remarks(replies: &[Reply]) -> String {
    replies.iter().map(Reply::to_string).collect()
}

#[test]
fn an_elo_holds_the_engine_back_only_when_it_is_limited() {
    let mut client = Client::with_flags(&["--variant", "oware"]);
    let deepest = |client: &mut Client| client.go("go nodes 20000").last().depth;
    let full = deepest(&mut client);
    client.set("UCI_Elo", "400");
    client.accepts("setoption name Clear Hash");
    assert_eq!(deepest(&mut client), full, "it is not limited");
    client.set("UCI_LimitStrength", "true");
    assert!(deepest(&mut client) <= Some(2));
    client.set("Level", "full");
    assert!(deepest(&mut client) <= Some(2), "the level does not count");
}

/// The four levels below `full` are points of the scale: the same answers, to the node.
#[test]
fn the_elo_of_a_level_plays_as_the_level() {
    for &variant in Variant::ALL {
        let mut client = Client::with_flags(&["--variant", variant.name()]);
        let places = ladder(variant).scale.iter().filter(|(place, _)| place % 1000 == 0);
        for (&(_, elo), level) in places.zip(["initiation", "beginner", "amateur", "grandmaster"]) {
            let answers = |client: &mut Client| {
                ["", " moves A", " moves B"].map(|moves| {
                    client.send(&format!("position startpos{moves}"));
                    let search = client.go("go movetime 60000");
                    (search.best, search.last().nodes)
                })
            };
            client.set("Level", level);
            let by_level = answers(&mut client);
            client.set("UCI_Elo", &elo.to_string());
            client.set("UCI_LimitStrength", "true");
            assert_eq!(answers(&mut client), by_level, "{variant} {level} {elo}");
            client.set("UCI_LimitStrength", "false");
        }
    }
}

#[test]
fn an_elo_beyond_the_scale_is_remarked_on_once() {
    let mut client = Client::new();
    client.set("UCI_Elo", "1800");
    client.accepts("setoption name UCI_LimitStrength value true");
    let [least, most] = ladder(Variant::Kalah).range();
    let said = remarks(&client.says("setoption name UCI_Variant value kalah"));
    let expected = format!("kalah is played from {least} to {most} Elo, so UCI_Elo 1800 counts as {most}");
    assert!(said.contains(&expected), "{said}");
    client.accepts("setoption name Hash value 8");
    let said = remarks(&client.says("setoption name UCI_Elo value 100"));
    assert!(said.contains(&format!("UCI_Elo 100 counts as {least}")), "{said}");
    let refused = client.refuses("setoption name UCI_Elo value 2001");
    assert!(
        refused.contains("UCI_Elo takes a number from 0 to 2000, and `2001` is out of range"),
        "{refused}"
    );
}

#[test]
fn a_level_is_an_option_that_answers_at_once() {
    for &variant in Variant::ALL {
        let mut client = Client::with_flags(&["--variant", variant.name(), "--level", "initiation"]);
        let weakest = client.go("go depth 9").infos.last().and_then(|info| info.depth);
        assert_eq!(weakest, Some(u32::from(Level::Initiation.handicap(variant).expect("held back").depth)));
        for level in LEVELS.iter().map(|(level, _)| *level).filter(|&level| level != Level::Full) {
            client.set("Level", level.name());
            // Far more than the client waits.
            let search = client.go("go movetime 20000000");
            assert!(search.best.is_some(), "{variant} {}", level.name());
            let scores: Vec<InfoScore> = search.infos.iter().filter_map(|info| info.score).collect();
            assert!(!scores.is_empty() && scores.iter().all(|score| score.proven.is_none()));
            client.send("go infinite");
            client.expect(&format!("info depth {} ", level.handicap(variant).expect("held back").depth));
            client.stays_silent();
            client.send("stop");
            assert_eq!(client.best_move().best, search.best, "the same position, the same answer");
        }
        client.set("Level", "full");
        assert_eq!(client.go("go depth 9").infos.last().and_then(|info| info.depth), Some(9));
    }
}
