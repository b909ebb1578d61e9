//! Ratings of many engines at once: the Bradley–Terry model.
//!
//! An engine that is stronger by d Elo is expected to score 1/(1 + 10^(−d/400)) of the points (E. Zermelo, 1929; R. Bradley and
//! M. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39, 1952). A draw is half a win and half a loss. The ratings
//! maximise the likelihood of all results together. The MM algorithms of D. Hunter (2004) find the same maximum; here it is
//! Newton's method, which also yields the curvature that the errors need. The log-likelihood is concave, so there is one
//! maximum. Only differences matter, so the mean rating is set to 0.
//!
//! The maximum is not finite if some engines have won or lost everything against the rest, or have never met the rest (L. Ford,
//! "Solution of a Ranking Problem from Binary Comparisons", 1957). Therefore a prior gives each engine one drawn game against an
//! engine with the mean rating, which needs no place in the likelihood. It is always present: if it were dropped as soon as
//! possible, the ratings would jump at a first loss.
//!
//! The errors come from the curvature at the maximum, multiplied by the square root of the dispersion: how much the scores of
//! game pairs really vary, in proportion to independent games without draws (quasi-likelihood, R. Wedderburn, 1974). Draws
//! and common openings make them vary less.

use super::distributions::Z_95;
use std::f64::consts::LN_10;

/// Elo for each unit of strength, which is the natural logarithm of the odds.
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;
/// The most steps of Newton's method. Fewer than ten are usual.
const MAX_STEPS: usize = 200;
/// The longest step, in units of strength. A longer one may overshoot far beyond the maximum.
const MAX_STEP: f64 = 2.0;
/// The maximum is reached when a step is shorter than this, in units of strength.
const TOLERANCE: f64 = 1e-12;
/// A pivot of less than this is taken for 0.
const MIN_PIVOT: f64 = 1e-300;

/// The score of two engines against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadToHeadScore {
    /// An engine.
    pub first: usize,
    /// Another.
    pub second: usize,
    /// The games they have played.
    pub games: u64,
    /// The points of the first.
    pub points: f64,
    /// Complete game pairs by the half points they brought the first: 0 to 4.
    pub pairs: [u64; 5],
}

/// An engine's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo; the mean of all engines is 0.
    pub elo: f64,
    /// Half the width of its confidence interval of 95 %, in Elo.
    pub error: f64,
}

/// The ratings of all engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By engine; `None` for one that has not played.
    pub engines: Vec<Option<Rating>>,
}

impl Ratings {
    /// The most likely ratings for these results.
    pub fn new(engines: usize, scores: &[HeadToHeadScore]) -> Ratings {
        let mut places = vec![None; engines];
        let mut players = 0;
        for engine in scores.iter().filter(|score| score.games > 0).flat_map(|one| [one.first, one.second]) {
            if places[engine].is_none() {
                places[engine] = Some(players);
                players += 1;
            }
        }
        let of_players = scores.iter().filter_map(|score| {
            let (first, second) = (places[score.first]?, places[score.second]?);
            Some(HeadToHeadScore { first, second, ..*score })
        });
        let results = PlayedScores { players, scores: of_players.collect() };
        let strengths = results.maximum();
        let errors = results.errors(&strengths);
        let rating = |place: usize| Rating {
            elo: ELO_PER_LOGIT * strengths[place],
            error: Z_95 * ELO_PER_LOGIT * errors[place],
        };
        Ratings { engines: places.into_iter().map(|place| place.map(rating)).collect() }
    }
}

/// The results of engines that have all played.
struct PlayedScores {
    players: usize,
    scores: Vec<HeadToHeadScore>,
}

impl PlayedScores {
    /// The most likely strengths, with mean 0.
    fn maximum(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players];
        for _ in 0..MAX_STEPS {
            let (gradient, curvature) = self.derivatives(&strengths);
            let Some(inverse) = inverse_of(curvature) else { break };
            let step: Vec<f64> = inverse
                .iter()
                .map(|row| row.iter().zip(&gradient).map(|(one, other)| one * other).sum())
                .collect();
            let longest = step.iter().fold(0.0, |longest: f64, one| longest.max(one.abs()));
            let scale = if longest > MAX_STEP { MAX_STEP / longest } else { 1.0 };
            strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += scale * step);
            if longest < TOLERANCE {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / self.players.max(1) as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        strengths
    }

