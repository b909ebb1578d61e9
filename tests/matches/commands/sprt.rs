//! Matches that a test ends.

use support::scene::{Report, Scene, words};

/// A match that is stopped by a test of distant hypotheses, so that few games decide.
fn tested(first: &str, second: &str, options: &str) -> Report {
    let scene = Scene::new();
    let engines = [scene.engine(first, &[]), scene.engine(second, &[])].concat();
    let report = scene.run(&[engines, words(options), words("--resign moves=1 score=40")]);
    assert_eq!(scene.processes(), 0);
    report
}

/// The number after a word on the first line that has it.
fn number(report: &Report, word: &str) -> f64 {
    let text = report.stdout.split(word).nth(1).unwrap_or_else(|| panic!("no {word} in {}", report.stdout));
    text.split([' ', '\n']).next().unwrap().parse().unwrap()
}

/// Counts on the screen, in JSON and in the game file are of the same games.
fn all_agree(report: &Report) -> usize {
    let games = report.finished();
    assert_eq!(report.json["result"]["games"], games);
    assert_eq!(report.game_results().len(), games);
    assert_eq!(crate::records::ogn_reader::read(&report.games).len(), games);
    assert_eq!(report.json["result"]["interrupted"], false);
    assert!(!report.stdout.contains("Interrupted"), "{}", report.stdout);
    report.says(&format!("\nGames: {games}, Wins: "));
    games
}

#[test]
fn who_wins_everything_is_accepted() {
    let report = tested("honest", "gloomy", "--sprt elo0=0 elo1=100");
    assert_eq!(report.status, 0, "{}{}", report.stdout, report.stderr);
    let games = all_agree(&report);
    assert!((2..200).contains(&games), "{games}");
    assert!(report.stdout.contains("\nSPRT: 0 or 100 nElo, alpha 0.05, beta 0.05: accepted\n"));
    assert!(number(&report, "\nLLR: ") >= 2.94, "{}", report.stdout);
    report.says(" (-2.94, 2.94) [0.00, 100.00]\n");
    let (plan, result) = (&report.json["plan"]["sprt"], &report.json["result"]["sprt"]);
    assert_eq!((plan["elo0"].as_f64(), plan["elo1"].as_f64()), (Some(0.0), Some(100.0)));
    assert_eq!((plan["model"].as_str(), plan["alpha"].as_f64()), (Some("normalized"), Some(0.05)));
    assert_eq!(result["verdict"], "accepted");
    let [llr, upper] = ["llr", "upper"].map(|name| result[name].as_f64().unwrap());
    // It has stopped at the first pair that decided it: each adds the same here.
    assert!(llr >= upper && llr * (1.0 - 2.0 / games as f64) < upper, "{llr} {upper} {games}");
    let said = "\nElo is biased: a test that stops at an extreme overstates the difference (J. Whitehead, Biometrika 73, 1986)\n";
    report.says(said);
    assert_eq!(report.json["result"]["head_to_head"][0]["elo_biased"], true);
}

#[test]
fn who_loses_everything_is_rejected() {
    let report = tested("gloomy", "honest", "--sprt elo1=100 elo0=0 alpha=0.1 beta=0.2 model=logistic");
    assert_eq!(report.status, 10, "{}{}", report.stdout, report.stderr);
    all_agree(&report);
    assert!(report.stdout.contains("\nSPRT: 0 or 100 Elo, alpha 0.1, beta 0.2: rejected\n"));
    assert!(number(&report, "\nLLR: ") <= -1.50, "{}", report.stdout);
    assert_eq!(report.json["result"]["sprt"]["verdict"], "rejected");
}

#[test]
fn equals_are_not_told_apart_in_a_few_games() {
    let report = tested("honest", "last", "--rounds 10 --sprt elo0=0 elo1=1");
    assert_eq!(report.status, 11, "{}{}", report.stdout, report.stderr);
    assert_eq!(all_agree(&report), 20);
    assert!(report.stdout.contains(": inconclusive\n") && !report.stdout.contains("biased"));
    assert_eq!(report.json["result"]["head_to_head"][0]["elo_biased"], false);
    assert!(report.stdout.starts_with("honest vs last: awari, at most 20 games in 10 rounds"));
    let progress = report.stdout.lines().find(|line| line.starts_with("Progress: 10 of 20 games")).unwrap();
    assert!(progress.contains(", LLR ") && progress.ends_with(" (-2.94, 2.94)"), "{progress}");
}

#[test]
fn a_test_without_rounds_has_an_end_that_is_told() {
    for (openings, most) in [("--random-plies 0", 2), ("--random-plies 4", 200_000)] {
        let report = tested("honest", "gloomy", &format!("{openings} --sprt elo0=0 elo1=100"));
        let rounds = most / 2;
        let said = format!("awari, at most {most} games in {rounds} round");
        assert!(report.stdout.lines().next().unwrap().contains(&said), "{}", report.stdout);
    }
}
