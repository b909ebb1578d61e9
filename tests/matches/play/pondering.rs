//! Engines that think on their rival's time.

use serde_json::Value;
use std::fs;
use std::time::Instant;
use support::PATIENCE;
use support::scene::{Scene, built, words};

/// The lines that a `ponderer` received about its searches in a match. It expects the first legal answer to each of its moves.
fn heard(rival: &str, word: &str) -> Vec<String> {
    let scene = Scene::new();
    let file = scene.path("heard.txt");
    let errors = format!("stderr={}", file.display());
    let ponderer = scene.engine("ponderer", &["tc=100+1", word, &errors]);
    let options = words("--variant awari --random-plies 0 --rounds 1 --max-moves 40");
    let report = scene.run(&[ponderer, scene.engine(rival, &["depth=1"]), options]);
    report.assert_played(2);
    assert!(report.json["result"]["faults"].as_array().unwrap().is_empty(), "{}", report.stdout);
    assert_eq!(scene.processes(), 0);
    let words = ["position", "go", "ponderhit", "stop", "ucinewgame"];
    let searches = |line: &&str| words.iter().any(|word| line.starts_with(word));
    fs::read_to_string(file).unwrap().lines().filter(searches).map(str::to_owned).collect()
}

#[test]
fn an_expected_answer_is_a_hit() {
    // `honest` plays the first legal move, as is expected of it.
    let heard = heard("honest", "ponder=on");
    let count = |begin: &str| heard.iter().filter(|line| line.starts_with(begin)).count();
    assert!(count("go ponder") > 30 && count("ponderhit") > 30, "{heard:#?}");
    // Only what was pondered about when a game ended had to be stopped.
    assert!(count("stop") <= 2, "{heard:#?}");
    for (index, line) in heard.iter().enumerate().filter(|(_, line)| line.starts_with("go ponder")) {
        assert!(line.contains(" wtime ") && line.contains(" btime ") || line.contains("time "), "{line}");
        assert!(heard[index - 1].starts_with("position startpos moves "), "what it is to think about");
        assert!(["ponderhit", "stop"].contains(&heard[index + 1].as_str()), "{:?}", &heard[index..index + 2]);
    }
}

#[test]
fn another_answer_is_a_miss() {
    let heard = heard("last", "ponder=on");
    let count = |begin: &str| heard.iter().filter(|line| line.starts_with(begin)).count();
    assert!(count("stop") > 10, "{heard:#?}");
    assert_eq!(count("go ponder"), count("ponderhit") + count("stop"));
    for (index, line) in heard.iter().enumerate().filter(|(_, line)| *line == "stop") {
        let next = heard.get(index + 1).map_or("position", String::as_str);
        assert!(next.starts_with("position") || next == "ucinewgame", "{line} {next}");
    }
}

#[test]
fn nobody_ponders_who_does_not_want_to() {
    let heard = heard("honest", "ponder=off");
    assert!(heard.iter().all(|line| !line.contains("ponder") && line != "stop"), "{heard:#?}");
}

/// The terminations of a match between an engine that ponders badly and one that plays as it expects, or otherwise.
fn endings(manner: &str, rival: &str) -> Vec<(String, bool)> {
    let scene = Scene::new();
    // Only one that never answers feels how short its time is.
    let limit = if manner == "ponder-deaf" { "st=0.6" } else { "st=20" };
    let ponderer = scene.engine(manner, &[limit, "ponder=on"]);
    let options = words("--variant awari --random-plies 0 --rounds 1 --max-moves 30 --recover");
    let start = Instant::now();
    let report = scene.run(&[ponderer, scene.engine(rival, &["st=20"]), options]);
    report.assert_played(2);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert_eq!(scene.processes(), 0);
    let ending = |game: &Value| {
        let lost = game["fault"].as_str().is_some_and(|culprit| culprit.contains(manner));
        (game["termination"].as_str().unwrap().to_owned(), lost)
    };
    report.game_results().iter().map(ending).collect()
}

#[test]
fn an_engine_that_ponders_badly_loses_that_game_or_is_understood() {
    for rival in ["honest", "last"] {
        // It never answers to `ponderhit`, nor to `stop`.
        assert_eq!(endings("ponder-deaf", rival), vec![("no answer".to_owned(), true); 2], "{rival}");
        assert_eq!(endings("ponder-dies", rival), vec![("crash".to_owned(), true); 2], "{rival}");
        // It answers twice, or before it is asked: its move is known, and the second answer is no answer to anything.
        for manner in ["ponder-twice", "ponder-early"] {
            let expected = vec![("move limit".to_owned(), false); 2];
            assert_eq!(endings(manner, rival), expected, "{manner} {rival}");
        }
    }
}

#[test]
fn the_engine_itself_ponders_in_every_variant() {
    let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    for variant in ["oware", "kalah", "awari1978"] {
        let scene = Scene::new();
        // Not quite the same limits: the referee warns of two engines that are one.
        let engine = |name: &str, nodes: u64| {
            words(&format!(
                "--engine cmd={} name={name} nodes={nodes} ponder=on timemargin=2000",
                kroo.display()
            ))
        };
        let options = words(&format!("--variant {variant} --rounds 1 --max-moves 60"));
        let report = scene.run(&[engine("a", 300), engine("b", 301), options]);
        report.assert_played(2);
        assert!(report.json["result"]["faults"].as_array().unwrap().is_empty(), "{}", report.stdout);
        assert_eq!(report.stderr, "");
    }
}

#[test]
fn whoever_ponders_is_read_meanwhile() {
    let scene = Scene::new();
    let file = scene.path("wrote.txt");
    let errors = format!("stderr={}", file.display());
    // It writes 760 KB at each `go ponder`; its rival takes 250 ms for each move.
    let ponderer = scene.engine("ponder-flood", &["st=5", "ponder=on", &errors]);
    let options = words("--variant awari --random-plies 0 --rounds 1 --max-moves 12");
    let report = scene.run(&[ponderer, scene.engine("late", &["st=5"]), options]);
    report.assert_played(2);
    let text = fs::read_to_string(file).unwrap();
    let mut times: Vec<u64> =
        text.lines().map(|line| line.strip_prefix("wrote ").unwrap().parse().unwrap()).collect();
    times.sort_unstable();
    assert!(times.len() > 4, "{times:?}");
    // A busy machine holds up some, and a game that ends frees one.
    assert!(times[1] < 125, "it was blocked until its rival had moved: {times:?}");
}
