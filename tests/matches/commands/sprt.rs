//! Matches that a test ends.

use std::fs;
use std::process::Command;
use support::programs::referee_path;
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
    assert!(report.stdout.contains(&format!("\nGames: {games}, Wins: ")), "{}", report.stdout);
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
    assert!(report.stdout.contains(" (-2.94, 2.94) [0.00, 100.00]\n"), "{}", report.stdout);
    let (plan, result) = (&report.json["plan"]["sprt"], &report.json["result"]["sprt"]);
    assert_eq!((plan["elo0"].as_f64(), plan["elo1"].as_f64()), (Some(0.0), Some(100.0)));
    assert_eq!((plan["model"].as_str(), plan["alpha"].as_f64()), (Some("normalized"), Some(0.05)));
    assert_eq!(result["verdict"], "accepted");
    let [llr, upper] = ["llr", "upper"].map(|name| result[name].as_f64().unwrap());
    // It has stopped at the first pair that decided it: each adds the same here.
    assert!(llr >= upper && llr * (1.0 - 2.0 / games as f64) < upper, "{llr} {upper} {games}");
}

/// What a test cannot judge, and rounds of an event that has its own number.
#[test]
fn an_event_refuses_options_that_it_cannot_follow() {
    for (options, expected) in [
        ("--event swiss --sprt elo0=0 elo1=5", "an SPRT of a Swiss event: a test is a match"),
        ("--event knockout --sprt elo0=0 elo1=5", "an SPRT of a knockout event: a test is a match"),
        ("--event knockout --rounds 50", "--rounds: a knockout has as many rounds as it takes"),
    ] {
        let own = words(&format!("--engine cmd=x --engine cmd=y {options}"));
        let output = Command::new(referee_path()).args(own).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && errors.contains(expected), "{options}: {errors}");
    }
}

/// A test that was interrupted has no verdict; its journal says so, however it is read.
#[test]
fn the_journal_of_an_interrupted_test_is_incomplete() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &[]), scene.engine("gloomy", &[])].concat();
    let journal = scene.path("journal");
    let kept = vec!["--journal".to_owned(), journal.to_string_lossy().into_owned()];
    let options = words("--resign moves=1 score=40 --sprt elo0=0 elo1=100");
    let whole = scene.run(&[engines, options, kept]);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let merge = |options: &[&str]| {
        let _ = fs::remove_file(scene.path("games.json"));
        let json = scene.path("games.json");
        let mut command = Command::new(referee_path());
        command.arg("merge").args(options).arg(&journal).arg("--json").arg(json);
        scene.report(command.output().unwrap())
    };
    assert_eq!(merge(&[]).status, 0);
    // Without the last games, and without the first, which the test sees first.
    let lines = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    for (kept, seen) in [(lines[..7].to_vec(), 6), ([&lines[..3], &lines[4..]].concat(), 2)] {
        fs::write(&journal, kept.join("\n") + "\n").unwrap();
        let refused = merge(&[]);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{}", refused.stderr);
        let why = format!("the test is not decided by the {seen} games before game {}", seen + 1);
        assert!(refused.stderr.contains(&why), "{}", refused.stderr);
        let partial = merge(&["--partial"]);
        assert!(partial.stdout.contains(&format!("Interrupted after {seen} of ")), "{}", partial.stdout);
        assert!(partial.stdout.contains(": inconclusive\n"), "{}", partial.stdout);
        let result = &partial.json["result"];
        assert_eq!((partial.status, &result["interrupted"]), (1, &true.into()), "{}", partial.stderr);
        assert_eq!((&result["games"], &result["sprt"]["verdict"]), (&seen.into(), &"inconclusive".into()));
    }
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
    assert!(report.stdout.contains(": inconclusive\n"));
    assert!(report.stdout.starts_with("honest vs last: awari, at most 20 games in 10 rounds"));
    let progress = report.stdout.lines().find(|line| line.starts_with("Progress: 10 of 20 games")).unwrap();
    assert!(progress.contains(", LLR ") && progress.ends_with(" (-2.94, 2.94)"), "{progress}");
}

#[test]
fn with_many_workers_nothing_counts_after_the_verdict() {
    for model in ["normalized", "logistic", "bayesian", "classical"] {
        // Under the two models by games, one side must have won now and then before draws can be expected.
        let second = if model == "bayesian" { "last" } else { "gloomy" };
        let test = format!("--concurrency 4 --sprt elo0=0 elo1=150 model={model} alpha=0.2 beta=0.2");
        let report = tested("honest", second, &test);
        assert!([0, 10].contains(&report.status), "{model}: {}{}", report.stdout, report.stderr);
        all_agree(&report);
        let [llr, lower, upper] =
            ["llr", "lower", "upper"].map(|name| report.json["result"]["sprt"][name].as_f64());
        let outside = llr >= upper || llr <= lower;
        assert!(outside, "{model}: {}", report.stdout);
        assert_eq!(
            report.json["result"]["sprt"]["verdict"],
            ["accepted", "rejected"][usize::from(report.status == 10)]
        );
    }
}

