//! A run: which values an iteration has, and what its result makes of them.

use super::plan::Settings;
use super::spsa::Spsa;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// What an iteration has brought.
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
    drawn: u64,
    /// How many iterations, from the first on, have moved the values.
    applied: u64,
    /// The values after each of the last iterations, the newest of them last.
    history: VecDeque<Vec<f64>>,
    /// Games and half points of iterations that are not complete, or wait for one that is not.
    open: BTreeMap<u64, (u64, u64)>,
}

impl TuningRun {
    /// Nothing has been played. An iteration has so many pairs of games.
    #[must_use]
    pub fn new(spsa: Spsa, pairs: u64) -> TuningRun {
        let history = VecDeque::from([spsa.start()]);
        TuningRun { spsa, games: 2 * pairs, drawn: 0, applied: 0, history, open: BTreeMap::new() }
    }

    /// The next iteration, counted from 1, and the values of the engines; `None` if none is left, or if it depends on results
    /// that are not there yet.
    pub fn draw(&mut self) -> Option<(u64, Settings)> {
        let (iteration, lag) = (self.drawn + 1, self.spsa.plan().lag);
        let known = self.drawn.saturating_sub(lag);
        if iteration > self.spsa.iterations() || self.applied < known {
            return None;
        }
        // Nobody asks for older values any more.
        while self.oldest() < known {
            self.history.pop_front();
        }
        let settings = self.spsa.settings(self.history.front()?, iteration);
        self.drawn = iteration;
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
    #[must_use]
    pub fn applied(&self) -> u64 {
        self.applied
    }

    /// The values after these.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        self.history.back().map_or(&[], Vec::as_slice)
    }

    /// The iteration after which the oldest values were that are kept.
    fn oldest(&self) -> u64 {
        self.applied + 1 - self.history.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::TuningPlan;
    use kroo::game::split_mix;

    fn run(lag: u64) -> TuningRun {
        let lines = ["A,50,0,100,4,0.02", "B,float,0.5,0,1,0.05,0.02"];
        let parameters = lines.map(|line| line.parse().expect(line)).to_vec();
        let plan = TuningPlan { parameters, lag, ..TuningPlan::default() };
        TuningRun::new(Spsa::new(plan, 60, 5), 2)
    }

    /// What an iteration brings is drawn from its number, so that it is the same in any order.
    fn points(iteration: u64, pair: u64) -> u64 {
        split_mix(&mut (iteration * 97 + pair)) % 5
    }

    /// Plays with so many pairs at once, of which any may be finished next.
    fn played(lag: u64, at_once: usize, mut luck: u64) -> (Vec<Settings>, Vec<f64>) {
        let (mut run, mut settings, mut playing) = (run(lag), Vec::new(), Vec::new());
        loop {
            while playing.len() < at_once {
                let Some((iteration, drawn)) = run.draw() else { break };
                assert_eq!(iteration as usize, settings.len() + 1);
                settings.push(drawn);
                playing.extend([(iteration, 0), (iteration, 1)]);
            }
            if playing.is_empty() {
                return (settings, run.values().to_vec());
            }
            let chosen = (split_mix(&mut luck) % playing.len() as u64) as usize;
            let (iteration, pair) = playing.swap_remove(chosen);
            run.add(iteration, 2, points(iteration, pair));
        }
    }

    #[test]
    fn values_depend_on_results_and_not_on_their_order() {
        for lag in [0, 1, 4, 100] {
            let one = played(lag, 1, 1);
            assert_eq!(one.0.len(), 60);
            for (at_once, luck) in [(2, 1), (7, 2), (30, 3), (1_000, 4)] {
                assert_eq!(played(lag, at_once, luck), one, "lag {lag}, {at_once} at once");
            }
        }
        assert_ne!(played(0, 1, 1), played(4, 1, 1), "a lag makes another run");
    }

    #[test]
    fn an_iteration_waits_for_the_values_that_it_begins_with() {
        let mut run = run(2);
        let drawn: Vec<u64> = std::iter::from_fn(|| run.draw().map(|(iteration, _)| iteration)).collect();
        assert_eq!(drawn, [1, 2, 3]);
        run.add(2, 4, 4);
        assert!(run.draw().is_none() && run.applied() == 0, "the first iteration is not complete");
        run.add(1, 2, 4);
        assert!(run.draw().is_none(), "half of it is missing");
        run.add(1, 2, 4);
        assert_eq!(run.applied(), 2);
        let drawn: Vec<u64> = std::iter::from_fn(|| run.draw().map(|(iteration, _)| iteration)).collect();
        assert_eq!(drawn, [4, 5]);
    }
}
