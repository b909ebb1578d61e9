//! `referee stats`: every reference value through the executable, and what is counted in game files.

use serde_json::Value;
use std::process::{Command, Output};
use support::data::STATISTICS;
use support::programs::referee_path;
use support::scene::{Scene, words};

fn stats(arguments: &[String]) -> Output {
    Command::new(referee_path()).arg("stats").args(arguments).output().unwrap()
}

fn vectors(kind: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(STATISTICS).unwrap();
    all[kind].as_array().unwrap().clone()
}

fn counts(case: &Value, keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| case[key].as_u64().unwrap().to_string()).collect()
}

/// The pairs of a case, as words.
fn ptnml(case: &Value) -> Vec<String> {
    let level = case["WL"].as_u64().unwrap() + case["DD"].as_u64().unwrap();
    let mut pairs = counts(case, &["LL", "LD", "WD", "WW"]);
    pairs.insert(2, level.to_string());
    [words("--ptnml"), pairs].concat()
}

/// The output for programs, and the exit status.
fn numbers(given: &[String], test: &str) -> (Value, i32) {
    let output = stats(&[given, &words(test), &words("--json")].concat());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{given:?} {test}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.to_lowercase().contains("nan") && !text.contains("inf"), "{text}");
    (serde_json::from_str(&text).unwrap(), output.status.code().unwrap())
}

/// One reference value of each kind through the executable; `referee::statistics` has all of them.
#[test]
fn reference_values_are_printed_by_the_executable() {
    let games = |case: &Value| [words("--wdl"), counts(case, &["wins", "losses", "draws"])].concat();
    for (kind, given) in [("wdl", &games as &dyn Fn(&Value) -> Vec<String>), ("penta", &ptnml)] {
        let case = &vectors(kind)[0];
        let expected = &case["sprt"][0];
        let [elo0, elo1, alpha, beta, model] =
            ["elo0", "elo1", "alpha", "beta", "model"].map(|key| expected[key].to_string().replace('"', ""));
        let test = format!("--sprt elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}");
        let (found, status) = numbers(&given(case), &test);
        for (value, expected, tolerance) in [
            (&found["score"], &case["score"], 1e-4),
            (&found["elo"], &case["elo"], 1e-2),
            (&found["nelo_error"], &case["nelo_err"], 1e-2),
            (&found["sprt"]["llr"], &expected["llr"], 0.005),
            (&found["sprt"]["upper"], &expected["upper"], 1e-9),
        ] {
            let [value, expected] = [value, expected].map(|number| number.as_f64().unwrap());
            assert!((value - expected).abs() <= tolerance, "{found} {case}");
        }
        let verdict = match expected["result"].as_str() {
            Some("H0") => ("rejected", 10),
            Some("H1") => ("accepted", 0),
            _ => ("inconclusive", 11),
        };
        assert_eq!((found["sprt"]["verdict"].as_str().unwrap(), status), verdict, "{expected}");
        assert_eq!(found["sprt"]["model"], model.as_str());
    }
}

#[test]
fn what_cannot_be_told_is_said_so() {
    let said = |line: &str| {
        let output = stats(&words(line));
        assert_eq!(output.status.code(), Some(0), "{line}");
        String::from_utf8(output.stdout).unwrap()
    };
    let drawn = said("--wdl 0 0 10");
    assert!(drawn.starts_with("Elo: -") && drawn.contains(" to "), "{drawn}");
    assert!(
        drawn.ends_with(
            ", nElo: n/a (95 %, from single games)\nFewer than 30 games, or nearly all alike: an interval counts half a game more of each result; no nElo\nLOS: 50.00 %\n\
             Games: 10, Wins: 0, Losses: 0, Draws: 10, Points: 5 (50.00 %)\nDraws: 100.00 %\n"
        ),
        "{drawn}"
    );
    // Five wins of five and six of six are the same kind of interval, with the same remark.
    for line in ["--wdl 5 0 0", "--wdl 6 0 0"] {
        let text = said(line);
        assert!(
            text.contains(" to ") && text.contains("an interval counts half a game more"),
            "{line}: {text}"
        );
    }
    let text = said("--wdl 40 0 0");
    let remark = "\nEverything was won, or lost: a bound that holds with 97.5 %; no nElo\n";
    assert!(text.starts_with("Elo: > 405.99, nElo: n/a") && text.contains(remark), "{text}");
    for line in ["--wdl 2 1 0", "--ptnml 0 0 0 0 1", "--ptnml 2 0 0 0 0", "--ptnml 1 0 1 0 2"] {
        let text = said(line);
        assert!(text.starts_with("Elo: -") && text.contains("an interval counts half a "), "{line}: {text}");
        assert!(!text.contains("LOS: 0.00 %") && !text.contains("LOS: 100.00 %"), "{line}: {text}");
        let (found, _) = numbers(&words(line), "");
        assert!(found["elo"].is_null() && found["elo_error"].is_null() && found["nelo"].is_null(), "{found}");
        assert!(found["elo_low"].as_f64() < Some(0.0) && found["elo_high"].as_f64() > Some(0.0), "{found}");
    }
    assert!(said("--ptnml 9 9 9 90 90 --sprt elo0=0 elo1=5").contains("\nElo is biased: a test that stops"));
    assert!(said("--ptnml 0 0 0 0 40").starts_with("Elo: > 405.99, nElo: n/a"));
    assert_eq!(
        said("--wdl 0 0 0"),
        "Elo: n/a, nElo: n/a (no games)\nLOS: n/a\nGames: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0 (n/a)\nDraws: n/a\n"
    );
    let (nothing, status) = numbers(&words("--ptnml 0 0 0 0 0"), "--sprt elo0=0 elo1=5");
    assert_eq!((&nothing["elo"], &nothing["sprt"]["llr"], status), (&Value::Null, &0.0.into(), 11));
}

