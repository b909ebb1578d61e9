//! A parameter, and the lines that describe it.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The most characters of a name.
const MAX_NAME: usize = 100;
/// No value is farther from 0. Whole numbers up to here are exact.
const MAX_VALUE: f64 = 1e12;
/// The fewest and the most decimals of a value that is no whole number.
const DECIMALS: [usize; 2] = [4, 12];
/// The least number of steps of the last decimal in the distance of the last iterations.
const STEPS: f64 = 1_000.0;

/// The fields of a parameter.
const FIELDS: &str = "expected NAME,START,MIN,MAX,C_END,R_END, or NAME,int,... or NAME,float,... with the same fields after that";

/// The values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// Whole numbers, for an option of the kind `spin`.
    Int,
    /// Decimal fractions, for an option of the kind `string`.
    Float,
}

/// An option of the engine that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The option's name.
    pub name: String,
    /// Its values.
    pub kind: ParameterKind,
    /// The value at the beginning. It may have decimals even if the engine is given whole numbers.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// How far the value is moved to each side in the last iteration.
    pub c_end: f64,
    /// How much of that a game more won than lost moves the value in the last iteration.
    pub r_end: f64,
}

/// Options that are no parameters, and why not.
const RESERVED: [&str; 2] = ["UCI_Variant", "MoveLimit"];

impl Parameter {
    /// Whether it can be tuned: it may come from a file, or a queue.
    pub fn check(&self) -> Result<(), Failure> {
        let name = &self.name;
        let fits = name.trim() == name && !name.is_empty() && name.chars().nth(MAX_NAME).is_none();
        if !fits || name.contains(|letter: char| letter.is_control() || letter == ',') {
            let problem = format!("expected that of an option, with 1 to {MAX_NAME} characters");
            return Err(Failure::at("the name", problem));
        }
        if let Some(reserved) = RESERVED.into_iter().find(|reserved| reserved.eq_ignore_ascii_case(name)) {
            return Err(Failure::new(format!("the referee itself sets `{reserved}`")));
        }
        let value = |what: &str, found: f64, fits: bool, expected: String| {
            if fits { Ok(()) } else { Err(Failure::at(what, format!("{found}, expected {expected}"))) }
        };
        let range = -MAX_VALUE..=MAX_VALUE;
        let (min, max, c_end) = (self.min, self.max, self.c_end);
        value("MIN", min, range.contains(&min), format!("a number from -{MAX_VALUE} to {MAX_VALUE}"))?;
        let larger = max > min && range.contains(&max);
        value("MAX", max, larger, format!("a number above MIN ({min}), at most {MAX_VALUE}"))?;
        let within = (min..=max).contains(&self.start);
        value("START", self.start, within, format!("a number from {min} to {max}"))?;
        let apart = c_end > 0.0 && c_end <= max - min;
        value("C_END", c_end, apart, format!("a number above 0, at most MAX - MIN ({})", max - min))?;
        let moves = self.r_end > 0.0 && self.r_end <= STEPS;
        value("R_END", self.r_end, moves, format!("a number above 0, at most {STEPS}"))?;
        for (what, bound) in [("MIN", min), ("MAX", max)] {
            let expected = match self.kind {
                ParameterKind::Int => "a whole number (or the kind float)".to_owned(),
                ParameterKind::Float => format!("at most {} decimals", self.decimals()),
            };
            value(what, bound, self.value_of(&self.text(bound)) == Some(bound), expected)?;
        }
        Ok(())
    }

    /// A value as the engine is given it, rounded to the next one.
    pub fn text(&self, value: f64) -> String {
        let text = match self.kind {
            ParameterKind::Int => format!("{:.0}", value.round()),
            ParameterKind::Float => format!("{value:.*}", self.decimals()),
        };
        let is_zero = text.bytes().all(|byte| b"-0.".contains(&byte));
        if is_zero { text.trim_start_matches('-').to_owned() } else { text }
    }

    /// The value of a text that [`Parameter::text`] has made of one within the range; `None` for any other text.
    pub fn value_of(&self, text: &str) -> Option<f64> {
        let value = text.parse::<f64>().ok().filter(|value| (self.min..=self.max).contains(value))?;
        (self.text(value) == text).then_some(value)
    }

    /// A value with all decimals that matter, also of a whole number.
    pub fn precise(&self, value: f64) -> String {
        match self.kind {
            ParameterKind::Int => format!("{value:.*}", DECIMALS[0]),
            ParameterKind::Float => self.text(value),
        }
    }

    /// As a line that describes a parameter which starts with another value.
    pub fn line(&self, start: f64) -> String {
        let start = self.precise(start).parse().unwrap_or(start).clamp(self.min, self.max);
        Parameter { start, ..self.clone() }.to_string()
    }

    /// Decimals of a value that is no whole number.
    fn decimals(&self) -> usize {
        let [fewest, most] = DECIMALS;
        let enough = |&decimals: &usize| self.c_end * 10_f64.powi(decimals as i32) >= STEPS;
        (fewest..most).find(enough).unwrap_or(most)
    }
}

impl fmt::Display for Parameter {
    /// As OpenBench writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, start, min, max, c_end, r_end, .. } = self;
        let kind = match self.kind {
            ParameterKind::Int => "int",
            ParameterKind::Float => "float",
        };
        write!(f, "{name}, {kind}, {start}, {min}, {max}, {c_end}, {r_end}")
    }
}

impl FromStr for Parameter {
    type Err = Failure;

    /// Reads a line of OpenBench, or one without the kind, which is that of whole numbers then.
    fn from_str(line: &str) -> Result<Parameter, Failure> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let (name, kind, numbers) = match fields.as_slice() {
            [name, "int", numbers @ ..] => (name, ParameterKind::Int, numbers),
            [name, "float", numbers @ ..] => (name, ParameterKind::Float, numbers),
            [name, numbers @ ..] => (name, ParameterKind::Int, numbers),
            [] => return Err(Failure::new(FIELDS)),
        };
        let &[start, min, max, c_end, r_end] = numbers else { return Err(Failure::new(FIELDS)) };
        let number = |what: &str, text: &str| {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| Failure::at(what, format!("`{text}` is not a number, such as 12 or 0.5")))
        };
        let parameter = Parameter {
            name: (*name).to_owned(),
            kind,
            start: number("START", start)?,
            min: number("MIN", min)?,
            max: number("MAX", max)?,
            c_end: number("C_END", c_end)?,
            r_end: number("R_END", r_end)?,
        };
        parameter.check()?;
        Ok(parameter)
    }
}
