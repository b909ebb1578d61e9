//! The plan of a tuning run.

use super::parameter::Parameter;
use crate::failure::Failure;
use kroo::printable;
use serde::{Deserialize, Serialize};

/// The most iterations.
pub const MAX_ITERATIONS: u64 = 1_000_000;
/// The most iterations that one may be ahead of those whose results it knows.
pub const MAX_LAG: u64 = 10_000;
/// The most parameters.
const MAX_PARAMETERS: usize = 1_000;

/// The plan of a tuning run. The header of a journal holds it, and the job of a queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningPlan {
    pub parameters: Vec<Parameter>,
    /// An iteration begins with the values as they were this many iterations before the last one.
    pub lag: u64,
    /// How fast steps become smaller.
    pub alpha: f64,
    /// How fast distances become smaller.
    pub gamma: f64,
    /// The constant A of the steps, which keeps the first ones small, as a fraction of all iterations.
    pub a_ratio: f64,
}

impl Default for TuningPlan {
    /// No parameters yet, and the constants of OpenBench, which are Spall's.
    fn default() -> TuningPlan {
        TuningPlan { parameters: Vec::new(), lag: TuningPlan::LAG, alpha: 0.602, gamma: 0.101, a_ratio: 0.1 }
    }
}

impl TuningPlan {
    /// The default of [`TuningPlan::lag`].
    pub const LAG: u64 = 4;

    /// Whether it can be played.
    pub fn check(&self, iterations: u64) -> Result<(), Failure> {
        let count = self.parameters.len();
        if !(1..=MAX_PARAMETERS).contains(&count) {
            return Err(Failure::new(format!("{count} parameters, expected 1 to {MAX_PARAMETERS}")));
        }
        for (place, parameter) in self.parameters.iter().enumerate() {
            let name = printable::name(&parameter.name);
            parameter.check().map_err(|error| Failure::at(format!("parameter `{name}`"), error))?;
            let same = |other: &&Parameter| other.name.eq_ignore_ascii_case(&parameter.name);
            if let Some(other) = self.parameters[..place].iter().find(same) {
                let name = printable::name(&other.name);
                return Err(Failure::new(format!("parameter `{name}` is there twice")));
            }
        }
        let constants = [("alpha", self.alpha, 2), ("gamma", self.gamma, 2), ("a-ratio", self.a_ratio, 100)];
        for (what, found, most) in constants {
            if !(0.0..=f64::from(most)).contains(&found) {
                return Err(Failure::at(what, format!("expected a number from 0 to {most}")));
            }
        }
        if !(1..=MAX_ITERATIONS).contains(&iterations) {
            return Err(Failure::new(format!("{iterations} iterations, expected 1 to {MAX_ITERATIONS}")));
        }
        let lag = self.lag;
        if lag > MAX_LAG {
            Err(Failure::at("lag", format!("{lag}, expected at most {MAX_LAG}")))
        } else {
            Ok(())
        }
    }

    /// The values at the beginning, in the form for an engine.
    pub fn start(&self) -> Settings {
        let start = || self.parameters.iter().map(|parameter| parameter.text(parameter.start)).collect();
        Settings([start(), start()])
    }

    /// Whether engines can be given these values.
    pub fn check_settings(&self, settings: &Settings) -> Result<(), String> {
        for values in &settings.0 {
            if values.len() != self.parameters.len() {
                let (found, expected) = (values.len(), self.parameters.len());
                return Err(format!("its settings have {found} values, expected {expected}"));
            }
            for (parameter, value) in self.parameters.iter().zip(values) {
                if parameter.value_of(value).is_none() {
                    let (value, Parameter { name, min, max, .. }) = (printable::name(value), parameter);
                    return Err(format!(
                        "its settings: `{value}` is no value of `{name}` from {min} to {max}"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The values of all parameters, in their order: those of the first engine, and those of the other one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Settings([Vec<String>; 2]);

impl Settings {
    /// The values of both engines.
    pub fn new(values: [Vec<String>; 2]) -> Settings {
        Settings(values)
    }

    /// The values of an engine, by its place in the list.
    pub fn of(&self, engine: usize) -> &[String] {
        self.0.get(engine).map_or(&[], Vec::as_slice)
    }
}
