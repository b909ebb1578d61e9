//! Estimates from a sample of results: functions of the mean and the variance of its scores.
//!
//! A small sample, or one with identical results, has no variance that predicts the next results. There the interval and the
//! likelihood of superiority come from a posterior. The prior is uninformative: half a result of each kind (H. Jeffreys, "An
//! Invariant Form for the Prior Probability in Estimation Problems", 1946). The shares of the results are then Dirichlet
//! distributed, and their mean score is approximated by a beta distribution with the same mean and variance.

use super::distributions::{Beta, Z_95, cumulative};
use std::f64::consts::LN_10;
use std::fmt;

/// The probability below the lower end of a two-sided interval of 95 %.
const TAIL: f64 = 0.025;
/// A sample of fewer games, or pairs of games, is small.
const SMALL: f64 = 30.0;
/// The prior: results of each kind.
const PRIOR: f64 = 0.5;
/// Normalised Elo for each standard deviation of a game's score by which the mean score exceeds ½.
///
/// It is chosen such that, for small differences and games without draws, normalised Elo and Elo are the same
/// (M. Van den Bergh, "Normalized Elo", 2020).
pub(super) const NELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The mean score of a sample, and what its error needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many games, or pairs of games.
    units: f64,
    /// Games in a unit: 1, or 2 for pairs.
    games: f64,
    /// The mean score of a unit, from 0 to 1.
    score: f64,
    variance: f64,
    /// The posterior of the true mean score.
    posterior: Beta,
}

impl Estimate {
    /// From single games: losses, draws, wins. `None` if there are none.
    pub fn of_games(losses: u64, draws: u64, wins: u64) -> Option<Estimate> {
        Estimate::new(&[losses, draws, wins], 1.0)
    }

    /// From pairs of games that brought 0, ½, 1, 1½ and 2 points. `None` if there are none.
    pub fn of_pairs(pairs: [u64; 5]) -> Option<Estimate> {
        Estimate::new(&pairs, 2.0)
    }

    fn new(counts: &[u64], games: f64) -> Option<Estimate> {
        let units = counts.iter().sum::<u64>() as f64;
        if units == 0.0 {
            return None;
        }
        let step = 1.0 / (counts.len() - 1) as f64;
        let scored = || counts.iter().enumerate().map(|(i, &count)| (i as f64 * step, count as f64 / units));
        let score = scored().map(|(points, share)| share * points).sum::<f64>();
        let variance = scored().map(|(points, share)| share * (points - score).powi(2)).sum();
        let total = units + PRIOR * counts.len() as f64;
        let seen = || {
            let shares = counts.iter().map(|&count| (count as f64 + PRIOR) / total);
            shares.enumerate().map(|(i, share)| (i as f64 * step, share))
        };
        let mean = seen().map(|(points, share)| share * points).sum::<f64>();
        let spread = seen().map(|(points, share)| share * (points - mean).powi(2)).sum::<f64>();
        let posterior = Beta::with_moments(mean, spread / (total + 1.0));
        Some(Estimate { units, games, score, variance, posterior })
    }

    /// Whether the sample is so small, or so uniform, that the interval and the likelihood of superiority need a prior.
    pub fn needs_prior(&self) -> bool {
        let reach = Z_95 * self.standard_error();
        let inside = self.score - reach > 0.0 && self.score + reach < 1.0;
        self.units < SMALL || self.variance <= 0.0 || !inside
    }

