//! Ratings of many engines at once.
//!
//! Each engine has a strength, and who is stronger by d Elo scores 1/(1 + 10^(−d/400)) of the points (E. Zermelo, 1929;
//! R. Bradley and M. Terry, 1952); a draw is half a win and half a loss. The ratings are those by which all results
//! together are likeliest, found by Newton's method: the likelihood has one summit. Only differences matter, so their
//! mean is 0.
//!
//! There is no summit if some engines have won or lost everything against the rest, or never met it. Then, and only
//! then, each engine is given a drawn game against one of the mean strength, and the result says so.
//!
//! The errors are those of the likelihood's curvature, widened or narrowed by how far the scores of pairs of games
//! really lie from what was expected: draws and pairs over one opening make them vary less than a coin does.

use super::estimate::Z;
use std::f64::consts::LN_10;

/// Elo in a unit of the logarithm of odds.
const ELO: f64 = 400.0 / LN_10;
/// Steps of Newton's method; fewer than ten are usual.
const STEPS: usize = 200;
/// The longest step, in logarithms of odds.
const STRIDE: f64 = 2.0;
/// A step that does not matter any more.
const STILL: f64 = 1e-12;

/// What two engines have scored against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadToHeadScore {
    /// An engine.
    pub first: usize,
    /// Another.
    pub second: usize,
    /// Games they have played.
    pub games: u64,
    /// Points of the first.
    pub points: f64,
    /// Complete pairs of games by the half points they brought the first: 0 to 4.
    pub pairs: [u64; 5],
}

/// An engine's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo; the mean of all is 0.
    pub elo: f64,
    /// How far it may be off to each side, with a confidence of 95 %.
    pub error: f64,
}

/// The ratings of all engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By engine; `None` for one that has not played.
    pub engines: Vec<Option<Rating>>,
    /// Whether each engine was given a drawn game against one of mean strength.
    pub with_prior: bool,
}

impl Ratings {
    /// The ratings that these results make likeliest.
    #[must_use]
    pub fn new(engines: usize, meetings: &[HeadToHeadScore]) -> Ratings {
        let mut places = vec![None; engines];
        let mut players = 0;
        for engine in
            meetings.iter().filter(|meeting| meeting.games > 0).flat_map(|one| [one.first, one.second])
        {
            if places[engine].is_none() {
                places[engine] = Some(players);
                players += 1;
            }
        }
        let seated = meetings.iter().filter_map(|meeting| {
            let (first, second) = (places[meeting.first]?, places[meeting.second]?);
            (meeting.games > 0).then_some(HeadToHeadScore { first, second, ..*meeting })
        });
        let results = Results { players, meetings: seated.collect(), with_prior: false };
        let results = Results { with_prior: !results.has_summit(), ..results };
        let strengths = results.summit();
        let errors = results.errors(&strengths);
        let rating = |place: usize| Rating { elo: ELO * strengths[place], error: Z * ELO * errors[place] };
        Ratings {
            engines: places.into_iter().map(|place| place.map(rating)).collect(),
            with_prior: results.with_prior,
        }
    }
}

/// The results of engines that have all played.
struct Results {
    players: usize,
    meetings: Vec<HeadToHeadScore>,
    with_prior: bool,
}

impl Results {
    /// Whether nobody has won or lost everything, alone or as a group: from each there is a way to each other along
    /// points that were won (L. Ford, 1957).
    fn has_summit(&self) -> bool {
        let reaches_all = |backwards: bool| {
            let mut reached = vec![false; self.players];
            let mut open = vec![0];
            while let Some(engine) = open.pop() {
                if engine >= self.players || std::mem::replace(&mut reached[engine], true) {
                    continue;
                }
                for meeting in &self.meetings {
                    let scored = [meeting.points, meeting.games as f64 - meeting.points];
                    for (one, other, points) in [
                        (meeting.first, meeting.second, scored[0]),
                        (meeting.second, meeting.first, scored[1]),
                    ] {
                        let (from, to) = if backwards { (other, one) } else { (one, other) };
                        if from == engine && points > 0.0 {
                            open.push(to);
                        }
                    }
                }
            }
            reached.into_iter().all(|reached| reached)
        };
        reaches_all(false) && reaches_all(true)
    }

