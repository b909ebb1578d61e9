//! The six weights and their text file, a line a weight, which people can edit.
//!
//! ```text
//! kroo evolved 1
//! # what follows a # is a comment
//! variant awari
//! a2 0.25
//! a3 0.5
//! b2 -0.25
//! b3 -0.5
//! as -1
//! bs 1
//! ```
//!
//! Numbers have as many digits as it takes to read the same bits again. Without `variant`, the weights are for any rule set.

use super::terms::{Evaluator, TERM_NAMES};
use crate::files::{self, BYTE_ORDER_MARK};
use crate::game::Variant;
use crate::printable::{MAX_WORD, clipped};
use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};

/// The first line of a file.
const TITLE: &str = "kroo evolved 1";
/// Maximum bytes of a file (chosen, not measured).
const MAX_BYTES: u64 = 1 << 16;
/// The largest absolute weight: sums of 48 times that are still exact enough to compare.
pub const MAX_WEIGHT: f64 = 1e9;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvolvedWeights {
    /// Of the terms, in the order of [`TERM_NAMES`].
    pub terms: [f64; 6],
    /// The rule set they were evolved for; `None` for any.
    pub variant: Option<Variant>,
}

/// Why weights are not usable.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}{fault}", path.display())]
    Fault { path: PathBuf, fault: WeightsFault },
}

/// A fault in the text of weights, and its place. Displayed after the name of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFault {
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    pub kind: WeightsFaultKind,
}

/// A fault in the text of weights.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightsFaultKind {
    #[error("this is not a file of an evolved player's weights: expected text that begins `{TITLE}`")]
    Foreign,
    #[error("expected `{TITLE}`, found `{0}`")]
    Title(String),
    #[error("`{0}` is not a weight: expected `variant` or one of {names}", names = TERM_NAMES.join(", "))]
    Name(String),
    #[error("`{0}` is given twice")]
    Twice(String),
    #[error("`{0}` is not a weight of {1}: expected a number from {least} to {MAX_WEIGHT}", least = -MAX_WEIGHT)]
    Number(String, &'static str),
    #[error("{0}")]
    Variant(String),
    #[error("unexpected `{0}`: a line is a name and a value")]
    TooMuch(String),
    #[error("there is no line for the weight {0}")]
    Missing(&'static str),
    #[error("these are weights for {found}, and the rule set is {wanted}")]
    OtherGame { found: Variant, wanted: Variant },
}

impl fmt::Display for WeightsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, ", line {}, column {}", self.line, self.column)?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// The weights that our run of the experiment evolved in `awari`; `tournament/evolution` describes it.
const BUILT_IN: &str = include_str!("best.weights");

impl EvolvedWeights {
    /// The compiled-in weights, which our run of the experiment evolved in `awari`.
    pub fn built_in() -> EvolvedWeights {
        EvolvedWeights::parse(BUILT_IN).expect("the weights compiled in are valid")
    }

    /// The evaluation by these weights.
    pub fn evaluator(&self) -> Evaluator {
        Evaluator::new(self.terms)
    }

    /// Reads a file, which must be for the rule set or for any.
    pub fn read(path: &Path, variant: Variant) -> Result<EvolvedWeights, WeightsError> {
        let io = |error| WeightsError::Io { path: path.to_owned(), error };
        let fault = |fault| WeightsError::Fault { path: path.to_owned(), fault };
        let foreign = || fault(WeightsFault { line: 0, column: 0, kind: WeightsFaultKind::Foreign });
        let bytes = files::read_at_most(path, MAX_BYTES).map_err(io)?.ok_or_else(foreign)?;
        let text = String::from_utf8(bytes).map_err(|_| foreign())?;
        let weights = EvolvedWeights::parse(&text).map_err(fault)?;
        weights.check(variant).map_err(fault)?;
        Ok(weights)
    }

    /// Checks that they fit a rule set.
    pub fn check(&self, wanted: Variant) -> Result<(), WeightsFault> {
        match self.variant {
            Some(found) if found != wanted => {
                Err(WeightsFault { line: 0, column: 0, kind: WeightsFaultKind::OtherGame { found, wanted } })
            }
            _ => Ok(()),
        }
    }

    /// Parses a text.
    ///
    /// # Errors
    /// The fault and its place.
    pub fn parse(text: &str) -> Result<EvolvedWeights, WeightsFault> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let title = lines.next().map_or("", |(_, line)| line.trim_end());
        if title != TITLE {
            return Err(WeightsFault {
                line: 1,
                column: 1,
                kind: WeightsFaultKind::Title(clipped(title, MAX_WORD)),
            });
        }
        let mut terms = [None; 6];
        let mut variant = None;
        for (number, line) in lines {
            let line = line.split('#').next().unwrap_or_default();
            let fault =
                |word: &str, kind| Err(WeightsFault { line: number, column: column(line, word), kind });
            let mut words = line.split_whitespace();
            let Some(name) = words.next() else { continue };
            let value = words.next().unwrap_or(&line[line.trim_end().len()..]);
            if let Some(word) = words.next() {
                return fault(word, WeightsFaultKind::TooMuch(clipped(word, MAX_WORD)));
            }
            if name == "variant" {
                if variant.is_some() {
                    return fault(name, WeightsFaultKind::Twice(clipped(name, MAX_WORD)));
                }
                match value.parse() {
                    Ok(found) => variant = Some(found),
                    Err(_) => return fault(value, WeightsFaultKind::Variant(unknown(value))),
                }
                continue;
            }
            let Some(term) = TERM_NAMES.iter().position(|&known| known == name) else {
                return fault(name, WeightsFaultKind::Name(clipped(name, MAX_WORD)));
            };
            if terms[term].is_some() {
                return fault(name, WeightsFaultKind::Twice(clipped(name, MAX_WORD)));
            }
            match value.parse::<f64>() {
                Ok(weight) if weight.abs() <= MAX_WEIGHT => terms[term] = Some(weight),
                _ => {
                    return fault(
                        value,
                        WeightsFaultKind::Number(clipped(value, MAX_WORD), TERM_NAMES[term]),
                    );
                }
            }
        }
        if let Some(missing) = terms.iter().position(Option::is_none) {
            return Err(WeightsFault {
                line: 0,
                column: 0,
                kind: WeightsFaultKind::Missing(TERM_NAMES[missing]),
            });
        }
        Ok(EvolvedWeights { terms: terms.map(Option::unwrap_or_default), variant })
    }

    /// The text of a file, with comments about the origin of the weights.
    pub fn to_text(&self, comments: &[String]) -> String {
        let mut text = format!("{TITLE}\n");
        for comment in comments {
            let _ = writeln!(text, "# {comment}");
        }
        if let Some(variant) = self.variant {
            let _ = writeln!(text, "variant {variant}");
        }
        for (name, weight) in TERM_NAMES.iter().zip(self.terms) {
            let _ = writeln!(text, "{name} {weight}");
        }
        text
    }
}

/// The message about an unknown rule set.
fn unknown(word: &str) -> String {
    clipped(word, MAX_WORD).parse::<Variant>().err().map_or_else(String::new, |error| error.to_string())
}

/// The column of a word of a line, from 1, in characters.
fn column(line: &str, word: &str) -> usize {
    let bytes = word.as_ptr() as usize - line.as_ptr() as usize;
    line[..bytes].chars().count() + 1
}
