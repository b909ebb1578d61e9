//! Statistics against the values of an established match runner.

use kroo::game::split_mix;
use kroo_referee::statistics::{Elo, EloModel, Estimate, MAX_ELO, Sprt, SprtDecision, hundredths};
use proptest::prelude::*;
use serde_json::Value;
use support::data::STATISTICS;

fn vectors(kind: &str) -> Vec<Value> {
    let text = STATISTICS;
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
            close(error, "elo_err");
        }
        Elo::Within { low, high } => {
            let holds = |value: f64| low <= value && value <= high;
            assert!(expected["elo"].as_f64().is_none_or(holds), "{low} {high} {expected}");
        }
        _ => assert!(!known("elo"), "{expected}"),
    }
    if estimate.needs_prior() {
        // The reference has numbers here that claim too much, or none.
        assert_eq!(estimate.normalised(), None, "{expected}");
        return;
    }
    let normalised = estimate.normalised();
    assert_eq!(normalised.is_some(), known("nelo"), "{expected}");
    if let Some((value, error)) = normalised {
        close(value, "nelo");
        close(error, "nelo_err");
    }
    let los = format!("{:.2} %", 100.0 * estimate.los());
    if expected["los_printed"] != "-nan %" {
        assert_eq!(los, expected["los_printed"], "{expected}");
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
    let ends = |estimate: Option<Estimate>| match estimate.unwrap().elo() {
        Elo::Within { low, high } => (low, high),
        other => panic!("{other}"),
    };
    let (low, high) = ends(Estimate::of_games(0, 10, 0));
    assert!((low + high).abs() < 1e-6 && (20.0..200.0).contains(&high), "{low} {high}");
    // Two wins and a loss, a pair that was won, four pairs: still undecided.
    let few = [
        Estimate::of_games(1, 0, 2),
        Estimate::of_pairs([0, 0, 0, 0, 1]),
        Estimate::of_pairs([1, 0, 1, 0, 2]),
    ];
    for estimate in few {
        let (low, high) = ends(estimate);
        assert!(low < -50.0 && high > 50.0, "{low} {high}");
        let los = estimate.unwrap().los();
        assert!((0.5..0.95).contains(&los), "{los}");
    }
    // Forty wins: a probability of winning below 0.9119 would make them rarer than 2.5 %.
    assert_eq!(shown(Estimate::of_games(0, 0, 40)), "> 405.99");
    assert_eq!(shown(Estimate::of_games(40, 0, 0)), "< -405.99");
    // A few wins are an interval with the prior, however many of the few they are.
    for wins in 1..30 {
        let estimate = Estimate::of_games(0, 0, wins).unwrap();
        let (low, high) = ends(Some(estimate));
        assert!(
            low < high && estimate.prior().is_some_and(|said| said.starts_with("Fewer than 30 games")),
            "{wins}"
        );
    }
    let bound = Estimate::of_pairs([0, 0, 0, 0, 30]).unwrap();
    assert!(
        matches!(bound.elo(), Elo::AtLeast(_)) && bound.prior().is_some_and(|said| said.contains("a bound"))
    );
    let even = Estimate::of_games(0, 10, 0).unwrap();
    assert!((even.los() - 0.5).abs() < 1e-12 && even.normalised().is_none());
    // Two lost pairs are no proof.
    assert!(Estimate::of_pairs([2, 0, 0, 0, 0]).unwrap().los() > 0.02);
}

/// Beta posteriors of small samples, integrated with 30 digits by another program.
#[test]
fn small_samples_have_the_intervals_of_their_posterior() {
    for (estimate, ends, los) in [
        (Estimate::of_games(1, 0, 2), [-229.700574901, 459.032834632], 0.71016932625),
        (Estimate::of_pairs([1, 0, 1, 0, 2]), [-158.869493109, 288.610955101], 0.699441752066),
        (Estimate::of_pairs([3, 4, 5, 6, 7]), [-25.7579142929, 157.980478342], 0.919080371964),
    ] {
        let estimate = estimate.unwrap();
        let found = estimate.elo().ends().map(Option::unwrap);
        assert!(found.iter().zip(ends).all(|(found, end)| (found - end).abs() < 1e-6), "{found:?}, {ends:?}");
        assert!((estimate.los() - los).abs() < 1e-9, "{}, {los}", estimate.los());
    }
}

