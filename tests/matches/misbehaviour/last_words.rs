//! The last lines of an engine are recorded with its fault, and `--log` records all lines.

use kroo_referee::ledger::record::JournalReader;
use serde_json::json;
use std::fs;
use support::scene::{Scene, words};

#[test]
fn the_last_lines_of_an_engine_stand_beside_its_fault() {
    let scene = Scene::new();
    let engines = [scene.engine("loudly-dying", &["depth=1"]), scene.engine("honest", &["depth=1"])].concat();
    let options = format!("--rounds 1 --journal {}", scene.path("journal").display());
    let report = scene.run(&[engines.clone(), words(&options)]);
    report.assert_played(2);
    let first = &report.game_results()[0];
    let said = &first["last_words"][0];
    assert_eq!((&first["fault"], &first["last_words"][1]), (&json!("loudly-dying"), &json!({})));
    let lines: Vec<&str> =
        said["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(lines[lines.len() - 2..], ["> go depth 1", "< info string something is wrong \\u{1b}[2J"]);
    let errors: Vec<&str> =
        said["stderr"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(errors[errors.len() - 2..], ["complaint 2000", "panicked at \\u{1b}[31mline 7"]);
    assert!(lines.len() <= 10 && errors.len() == 10, "{said}");
    // On the screen, in the same order.
    let shown =
        report.stdout.split_once("Finished game 1 ").unwrap().1.split_once("Finished game 2 ").unwrap().0;
    for line in lines.iter().chain(&errors) {
        assert!(shown.lines().any(|found| found == format!("    {line}")), "no `{line}`: {shown}");
    }
    assert!(shown.contains("\n  loudly-dying, the end of its standard error:\n"), "{shown}");
    assert!(!report.stdout.contains('\x1b'));
    // In the journal, and in what is resumed from it.
    let mut reader = JournalReader::open(&scene.path("journal")).unwrap().unwrap();
    let game = reader.next_game().unwrap().unwrap();
    assert_eq!(json!(game.played.last_words[0].lines), said["lines"]);
    assert!(game.played.last_words[1].lines.is_empty() && game.played.last_words[1].stderr.is_empty());
    fs::remove_file(scene.path("games.json")).unwrap();
    let again = scene.run(&[engines, words(&format!("{options} --resume"))]);
    assert_eq!(again.finished(), 0, "{}", again.stderr);
    assert_eq!(again.json["games"], report.json["games"]);
}

#[test]
fn whoever_is_at_no_fault_says_nothing_there() {
    let scene = Scene::new();
    let engines = [scene.engine("noisy", &["st=5"]), scene.engine("thoughtful", &["st=5"])].concat();
    let report = scene.run(&[engines, words("--rounds 1 --max-moves 8")]);
    report.assert_played(2);
    assert!(report.game_results().iter().all(|game| game["last_words"].is_null()));
    assert!(!report.stdout.contains("the same noise again"), "{}", report.stdout);
}

#[test]
fn an_engine_that_does_not_get_ready_is_quoted() {
    let scene = Scene::new();
    let dying =
        ["--engine", "cmd=/bin/sh", "name=dying", "args=-c 'echo no licence; echo no network >&2; exit 4'"];
    let dying = dying.map(str::to_owned).to_vec();
    let report = scene.run(&[dying.clone(), scene.engine("honest", &["st=5"]), words("--rounds 1")]);
    let expected = "dying ended with exit status 4 before `uciok` (its standard error ends with `no network`); no game was played";
    assert_eq!(report.status, 12, "{}", report.stderr);
    report.complains(expected);
    let report = scene.run(&[dying, scene.engine("honest", &["st=5"]), words("--rounds 1 --recover")]);
    report.assert_played(2);
    let said = &report.game_results()[1]["last_words"][1];
    assert_eq!(said["stderr"], json!(["no network"]));
    assert_eq!(said["lines"], json!(["> uci", "< no licence"]));
}

#[test]
fn a_log_has_every_line_with_its_time_and_direction() {
    let scene = Scene::new();
    let log = scene.path("talk.log");
    let engines =
        [scene.engine("loudly-dying", &["depth=1"]), scene.engine("flood-and-move", &["depth=1"])].concat();
    let options = words(&format!("--rounds 1 --log {}", log.display()));
    scene.run(&[engines, options]).assert_played(2);
    let text = fs::read_to_string(&log).unwrap();
    assert!(!text.contains('\x1b'));
    let mut last = 0.0;
    for line in text.lines() {
        let (time, rest) = line.split_once(' ').unwrap();
        let time: f64 = time.parse().unwrap();
        assert!(time >= last - 0.001, "{line} after {last}");
        last = time;
        let direction = rest.chars().next().unwrap();
        assert!(
            matches!(direction, '>' | '<' | '*') && rest.contains("): ") || rest.contains("*referee: "),
            "{line}"
        );
    }
    for expected in
        [">loudly-dying(", "<loudly-dying(", "*loudly-dying(", ">flood-and-move(", "<flood-and-move("]
    {
        assert!(text.contains(expected), "no {expected}");
    }
    for expected in [
        "): started\n",
        "): uci\n",
        "): uciok\n",
        "): ended with exit status 3\n",
        "something is wrong \\u{1b}[2J\n",
    ] {
        assert!(text.contains(expected), "no {expected}");
    }
    assert!(
        text.lines().filter(|line| line.contains("info depth 1 score cp 12 nodes 1 pv ")).count() >= 20_000
    );
}

#[test]
fn a_log_has_an_end_and_belongs_to_one_referee() {
    let scene = Scene::new();
    let log = scene.path("talk.log");
    let engines =
        [scene.engine("flood-and-move", &["depth=1"]), scene.engine("honest", &["depth=1"])].concat();
    let options = |file: &str| words(&format!("--rounds 1 --max-moves 12 --log-limit 1 --log {file}"));
    let report = scene.run(&[engines.clone(), options(&log.to_string_lossy())]);
    report.assert_played(2);
    report.complains("warning: the log of the conversations ends before the match: ");
    let length = fs::metadata(&log).unwrap().len();
    assert!(((1 << 20) - 5_000..=1 << 20).contains(&length), "{length} bytes");
    let journal = words(&format!("--journal {0} --log {0}", scene.path("same").display()));
    let report = scene.run(&[engines.clone(), journal]);
    assert_eq!(
        (report.status, report.stderr.contains("--journal and --log")),
        (1, true),
        "{}",
        report.stderr
    );
    let holder = fs::File::open(&log).unwrap();
    holder.lock().unwrap();
    let report = scene.run(&[engines, options(&log.to_string_lossy())]);
    assert_eq!(
        (report.status, report.stderr.contains("another program is writing to it")),
        (1, true),
        "{}",
        report.stderr
    );
}
