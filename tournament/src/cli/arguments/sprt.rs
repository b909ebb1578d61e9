//! The words after `--sprt`: `elo0=0 elo1=5 model=logistic`.

use super::key_values::KeyValues;
use crate::failure::Failure;
use crate::statistics::{EloModel, Sprt};

/// An example for messages.
const EXAMPLE: &str = "elo0=0 elo1=5";

/// Reads the words of a test.
///
/// # Errors
/// The first word that is not understood, one that is missing, or hypotheses that cannot be tested.
pub fn sprt(words: &[String]) -> Result<Sprt, Failure> {
    let words = KeyValues::read("--sprt", words, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let number = |text: &str| text.parse::<f64>().map_err(|_| "expected a number, such as 0.05");
    let (elo0, elo1) =
        (words.require("elo0=ELO", EXAMPLE, number)?, words.require("elo1=ELO", EXAMPLE, number)?);
    let alpha = words.get("alpha", number)?.unwrap_or(Sprt::ERROR);
    let beta = words.get("beta", number)?.unwrap_or(Sprt::ERROR);
    let model = words.get("model", str::parse)?.unwrap_or(EloModel::Normalized);
    let sprt = Sprt { elo0, elo1, alpha, beta, model };
    sprt.check().map(|()| sprt).map_err(|problem| words.error(problem))
}
