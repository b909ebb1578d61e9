//! Parameters that are tuned, and the steps of SPSA.

use crate::hill::{climb, spsa};
use kroo::game::split_mix;
use kroo_referee::schedule::{GamePairResult, Next, Pairings};
use kroo_referee::tuning::{Parameter, Settings, Spsa, TuningPlan, TuningRun};
use proptest::prelude::*;

#[test]
fn lines_are_read_as_they_are_written() {
    for (line, written) in [
        ("A,5,0,10,2,0.002", "A, int, 5, 0, 10, 2, 0.002"),
        (" Late Moves , int, 5.25, -3, 10, 0.5, 0.002 ", "Late Moves, int, 5.25, -3, 10, 0.5, 0.002"),
        ("x,float,0.3,0,1,0.05,0.002", "x, float, 0.3, 0, 1, 0.05, 0.002"),
    ] {
        let parameter: Parameter = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(parameter.to_string(), written);
        assert_eq!(written.parse(), Ok(parameter));
    }
}

#[test]
fn what_cannot_be_tuned_is_refused_with_what_is_allowed() {
    for (line, expected) in [
        ("", "expected NAME,START,MIN,MAX,C_END,R_END"),
        ("A,1,2,3", "expected NAME,START,MIN,MAX,C_END,R_END"),
        ("A,int,1,0,2,1,0.1,9", "expected NAME,START,MIN,MAX,C_END,R_END"),
        (",1,0,2,1,0.1", "the name: expected that of an option"),
        ("a\u{7}b,1,0,2,1,0.1", "the name: expected that of an option"),
        ("movelimit,1,0,2,1,0.1", "the referee itself sets `MoveLimit`"),
        ("A,x,0,2,1,0.1", "START: `x` is not a number, such as 12 or 0.5"),
        ("A,1,0,inf,1,0.1", "MAX: `inf` is not a number"),
        ("A,3,0,2,1,0.1", "START: 3, expected a number from 0 to 2"),
        ("A,1,2,2,1,0.1", "MAX: 2, expected a number above MIN (2)"),
        ("A,1,0,1e13,1,0.1", "MAX: 10000000000000, expected a number above MIN (0), at most"),
        ("A,1,0,2,0,0.1", "C_END: 0, expected a number above 0, at most MAX - MIN (2)"),
        ("A,1,0,2,1,-1", "R_END: -1, expected a number above 0"),
        ("A,1,0.5,2,1,0.1", "MIN: 0.5, expected a whole number (or the kind float)"),
        ("A,float,1,0.000001,2,1,0.1", "MIN: 0.000001, expected at most 4 decimals"),
    ] {
        let error = line.parse::<Parameter>().expect_err(line).to_string();
        assert!(error.starts_with(expected), "{line}: {error}");
    }
}

#[test]
fn values_are_told_with_as_many_decimals_as_matter() {
    let parameter = |line: &str| line.parse::<Parameter>().expect(line);
    let whole = parameter("A,5,-10,10,2,0.002");
    assert_eq!([2.5, -0.4, -7.6].map(|value| whole.text(value)), ["3", "0", "-8"]);
    let fraction = parameter("A,float,0.5,-1,1,0.05,0.002");
    assert_eq!([0.123_456_7, -0.000_001].map(|value| fraction.text(value)), ["0.12346", "0.00000"]);
    assert_eq!(parameter("A,float,0.5,0,1,0.00001,0.002").text(0.5), "0.50000000");
    for text in ["11", "3.0", "+3", "03", "NaN", "inf", "", "-0", "3 "] {
        assert_eq!(whole.value_of(text), None, "{text}");
    }
    assert_eq!((whole.value_of("-3"), fraction.value_of("0.12346")), (Some(-3.0), Some(0.12346)));
}

fn run(lag: u64) -> TuningRun {
    let lines = ["A,50,0,100,4,0.02", "B,float,0.5,0,1,0.05,0.02"];
    let parameters = lines.map(|line| line.parse().expect(line)).to_vec();
    let plan = TuningPlan { parameters, lag, ..TuningPlan::default() };
    TuningRun::new(Spsa::new(plan, 60, 5), 2)
}

/// The result of an iteration depends on its number, so it is the same in any order.
fn points(iteration: u64, pair: u64) -> u64 {
    split_mix(&mut (iteration * 97 + pair)) % 5
}

/// Plays a number of pairs at once, any of which may finish next.
fn played(lag: u64, at_once: usize, mut luck: u64) -> (Vec<Settings>, Vec<f64>) {
    let (mut run, mut settings, mut playing) = (run(lag), Vec::new(), Vec::new());
    loop {
        while playing.len() < at_once {
            let Some((iteration, drawn)) = run.hand_out() else { break };
            assert_eq!(iteration as usize, settings.len() + 1);
            settings.push(drawn);
            playing.extend([(iteration, 0), (iteration, 1)]);
        }
        if playing.is_empty() {
            return (settings, run.values().to_vec());
        }
        let chosen = (split_mix(&mut luck) % playing.len() as u64) as usize;
        let (iteration, pair) = playing.swap_remove(chosen);
        run.add(iteration, 2, points(iteration, pair));
    }
}