    /// The remark of all outputs on an estimate that needs a prior.
    pub fn prior(&self) -> Option<&'static str> {
        if self.is_one_sided() {
            return Some("Everything was won, or lost: a bound that holds with 97.5 %; no nElo");
        }
        let said = if self.games > 1.0 {
            "Fewer than 30 pairs, or nearly all alike: an interval counts half a pair more of each result; no nElo"
        } else {
            "Fewer than 30 games, or nearly all alike: an interval counts half a game more of each result; no nElo"
        };
        self.needs_prior().then_some(said)
    }

    /// The mean score, from 0 to 1.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The standard error of the mean score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.units).sqrt()
    }

    /// The difference in Elo that the score shows.
    pub fn elo(&self) -> Elo {
        if self.is_one_sided() {
            return self.one_sided();
        }
        if self.needs_prior() {
            return self.interval();
        }
        let reach = Z_95 * self.standard_error();
        let (low, high) = (self.score - reach, self.score + reach);
        Elo::About { value: elo(self.score), error: (elo(high) - elo(low)) / 2.0 }
    }

    /// The interval that holds 95 % of the posterior.
    fn interval(&self) -> Elo {
        let [low, high] = [TAIL, 1.0 - TAIL].map(|share| elo(self.posterior.quantile(share)));
        Elo::Within { low, high }
    }

    /// The bound if every unit went the same way (C. Clopper and E. Pearson, 1934): that has a probability of pⁿ ≥ 2.5 % only
    /// if p, the probability of such a unit, is at least ⁿ√2.5 %.
    fn one_sided(&self) -> Elo {
        let bound = elo(TAIL.powf(1.0 / self.units));
        if self.score > 0.5 { Elo::AtLeast(bound) } else { Elo::AtMost(-bound) }
    }

    /// Whether every unit was won, or every one lost, and they are not few: a few are an interval as any others.
    fn is_one_sided(&self) -> bool {
        self.units >= SMALL && (self.score <= 0.0 || self.score >= 1.0)
    }

    /// Normalised Elo and its error; `None` if the sample is too small for its variance to be known.
    ///
    /// It measures how far the mean score is from ½ in standard deviations of a game (M. Van den Bergh). So it says how many
    /// games are needed to see the difference, whatever the share of draws.
    pub fn normalised(&self) -> Option<(f64, f64)> {
        let deviation = (self.games * self.variance).sqrt();
        let value = (self.score - 0.5) / deviation * NELO_PER_DEVIATION;
        (!self.needs_prior()).then(|| (value, Z_95 * NELO_PER_DEVIATION / (self.games * self.units).sqrt()))
    }

    /// The likelihood of superiority (LOS): the probability, from 0 to 1, that the true mean score is above ½.
    ///
    /// It is Φ((score − ½) / standard error), or for a small sample the posterior's probability.
    pub fn los(&self) -> f64 {
        if self.needs_prior() {
            return 1.0 - self.posterior.cumulative(0.5);
        }
        cumulative((self.score - 0.5) / self.standard_error())
    }
}

/// A difference in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elo {
    /// The difference, and half the width of its confidence interval of 95 %.
    About {
        /// The difference that the score itself shows.
        value: f64,
        /// Half the width of the interval.
        error: f64,
    },
    /// The sample is too small for more than an interval, which holds the difference with a probability of 95 %.
    Within {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Everything was won: more than this, with a confidence of 97.5 %.
    AtLeast(f64),
    /// Everything was lost: less than this, with a confidence of 97.5 %.
    AtMost(f64),
}

impl Elo {
    /// The same difference, seen from the other engine.
    #[must_use]
    pub fn turned(self) -> Elo {
        match self {
            Elo::About { value, error } => Elo::About { value: -value, error },
            Elo::Within { low, high } => Elo::Within { low: -high, high: -low },
            Elo::AtLeast(bound) => Elo::AtMost(-bound),
            Elo::AtMost(bound) => Elo::AtLeast(-bound),
        }
    }

    /// The ends of its interval; `None` without one.
    #[must_use]
    pub fn ends(self) -> [Option<f64>; 2] {
        match self {
            Elo::About { value, error } => [Some(value - error), Some(value + error)],
            Elo::Within { low, high } => [Some(low), Some(high)],
            Elo::AtLeast(bound) => [Some(bound), None],
            Elo::AtMost(bound) => [None, Some(bound)],
        }
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Elo::About { value, error } => write!(f, "{} +/- {error:.2}", hundredths(value)),
            Elo::Within { low, high } => write!(f, "{} to {}", hundredths(low), hundredths(high)),
            Elo::AtLeast(bound) => write!(f, "> {bound:.2}"),
            Elo::AtMost(bound) => write!(f, "< {bound:.2}"),
        }
    }
}

/// The difference in Elo with this expected score: the logistic curve of A. Elo's rating system, 400 points to a factor of ten in
/// the odds.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// A number with two decimals, but never `-0.00`.
pub fn hundredths(value: f64) -> String {
    format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value })
}
