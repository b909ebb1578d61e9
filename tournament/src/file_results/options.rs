//! What to count.

use crate::statistics::Sprt;
use std::path::PathBuf;

/// What to count, and how to show it.
#[derive(Clone, Debug, PartialEq)]
pub struct StatsOptions {
    /// Where the results come from.
    pub results: ResultSource,
    /// A test of the results.
    pub sprt: Option<Sprt>,
    /// Whether the numbers are printed as JSON.
    pub json: bool,
}

/// ResultSource to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultSource {
    /// Numbers of games lost, drawn and won.
    Games([u64; 3]),
    /// Numbers of pairs of games that brought 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
    /// The games of these files.
    Files(Vec<PathBuf>),
}
