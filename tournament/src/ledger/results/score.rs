//! The score of a match that may not be over.

use super::contest::Contest;
use super::counts::Results;
use super::couple::Couple;
use crate::statistics::{Elo, SprtStatus};
use serde::Serialize;

/// The current score, for a line of text, the live view and `referee status`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Games that count.
    pub games: u64,
    /// The points of each engine.
    #[serde(skip)]
    pub points: Vec<f64>,
    /// The games of each engine.
    #[serde(skip)]
    pub played: Vec<u64>,
    /// The engines in the order of the standings, by their places in the plan; empty while a large gauntlet is played.
    #[serde(skip)]
    pub order: Vec<usize>,
    /// The difference in strength of two engines.
    #[serde(skip)]
    pub elo: Option<Elo>,
    /// The state of the SPRT.
    pub sprt: Option<SprtStatus>,
}

impl Score {
    /// The score of the games that were counted.
    pub fn of(tally: &Results, contest: &dyn Contest) -> Score {
        Score::ranked(tally, contest, tally.order_so_far(contest))
    }

    /// The same, with the order of the engines.
    pub(super) fn ranked(tally: &Results, contest: &dyn Contest, order: Vec<usize>) -> Score {
        let of_two = tally.couples.values().next().filter(|_| contest.names().len() == 2);
        Score {
            games: tally.games,
            points: tally.engines.iter().map(|totals| totals.points()).collect(),
            played: tally.engines.iter().map(|totals| totals.games()).collect(),
            order,
            elo: of_two.and_then(Couple::estimate).map(|estimate| estimate.elo()),
            sprt: tally.sprt(contest),
        }
    }
}
