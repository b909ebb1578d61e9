//! What results show of strength, without playing: `referee stats`.

mod count;
mod show;

pub use count::{CountError, Counts, count};
pub use show::{json, text};

use crate::statistics::Sprt;
use std::path::PathBuf;

/// What is to be counted, and which test it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct StatsOptions {
    /// Where the results come from.
    pub results: Results,
    /// A test of them.
    pub sprt: Option<Sprt>,
    /// Whether numbers are wanted for a program, as JSON.
    pub json: bool,
}

/// Results that somebody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Results {
    /// Games that were lost, drawn and won.
    Games([u64; 3]),
    /// Pairs of games that brought 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
    /// Those of game files.
    Files(Vec<PathBuf>),
}
