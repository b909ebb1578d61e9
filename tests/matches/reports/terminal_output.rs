//! Output on a terminal and through a pipe.

use std::process::{Command, Stdio};
use support::programs::referee_path;
use support::scene::{Scene, words};
use support::tools::has;

/// The output of a match on a terminal of a given size, which `script` makes.
fn on_a_terminal(rows: usize, columns: usize, options: &str) -> String {
    let scene = Scene::new();
    let engines = ["late", "honest"].map(|manner| scene.engine(manner, &["depth=1", "watchdog=9"])).concat();
    let quoted: Vec<String> =
        [engines, words(options)].concat().iter().map(|word| format!("'{word}'")).collect();
    let command = format!("stty rows {rows} cols {columns}; '{}' {}", referee_path(), quoted.join(" "));
    let output =
        Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_terminal_shows_games_elo_and_the_test() {
    let true = has("script") else { return };
    let options = "--rounds 1 --max-moves 12 --sprt elo0=0 elo1=5";
    let shown = on_a_terminal(40, 120, options);
    for expected in ["2 games", "Elo ", "LLR 0.00 (-2.94, 2.94), ", "late", "Finished game 2 "] {
        assert!(shown.contains(expected), "no {expected} in {shown:?}");
    }
    assert!(shown.contains("\r\nGames: 2, Wins: ") && shown.contains("\r\nPtnml(0-2): ["), "{shown:?}");
    assert!(!shown.contains("Progress: "));
}

/// The live view each time that it was drawn: its rows, one behind the other, without what moves the cursor.
fn drawn(shown: &str) -> Vec<Vec<char>> {
    let printed = |(index, part): (usize, &str)| match part.find(|c: char| c.is_ascii_alphabetic()) {
        Some(end) if index > 0 => part[end + 1..].to_owned(),
        _ => part.to_owned(),
    };
    let parts = shown.split("\u{1b}[").enumerate().map(printed);
    let lines = parts.flat_map(|part| part.split(['\r', '\n']).map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| line.starts_with("[00:")).map(|line| line.chars().collect()).collect()
}

#[test]
fn every_line_fits_into_its_row() {
    let true = has("script") else { return };
    let options = "--rounds 2 --max-moves 8 --concurrency 2 --sprt elo0=0 elo1=5";
    for (rows, columns) in [(24, 80), (10, 40), (12, 50)] {
        let shown = on_a_terminal(rows, columns, options);
        let views = drawn(&shown);
        let has = |view: &[char], text: &str| view.iter().collect::<String>().contains(text);
        let view = views.iter().rfind(|view| has(view, "Elo -")).unwrap();
        let lines: Vec<String> = view.chunks(columns).map(|row| row.iter().collect()).collect();
        assert!(lines.len() < rows, "{lines:#?}");
        // A line that takes more than its row would push the others down.
        for (line, (begin, inside)) in
            lines.iter().zip([("[00:", " of 4 games (ETA "), ("LLR 0.00 (-2.94, 2.94), ", "Elo -")])
        {
            assert!(line.starts_with(begin) && line.contains(inside), "{columns}: {lines:#?}");
        }
    }
}

#[test]
fn elsewhere_there_are_plain_lines() {
    let scene = Scene::new();
    let engines = ["honest", "last", "thoughtful"].map(|manner| scene.engine(manner, &["st=5"])).concat();
    let report = scene.run(&[engines, words("--rounds 3 --max-moves 8")]);
    report.assert_played(18);
    assert!(report.stdout.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", report.stdout);
    report.says("\nProgress: 10 of 18 games, ");
    assert_eq!(report.stderr, "");
}
