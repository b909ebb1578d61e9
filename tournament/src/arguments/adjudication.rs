//! How games end that the rules do not end: `--max-moves`, `--repetition`, `--resign`, `--draw`, `--endgame`.

use super::engine_words::{WordError, switch};
use super::{ArgumentError, number, text};
use crate::game::{AdjudicationRules, DrawRule, MoveLimitResult, ResignRule};
use ahash::AHashMap;
use clap::ArgMatches;
use kroo::endgame::{EndgameFileError, Endgames, MAX_SEEDS};
use kroo::game::{Rules, Variant, Visitor};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

/// The seeds that there are at most: no score is further from level.
const SEEDS: f64 = 48.0;

/// What the options mean.
pub(super) fn conduct(
    matches: &ArgMatches,
    variant: Variant,
    max_moves: usize,
) -> Result<AdjudicationRules, ArgumentError> {
    let repetition = number(matches, "repetition") as u32;
    if repetition == 1 {
        let problem = "every position is there once: expected 0, or 2 and more".to_owned();
        return Err(WordError { flag: "--repetition", problem }.into());
    }
    let resign = Words::read(matches, "resign", "--resign", &["moves", "score", "twosided"])?;
    let draw = Words::read(matches, "draw", "--draw", &["from", "moves", "score", "twosided"])?;
    Ok(AdjudicationRules {
        max_moves,
        at_limit: if text(matches, "at-max-moves") == Some("draw") {
            MoveLimitResult::Draw
        } else {
            MoveLimitResult::Stores
        },
        repetition: (repetition > 0).then_some(repetition),
        resign: resign.map(|words| words.resign()).transpose()?,
        draw: draw.map(|words| words.level()).transpose()?,
        endgame: matches.get_one::<PathBuf>("endgame").map(|folder| endgames(folder, variant)).transpose()?,
    })
}

/// Maps the endgames of a folder. Says up to how many seeds there are.
fn endgames(folder: &Path, variant: Variant) -> Result<u8, ArgumentError> {
    let opened = variant.visit(Open(folder)).map_err(ArgumentError::Endgames)?;
    opened.ok_or_else(|| ArgumentError::NoEndgames { folder: folder.to_owned(), variant })
}

struct Open<'a>(&'a Path);

impl Visitor for Open<'_> {
    type Output = Result<Option<u8>, EndgameFileError>;

    fn visit<R: Rules>(self) -> Self::Output {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        Endgames::shared().open::<R>(self.0, MAX_SEEDS, threads)
    }
}

/// The words after an option.
struct Words<'a> {
    flag: &'static str,
    read: AHashMap<&'a str, &'a str>,
}

impl<'a> Words<'a> {
    fn read(
        matches: &'a ArgMatches,
        name: &str,
        flag: &'static str,
        known: &[&str],
    ) -> Result<Option<Words<'a>>, WordError> {
        let Some(words) = matches.get_many::<String>(name) else { return Ok(None) };
        let fail = |problem| Err(WordError { flag, problem });
        let mut read = AHashMap::new();
        for word in words {
            match word.split_once('=') {
                Some((key, value)) if known.contains(&key) => {
                    if read.insert(key, value).is_some() {
                        return fail(format!("`{key}` is given twice"));
                    }
                }
                _ => {
                    return fail(format!(
                        "`{word}`: unknown word; the words are {}",
                        known.join("=, ") + "="
                    ));
                }
            }
        }
        Ok(Some(Words { flag, read }))
    }

    fn resign(&self) -> Result<ResignRule, WordError> {
        Ok(ResignRule { moves: self.moves()?, score: self.score()?, both: self.both(false)? })
    }

    fn level(&self) -> Result<DrawRule, WordError> {
        let from = self.number("from", Some(0))? as usize;
        Ok(DrawRule { from, moves: self.moves()?, score: self.score()?, both: self.both(true)? })
    }

    fn moves(&self) -> Result<u32, WordError> {
        match self.number("moves", None)? {
            0 => Err(self.fail("`moves=0`: expected at least 1".to_owned())),
            moves => Ok(moves),
        }
    }

    fn number(&self, key: &str, default: Option<u32>) -> Result<u32, WordError> {
        match (self.read.get(key), default) {
            (Some(value), _) => value
                .parse()
                .map_err(|_| self.fail(format!("`{key}={value}`: expected a whole number, such as 4"))),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(self.fail(format!("`{key}=N` is missing, as in moves=4 score=10"))),
        }
    }

    /// A number of seeds, in hundredths.
    fn score(&self) -> Result<i32, WordError> {
        let missing = || self.fail("`score=SEEDS` is missing, as in moves=4 score=10".to_owned());
        let value = self.read.get("score").ok_or_else(missing)?;
        let seeds = value.parse::<f64>().ok().filter(|seeds| (0.0..=SEEDS).contains(seeds));
        let problem = || self.fail(format!("`score={value}`: expected a number of seeds from 0 to {SEEDS}"));
        Ok((seeds.ok_or_else(problem)? * 100.0).round() as i32)
    }

    fn both(&self, default: bool) -> Result<bool, WordError> {
        let Some(value) = self.read.get("twosided") else { return Ok(default) };
        switch(value).map_err(|problem| self.fail(format!("`twosided={value}`: {problem}")))
    }

    fn fail(&self, problem: String) -> WordError {
        WordError { flag: self.flag, problem }
    }
}