#[test]
fn a_game_file_shows_what_the_match_showed() {
    let scene = Scene::new();
    // Without a clock no move is late, which the file would not tell.
    let engines = [scene.engine("honest", &["depth=1"]), scene.engine("last", &["depth=1"])].concat();
    let report = scene.run(&[engines, words("--rounds 6 --sprt elo0=0 elo1=5 --concurrency 2")]);
    let file = scene.path("games.ogn").to_string_lossy().into_owned();
    let (found, status) = numbers(std::slice::from_ref(&file), "--sprt elo0=0 elo1=5");
    let result = &report.json["result"];
    assert_eq!(found["head_to_head"], result["head_to_head"]);
    for key in
        ["games", "distinct_games", "repeated_pairs", "terminations", "faults", "average_plies", "sprt"]
    {
        assert_eq!(found[key], result[key], "{key}");
    }
    assert_eq!(status, report.status);
    for key in ["name", "rank", "points", "average_seeds", "average_margin"] {
        assert_eq!(found["engines"][1][key], result["engines"][1][key], "{key}");
    }
    // The same lines, in the same order.
    let text =
        String::from_utf8(stats(&[vec![file], words("--sprt elo0=0 elo1=5")].concat()).stdout).unwrap();
    let shown = report.stdout.split_once("\nResults of ").unwrap().1;
    assert_eq!(text.split_once("Results of ").unwrap().1, shown);
}

