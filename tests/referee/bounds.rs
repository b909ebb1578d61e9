//! The texts, counts and bounds of a plan.

use crate::plans::{plan, record};
use kroo::game::{Game, Position, Side, Variant};
use kroo_referee::ledger::results::Contest as _;
use kroo_referee::plan::MatchPlan;
use kroo_referee::schedule::Opening;
use kroo_referee::statistics::{EloModel, Sprt};
use kroo_referee::tuning::TuningPlan;
use serde_json::{Value, json};
use std::time::Duration;

fn event_of(engines: usize, event: &Value) -> MatchPlan {
    let names: Vec<String> = (1..=engines).map(|engine| format!("engine {engine}")).collect();
    plan(&names.iter().map(String::as_str).collect::<Vec<_>>(), event)
}

fn tuned() -> MatchPlan {
    let parameters = vec!["A,50,0,100,4,0.002".parse().expect("a parameter")];
    MatchPlan {
        tuning: Some(TuningPlan { parameters, ..TuningPlan::default() }),
        ..event_of(2, &json!("round_robin"))
    }
}

#[test]
fn engines_are_the_same_player_if_they_run_the_same_program_in_the_same_way() {
    let plan = plan(&["one", "two"], &json!("round_robin"));
    let [one, two] = &plan.contestants[..] else { panic!("two engines") };
    assert!(one.is_same_player(two), "the name does not matter");
    let mut other = two.clone();
    other.engine.command = "y".into();
    assert!(!one.is_same_player(&other), "another program");
    let mut other = two.clone();
    other.engine.args = vec!["--fast".to_owned()];
    assert!(!one.is_same_player(&other), "other arguments");
    let mut other = two.clone();
    other.limits.nodes = Some(1000);
    assert!(!one.is_same_player(&other), "other limits");
    let [mut lower, mut upper] = [one.clone(), two.clone()];
    lower.engine.options =
        vec![("Hash".to_owned(), "16".to_owned()), ("level".to_owned(), "full".to_owned())];
    upper.engine.options =
        vec![("Level".to_owned(), "full".to_owned()), ("hash".to_owned(), "16".to_owned())];
    assert!(lower.is_same_player(&upper), "options in any order and spelling");
    upper.engine.options[1].1 = "32".to_owned();
    assert!(!lower.is_same_player(&upper), "another value");
}

#[test]
fn one_program_by_two_paths_is_one_player() {
    let plan = plan(&["one", "two"], &json!("round_robin"));
    let [mut one, mut two] = [plan.contestants[0].clone(), plan.contestants[1].clone()];
    let folder = tempfile::tempdir().expect("a folder");
    one.engine.command = folder.path().join("engine");
    two.engine.command = folder.path().join(".").join("engine");
    std::fs::write(&one.engine.command, "x").expect("written");
    let linked = folder.path().join("linked");
    std::fs::hard_link(&one.engine.command, &linked).expect("linked");
    assert!(one.is_same_player(&two));
    two.engine.command = linked;
    assert!(one.is_same_player(&two));
    two.engine.command = folder.path().join("copy");
    std::fs::write(&two.engine.command, "x").expect("written");
    assert!(!one.is_same_player(&two), "a copy may change on its own");
}

/// A test decides a match of two, whose pairings follow from no result.
#[test]
fn a_test_of_a_swiss_event_or_a_knockout_is_refused() {
    let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
    for (event, allowed) in [
        (json!("round_robin"), true),
        (json!({"gauntlet": {"seeds": 1}}), true),
        (json!("swiss"), false),
        (json!("knockout"), false),
    ] {
        let plan = MatchPlan { sprt: Some(sprt), ..event_of(2, &event) };
        let problem = plan.check().err().map(|error| error.to_string());
        assert_eq!(problem.is_none(), allowed, "{event}: {problem:?}");
        assert!(problem.is_none_or(|problem| problem.contains("a test is a match")), "{event}");
    }
}

/// 1,000 rounds, one pair of games at each pairing.
#[test]
fn the_games_of_an_event_are_two_for_each_pair() {
    let gauntlet = json!({"gauntlet": {"seeds": 2}});
    for (engines, event, pairs_a_round) in
        [(5, json!("round_robin"), 10), (5, gauntlet, 6), (5, json!("swiss"), 2)]
    {
        assert_eq!(event_of(engines, &event).games(), 2 * 1000 * pairs_a_round, "{event}");
    }
    let three_pairs = MatchPlan { pairs: 3, ..event_of(6, &json!("knockout")) };
    assert_eq!(three_pairs.games(), 2 * 3 * 5);
}