    /// The strengths, in logarithms of odds, with mean 0.
    fn summit(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players];
        for _ in 0..STEPS {
            let (slope, curvature) = self.shape(&strengths);
            let Some(inverse) = inverted(curvature) else { break };
            let step: Vec<f64> = inverse
                .iter()
                .map(|row| row.iter().zip(&slope).map(|(one, other)| one * other).sum())
                .collect();
            let longest = step.iter().fold(0.0, |longest: f64, one| longest.max(one.abs()));
            let scale = if longest > STRIDE { STRIDE / longest } else { 1.0 };
            strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += scale * step);
            if longest < STILL {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / self.players.max(1) as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        strengths
    }

    /// The slope of the likelihood's logarithm and, turned round, its curvature. What both leave open, the sum of all
    /// strengths, is held at 0.
    fn shape(&self, strengths: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let players = self.players;
        let hold = 1.0 / players.max(1) as f64;
        let sum: f64 = strengths.iter().sum();
        let mut slope = vec![-hold * sum; players];
        let mut curvature = vec![vec![hold; players]; players];
        for meeting in &self.meetings {
            let (one, other, games) = (meeting.first, meeting.second, meeting.games as f64);
            let expected = score(strengths[one] - strengths[other]);
            let surplus = meeting.points - games * expected;
            let weight = games * expected * (1.0 - expected);
            slope[one] += surplus;
            slope[other] -= surplus;
            curvature[one][one] += weight;
            curvature[other][other] += weight;
            curvature[one][other] -= weight;
            curvature[other][one] -= weight;
        }
        if self.with_prior {
            for (engine, &strength) in strengths.iter().enumerate() {
                let expected = score(strength);
                slope[engine] += 0.5 - expected;
                curvature[engine][engine] += expected * (1.0 - expected);
            }
        }
        (slope, curvature)
    }

    /// The standard errors of the strengths.
    fn errors(&self, strengths: &[f64]) -> Vec<f64> {
        let spread = self.spread(strengths).sqrt();
        let hold = 1.0 / self.players.max(1) as f64;
        let (_, curvature) = self.shape(strengths);
        match inverted(curvature) {
            // What was added to hold the sum is no knowledge.
            Some(inverse) => (0..self.players)
                .map(|engine| {
                    spread
                        * (inverse[engine][engine] - if self.with_prior { 0.0 } else { hold }).max(0.0).sqrt()
                })
                .collect(),
            None => vec![0.0; self.players],
        }
    }

    /// How many times as much as two coins the pairs of games vary about what is expected of them. One pair that varies
    /// just as much is added, so that a few pairs that happen to agree do not make anything certain.
    fn spread(&self, strengths: &[f64]) -> f64 {
        let (mut sum, mut pairs) = (1.0, 1.0);
        for meeting in &self.meetings {
            let expected = score(strengths[meeting.first] - strengths[meeting.second]);
            let variance = expected * (1.0 - expected) / 2.0;
            for (half_points, &count) in meeting.pairs.iter().enumerate() {
                let off = half_points as f64 / 4.0 - expected;
                if variance > 0.0 {
                    sum += count as f64 * off * off / variance;
                }
                pairs += count as f64;
            }
        }
        // Each rating has taken away some of the variation.
        let left = pairs - (self.players as f64 - 1.0);
        if left >= 1.0 { sum / left } else { 1.0 }
    }
}

/// The share of the points of whoever is stronger by so much.
fn score(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// The inverse of a matrix, by elimination with the largest pivots; `None` if it has none.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == index))));
    }
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&one, &other| matrix[one][column].abs().total_cmp(&matrix[other][column].abs()))?;
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        if scale.abs() < 1e-300 {
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
