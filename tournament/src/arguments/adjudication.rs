//! Adjudication: `--max-moves`, `--at-max-moves`, `--repetition`, `--resign`, `--draw`, `--endgame`.

use super::error::ArgumentError;
use super::key_values::{KeyValues, WordError, switch};
use super::syntax::{number, text};
use crate::game::{AdjudicationRules, DrawRule, MoveLimitResult, ResignRule, open_endgames};
use clap::ArgMatches;
use kroo::game::Variant;
use std::path::{Path, PathBuf};

/// The most seeds of a rule set: no score is farther from level.
const MAX_SCORE: f64 = 48.0;
/// An example for messages.
const EXAMPLE: &str = "moves=4 score=10";

/// What the options mean.
pub(super) fn adjudication(
    matches: &ArgMatches,
    variant: Variant,
    max_moves: usize,
) -> Result<AdjudicationRules, ArgumentError> {
    let repetition = number(matches, "repetition") as u32;
    if repetition == 1 {
        let problem = "every position occurs once: expected 0, or 2 and more".to_owned();
        return Err(WordError { flag: "--repetition", problem }.into());
    }
    let words = |name: &str, flag, keys: &[&str]| {
        matches.get_many::<String>(name).map(|words| KeyValues::read(flag, words, keys)).transpose()
    };
    let resign = words("resign", "--resign", &["moves", "score", "twosided"])?;
    let draw = words("draw", "--draw", &["moves", "score", "twosided", "from"])?;
    let drawn_at_limit = text(matches, "at-max-moves") == Some("draw");
    Ok(AdjudicationRules {
        max_moves,
        at_limit: if drawn_at_limit { MoveLimitResult::Draw } else { MoveLimitResult::Stores },
        repetition: (repetition > 0).then_some(repetition),
        resign: resign.map(|words| resign_rule(&words)).transpose()?,
        draw: draw.map(|words| draw_rule(&words)).transpose()?,
        endgame: matches.get_one::<PathBuf>("endgame").map(|folder| endgames(folder, variant)).transpose()?,
    })
}

/// Maps the endgame files of a folder. Returns the largest number of seeds that they cover.
fn endgames(folder: &Path, variant: Variant) -> Result<u8, ArgumentError> {
    let opened = open_endgames(folder, variant).map_err(ArgumentError::Endgames)?;
    opened.ok_or_else(|| ArgumentError::NoEndgames { folder: folder.to_owned(), variant })
}

fn resign_rule(words: &KeyValues<'_>) -> Result<ResignRule, WordError> {
    let both = words.get("twosided", switch)?.unwrap_or(false);
    Ok(ResignRule { moves: moves(words)?, score: score(words)?, both })
}

fn draw_rule(words: &KeyValues<'_>) -> Result<DrawRule, WordError> {
    let both = words.get("twosided", switch)?.unwrap_or(true);
    let from = words.get("from", whole)?.unwrap_or(0) as usize;
    Ok(DrawRule { from, moves: moves(words)?, score: score(words)?, both })
}

fn moves(words: &KeyValues<'_>) -> Result<u32, WordError> {
    words.require("moves=N", EXAMPLE, |value| match whole(value)? {
        0 => Err("expected at least 1"),
        moves => Ok(moves),
    })
}

fn whole(value: &str) -> Result<u32, &'static str> {
    value.parse().map_err(|_| "expected a whole number, such as 4")
}

/// A number of seeds, in hundredths.
fn score(words: &KeyValues<'_>) -> Result<i32, WordError> {
    words.require("score=SEEDS", EXAMPLE, |value| {
        let seeds = value.parse::<f64>().ok().filter(|seeds| (0.0..=MAX_SCORE).contains(seeds));
        let problem = || format!("expected a number of seeds from 0 to {MAX_SCORE}");
        seeds.map(|seeds| (seeds * 100.0).round() as i32).ok_or_else(problem)
    })
}
