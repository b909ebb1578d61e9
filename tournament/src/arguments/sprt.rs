//! The words after `--sprt`: `elo0=0 elo1=5 model=logistic`.

use super::engine_words::WordError;
use crate::statistics::{EloModel, Sprt};
use ahash::AHashMap;

const FLAG: &str = "--sprt";
/// The words that there are.
const WORDS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];

/// Reads the words of a test.
///
/// # Errors
/// The first word that is not understood or given twice, one that is missing, or hypotheses that cannot be tested.
pub(super) fn sprt<'a>(words: impl Iterator<Item = &'a String>) -> Result<Sprt, WordError> {
    let fail = |problem| WordError { flag: FLAG, problem };
    let listed = || WORDS.join(", ");
    let mut read = AHashMap::new();
    for word in words {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| fail(format!("`{word}` has no `=`; the words are {}", listed())))?;
        if !WORDS.contains(&key) {
            return Err(fail(format!("`{word}`: unknown word; the words are {}", listed())));
        }
        if read.insert(key, value).is_some() {
            return Err(fail(format!("`{key}` is given twice")));
        }
    }
    let number = |key: &str, default: Option<f64>| match (read.get(key), default) {
        (Some(text), _) => {
            text.parse::<f64>().map_err(|_| fail(format!("`{key}={text}`: expected a number, such as 0.05")))
        }
        (None, Some(default)) => Ok(default),
        (None, None) => Err(fail(format!("`{key}=ELO` is missing, as in elo0=0 elo1=5"))),
    };
    let (elo0, elo1) = (number("elo0", None)?, number("elo1", None)?);
    let (alpha, beta) = (number("alpha", Some(Sprt::ERROR))?, number("beta", Some(Sprt::ERROR))?);
    let model = match read.get("model") {
        Some(name) => name.parse().map_err(|error| fail(format!("`model={name}`: {error}")))?,
        None => EloModel::Normalized,
    };
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| fail(error.to_string()))
}
