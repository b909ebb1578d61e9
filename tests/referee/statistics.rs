//! Statistics against the values of an established match runner.

use proptest::prelude::*;
use serde_json::Value;
use tournament::statistics::{Elo, Estimate};

fn vectors(kind: &str) -> Vec<Value> {
    let text = include_str!("../data/match-statistics.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all[kind].as_array().unwrap().clone()
}

fn agrees(estimate: &Estimate, expected: &Value) {
    let close = |value: f64, key: &str| {
        let reference = expected[key].as_f64().unwrap();
        assert!((value - reference).abs() <= 1e-4 * reference.abs().max(1.0), "{key}: {value}, {expected}");
    };
    close(estimate.score(), "score");
    let known = |key: &str| expected[key].is_number();
    match estimate.elo() {
        Elo::About { value, error } => {
            close(value, "elo");
            assert_eq!(error.is_some(), known("elo_err"), "{expected}");
            error.inspect(|&error| close(error, "elo_err"));
        }
        _ => assert!(!known("elo"), "{expected}"),
    }
    let normalised = estimate.normalised();
    assert_eq!(normalised.is_some(), known("nelo"), "{expected}");
    if let Some((value, error)) = normalised {
        close(value, "nelo");
        close(error, "nelo_err");
    }
    let superiority = format!("{:.2} %", 100.0 * estimate.superiority());
    if expected["los_printed"] != "-nan %" {
        assert_eq!(superiority, expected["los_printed"], "{expected}");
    }
}

#[test]
fn games_agree_with_the_reference() {
    for case in vectors("wdl") {
        let count = |key: &str| case[key].as_u64().unwrap();
        agrees(&Estimate::of_games(count("losses"), count("draws"), count("wins")).unwrap(), &case);
    }
}

#[test]
fn pairs_agree_with_the_reference() {
    for case in vectors("penta") {
        let count = |key: &str| case[key].as_u64().unwrap();
        let pairs = [count("LL"), count("LD"), count("WL") + count("DD"), count("WD"), count("WW")];
        agrees(&Estimate::of_pairs(pairs).unwrap(), &case);
    }
}

#[test]
fn where_the_reference_has_no_number_there_is_an_answer() {
    assert_eq!(Estimate::of_games(0, 0, 0), None);
    assert_eq!(Estimate::of_pairs([0; 5]), None);
    let shown = |estimate: Option<Estimate>| estimate.unwrap().elo().to_string();
    assert_eq!(shown(Estimate::of_games(0, 10, 0)), "0.00 +/- 0.00");
    assert_eq!(shown(Estimate::of_games(1, 0, 2)), "120.41 +/- n/a");
    assert_eq!(shown(Estimate::of_pairs([0, 0, 0, 0, 1])), "n/a");
    // Twenty wins: a probability of winning below 0.8316 would make them rarer than 2.5 %.
    assert_eq!(shown(Estimate::of_games(0, 0, 20)), "> 277.39");
    assert_eq!(shown(Estimate::of_games(20, 0, 0)), "< -277.39");
    let even = Estimate::of_games(0, 10, 0).unwrap();
    assert_eq!((even.superiority(), even.normalised()), (0.5, None));
}

proptest! {
    #[test]
    fn nothing_is_ever_infinite(counts in prop::array::uniform5(prop_oneof![Just(0), 0..100_000_u64])) {
        let [losses, draws, wins, ..] = counts;
        for estimate in [Estimate::of_pairs(counts), Estimate::of_games(losses, draws, wins)].into_iter().flatten() {
            let shown = estimate.elo().to_string();
            prop_assert!(!shown.contains("inf") && !shown.contains("NaN"), "{}", shown);
            prop_assert!((0.0..=1.0).contains(&estimate.superiority()));
            if let Some((value, error)) = estimate.normalised() {
                prop_assert!(value.is_finite() && error.is_finite());
            }
        }
    }

    #[test]
    fn who_is_better_does_not_depend_on_who_asks(counts in prop::array::uniform5(0..1000_u64)) {
        let mut turned = counts;
        turned.reverse();
        let (Some(one), Some(other)) = (Estimate::of_pairs(counts), Estimate::of_pairs(turned)) else { return Ok(()) };
        prop_assert!((one.superiority() + other.superiority() - 1.0).abs() < 1e-9);
        if let (Elo::About { value: one, .. }, Elo::About { value: other, .. }) = (one.elo(), other.elo()) {
            prop_assert!((one + other).abs() < 1e-6);
        }
    }
}
