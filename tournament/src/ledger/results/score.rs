//! The score of a match that may not be over.

use super::contest::Contest;
use super::counts::Results;
use super::couple::Couple;
use super::summary::Summary;
use crate::statistics::{Elo, SprtStatus};

/// The score of the games that count until now: what a line of text, the live view and `referee status` show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Games that count.
    pub games: u64,
    /// The points of each engine.
    pub points: Vec<f64>,
    /// The games of each engine.
    pub played: Vec<u64>,
    /// The engines in the order of the standings, by their places in the plan; empty while a large gauntlet is played.
    pub order: Vec<usize>,
    /// The difference in strength of two engines.
    pub elo: Option<Elo>,
    /// The state of the SPRT.
    pub sprt: Option<SprtStatus>,
}

impl Score {
    /// The score of the games that were counted.
    #[must_use]
    pub fn of(tally: &Results, contest: &dyn Contest) -> Score {
        let of_two = tally.couples.values().next().filter(|_| contest.names().len() == 2);
        Score {
            games: tally.games,
            points: tally.engines.iter().map(|totals| totals.points()).collect(),
            played: tally.engines.iter().map(|totals| totals.games()).collect(),
            order: tally.order_so_far(contest),
            elo: of_two.and_then(Couple::estimate).map(|estimate| estimate.elo()),
            sprt: tally.sprt(contest),
        }
    }
}

impl From<&Summary> for Score {
    fn from(summary: &Summary) -> Score {
        let estimate = summary.match_of_two().and_then(|games| games.estimate.as_ref());
        Score {
            games: summary.games,
            points: summary.engines.iter().map(|standing| standing.totals.points()).collect(),
            played: summary.engines.iter().map(|standing| standing.totals.games()).collect(),
            order: summary.order.clone(),
            elo: estimate.map(|estimate| estimate.elo()),
            sprt: summary.sprt,
        }
    }
}
