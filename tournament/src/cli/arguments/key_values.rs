//! Words of the form `KEY=VALUE` after `--engine`, `--each`, `--sprt`, `--resign` and `--draw`.

use crate::failure::Failure;
use std::fmt::Display;

/// The words after an option, each with its own key.
#[derive(Clone, Debug)]
pub struct KeyValues<'a> {
    flag: &'static str,
    words: Vec<(&'a str, &'a str)>,
}

impl<'a> KeyValues<'a> {
    /// Reads words. A key ending in `.NAME` matches all keys with the same beginning.
    ///
    /// # Errors
    /// The first word that has no `=`, no known key, or a key that another one has. Capitals make no other key.
    pub fn read(
        flag: &'static str,
        words: impl IntoIterator<Item = &'a String>,
        keys: &[&str],
    ) -> Result<KeyValues<'a>, Failure> {
        let mut read = KeyValues { flag, words: Vec::new() };
        let known = |key: &str| {
            keys.iter().any(|&known| match known.strip_suffix("NAME") {
                Some(prefix) => key.starts_with(prefix),
                None => key == known,
            })
        };
        for word in words {
            let allowed = || format!("the words are {}", keys.join(", "));
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| read.error(format!("`{word}` has no `=`; {}", allowed())))?;
            if !known(key) {
                return Err(read.error(format!("`{word}`: unknown word; {}", allowed())));
            }
            if read.words.iter().any(|(other, _)| other.eq_ignore_ascii_case(key)) {
                return Err(read.error(format!("`{key}` is given twice")));
            }
            read.words.push((key, value));
        }
        Ok(read)
    }

    /// All words, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.words.iter().copied()
    }

    /// Whether a key is among them.
    pub fn has(&self, key: &str) -> bool {
        self.words.iter().any(|(found, _)| *found == key)
    }

    /// The value of a key, read by a function; `None` if the key is not given.
    pub fn get<T, E: Display>(
        &self,
        key: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Failure> {
        let word = self.words.iter().find(|(found, _)| *found == key);
        word.map(|(key, value)| read(value).map_err(|error| self.error(format!("`{key}={value}`: {error}"))))
            .transpose()
    }

    /// The same for a key that must be given. `usage` and `example` say how: `score=SEEDS`, `moves=4 score=10`.
    pub fn require<T, E: Display>(
        &self,
        usage: &str,
        example: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, Failure> {
        let key = usage.split('=').next().unwrap_or_default();
        let missing = || self.error(format!("`{usage}` is missing, as in {example}"));
        self.get(key, read)?.ok_or_else(missing)
    }

    /// An error of these words.
    pub fn error(&self, problem: impl Into<String>) -> Failure {
        Failure::at(self.flag, problem.into())
    }
}

/// Reads `on` or `off`.
pub(super) fn switch(value: &str) -> Result<bool, &'static str> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected `on` or `off`"),
    }
}
