//! Guesses the word meant by a misspelt one.

use strsim::damerau_levenshtein;

/// Bytes of the longest word that is a misspelt name.
const MOST: usize = 64;

/// The name that a word resembles, if one is near: at most a third of its letters are wrong. Case does not matter.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MOST {
        return None;
    }
    let (word, most) = (word.to_lowercase(), (word.chars().count() / 3).max(1));
    let distance = |name: &'a str| (damerau_levenshtein(&word, &name.to_lowercase()), name);
    let closest = names.into_iter().map(distance).min();
    closest.filter(|&(distance, _)| (1..=most).contains(&distance)).map(|(_, name)| name)
}
