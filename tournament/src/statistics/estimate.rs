//! What a sample shows: functions of the mean and the variance of its scores.

use super::NORMALISED;
use std::f64::consts::PI;
use std::fmt;

/// Standard deviations to each side that hold 95 % of a normal distribution.
pub(super) const Z: f64 = 1.959_964;
/// What lies below the lower end of a two-sided interval of 95 %.
const TAIL: f64 = 0.025;

/// The mean score of a sample and what is needed for its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    units: f64,
    /// Games in a unit: 1, or 2 for pairs.
    games: f64,
    score: f64,
    variance: f64,
}

impl Estimate {
    /// From single games: losses, draws, wins. `None` without any.
    #[must_use]
    pub fn of_games(losses: u64, draws: u64, wins: u64) -> Option<Estimate> {
        Estimate::new(&[losses, draws, wins], 1.0)
    }

    /// From pairs of games that brought 0, ½, 1, 1½ and 2 points. `None` without any.
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

    /// The standard error of the score.
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
        let reach = Z * self.standard_error();
        let (low, high) = (self.score - reach, self.score + reach);
        let error = (low > 0.0 && high < 1.0).then(|| (elo(high) - elo(low)) / 2.0);
        Elo::About { value: elo(self.score), error }
    }

    /// If every unit went the same way, that has a probability p with p^units ≥ 2.5 %, and the mean score is no further
    /// from the end than p.
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
    /// The distance of the score from ½ in standard deviations of a game (M. Van den Bergh), so that it says how many
    /// games are needed to see it, whatever the share of draws.
    #[must_use]
    pub fn normalised(&self) -> Option<(f64, f64)> {
        let deviation = (self.games * self.variance).sqrt();
        let value = (self.score - 0.5) / deviation * NORMALISED;
        (deviation > 0.0).then(|| (value, Z * NORMALISED / (self.games * self.units).sqrt()))
    }

    /// The probability, from 0 to 1, that the score would stay above ½ if play went on for ever.
    ///
    /// If all results are the same there is no error to weigh, and it is 0, ½ or 1.
    #[must_use]
    pub fn los(&self) -> f64 {
        let (lead, error) = (self.score - 0.5, self.standard_error());
        if error > 0.0 {
            return normal(lead / error);
        }
        if lead == 0.0 { 0.5 } else { f64::from(u8::from(lead > 0.0)) }
    }
}

/// A difference in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elo {
    /// The difference, and how far it may be off to each side with a confidence of 95 %; `None` if the sample is too
    /// small to say.
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

/// The difference in Elo at which a score is expected.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// A number with two decimals, but never `-0.00`.
#[must_use]
pub fn hundredths(value: f64) -> String {
    format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value })
}

/// The normal distribution function, by its series (G. Marsaglia, "Evaluating the normal distribution", 2004).
fn normal(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    (0.5 + sum * (-0.5 * x * x).exp() / (2.0 * PI).sqrt()).clamp(0.0, 1.0)
}
