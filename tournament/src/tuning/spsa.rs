//! The mathematics of an iteration. Every value is a function of the plan, the seed, the number of the iteration and the earlier
//! values; powers come from one library (`libm`) and are the same on every machine.

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

/// The random draw of a parameter in an iteration.
struct Luck {
    /// The direction of the first engine's value: 1 or -1.
    direction: f64,
    /// From 0 to 1: whole numbers are rounded up if their fraction and this are 1 together.
    rounding: f64,
}

impl Spsa {
    /// The method for a number of iterations.
    pub fn new(plan: TuningPlan, iterations: u64, seed: u64) -> Spsa {
        Spsa { plan, iterations, seed }
    }

    /// The parameters.
    pub fn plan(&self) -> &TuningPlan {
        &self.plan
    }

    /// How many iterations there are.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The values at the beginning.
    pub fn start(&self) -> Vec<f64> {
        self.plan.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// How far a value is moved to each side in an iteration, counted from 1.
    pub fn distance(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let begin = parameter.c_end * power(self.iterations as f64, self.plan.gamma);
        let distance = begin / power(iteration as f64, self.plan.gamma);
        match parameter.kind {
            ParameterKind::Int => distance.max(LEAST_DISTANCE),
            ParameterKind::Float => distance,
        }
    }

    /// How far a game more won than lost moves a value in an iteration.
    pub fn step(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let TuningPlan { alpha, a_ratio, .. } = self.plan;
        let slow = a_ratio * self.iterations as f64;
        let a_end = parameter.r_end * parameter.c_end * parameter.c_end;
        let begin = a_end * power(slow + self.iterations as f64, alpha);
        begin / power(slow + iteration as f64, alpha) / self.distance(parameter, iteration)
    }

    /// The values that both engines are given in an iteration.
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

    /// The random draw of each parameter in an iteration.
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