#[test]
fn a_prior_is_for_few_units_and_for_intervals_that_leave_the_scores() {
    let of_games = |[losses, draws, wins]: [u64; 3]| Estimate::of_games(losses, draws, wins).unwrap();
    for few_or_lopsided in [[14, 1, 14], [0, 40, 0], [1, 0, 40], [40, 0, 1]] {
        let estimate = of_games(few_or_lopsided);
        assert!(estimate.needs_prior() && estimate.prior().is_some(), "{few_or_lopsided:?}");
        assert!(matches!(estimate.elo(), Elo::Within { .. }), "{few_or_lopsided:?}");
    }
    for enough in [[15, 0, 15], [4, 0, 96], [96, 0, 4]] {
        let estimate = of_games(enough);
        assert!(!estimate.needs_prior() && estimate.prior().is_none(), "{enough:?}");
        assert!(matches!(estimate.elo(), Elo::About { .. }), "{enough:?}");
    }
}

#[test]
fn a_difference_seen_from_the_other_engine_has_the_opposite_ends() {
    for (elo, ends) in [
        (Elo::About { value: 20.0, error: 5.0 }, [Some(15.0), Some(25.0)]),
        (Elo::Within { low: -10.0, high: 30.0 }, [Some(-10.0), Some(30.0)]),
        (Elo::AtLeast(40.0), [Some(40.0), None]),
        (Elo::AtMost(-40.0), [None, Some(-40.0)]),
    ] {
        assert_eq!(elo.ends(), ends);
        let [low, high] = ends.map(|end| end.map(|elo| -elo));
        assert_eq!((elo.turned().ends(), elo.turned().turned()), ([high, low], elo));
    }
}

#[test]
fn a_difference_that_rounds_to_nothing_has_no_sign() {
    assert_eq!([-0.004, 0.004, -0.006, -12.345_6].map(hundredths), ["0.00", "0.00", "-0.01", "-12.35"]);
}

/// Small samples, drawn from a known distribution: the interval of 95 % holds the truth about as often as it says.
#[test]
fn small_samples_promise_no_more_than_they_hold() {
    for weights in [[1, 2, 4, 2, 1], [1, 1, 2, 4, 8], [0, 0, 8, 1, 1]] {
        let all: u64 = weights.iter().sum();
        let score = (0..).zip(weights).map(|(place, weight): (u64, u64)| place * weight).sum::<u64>() as f64
            / (4 * all) as f64;
        let truth = -400.0 * (1.0 / score - 1.0).log10();
        for size in [3, 5, 10, 25] {
            let (mut state, mut held, tries) = (size, 0, 400);
            for _ in 0..tries {
                let mut pairs = [0; 5];
                for _ in 0..size {
                    let mut drawn = split_mix(&mut state) % all;
                    let place = weights.iter().position(|&weight| {
                        let found = drawn < weight;
                        drawn = drawn.saturating_sub(weight);
                        found
                    });
                    pairs[place.unwrap()] += 1;
                }
                let [low, high] = Estimate::of_pairs(pairs).unwrap().elo().ends();
                held +=
                    u32::from(low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high));
            }
            assert!(
                f64::from(held) >= 0.9 * f64::from(tries),
                "{weights:?}, {size} pairs: {held} of {tries}"
            );
        }
    }
}

/// The reference values of a test, for either kind of counts.
fn test_agrees(case: &Value, expected: &Value, model: &str, llr: impl Fn(&Sprt) -> f64) {
    let number = |key: &str| expected[key].as_f64().unwrap();
    let (elo0, elo1, alpha, beta) = (number("elo0"), number("elo1"), number("alpha"), number("beta"));
    let sprt = Sprt { elo0, elo1, alpha, beta, model: model.parse().unwrap() };
    let (lower, upper) = sprt.bounds();
    assert!((lower - number("lower")).abs() < 1e-9 && (upper - number("upper")).abs() < 1e-9, "{expected}");
    let llr = llr(&sprt);
    assert!((llr - number("llr")).abs() <= 0.005, "{llr}, {case}, {expected}");
    // The reference's own ratio, computed to the last digit: ours is no approximation.
    if let Some(exact) = expected["llr_exact"].as_f64() {
        assert!((llr - exact).abs() <= 1e-8, "{llr}, {case}, {expected}");
    }
}

#[test]
fn tests_by_games_agree_with_the_reference() {
    let mut compared = 0;
    for case in vectors("wdl") {
        let count = |key: &str| case[key].as_u64().unwrap();
        let games = [count("losses"), count("draws"), count("wins")];
        for expected in case["sprt"].as_array().unwrap() {
            let model = expected["model"].as_str().unwrap();
            test_agrees(&case, expected, model, |sprt| sprt.llr_of_games(games));
            compared += 1;
        }
    }
    assert_eq!(compared, 90);
}

