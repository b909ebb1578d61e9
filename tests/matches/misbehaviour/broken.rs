//! A match that an engine breaks has no verdict.

use kroo::printable::counted;
use support::scene::{Report, Scene, words};

/// The exit status of a broken match.
const BROKEN: i32 = 12;
const TEST: &str = "--sprt elo0=0 elo1=100";

/// A match with a test, in which the honest engine would win everything.
fn tested(scene: &Scene, rival: Vec<String>, options: &str) -> Report {
    scene.run(&[scene.engine("honest", &[]), rival, words(TEST), words(options)])
}

fn ghost(name: &str) -> Vec<String> {
    words(&format!("--engine cmd=/nowhere/{name}"))
}

fn assert_broken(report: &Report, why: &str) {
    assert_eq!(report.status, BROKEN, "{}{}", report.stdout, report.stderr);
    let said = format!("referee: the match is broken and has no verdict: {why}");
    assert_eq!(report.stderr.matches(&said).count(), 1, "{}", report.stderr);
    assert!(
        !why.contains(' ') || !report.stdout.contains(why),
        "the reason is given once: {}",
        report.stdout
    );
    report.says("\nBroken, without a verdict: ");
    let result = &report.json["result"];
    assert!(result["broken"].as_str().unwrap().starts_with(why), "{result}");
    assert!(!report.stdout.contains(": accepted"), "{}", report.stdout);
    if !result["sprt"].is_null() {
        assert_eq!(result["sprt"]["verdict"], "inconclusive", "{result}");
    }
}

#[test]
fn an_engine_that_never_starts_ends_the_match_before_its_first_game() {
    let scene = Scene::new();
    let report = tested(&scene, ghost("ghost"), "");
    assert_broken(
        &report,
        "ghost could not be started: program not found: /nowhere/ghost; no game was played",
    );
    assert_eq!((report.finished(), report.game_results().len()), (0, 0));
    assert_eq!(scene.processes(), 0);
    let scene = Scene::new();
    let report = scene.run(&[ghost("ghost"), ghost("spectre"), words(TEST)]);
    assert_broken(
        &report,
        "ghost could not be started: program not found: /nowhere/ghost; spectre could not be started",
    );
    assert_eq!(report.finished(), 0);
    for manner in ["crash-at-start", "silent-at-uci", "unready"] {
        let scene = Scene::new();
        let report = tested(&scene, scene.engine(manner, &["startup=0.3"]), "");
        assert_broken(&report, manner);
        assert_eq!((report.finished(), scene.processes()), (0, 0), "{manner}");
    }
}

#[test]
fn an_engine_that_keeps_dying_ends_the_match() {
    for (options, games) in [("", 3), ("--max-faults 1", 1), ("--max-faults 5", 5), ("--concurrency 2", 3)] {
        let scene = Scene::new();
        let report = tested(&scene, scene.engine("exit-at-go", &[]), options);
        let games_of = counted(games as u64, "game");
        let why = format!(
            "exit-at-go has died in {games_of} in a row, the last time by crash: exit-at-go ended with"
        );
        assert_broken(&report, &why);
        // Two at a time: while the third result is on its way, the other worker may go on to the next games.
        let most = if options == "--concurrency 2" { games + 40 } else { games };
        assert!((games..=most).contains(&report.finished()), "{options}: {}", report.finished());
        assert_eq!(scene.processes(), 0);
    }
    let scene = Scene::new();
    let report = tested(&scene, scene.engine("exit-at-go", &[]), "--recover");
    // It plays on, but a match that shows only faults has no verdict all the same.
    assert_broken(&report, "exit-at-go has lost all its games by faults (crash ");
    assert!(report.finished() > 5, "{}", report.stdout);
}

