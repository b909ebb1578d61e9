//! What a terminal shows, and what a pipe gets.

use crate::harness::{REFEREE, Scene, words};
use std::process::{Command, Stdio};

/// A match on a terminal of so many rows: everything it was sent. `None` where there is no `script` to make one.
fn on_a_terminal(rows: usize, options: &str) -> Option<String> {
    let scene = Scene::new();
    let engines = ["late", "honest"].map(|manner| scene.engine(manner, &["depth=1", "watchdog=9"])).concat();
    let quoted: Vec<String> =
        [engines, words(options)].concat().iter().map(|word| format!("'{word}'")).collect();
    let command = format!("stty rows {rows} cols 120; '{REFEREE}' {}", quoted.join(" "));
    let output =
        Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_shows_games_elo_the_test_and_boards() {
    let options = "--rounds 1 --max-moves 12 --sprt elo0=0 elo1=5";
    let Some(shown) = on_a_terminal(40, options) else { return };
    for expected in ["2 games", "Elo ", "SPRT -2.94", "LLR ", "(game 1, move ", "late", "Finished game 2 "] {
        assert!(shown.contains(expected), "no {expected} in {shown:?}");
    }
    assert!(shown.contains("\r\nGames: 2, Wins: ") && shown.contains("\r\nPtnml(0-2): ["), "{shown:?}");
    assert!(!shown.contains("Progress: "));
    let low = on_a_terminal(9, options).unwrap();
    assert!(!low.contains("(game 1, move ") && low.contains("SPRT -2.94"), "no room for boards: {low:?}");
}

#[test]
fn elsewhere_there_are_plain_lines() {
    let scene = Scene::new();
    let engines = ["honest", "last", "thoughtful"].map(|manner| scene.engine(manner, &[])).concat();
    let report = scene.run(&[engines, words("--rounds 3 --max-moves 8")]);
    report.assert_played(18);
    assert!(report.stdout.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", report.stdout);
    assert!(report.stdout.contains("\nProgress: 10 of 18 games, "), "{}", report.stdout);
    assert_eq!(report.stderr, "");
}