#[test]
fn tests_by_pairs_agree_with_the_reference() {
    let mut compared = 0;
    for case in vectors("penta") {
        let count = |key: &str| case[key].as_u64().unwrap();
        let pairs = [count("LL"), count("LD"), count("WL") + count("DD"), count("WD"), count("WW")];
        let games = [count("losses"), count("draws"), count("wins")];
        for expected in case["sprt"].as_array().unwrap() {
            let model = expected["model"].as_str().unwrap();
            test_agrees(&case, expected, model, |sprt| {
                let status = sprt.status(games, pairs);
                let decision = match expected["result"].as_str().unwrap() {
                    "H0" => SprtDecision::AcceptH0,
                    "H1" => SprtDecision::AcceptH1,
                    _ => SprtDecision::Continue,
                };
                assert_eq!(status.decision, decision, "{expected}");
                assert_eq!(sprt.llr_of_pairs(pairs), Some(status.llr));
                status.llr
            });
            compared += 1;
        }
    }
    assert_eq!(compared, 80);
}

#[test]
fn the_classical_test_agrees_with_the_older_reference() {
    for case in vectors("cutechess_trinomial") {
        let count = |key: &str| case[key].as_u64().unwrap();
        let games = [count("losses"), count("draws"), count("wins")];
        test_agrees(&case, &case, "classical", |sprt| sprt.llr_of_games(games));
    }
}

#[test]
fn hypotheses_are_two_and_errors_are_probabilities() {
    let model = EloModel::Logistic;
    assert_eq!(Sprt { elo0: -200.0, elo1: 200.0, alpha: 0.001, beta: 0.001, model }.check(), Ok(()));
    let refused = |elo0, elo1, alpha, beta| Sprt { elo0, elo1, alpha, beta, model }.check().unwrap_err();
    assert_eq!(refused(5.0, 5.0, 0.05, 0.05), "elo0 must be less than elo1");
    assert_eq!(refused(5.0, 0.0, 0.05, 0.05), "elo0 must be less than elo1");
    assert_eq!(refused(0.0, 201.0, 0.05, 0.05), "elo0 and elo1 must lie from -200 to 200");
    assert_eq!(refused(f64::NAN, 5.0, 0.05, 0.05), "elo0 and elo1 must lie from -200 to 200");
    assert_eq!(
        refused(0.0, 5.0, 0.0, 0.05),
        "alpha and beta must lie between 0 and 1, and add up to less than 1"
    );
    assert_eq!(
        refused(0.0, 5.0, 0.05, 0.0),
        "alpha and beta must lie between 0 and 1, and add up to less than 1"
    );
    assert_eq!(
        refused(0.0, 5.0, 0.5, 0.5),
        "alpha and beta must lie between 0 and 1, and add up to less than 1"
    );
    assert_eq!(
        refused(0.0, 5.0, 0.05, f64::NAN),
        "alpha and beta must lie between 0 and 1, and add up to less than 1"
    );
}

#[test]
fn a_test_ends_at_its_bounds_and_not_before() {
    let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.2, model: EloModel::Normalized };
    let (lower, upper) = sprt.bounds();
    for (llr, decision, progress, left) in [
        (upper, SprtDecision::AcceptH1, 1.0, Some(0.0)),
        (0.75 * upper, SprtDecision::Continue, 0.75, Some(100.0)),
        (0.01 * upper, SprtDecision::Continue, 0.01, None),
        (0.0, SprtDecision::Continue, 0.0, None),
        (0.5 * lower, SprtDecision::Continue, -0.5, Some(300.0)),
        (lower, SprtDecision::AcceptH0, -1.0, Some(0.0)),
    ] {
        let status = sprt.status_at(llr);
        let is_over = decision != SprtDecision::Continue;
        assert_eq!(
            (status.decision, status.progress(), status.is_at_bound(), status.is_decided()),
            (decision, progress, is_over, is_over)
        );
        // At the same rate, after 300 games; fewer than 20 say nothing.
        assert_eq!((status.games_left(300).map(f64::round), status.games_left(19)), (left, None));
    }
    let bayesian = Sprt { model: EloModel::Bayesian, ..sprt };
    assert!(bayesian.llr_of_games([0, 0, 29]) == 0.0 && bayesian.llr_of_games([0, 0, 30]) > 0.0);
}

/// Pairs that even engines play, drawn with these weights, until the test is decided.
fn decide(sprt: &Sprt, state: &mut u64) -> SprtDecision {
    const WEIGHTS: [u64; 5] = [1, 2, 4, 2, 1];
    let mut pairs = [0; 5];
    loop {
        let mut drawn = split_mix(state) % WEIGHTS.iter().sum::<u64>();
        let scored = WEIGHTS.iter().position(|&weight| match drawn.checked_sub(weight) {
            Some(rest) => {
                drawn = rest;
                false
            }
            None => true,
        });
        pairs[scored.unwrap()] += 1;
        let status = sprt.status([0; 3], pairs);
        if status.is_decided() {
            return status.decision;
        }
    }
}