#[test]
fn an_engine_that_dies_now_and_then_loses_those_games_only() {
    let scene = Scene::new();
    let engines = [scene.engine("last", &[]), scene.engine("dies-as-south", &[])].concat();
    let report = scene.run(&[engines, words("--rounds 4 --max-moves 12")]);
    report.assert_played(8);
    assert_eq!(report.json["result"]["terminations"]["crash"], 4, "{}", report.stdout);
}

#[test]
fn a_game_that_neither_could_begin_has_no_result() {
    let scene = Scene::new();
    let report = scene.run(&[ghost("ghost"), ghost("spectre"), words("--rounds 20 --recover"), words(TEST)]);
    assert_eq!(report.status, 11, "nothing is decided: {}{}", report.stdout, report.stderr);
    assert_eq!(report.finished(), 40);
    let result = &report.json["result"];
    assert_eq!(result["terminations"]["neither started"], 40);
    assert_eq!(result["engines"][0]["draws"], 0, "{result}");
    assert_eq!(result["head_to_head"][0]["ptnml"], serde_json::json!([0, 0, 0, 0, 0]));
    assert!(report.game_results().iter().all(|game| game["result"] == "*"));
    assert!(report.games.contains("[Result \"*\"]"), "{}", report.games);
}

#[test]
fn an_option_that_the_engine_refuses_ends_the_match_with_its_own_words() {
    for (manner, words_of_it, why) in [
        (
            "grumbling",
            "option.Hash=8",
            "grumbling: error option Hash: there is no memory; no game was played",
        ),
        (
            "last",
            "option.Hsah=8",
            "last: option `Hsah` is not sent: the engine has no such option; did you mean `Hash`?; no game",
        ),
        (
            "last",
            "option.Hash=65",
            "last: option `Hash` is not sent: `65` is not a number from 1 to 64; no game",
        ),
    ] {
        let scene = Scene::new();
        let report = tested(&scene, scene.engine(manner, &[words_of_it]), "--concurrency 2");
        assert_broken(&report, why);
        assert_eq!((report.finished(), scene.processes()), (0, 0), "{manner}");
        // Nor is it played with `--recover`, which is about engines that die.
        let scene = Scene::new();
        let report = tested(&scene, scene.engine(manner, &[words_of_it]), "--recover");
        assert_broken(&report, why.split("; no game").next().unwrap());
        let scene = Scene::new();
        let engines = [scene.engine("honest", &[]), scene.engine(manner, &[words_of_it])].concat();
        let report = scene.run(&[engines, words("--lenient --rounds 1 --max-moves 12")]);
        report.assert_played(2);
        let warning = format!("referee: warning: {}\n", why.split("; no game").next().unwrap());
        assert_eq!(report.stderr, warning);
    }
}

#[test]
fn what_is_borne_is_documented() {
    let help = kroo_referee::cli::parse(["referee", "--help"].map(Into::into)).unwrap();
    let kroo_referee::cli::Action::Print(help) = help else { panic!("no help") };
    for word in ["12 if the match was broken", "--max-faults <N>", "[default: 3]", "--recover", "--lenient"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    assert!(!help.contains("cleanup"), "not for users");
}

/// Without a game in its final a knockout has no winner, and its exit status says so.
#[test]
fn a_knockout_of_engines_that_never_start_has_no_winner() {
    let scene = Scene::new();
    let engine = |name: &str| {
        let mut words = scene.engine("crash-at-start", &["depth=1"]);
        words[3] = format!("name={name}");
        words
    };
    for names in [&["a", "b", "c"][..], &["a", "b", "c", "d"]] {
        let engines = names.iter().copied().map(engine).collect::<Vec<_>>().concat();
        let report = scene.run(&[engines, words("--event knockout --recover --lenient")]);
        assert_eq!(report.status, 12, "{}{}", report.stdout, report.stderr);
        assert!(
            report.json["result"]["winner"].is_null() && !report.stdout.contains("Winner:"),
            "{}",
            report.stdout
        );
        let why = "no engine has come through by a game, so the knockout has no winner";
        report.complains(why);
    }
}