#[test]
fn what_is_played_depends_on_results_in_some_events_and_in_tuning() {
    let needs = |event| event_of(4, &json!(event)).needs_results();
    assert_eq!(["swiss", "knockout", "round_robin"].map(needs), [true, true, false]);
    assert!(tuned().needs_results());
    // Values differ from pair to pair, so equal games are evidence there only.
    assert!(tuned().counts_repeated_pairs() && !event_of(2, &json!("round_robin")).counts_repeated_pairs());
}

#[test]
fn limits_are_told_once_if_they_are_the_same() {
    let mut plan = plan(&["one", "two", "three"], &json!("round_robin"));
    plan.contestants[2].limits.move_time = Some(Duration::from_secs(2));
    let [short, long] = [0, 2].map(|engine| plan.contestants[engine].limits.to_string());
    assert_ne!(short, long);
    let opening = Opening::new(Game::new(Position::start(Variant::Awari))).expect("it is not over");
    let limits = |players| plan.limits_of(&record(1, players, &opening).scheduled);
    assert_eq!(limits([0, 1]), short);
    assert_eq!(limits([0, 2]), format!("{short} vs {long}"));
    assert_eq!(limits([2, 1]), format!("{long} vs {short}"));
    assert_eq!(plan.limits(), format!("{short} vs {short} vs {long}"));
}

#[test]
fn settings_are_those_of_the_parameters_that_are_tuned() {
    assert!(event_of(2, &json!("round_robin")).settings(None, 0).is_empty());
    let plan = tuned();
    assert!(plan.settings(None, 0).is_empty(), "a game without settings");
    let first = plan.tuning.as_ref().expect("it is tuned").start();
    let values = Side::BOTH.map(|side| plan.settings(Some(&first), side.index()));
    assert!(values.iter().all(|values| values.len() == 1 && values[0].0 == "A"), "{values:?}");
}

#[test]
fn a_plan_out_of_bounds_is_refused_with_the_first_problem() {
    let base = || event_of(2, &json!("round_robin"));
    let named = |name: &str| plan(&["one", name], &json!("round_robin"));
    // The path of the program has a byte, and so has each end.
    let called = |texts: usize, last: usize| {
        let mut plan = base();
        plan.contestants[0].engine.args = vec!["x".repeat(64 << 10); texts];
        plan.contestants[0].engine.args.push("x".repeat(last));
        plan
    };
    let room = (64 << 10) - 15 - 1 - 2;
    let cases = [
        (called(0, (64 << 10) + 1), "engine 1: the arguments have more than 65536 bytes each"),
        (called(15, room + 1), "engine 1: the arguments have more than 65536 bytes each or 1048576 together"),
        (event_of(1, &json!("round_robin")), "engines: 1, expected a number from 2 to 1000"),
        (MatchPlan { rounds: 0, ..base() }, "rounds: 0, expected"),
        (MatchPlan { pairs: 1_000_001, ..base() }, "pairs: 1000001, expected"),
        (MatchPlan { rounds: 1_000_000_000, pairs: 1_001, ..base() }, "1001000000000 pairs of games in all"),
        (
            MatchPlan { rounds: 1, pairs: 1_000_000, ..event_of(22, &json!("swiss")) },
            "11000000 pairs of games in a round",
        ),
        (named("one"), "the name of engine 2, `one`: two engines have it"),
        (named(" "), "the name of engine 2, ` `: a name has at least one letter"),
        (
            MatchPlan { event: serde_json::from_value(json!("swiss")).expect("an event"), ..tuned() },
            "tuning is",
        ),
    ];
    for (plan, problem) in cases {
        let found = plan.check().expect_err(problem).to_string();
        assert!(found.starts_with(problem), "{found}, expected {problem}");
    }
    let large = MatchPlan { rounds: 1, pairs: 1_000_000, ..event_of(22, &json!("round_robin")) };
    for plan in [base(), event_of(5, &json!("swiss")), tuned(), large, called(15, room)] {
        assert_eq!(plan.check().map_err(|problem| problem.to_string()), Ok(()));
    }
}