    /// The gradient of the log-likelihood and its curvature, the negative Hessian matrix.
    ///
    /// The likelihood leaves the sum of all strengths open. A term that holds it at 0 makes the matrix invertible.
    fn derivatives(&self, strengths: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let players = self.players;
        let hold = 1.0 / players.max(1) as f64;
        let sum: f64 = strengths.iter().sum();
        let mut gradient = vec![-hold * sum; players];
        let mut curvature = vec![vec![hold; players]; players];
        for score in &self.scores {
            let (one, other, games) = (score.first, score.second, score.games as f64);
            let expected = expected_score(strengths[one] - strengths[other]);
            let surplus = score.points - games * expected;
            let weight = games * expected * (1.0 - expected);
            gradient[one] += surplus;
            gradient[other] -= surplus;
            curvature[one][one] += weight;
            curvature[other][other] += weight;
            curvature[one][other] -= weight;
            curvature[other][one] -= weight;
        }
        // The prior: a drawn game of each against an engine of the mean strength, which depends on all of them.
        let expected: Vec<f64> = strengths
            .iter()
            .map(|&strength| expected_score(strength - sum / players.max(1) as f64))
            .collect();
        let weights: Vec<f64> = expected.iter().map(|&expected| expected * (1.0 - expected)).collect();
        let surplus: f64 = expected.iter().map(|&expected| 0.5 - expected).sum();
        let all: f64 = weights.iter().sum();
        for (one, row) in curvature.iter_mut().enumerate() {
            gradient[one] += 0.5 - expected[one] - hold * surplus;
            row[one] += weights[one];
            for (other, cell) in row.iter_mut().enumerate() {
                *cell -= hold * (weights[one] + weights[other] - hold * all);
            }
        }
        (gradient, curvature)
    }

    /// The standard errors of the strengths.
    fn errors(&self, strengths: &[f64]) -> Vec<f64> {
        let factor = self.dispersion(strengths).sqrt();
        let (_, curvature) = self.derivatives(strengths);
        let Some(inverse) = inverse_of(curvature) else { return vec![0.0; self.players] };
        // Of each strength minus the mean of all: the mean itself is not determined.
        let mean = |values: &[f64]| values.iter().sum::<f64>() / self.players as f64;
        let with_mean: Vec<f64> = inverse.iter().map(|row| mean(row)).collect();
        let of_mean = mean(&with_mean);
        let variance = |engine: usize| inverse[engine][engine] - 2.0 * with_mean[engine] + of_mean;
        (0..self.players).map(|engine| factor * variance(engine).max(0.0).sqrt()).collect()
    }

    /// The dispersion: the variance of the scores of game pairs, in proportion to that of two independent games without draws.
    ///
    /// One pair with a dispersion of 1 is added: a few pairs that happen to agree do not make the ratings certain.
    fn dispersion(&self, strengths: &[f64]) -> f64 {
        let (mut sum, mut pairs) = (1.0, 1.0);
        for score in &self.scores {
            let expected = expected_score(strengths[score.first] - strengths[score.second]);
            let variance = expected * (1.0 - expected) / 2.0;
            for (half_points, &count) in score.pairs.iter().enumerate() {
                let off = half_points as f64 / 4.0 - expected;
                if variance > 0.0 {
                    sum += count as f64 * off * off / variance;
                }
                pairs += count as f64;
            }
        }
        // Degrees of freedom: each rating but one was fitted to these pairs.
        let left = pairs - (self.players as f64 - 1.0);
        if left >= 1.0 { sum / left } else { 1.0 }
    }
}

/// The expected score of an engine with a strength greater by `lead`.
fn expected_score(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// The inverse of a matrix, by Gauss–Jordan elimination with partial pivoting; `None` if it has none.
fn inverse_of(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == index))));
    }
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&one, &other| matrix[one][column].abs().total_cmp(&matrix[other][column].abs()))?;
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        if scale.abs() < MIN_PIVOT {
            return None;
        }
        matrix[column].iter_mut().for_each(|value| *value /= scale);
        let pivot_row = matrix[column].clone();
        for (index, row) in matrix.iter_mut().enumerate() {
            let factor = row[column];
            if index != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    matrix.iter_mut().for_each(|row| drop(row.drain(..size)));
    Some(matrix)
}
