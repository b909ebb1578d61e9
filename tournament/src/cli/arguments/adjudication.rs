//! What ends a game or a match: `--sprt`, `--max-moves`, `--at-max-moves`, `--repetition`, `--resign`, `--draw`, `--endgame`.

use super::key_values::{KeyValues, switch};
use super::match_arguments::AdjudicationArguments;
use crate::failure::Failure;
use crate::game::{AdjudicationRules, DrawRule, ResignRule, open_endgames};
use crate::statistics::{EloModel, Sprt};
use kroo::endgames::Endgames;
use kroo::game::Variant;
use std::path::Path;

/// The most seeds of a rule set: no score is farther from level.
const MAX_SCORE: f64 = 48.0;
/// An example for messages.
const EXAMPLE: &str = "moves=4 score=10";

impl AdjudicationArguments {
    /// The parsed options.
    pub(super) fn rules(&self, variant: Variant) -> Result<AdjudicationRules, Failure> {
        if self.repetition == 1 {
            let problem = "every position occurs once: expected 0, or 2 and more";
            return Err(Failure::at("--repetition", problem));
        }
        let resign = self.resign.as_ref().map(|words| resign_rule(words)).transpose()?;
        let draw = self.draw.as_ref().map(|words| draw_rule(words)).transpose()?;
        Ok(AdjudicationRules {
            max_moves: self.max_moves,
            at_limit: self.at_max_moves,
            repetition: (self.repetition > 0).then_some(self.repetition),
            resign,
            draw,
            endgame: self.endgame.as_ref().map(|folder| endgames(folder, variant)).transpose()?,
        })
    }
}

/// Maps the endgame files of a folder. Returns the largest number of seeds that they cover.
fn endgames(folder: &Path, variant: Variant) -> Result<u8, Failure> {
    let opened = open_endgames(folder, variant).map_err(|error| Failure::at("--endgame", error))?;
    opened.ok_or_else(|| {
        let make = Endgames::why_no_files(variant)
            .unwrap_or_else(|| format!("`kroo endgame build --variant {}` makes some", variant.rule_set()));
        let option = format!("--endgame {}", folder.display());
        Failure::at(option, format!("there are no endgames of {variant}: {make}"))
    })
}

fn resign_rule(words: &[String]) -> Result<ResignRule, Failure> {
    let words = &KeyValues::read("--resign", words, &["moves", "score", "twosided"])?;
    let both = words.get("twosided", switch)?.unwrap_or(false);
    Ok(ResignRule { moves: moves(words)?, score: score(words)?, both })
}

fn draw_rule(words: &[String]) -> Result<DrawRule, Failure> {
    let words = &KeyValues::read("--draw", words, &["moves", "score", "twosided", "from"])?;
    let both = words.get("twosided", switch)?.unwrap_or(true);
    let from = words.get("from", whole)?.unwrap_or(0) as usize;
    Ok(DrawRule { from, moves: moves(words)?, score: score(words)?, both })
}

fn moves(words: &KeyValues<'_>) -> Result<u32, Failure> {
    words.require("moves=N", EXAMPLE, |value| match whole(value)? {
        0 => Err("expected at least 1"),
        moves => Ok(moves),
    })
}

fn whole(value: &str) -> Result<u32, &'static str> {
    value.parse().map_err(|_| "expected a whole number, such as 4")
}

/// A number of seeds, in hundredths.
fn score(words: &KeyValues<'_>) -> Result<i32, Failure> {
    words.require("score=SEEDS", EXAMPLE, |value| {
        let seeds = value.parse::<f64>().ok().filter(|seeds| (0.0..=MAX_SCORE).contains(seeds));
        let problem = || format!("expected a number of seeds from 0 to {MAX_SCORE}");
        seeds.map(|seeds| (seeds * 100.0).round() as i32).ok_or_else(problem)
    })
}

/// Reads the words after `--sprt`.
///
/// # Errors
/// The first word that is not understood, one that is missing, or hypotheses that cannot be tested.
pub fn sprt(words: &[String]) -> Result<Sprt, Failure> {
    let words = KeyValues::read("--sprt", words, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let number = |text: &str| text.parse::<f64>().map_err(|_| "expected a number, such as 0.05");
    let (elo0, elo1) = (
        words.require("elo0=ELO", "elo0=0 elo1=5", number)?,
        words.require("elo1=ELO", "elo0=0 elo1=5", number)?,
    );
    let alpha = words.get("alpha", number)?.unwrap_or(Sprt::ERROR);
    let beta = words.get("beta", number)?.unwrap_or(Sprt::ERROR);
    let model = words.get("model", str::parse)?.unwrap_or(EloModel::Normalized);
    let sprt = Sprt { elo0, elo1, alpha, beta, model };
    sprt.check().map(|()| sprt).map_err(|problem| words.error(problem))
}
