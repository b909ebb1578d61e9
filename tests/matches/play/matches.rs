//! A match of correct engines.

use support::scene::{Scene, words};

#[test]
fn three_engines_play_a_round_robin() {
    let scene = Scene::new();
    let engines = ["honest", "last", "illegal"].map(|manner| scene.engine(manner, &[])).concat();
    let report = scene.run(&[engines, words("--rounds 2 --max-moves 100")]);
    report.assert_played(12);
    let result = &report.json["result"];
    let points: f64 =
        result["engines"].as_array().unwrap().iter().map(|engine| engine["points"].as_f64().unwrap()).sum();
    assert!((points - 12.0).abs() < 1e-9);
    assert!(result["engines"].as_array().unwrap().iter().all(|engine| engine["games"] == 8));
    assert_eq!(result["head_to_head"].as_array().unwrap().len(), 3);
    assert_eq!(result["faults"][0]["games"], 8, "every game of the one that plays illegal moves");
    let table = report.stdout.split_once("Standings").unwrap().1;
    assert!(table.lines().nth(4).unwrap().trim_start().starts_with("3  illegal"), "{table}");
    let row = |rank: usize| table.lines().nth(rank + 1).unwrap();
    assert!(row(1).contains("  8 ") && row(1).contains(" +/- "), "{table}");
    assert!(table.contains("\nCrosstable (points/games):\n"), "{table}");
    assert!(
        table.contains("One drawn game against an average engine was added for each, as a prior."),
        "{table}"
    );
    let ratings: Vec<f64> =
        result["engines"].as_array().unwrap().iter().map(|e| e["rating"].as_f64().unwrap()).collect();
    assert!(ratings[2] < ratings[0] && ratings[2] < ratings[1] && ratings.iter().sum::<f64>().abs() < 1e-6);
    assert!(["nan", "NaN", "inf"].iter().all(|word| !table.contains(word)), "{table}");
    assert_eq!(scene.processes(), 0);
}

#[test]
fn options_are_checked_and_sent() {
    let scene = Scene::new();
    let file = scene.path("heard.txt");
    let errors = format!("stderr={}", file.display());
    let own = [errors.as_str(), "option.hash=8", "option.Skill=3"];
    let engines = [scene.engine("chronicler", &own), scene.engine("optionless", &[])].concat();
    let report = scene
        .run(&[engines, words("--each option.Hash=4 --variant oware --rounds 1 --max-moves 6 --lenient")]);
    report.assert_played(2);
    let heard = std::fs::read_to_string(file).unwrap();
    let sent: Vec<&str> = heard.lines().filter(|line| line.starts_with("setoption")).collect();
    let expected = ["MoveLimit value 6", "UCI_Variant value oware", "Hash value 8"];
    assert_eq!(sent, expected.map(|option| format!("setoption name {option}")));
    let mut warnings: Vec<&str> = report.stderr.lines().collect();
    warnings.sort_unstable();
    assert_eq!(
        warnings,
        [
            "referee: warning: chronicler: option `Skill` is not sent: the engine has no such option",
            "referee: warning: optionless: option `Hash` is not sent: the engine has no such option",
        ]
    );
}

#[test]
fn a_game_is_a_line_and_the_result_has_its_two_patterns() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &["st=5"]), scene.engine("last", &["st=5"])].concat();
    let report = scene.run(&[engines, words("--rounds 6 --max-moves 100")]);
    report.assert_played(12);
    let lines: Vec<&str> = report.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "honest vs last: awari, 12 games in 6 rounds, st=5, openings: 4 random plies, seed 1"
    );
    for (line, game) in lines.iter().filter(|line| line.starts_with("Finished")).zip(report.game_results()) {
        let (south, north) = (game["south"].as_str().unwrap(), game["north"].as_str().unwrap());
        let expected = format!(
            "Finished game {} ({south} vs {north}): {} {{stores {}-{}, {}",
            game["number"],
            game["result"].as_str().unwrap(),
            game["stores"][0],
            game["stores"][1],
            game["termination"].as_str().unwrap()
        );
        assert!(line.starts_with(&expected) && line.ends_with('}'), "{line}: {expected}");
    }
    assert!(
        lines.iter().any(|line| line.starts_with("Progress: 10 of 12 games, honest ")),
        "{}",
        report.stdout
    );
    let progress = lines.iter().find(|line| line.starts_with("Progress: ")).unwrap();
    assert!(progress.contains(" games/s, ") && progress.contains(" left"), "{progress}");
    let meeting = &report.json["result"]["head_to_head"][0];
    let points = meeting["points"].as_f64().unwrap();
    let expected = format!(
        "Games: 12, Wins: {}, Losses: {}, Draws: {}, Points: {points} ({:.2} %)",
        meeting["wins"],
        meeting["losses"],
        meeting["draws"],
        points / 0.12
    );
    assert!(lines.contains(&expected.as_str()), "{expected}\n{}", report.stdout);
    let pairs: Vec<String> = meeting["ptnml"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert!(lines.contains(&format!("Ptnml(0-2): [{}]", pairs.join(", ")).as_str()));
    for begin in ["Elo: ", "LOS: ", "Ended: ", "Average: "] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(begin)).count(), 1, "{begin}");
    }
    // There is no test, and no word of one.
    for word in ["nan", "NaN", "inf", "LLR", "SPRT"] {
        assert!(!report.stdout.contains(word), "{}", report.stdout);
    }
    assert!(report.json["plan"]["sprt"].is_null() && report.json["result"]["sprt"].is_null());
}

/// The heading, the averages and the warning about equal engines name each of a few engines.
#[test]
fn lines_do_not_grow_with_the_engines() {
    let scene = Scene::new();
    let named = |place: u32| -> Vec<String> {
        let honest = scene.engine("honest", &[]).into_iter();
        honest.map(|word| if word.starts_with("name=") { format!("name=e{place}") } else { word }).collect()
    };
    let engines = (1..=9).flat_map(named).collect();
    let report = scene.run(&[engines, words("--event gauntlet --rounds 1 --max-moves 6")]);
    report.assert_played(16);
    assert!(report.stdout.starts_with("e1 vs e2 vs e3 vs 6 more: awari, gauntlet"), "{}", report.stdout);
    assert!(report.stdout.ends_with("Average: 6.0 plies a game\n"), "{}", report.stdout);
    report.complains("warning: e1 and e2 and e3 and 6 more are the same engine: ");
    assert_eq!(report.stderr.lines().count(), 1, "{}", report.stderr);
}

#[test]
fn an_engine_is_started_anew_for_each_game_if_that_is_wanted() {
    let scene = Scene::new();
    let file = scene.path("heard.txt");
    let own = [format!("stderr={}", file.display()), "restart=on".to_owned()];
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    // It would exit at its second `ucinewgame`, which it never hears.
    let engines = [scene.engine("chronicler", &own), scene.engine("dies-between", &["restart=on"])].concat();
    let report = scene.run(&[engines, words("--rounds 3 --max-moves 6")]);
    report.assert_played(6);
    assert_eq!(report.stderr, "");
    let heard = std::fs::read_to_string(file).unwrap();
    let times = |word: &str| heard.lines().filter(|&line| line == word).count();
    assert_eq!((times("uci"), times("ucinewgame"), times("quit")), (6, 6, 6), "{heard}");
}
