//! The mathematics of an iteration. Every value is a function of the plan, the seed, the number of the iteration and the
//! values before; powers come from one library (`libm`), so they are the same on every machine.

use super::parameter::{Parameter, ParameterKind};
use super::plan::{Settings, TuningPlan};
use kroo::game::split_mix;

/// How far whole numbers are moved to each side at least. With less, both sides could be rounded to the same value.
const LEAST_DISTANCE: f64 = 0.5;

/// How the parameters of a plan are moved.
#[derive(Clone, Debug)]
pub struct Spsa {
    plan: TuningPlan,
    iterations: u64,
    seed: u64,
}

/// What chance says of a parameter in an iteration.
struct Luck {
    /// The direction in which the first engine's value is moved: 1 or -1.
    direction: f64,
    /// From 0 to 1: whole numbers are rounded up if their fraction and this are 1 together.
    rounding: f64,
}

impl Spsa {
    /// For so many iterations.
    #[must_use]
    pub fn new(plan: TuningPlan, iterations: u64, seed: u64) -> Spsa {
        Spsa { plan, iterations, seed }
    }

    /// What is tuned.
    #[must_use]
    pub fn plan(&self) -> &TuningPlan {
        &self.plan
    }

    /// How many iterations there are.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The values at the beginning.
    #[must_use]
    pub fn start(&self) -> Vec<f64> {
        self.plan.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// How far a value is moved to each side in an iteration, counted from 1.
    #[must_use]
    pub fn distance(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let begin = parameter.c_end * power(self.iterations as f64, self.plan.gamma);
        let distance = begin / power(iteration as f64, self.plan.gamma);
        match parameter.kind {
            ParameterKind::Int => distance.max(LEAST_DISTANCE),
            ParameterKind::Float => distance,
        }
    }

    /// How far a game more won than lost moves a value in an iteration.
    #[must_use]
    pub fn step(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let TuningPlan { alpha, a_ratio, .. } = self.plan;
        let slow = a_ratio * self.iterations as f64;
        let a_end = parameter.r_end * parameter.c_end * parameter.c_end;
        let begin = a_end * power(slow + self.iterations as f64, alpha);
        begin / power(slow + iteration as f64, alpha) / self.distance(parameter, iteration)
    }

    /// The values that both engines are given in an iteration.
    #[must_use]
    pub fn settings(&self, values: &[f64], iteration: u64) -> Settings {
        let luck = self.luck(iteration);
        let moved = |sign: f64| {
            let all = self.plan.parameters.iter().zip(values).zip(&luck);
            all.map(|((parameter, value), Luck { direction, rounding })| {
                let moved = value + sign * direction * self.distance(parameter, iteration);
                let rounded = match parameter.kind {
                    ParameterKind::Int => (moved + rounding).floor(),
                    ParameterKind::Float => moved,
                };
                parameter.text(rounded.clamp(parameter.min, parameter.max))
            })
            .collect()
        };
        Settings::new([moved(1.0), moved(-1.0)])
    }

    /// Moves the values by the result of an iteration: how many games more the first engine has won than lost.
    pub fn update(&self, values: &mut [f64], iteration: u64, result: i64) {
        let luck = self.luck(iteration);
        for ((value, parameter), luck) in values.iter_mut().zip(&self.plan.parameters).zip(&luck) {
            let moved = *value + self.step(parameter, iteration) * result as f64 * luck.direction;
            *value = moved.clamp(parameter.min, parameter.max);
        }
    }

    /// What chance says of each parameter in an iteration.
    fn luck(&self, iteration: u64) -> Vec<Luck> {
        let mut seed = self.seed;
        let mut state = split_mix(&mut seed) ^ iteration;
        let mut state = split_mix(&mut state);
        let mut draw = || {
            let direction = if split_mix(&mut state) >> 63 == 0 { 1.0 } else { -1.0 };
            let rounding = (split_mix(&mut state) >> 11) as f64 / (1_u64 << 53) as f64;
            Luck { direction, rounding }
        };
        self.plan.parameters.iter().map(|_| draw()).collect()
    }
}

fn power(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;

    fn spsa(lines: &[&str], iterations: u64, seed: u64) -> Spsa {
        let parameters = lines.iter().map(|line| line.parse().expect(line)).collect();
        Spsa::new(TuningPlan { parameters, ..TuningPlan::default() }, iterations, seed)
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

    /// Games of two engines on a hill: the one that stands higher wins more often.
    fn climb(lag: u64, seed: u64, iterations: u64) -> [f64; 2] {
        let lines = ["A,20,0,200,8,0.004", "B,float,0.9,0,1,0.05,0.004"];
        let spsa = spsa(&lines, iterations, seed);
        let height = |settings: &[String]| {
            let [a, b] = [0, 1].map(|place| settings[place].parse::<f64>().expect("a number"));
            -((a - 140.0) / 60.0).powi(2) - ((b - 0.3) / 0.3).powi(2)
        };
        let mut history = vec![spsa.start()];
        let mut state = seed ^ 0x5eed;
        for iteration in 1..=iterations {
            let known = iteration.saturating_sub(1 + lag) as usize;
            let settings = spsa.settings(&history[known], iteration);
            let better = height(settings.of(0)) - height(settings.of(1));
            let chance = 1.0 / (1.0 + (-better).exp());
            let won = (0..16).filter(|_| (split_mix(&mut state) as f64 / u64::MAX as f64) < chance).count();
            let mut values = history.last().expect("there is one").clone();
            spsa.update(&mut values, iteration, 2 * won as i64 - 16);
            history.push(values);
        }
        let end = history.last().expect("there is one");
        [(end[0] - 140.0).abs(), (end[1] - 0.3).abs()]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn noisy_hills_are_climbed(seed: u64, lag in 0_u64..12) {
            let [a, b] = climb(lag, seed, 2_000);
            prop_assert!(a < 30.0 && b < 0.15, "{a} and {b} off with seed {seed} and lag {lag}");
        }
    }

    /// What a lag costs: see the help of `referee tune`. Run with `--ignored --nocapture`.
    #[test]
    #[ignore = "it prints figures"]
    fn what_a_lag_costs() {
        for lag in [0, 4, 16, 64, 256] {
            for iterations in [200, 500, 2_000] {
                let off: Vec<[f64; 2]> = (0..200).map(|seed| climb(lag, seed, iterations)).collect();
                let mean = |place: usize| off.iter().map(|off| off[place]).sum::<f64>() / 200.0;
                let line = format!("lag {lag}, {iterations} iterations: {:.2} {:.4}\n", mean(0), mean(1));
                std::io::stdout().write_all(line.as_bytes()).expect("standard output");
            }
        }
    }
}