/// Of three engines the standings and the crosstable, faults and reasons included, in the order of the match.
#[test]
fn a_game_file_of_many_engines_shows_what_the_tournament_showed() {
    for event in ["gauntlet", "knockout"] {
        let scene = Scene::new();
        let engines = ["honest", "illegal", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
        let rounds = if event == "knockout" { "" } else { "--rounds 3" };
        let report = scene.run(&[engines, words(&format!("--event {event} {rounds} --max-moves 80"))]);
        let file = scene.path("games.ogn").to_string_lossy().into_owned();
        let text = String::from_utf8(stats(std::slice::from_ref(&file)).stdout).unwrap();
        assert!(text.contains("\nFaults: illegal illegal move "), "{text}");
        let shown = report.stdout.split_once("\nStandings ").unwrap().1;
        assert_eq!(text.split_once("Standings ").unwrap().1, shown, "{event}");
        let (found, _) = numbers(std::slice::from_ref(&file), "");
        for key in ["terminations", "winner", "head_to_head"] {
            assert_eq!(found[key], report.json["result"][key], "{event}: {key}");
        }
        // Without the tags of the event there is an order, and no rank.
        let games = std::fs::read_to_string(&file).unwrap();
        let plain: String = games
            .lines()
            .filter(|line| !line.starts_with("[Players "))
            .map(|line| format!("{line}\n"))
            .collect();
        let file = scene.file("plain.ogn", &plain);
        let text = String::from_utf8(stats(std::slice::from_ref(&file)).stdout).unwrap();
        assert!(
            !text.contains("Rank") && text.contains("\nNo ranks: not all games have the tags Event"),
            "{text}"
        );
        assert!(
            numbers(&[file], "").0["engines"].as_array().unwrap().iter().all(|one| one["rank"].is_null())
        );
    }
}

/// Games of several rule sets are counted together, and that is said.
#[test]
fn games_of_two_rule_sets_are_not_added_without_a_word() {
    let scene = Scene::new();
    let game = |variant: &str, south: &str| {
        format!("[Variant \"{variant}\"]\n[South \"{south}\"]\n[North \"c\"]\n\n1. F f 25-20\n\n")
    };
    let file =
        scene.file("games.ogn", &(game("Awari", "a") + &game("Oware Abapa", "a") + &game("Awari", "a")));
    let text = String::from_utf8(stats(std::slice::from_ref(&file)).stdout).unwrap();
    assert!(text.starts_with("Results of a vs c (awari and oware):\nElo: "), "{text}");
    assert!(
        text.contains("\nGames of 2 rule sets are counted together: awari 2 games, oware 1 game\n"),
        "{text}"
    );
    assert!(text.contains("\nEnded: for an unknown reason 3\n"), "{text}");
    assert_eq!(numbers(&[file], "").0["rule_sets"], serde_json::json!({"awari": 2, "oware": 1}));
}

#[test]
fn a_pair_in_a_file_counts_once_however_often_it_was_played() {
    for model in ["normalized", "bayesian"] {
        let scene = Scene::new();
        let engines = [scene.engine("honest", &["nodes=1"]), scene.engine("last", &["nodes=1"])].concat();
        let openings = scene.file("two.txt", "Aa\nBb\n");
        let test = format!("--sprt elo0=0 elo1=60 model={model}");
        let report = scene.run(&[engines, words(&format!("--rounds 12 --openings {openings} {test}"))]);
        assert_eq!((report.status, report.finished()), (11, 24), "{}", report.stderr);
        let file = scene.path("games.ogn").to_string_lossy().into_owned();
        let (found, status) = numbers(std::slice::from_ref(&file), &test);
        let (result, meeting) = (&report.json["result"], &report.json["result"]["head_to_head"][0]);
        assert_eq!((&found["distinct_games"], &found["repeated_pairs"]), (&4.into(), &10.into()));
        for key in ["distinct_games", "repeated_pairs"] {
            assert_eq!(found[key], result[key], "{key}");
        }
        assert_eq!(&found["head_to_head"][0], meeting);
        assert_eq!((&found["sprt"]["llr"], status), (&result["sprt"]["llr"], 11));
        let text = String::from_utf8(stats(std::slice::from_ref(&file)).stdout).unwrap();
        let said = "\nDistinct games: 4 of 24; 10 pairs repeated another one move by move, and did not count as evidence\n";
        assert!(text.contains(said) && report.stdout.contains(said), "{text}");
        // The same file twice says no more than once.
        let (twice, _) = numbers(&[file.clone(), file], "");
        let pairs = |found: &Value| found["head_to_head"][0]["ptnml"].clone();
        assert_eq!((pairs(&twice), &twice["distinct_games"]), (pairs(&found), &4.into()));
    }
}

#[test]
fn games_that_an_engine_lost_by_faults_alone_decide_nothing() {
    for (first, second) in [("illegal", "honest"), ("honest", "exit-at-go")] {
        let scene = Scene::new();
        let engines = [scene.engine(first, &[]), scene.engine(second, &[])].concat();
        let journal = scene.path("journal").to_string_lossy().into_owned();
        let journal = vec!["--journal".to_owned(), journal];
        let test = "--sprt elo0=0 elo1=60";
        let report = scene.run(&[engines, words(&format!("--recover {test}")), journal.clone()]);
        let bad = if first == "honest" { second } else { first };
        let why = format!("{bad} has lost all its games by faults (");
        assert_eq!(report.status, 12, "{}", report.stderr);
        // The journal and the game file say the same as the match.
        let output = Command::new(referee_path()).args(["merge", &journal[1]]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(12) && errors.contains(&why), "{errors}");
        let file = vec![scene.path("games.ogn").to_string_lossy().into_owned()];
        let (found, status) = numbers(&file, test);
        assert_eq!((&found["sprt"]["verdict"], status), (&"inconclusive".into(), 12));
        assert!(found["broken"].as_str().unwrap().starts_with(&why), "{found}");
        let text = String::from_utf8(stats(&[file.clone(), words(test)].concat()).stdout).unwrap();
        assert!(text.contains(&format!("\nNo verdict: {why}")), "{text}");
        assert_eq!(numbers(&file, "").1, 0);
        // One game that was lost otherwise, and the test counts.
        let mut games = std::fs::read_to_string(&file[0]).unwrap();
        let tag = games.find("[Termination ").unwrap();
        let end = tag + games[tag..].find('\n').unwrap();
        games.replace_range(tag..end, "[Termination \"resignation\"]");
        let file = vec![scene.file("other.ogn", &games)];
        let (found, status) = numbers(&file, test);
        let expected = if first == "honest" { 0 } else { 10 };
        assert_eq!((&found["broken"], status), (&Value::Null, expected), "{found}");
    }
}

#[test]
fn a_game_that_is_not_over_does_not_count() {
    let scene = Scene::new();
    let game = |result: &str, last: &str| {
        format!("[South \"a\"]\n[North \"b\"]\n[Result \"{result}\"]\n\n1. F f {last}\n\n")
    };
    let text = game("1-0", "25-20") + &game("*", "12-10") + &game("*", "*") + &game("1/2-1/2", "24-24");
    let file = scene.file("games.ogn", &text);
    let (found, _) = numbers(std::slice::from_ref(&file), "");
    let meeting = &found["head_to_head"][0];
    let counted = ["games", "wins", "draws", "losses"].map(|key| meeting[key].as_u64().unwrap());
    assert_eq!((counted, &found["without_result"]), ([2, 1, 1, 0], &2.into()), "{found}");
    let text = String::from_utf8(stats(&[file]).stdout).unwrap();
    assert!(
        text.contains("Games: 2, ") && text.contains("\nWithout a result, and not counted: 2\n"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let scene = Scene::new();
    let game =
        |south: &str, north: &str| format!("[South \"{south}\"]\n[North \"{north}\"]\n\n1. F f 1-0\n\n");
    let three = scene.file("three.ogn", &(game("a", "b") + &game("c", "a")));
    let torn = scene.file("torn.ogn", "[South \"a\"]\n[North \"b\"]\n\n1. F q\n");
    let nameless = scene.file("nameless.ogn", "1. F f 1-0\n");
    let cases: [(&str, &str); 9] = [
        ("", "no results: give --wdl W L D, --ptnml LL LD DD WD WW, or game files"),
        ("--wdl 1 2", "3 values required"),
        ("--wdl 1 2 -3", "unexpected argument"),
        ("--wdl 9999999999999 0 0", "wdl: more than 1000000000000 games"),
        ("--wdl 1 2 3 --ptnml 1 2 3 4 5", "cannot be used with"),
        ("--ptnml 1 2 3 4 5 --sprt elo0=0 elo1=5 model=bayesian", "model=bayesian counts single games"),
        (
            &format!("{three} --sprt elo0=0 elo1=5"),
            "a test is a match of two engines, and these files have 3",
        ),
        (&torn, "torn.ogn: line 4, column 6: `q` is not a move: expected a letter"),
        (&nameless, "nameless.ogn: line 1: the game has no tag South"),
    ];
    for (line, expected) in cases {
        let output = stats(&words(line));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{line}: {error}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{line}");
    }
}

#[test]
fn names_in_a_file_control_no_terminal_and_have_an_end() {
    let scene = Scene::new();
    let hostile = format!("\x1b]0;owned\x07\x1b[2J\u{202e}{}", "n".repeat(5000));
    let game = |south: &str, north: &str| {
        format!(
            "[Variant \"Awari\"]\n[South \"{south}\"]\n[North \"{north}\"]\n[Result \"1-0\"]\n\n1. F 1-0\n\n"
        )
    };
    let two = scene.file("two.ogn", &(game(&hostile, "b\rc") + &game("b\rc", &hostile)));
    let three = scene.file("three.ogn", &(game(&hostile, "b") + &game("\u{9b}31m", "b")));
    let is_control = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{2066}".contains(c);
    for words in [vec![two.clone()], vec![two, "--json".to_owned()], vec![three]] {
        let output = stats(&words);
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!said.contains(is_control) && said.len() < 2500, "{said:?}");
        assert!(said.contains("u{1b}]0;owned") && said.contains("n…"), "{said:?}");
    }
}

#[test]
fn only_ordinary_files_are_counted_and_give_openings() {
    let scene = Scene::new();
    let pipe = scene.path("pipe.ogn").to_string_lossy().into_owned();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let zero = scene.path("zero.ogn").to_string_lossy().into_owned();
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    let folder = scene.dir.path().to_string_lossy().into_owned();
    for (path, what) in [(&pipe, "a pipe"), (&zero, "a device"), (&folder, "a folder")] {
        let openings = |name: &str| vec!["--openings".to_owned(), name.to_owned()];
        let text = path.replace(".ogn", ".txt");
        let _ = std::os::unix::fs::symlink(path, &text);
        let journal = words(&format!("--resume --journal {path}"));
        for arguments in [vec!["stats".to_owned(), path.clone()], openings(path), openings(&text), journal] {
            let engines = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
            let engines = if arguments[0] == "stats" { Vec::new() } else { engines };
            let output = Command::new(referee_path()).args(&arguments).args(engines).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(
                !output.status.success() && error.contains(&format!("it is {what}, not a file")),
                "{error}"
            );
        }
        let output = Command::new(referee_path()).args(["merge", path.as_str()]).output().unwrap();
        assert!(String::from_utf8(output.stderr).unwrap().contains(what));
    }
}
