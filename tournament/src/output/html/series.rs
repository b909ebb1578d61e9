//! The development of the results, game by game, in bounded memory.

use super::picture::Curve;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Couple, Results, Summary};
use crate::plan::MatchPlan;
use crate::statistics::{Elo, Rating};
use kroo::game::{Game, Side};

/// Points of a curve. When there are twice as many, every other one is dropped.
pub const POINTS: usize = 300;
/// For each point of a curve of ratings all ratings are fitted, in time proportional to the cube of the number of engines. With more
/// engines than [`CHEAP`] a curve has fewer points, but not fewer than this.
pub const LEAST_POINTS: usize = 20;
pub const CHEAP: usize = 24;
/// Places in the averages of seeds by move: the start, and the moves up to the default move limit.
const MOVES: usize = 251;
/// The most engines with a curve.
const MAX_ENGINES: usize = 8;

/// The curves of the games that are counted, for the report.
#[derive(Clone, Debug)]
pub struct Report {
    /// Points of a curve, and games between two of them.
    points: usize,
    stride: u64,
    pub(super) elo: Vec<Curve>,
    pub(super) llr: Curve,
    /// For each engine and number of moves: the seeds in its store, summed over its games.
    seeds: Vec<Vec<u64>>,
    longest: usize,
}

impl Report {
    /// Nothing yet.
    pub fn new(plan: &MatchPlan) -> Report {
        let engines = plan.contestants.len();
        // In a match, the second engine's curve is the first one's upside down.
        let drawn = if engines == 2 { 1 } else { engines.min(MAX_ENGINES) };
        let curve = |engine| Curve { name: plan.name(engine).to_owned(), ..Curve::default() };
        let points = points(engines);
        Report {
            points,
            stride: if engines > 2 { plan.games().div_ceil(points as u64).max(1) } else { 1 },
            elo: (0..drawn).map(curve).collect(),
            llr: Curve::default(),
            seeds: vec![vec![0; MOVES]; engines],
            longest: 0,
        }
    }

    /// Adds a game, which is in the counts.
    pub fn add(&mut self, record: &GameRecord, tally: &Results, plan: &MatchPlan) {
        self.seeds_of(record);
        let games = tally.games;
        if !games.is_multiple_of(self.stride) {
            return;
        }
        let x = games as f64;
        for (curve, elo) in self.elo.iter_mut().zip(strengths(tally)) {
            if let Some((value, error)) = elo {
                curve.points.push((x, value));
                curve.errors.push(error);
            }
        }
        if let Some(status) = tally.sprt(plan) {
            self.llr.points.push((x, status.llr));
            self.llr.errors.push(None);
        }
        let curves = || self.elo.iter().chain([&self.llr]);
        if curves().any(|curve| curve.points.len() >= 2 * self.points) {
            self.stride *= 2;
            let stride = self.stride as f64;
            for curve in self.elo.iter_mut().chain([&mut self.llr]) {
                let kept = |index: &usize| (curve.points[*index].0 % stride).abs() < 0.5;
                let kept: Vec<usize> = (0..curve.points.len()).filter(kept).collect();
                curve.errors = kept.iter().map(|&index| curve.errors[index]).collect();
                curve.points = kept.iter().map(|&index| curve.points[index]).collect();
            }
        }
    }

    /// Adds the stores of a game. After its end, a store keeps its last number.
    fn seeds_of(&mut self, record: &GameRecord) {
        let played = &record.played;
        let mut game = Game::new(*played.game.start());
        let mut stores = vec![Side::BOTH.map(|side| game.position().store(side))];
        for &mv in played.game.moves() {
            game.play(mv).expect("the moves of a game that was played are legal");
            stores.push(Side::BOTH.map(|side| game.position().store(side)));
        }
        self.longest = self.longest.max(stores.len().min(MOVES));
        for side in Side::BOTH {
            let sums = &mut self.seeds[record.scheduled.players[side.index()]];
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum += u64::from(stores[index.min(stores.len() - 1)][side.index()]);
            }
        }
    }

    /// The average seeds in each engine's store after each number of moves.
    pub(super) fn seeds_by_move(&self, summary: &Summary, plan: &MatchPlan) -> Vec<Curve> {
        let curve = |(engine, sums): (usize, &Vec<u64>)| {
            let games = summary.engines[engine].totals.games().max(1) as f64;
            let points: Vec<(f64, f64)> = sums
                .iter()
                .take(self.longest)
                .enumerate()
                .map(|(n, &sum)| (n as f64, sum as f64 / games))
                .collect();
            let errors = vec![None; points.len()];
            Curve { name: plan.name(engine).to_owned(), points, errors }
        };
        self.seeds.iter().enumerate().take(MAX_ENGINES).map(curve).collect()
    }
}

/// Points of a curve.
pub fn points(engines: usize) -> usize {
    let cube = |engines: usize| engines.saturating_pow(3);
    (POINTS * cube(CHEAP) / cube(engines.max(CHEAP))).max(LEAST_POINTS)
}

/// Elo and its error: in a match of two, the first engine's difference; else the rating of each engine.
fn strengths(tally: &Results) -> Vec<Option<(f64, Option<f64>)>> {
    if tally.engines.len() > 2 {
        let rated = |rating: Option<Rating>| rating.map(|rating| (rating.elo, Some(rating.error)));
        return tally.ratings().engines.into_iter().map(rated).collect();
    }
    let estimate = tally.couples.values().next().and_then(Couple::estimate);
    vec![estimate.and_then(|estimate| match estimate.elo() {
        Elo::About { value, error } => Some((value, Some(error))),
        Elo::Within { low, high } => Some((f64::midpoint(low, high), Some((high - low) / 2.0))),
        _ => None,
    })]
}
