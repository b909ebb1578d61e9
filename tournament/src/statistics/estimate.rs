//! What a sample of results shows: functions of the mean and the variance of its scores.

use super::normal::{Z_95, cumulative};
use std::f64::consts::LN_10;
use std::fmt;

/// What lies below the lower end of a two-sided interval of 95 %.
const TAIL: f64 = 0.025;
/// Normalised Elo for each standard deviation of a game's score by which the mean score is above ½.
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
}

impl Estimate {
    /// From single games: losses, draws, wins. `None` if there are none.
    #[must_use]
    pub fn of_games(losses: u64, draws: u64, wins: u64) -> Option<Estimate> {
        Estimate::new(&[losses, draws, wins], 1.0)
    }

    /// From pairs of games that brought 0, ½, 1, 1½ and 2 points. `None` if there are none.
    #[must_use]
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
        Some(Estimate { units, games, score, variance })
    }

    /// The mean score, from 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The standard error of the mean score.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.units).sqrt()
    }

    /// The difference in Elo that the score shows.
    #[must_use]
    pub fn elo(&self) -> Elo {
        if self.score <= 0.0 || self.score >= 1.0 {
            return self.one_sided();
        }
        let reach = Z_95 * self.standard_error();
        let (low, high) = (self.score - reach, self.score + reach);
        let error = (low > 0.0 && high < 1.0).then(|| (elo(high) - elo(low)) / 2.0);
        Elo::About { value: elo(self.score), error }
    }

    /// The bound if every unit went the same way (C. Clopper and E. Pearson, 1934): that has a probability of pⁿ ≥ 2.5 % only
    /// if p, the probability of such a unit, is at least ⁿ√2.5 %.
    fn one_sided(&self) -> Elo {
        let bound = elo(TAIL.powf(1.0 / self.units));
        match self.score {
            _ if bound <= 0.0 => Elo::Unknown,
            score if score > 0.5 => Elo::AtLeast(bound),
            _ => Elo::AtMost(-bound),
        }
    }

    /// Normalised Elo and its error; `None` if all results are the same.
    ///
    /// It measures how far the mean score is from ½ in standard deviations of a game (M. Van den Bergh). So it says how many
    /// games are needed to see the difference, whatever the share of draws.
    #[must_use]
    pub fn normalised(&self) -> Option<(f64, f64)> {
        let deviation = (self.games * self.variance).sqrt();
        let value = (self.score - 0.5) / deviation * NELO_PER_DEVIATION;
        (deviation > 0.0).then(|| (value, Z_95 * NELO_PER_DEVIATION / (self.games * self.units).sqrt()))
    }

    /// The likelihood of superiority (LOS): the probability, from 0 to 1, that the true mean score is above ½.
    ///
    /// It is Φ((score − ½) / standard error). If all results are the same there is no error, and it is 0, ½ or 1.
    #[must_use]
    pub fn los(&self) -> f64 {
        let (lead, error) = (self.score - 0.5, self.standard_error());
        if error > 0.0 {
            return cumulative(lead / error);
        }
        if lead == 0.0 { 0.5 } else { f64::from(u8::from(lead > 0.0)) }
    }
}

/// A difference in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elo {
    /// The difference, and half the width of its confidence interval of 95 %; `None` if the sample is too small to say.
    About {
        /// The difference that the score itself shows.
        value: f64,
        /// Half the width of the interval.
        error: Option<f64>,
    },
    /// Everything was won: more than this, with a confidence of 97.5 %.
    AtLeast(f64),
    /// Everything was lost: less than this, with a confidence of 97.5 %.
    AtMost(f64),
    /// Everything went the same way, but so few games do not even show who is better.
    Unknown,
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Elo::About { value, error: Some(error) } => {
                write!(f, "{} +/- {error:.2}", hundredths(value))
            }
            Elo::About { value, error: None } => write!(f, "{} +/- n/a", hundredths(value)),
            Elo::AtLeast(bound) => write!(f, "> {bound:.2}"),
            Elo::AtMost(bound) => write!(f, "< {bound:.2}"),
            Elo::Unknown => f.write_str("n/a"),
        }
    }
}

/// The difference in Elo at which a score is expected: the logistic curve of A. Elo's rating system, 400 points to a factor of
/// ten in the odds.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// A number with two decimals, but never `-0.00`.
#[must_use]
pub fn hundredths(value: f64) -> String {
    format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value })
}