#[test]
fn errors_are_about_as_rare_as_asked_for() {
    const TESTS: usize = 400;
    let mut state = 1;
    let mut wrong = |elo0, elo1, decision| {
        let sprt = Sprt { elo0, elo1, alpha: 0.1, beta: 0.2, model: EloModel::Normalized };
        (0..TESTS).filter(|_| decide(&sprt, &mut state) == decision).count()
    };
    // Even engines fulfil H0 of the first test and H1 of the second. Expected are at most 40 and 80 errors, and a few
    // less because a bound is overstepped; one in a thousand such samples would be outside.
    let (accepted, rejected) =
        (wrong(0.0, 60.0, SprtDecision::AcceptH1), wrong(-60.0, 0.0, SprtDecision::AcceptH0));
    assert!((12..60).contains(&accepted), "{accepted}");
    assert!((35..105).contains(&rejected), "{rejected}");
}

/// Counts as they come: many results, few, and none of a kind.
fn counts() -> impl Strategy<Value = [u64; 5]> {
    prop::array::uniform5(prop_oneof![Just(0), 1..5_u64, 0..100_000_u64])
}

fn hypotheses() -> impl Strategy<Value = (f64, f64, EloModel)> {
    let elo = || -MAX_ELO..MAX_ELO;
    (elo(), elo(), prop::sample::select(EloModel::ALL))
        .prop_filter("two hypotheses", |(one, other, _)| (one - other).abs() > 0.01)
        .prop_map(|(one, other, model)| (one.min(other), one.max(other), model))
}

proptest! {
    #[test]
    fn a_ratio_is_always_a_number(counts in counts(), (elo0, elo1, model) in hypotheses()) {
        let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        let [losses, draws, wins, ..] = counts;
        prop_assert!(sprt.llr_of_games([losses, draws, wins]).is_finite());
        prop_assert!(sprt.llr_of_pairs(counts).is_none_or(f64::is_finite));
        prop_assert_eq!(sprt.status([0; 3], [0; 5]).llr, 0.0);
    }

    /// Turned round, the question has the opposite answer.
    #[test]
    fn a_ratio_does_not_depend_on_who_asks(counts in counts(), (elo0, elo1, model) in hypotheses()) {
        let (sprt, turned) = (
            Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model },
            Sprt { elo0: -elo1, elo1: -elo0, alpha: 0.05, beta: 0.05, model },
        );
        let close = |one: f64, other: f64| (one + other).abs() <= 1e-6 * one.abs().max(1.0);
        let [losses, draws, wins, ..] = counts;
        let (one, other) = (sprt.llr_of_games([losses, draws, wins]), turned.llr_of_games([wins, draws, losses]));
        prop_assert!(close(one, other), "{} {}", one, other);
        let mut reversed = counts;
        reversed.reverse();
        if let (Some(one), Some(other)) = (sprt.llr_of_pairs(counts), turned.llr_of_pairs(reversed)) {
            prop_assert!(close(one, other), "{} {}", one, other);
        }
    }
}

proptest! {
    #[test]
    fn nothing_is_ever_infinite(counts in prop::array::uniform5(prop_oneof![Just(0), 0..100_000_u64])) {
        let [losses, draws, wins, ..] = counts;
        for estimate in [Estimate::of_pairs(counts), Estimate::of_games(losses, draws, wins)].into_iter().flatten() {
            let shown = estimate.elo().to_string();
            prop_assert!(!shown.contains("inf") && !shown.contains("NaN"), "{}", shown);
            prop_assert!((0.0..=1.0).contains(&estimate.los()));
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
        prop_assert!((one.los() + other.los() - 1.0).abs() < 1e-9);
        if let (Elo::About { value: one, .. }, Elo::About { value: other, .. }) = (one.elo(), other.elo()) {
            prop_assert!((one + other).abs() < 1e-6);
        }
    }
}

/// A test by BayesElo ends also while a side has no win.
#[test]
fn a_side_without_a_win_keeps_no_test_from_its_end() {
    for &model in EloModel::ALL {
        let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model };
        for (games, pairs, decision) in [
            ([0, 0, 500], [0, 0, 0, 0, 250], SprtDecision::AcceptH1),
            ([500, 0, 0], [250, 0, 0, 0, 0], SprtDecision::AcceptH0),
            ([0, 400, 1600], [0, 0, 0, 400, 600], SprtDecision::AcceptH1),
            ([1600, 400, 0], [600, 400, 0, 0, 0], SprtDecision::AcceptH0),
        ] {
            assert_eq!(test.status(games, pairs).decision, decision, "{model:?} {games:?}");
        }
        let drawn = test.status([0, 500, 0], [0, 0, 250, 0, 0]);
        assert!(drawn.llr.is_finite() && drawn.llr <= 0.0, "{model:?}: {}", drawn.llr);
        assert!((test.llr_of_games([0, 0, 0])).abs() < 1e-12);
    }
}