#[test]
fn a_test_by_games_never_stops_after_half_a_pair() {
    for elo1 in [60, 80, 100, 120, 150, 200] {
        let report = tested("honest", "gloomy", &format!("--sprt elo0=0 elo1={elo1} model=classical"));
        assert_eq!(report.status, 0, "{}", report.stdout);
        assert_eq!(all_agree(&report) % 2, 0, "{elo1}: {}", report.stdout);
    }
    for seed in 1..4 {
        let test = format!("--sprt elo0=0 elo1=150 alpha=0.2 beta=0.2 model=bayesian --seed {seed}");
        assert_eq!(all_agree(&tested("honest", "last", &test)) % 2, 0);
    }
}

#[test]
fn after_a_test_the_estimate_is_called_biased() {
    let said = "\nElo is biased: a test that stops at an extreme overstates the difference (J. Whitehead, Biometrika 73, 1986)\n";
    let report = tested("honest", "gloomy", "--sprt elo0=0 elo1=100");
    assert!(report.stdout.contains(said), "{}", report.stdout);
    assert_eq!(report.json["result"]["head_to_head"][0]["elo_biased"], true);
    let report = tested("honest", "last", "--rounds 4 --sprt elo0=0 elo1=1");
    assert!(!report.stdout.contains("biased"), "{}", report.stdout);
    assert_eq!(report.json["result"]["head_to_head"][0]["elo_biased"], false);
}

#[test]
fn without_a_test_there_is_no_word_of_one() {
    let report = tested("honest", "last", "--rounds 10");
    report.assert_played(20);
    assert!(!report.stdout.contains("LLR") && !report.stdout.contains("SPRT"), "{}", report.stdout);
    assert!(report.json["plan"]["sprt"].is_null() && report.json["result"]["sprt"].is_null());
}

#[test]
fn a_test_s_words_are_named_with_what_is_allowed() {
    let cases = [
        ("elo0=0", "`elo1=ELO` is missing, as in elo0=0 elo1=5"),
        ("elo1=5", "`elo0=ELO` is missing"),
        ("elo0=0 elo1=five", "`elo1=five`: expected a number"),
        ("elo0=0 elo1=5 gamma=1", "`gamma=1`: unknown word; the words are elo0, elo1, alpha, beta, model"),
        ("elo0 elo1=5", "`elo0` has no `=`; the words are elo0"),
        ("elo0=0 elo0=1 elo1=5", "`elo0` is given twice"),
        ("elo0=5 elo1=0", "elo0 must be less than elo1"),
        ("elo0=0 elo1=inf", "elo0 and elo1 must lie from -200 to 200"),
        ("elo0=0 elo1=5 alpha=1", "alpha and beta must lie between 0 and 1, and add up to less than 1"),
        (
            "elo0=0 elo1=5 model=chess",
            "`model=chess`: the models are normalized, logistic, bayesian, classical",
        ),
    ];
    for (test, expected) in cases {
        let arguments = words(&format!("--engine cmd=x --engine cmd=y --sprt {test}"));
        let output = Command::new(referee_path()).args(arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{test}: {error}");
        assert!(error.starts_with(&format!("referee: --sprt: {expected}")), "{error}");
    }
    let many = words("--engine cmd=x --engine cmd=y --engine cmd=z --sprt elo0=0 elo1=5");
    let output = Command::new(referee_path()).args(many).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "referee: an SPRT of 3 engines: a test is a match of two\n");
}

#[test]
fn an_engine_that_loses_everything_by_faults_is_no_opponent() {
    for (first, second) in
        [("illegal", "honest"), ("honest", "illegal"), ("honest", "no-move"), ("null-move", "honest")]
    {
        let report = tested(first, second, "--sprt elo0=0 elo1=100");
        let bad = if first == "honest" { second } else { first };
        assert_eq!(report.status, 12, "{}{}", report.stdout, report.stderr);
        let said =
            format!("the match is broken and has no verdict: {bad} has lost all its games by faults (");
        assert_eq!(report.stderr.matches(&said).count(), 1, "{}", report.stderr);
        assert!(report.stdout.contains("\nBroken, without a verdict: "), "{}", report.stdout);
        assert!(
            !report.stdout.contains(": accepted") && !report.stdout.contains(": rejected"),
            "{}",
            report.stdout
        );
        assert_eq!(report.json["result"]["sprt"]["verdict"], "inconclusive");
        assert!(report.finished() < 200, "{}", report.stdout);
    }
}

#[test]
fn a_test_without_rounds_has_an_end_that_is_told() {
    for (openings, most) in
        [("--random-plies 0", 2), ("--random-plies 4", 200_000), ("--random-plies 12", 200_000)]
    {
        let report = tested("honest", "gloomy", &format!("{openings} --sprt elo0=0 elo1=100"));
        let rounds = most / 2;
        let said = format!("awari, at most {most} games in {rounds} round");
        assert!(report.stdout.lines().next().unwrap().contains(&said), "{}", report.stdout);
    }
}