#[test]
fn values_depend_on_results_and_not_on_their_order() {
    for lag in [0, 1, 4, 100] {
        let one = played(lag, 1, 1);
        assert_eq!(one.0.len(), 60);
        for (at_once, luck) in [(2, 1), (7, 2), (30, 3), (1_000, 4)] {
            assert_eq!(played(lag, at_once, luck), one, "lag {lag}, {at_once} at once");
        }
    }
    assert_ne!(played(0, 1, 1), played(4, 1, 1), "a lag makes another run");
}

#[test]
fn an_iteration_waits_for_the_values_that_it_begins_with() {
    let mut run = run(2);
    let drawn: Vec<u64> = std::iter::from_fn(|| run.hand_out().map(|(iteration, _)| iteration)).collect();
    assert_eq!(drawn, [1, 2, 3]);
    run.add(2, 4, 4);
    assert!(run.hand_out().is_none() && run.applied() == 0, "the first iteration is not complete");
    run.add(1, 2, 4);
    assert!(run.hand_out().is_none(), "half of it is missing");
    run.add(1, 2, 4);
    assert_eq!(run.applied(), 2);
    let drawn: Vec<u64> = std::iter::from_fn(|| run.hand_out().map(|(iteration, _)| iteration)).collect();
    assert_eq!(drawn, [4, 5]);
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} is not {expected}");
}

/// Worked out by hand with 30 decimals: N = 100, A = 10, so c_k = 4·(100/k)^0.101, a_k = 0.032·(110/(10 + k))^0.602.
#[test]
fn gains_are_those_of_the_definition() {
    let spsa = spsa(&["A,50,0,100,4,0.002"], 100, 1);
    let parameter = &spsa.plan().parameters[0];
    close(spsa.distance(parameter, 100), 4.0);
    close(spsa.step(parameter, 100), 0.032 / 4.0);
    // 100^0.101 = 1.592209..., 10^0.602 = 3.999447...
    close(spsa.distance(parameter, 1), 6.368_834_908_205);
    close(spsa.step(parameter, 1), 0.032 * 3.999_447_497_611 / 6.368_834_908_205);
}

#[test]
fn whole_numbers_never_coincide_and_keep_their_mean() {
    let spsa = spsa(&["A,50.3,0,100,0.1,0.002"], 20_000, 9);
    let mut sum = 0.0;
    for iteration in 1..=20_000 {
        let settings = spsa.settings(&[50.3], iteration);
        let [plus, minus] = [0, 1].map(|engine| settings.of(engine)[0].parse::<f64>().expect("a number"));
        assert_eq!((plus - minus).abs(), 1.0, "iteration {iteration}");
        sum += plus + minus;
    }
    assert!((sum / 40_000.0 - 50.3).abs() < 0.02, "{}", sum / 40_000.0);
}

#[test]
fn a_result_moves_all_values_towards_the_side_that_won() {
    let spsa = spsa(&["A,50,0,100,4,0.002", "B,float,0.5,0,1,0.05,0.002"], 50, 3);
    for iteration in 1..=50 {
        let settings = spsa.settings(&[50.0, 0.5], iteration);
        let mut values = [50.0, 0.5];
        spsa.update(&mut values, iteration, 3);
        for (parameter, (value, start)) in values.iter().zip([50.0, 0.5]).enumerate() {
            let plus: f64 = settings.of(0)[parameter].parse().expect("a number");
            assert_eq!(plus > start, *value > start, "iteration {iteration}");
        }
        spsa.update(&mut values, iteration, -3);
        assert!((values[0] - 50.0).abs() < 1e-9 && (values[1] - 0.5).abs() < 1e-9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn noisy_hills_are_climbed(seed: u64, lag in 0_u64..12) {
        let [a, b] = climb(lag, seed, 2_000);
        prop_assert!(a < 30.0 && b < 0.15, "{a} and {b} off with seed {seed} and lag {lag}");
    }
}

/// Each iteration has openings of its own, one after the other.
#[test]
fn no_iteration_repeats_an_opening() {
    let mut pairings = Pairings::tuning(spsa(&["A,50,0,100,4,0.002"], 50, 3), 3);
    for opening in 0..12 {
        let Next::Play(drawn) = pairings.step() else { panic!("pair {opening}") };
        assert_eq!((drawn.opening, drawn.pairing.round), (opening, 1 + opening / 3));
        let result = GamePairResult { half_points: 2, margin: 0, played: true };
        pairings.result(result);
    }
}
