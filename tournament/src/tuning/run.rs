//! A run: which values an iteration has, and what its result makes of them.

use super::plan::Settings;
use super::spsa::Spsa;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// The result of an iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Applied {
    /// Its number, from 1.
    pub iteration: u64,
    /// How many games more the first engine has won than lost.
    pub result: i64,
    /// The values after it.
    pub values: Vec<f64>,
}

/// The state of a run.
#[derive(Clone, Debug)]
pub struct TuningRun {
    spsa: Spsa,
    /// The games of an iteration.
    games: u64,
    /// How many iterations have been handed out.
    handed_out: u64,
    /// How many iterations, from the first on, have moved the values.
    applied: u64,
    /// The values after each of the last iterations, the newest of them last.
    history: VecDeque<Vec<f64>>,
    /// Games and half points of iterations that are not complete, or wait for one that is not.
    open: BTreeMap<u64, (u64, u64)>,
}

impl TuningRun {
    /// A run before its first game. An iteration has `pairs` pairs of games.
    pub fn new(spsa: Spsa, pairs: u64) -> TuningRun {
        let history = VecDeque::from([spsa.start()]);
        TuningRun { spsa, games: 2 * pairs, handed_out: 0, applied: 0, history, open: BTreeMap::new() }
    }

    /// The next iteration, counted from 1, and the values of the engines; `None` if none is left, or if it depends on results
    /// that are not there yet.
    pub fn hand_out(&mut self) -> Option<(u64, Settings)> {
        let (iteration, lag) = (self.handed_out + 1, self.spsa.plan().lag);
        let known = self.handed_out.saturating_sub(lag);
        if iteration > self.spsa.iterations() || self.applied < known {
            return None;
        }
        // Older values are not needed any more.
        while self.oldest() < known {
            self.history.pop_front();
        }
        let settings = self.spsa.settings(self.history.front()?, iteration);
        self.handed_out = iteration;
        Some((iteration, settings))
    }

    /// Takes in some games of an iteration, and the half points that they brought the first engine. Returns the iterations
    /// that have moved the values now, in their order.
    pub fn add(&mut self, iteration: u64, games: u64, half_points: u64) -> Vec<Applied> {
        let mut applied = Vec::new();
        let open = self.open.entry(iteration).or_default();
        *open = (open.0 + games, open.1 + half_points);
        while let Some(&(games, half_points)) = self.open.get(&(self.applied + 1))
            && games >= self.games
        {
            self.applied += 1;
            self.open.remove(&self.applied);
            let (mut values, result) = (self.values().to_vec(), half_points as i64 - games as i64);
            self.spsa.update(&mut values, self.applied, result);
            applied.push(Applied { iteration: self.applied, result, values: values.clone() });
            self.history.push_back(values);
        }
        applied
    }

    /// How many iterations have moved the values.
    pub fn applied(&self) -> u64 {
        self.applied
    }

    /// The values after these.
    pub fn values(&self) -> &[f64] {
        self.history.back().map_or(&[], Vec::as_slice)
    }

    /// The iteration of the oldest values kept.
    fn oldest(&self) -> u64 {
        self.applied + 1 - self.history.len() as u64
    }
}
