//! A finished game.

use crate::game::{Outcome, PlayedGame};
use crate::schedule::{GamePairResult, ScheduledGame};
use kroo::printable;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::SystemTime;

/// A finished game of a plan. Journals and results of the queue hold it as [a line](GameRecord::to_line).
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Its place in the schedule.
    pub scheduled: ScheduledGame,
    /// When it began.
    pub date: SystemTime,
    /// How it went.
    pub played: PlayedGame,
    /// The worker of a queue that has played it.
    pub worker: Option<Arc<WorkerInfo>>,
}

impl GameRecord {
    /// The engines that have named themselves, by their places.
    pub fn id_names(&self) -> Vec<(usize, String)> {
        let names = self.played.id_names.iter().cloned();
        self.scheduled
            .players
            .into_iter()
            .zip(names)
            .filter_map(|(engine, name)| Some((engine, name?)))
            .collect()
    }

    /// The result of this game for the pairing's first engine.
    pub fn result_of_first(&self) -> GamePairResult {
        let (side, stores) = (self.scheduled.side_of_first(), self.played.stores());
        let outcome = self.played.outcome;
        GamePairResult {
            half_points: outcome.half_points(side),
            margin: i32::from(stores[side.index()]) - i32::from(stores[side.other().index()]),
            played: outcome != Outcome::Void,
        }
    }
}

/// A worker of a queue and its machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerInfo {
    /// The worker's name, which no other has.
    pub worker: String,
    /// The machine's name.
    pub host: String,
    /// The model of its processors.
    pub processor: String,
    /// How many processors the worker may use.
    pub cores: u64,
    /// Nodes per second of the engine's `bench` there.
    pub nps: u64,
    /// By what all times of its clocks were multiplied.
    pub time_factor: f64,
}

impl WorkerInfo {
    /// The most cores of a machine, and nodes per second.
    const MOST: [u64; 2] = [1 << 20, 1 << 40];
    /// The smallest and the largest factor of times.
    pub const TIME_FACTORS: RangeInclusive<f64> = 0.05..=20.0;

    /// Whether its values are within bounds.
    pub fn check(&self) -> Result<(), &'static str> {
        let name = |text: &str| {
            text.chars().count() <= 2 * printable::MAX_NAME && !text.contains(printable::is_control)
        };
        if self.worker.is_empty()
            || ![&self.worker, &self.host, &self.processor].into_iter().all(|text| name(text))
        {
            return Err("its worker: names have at most 200 printable characters");
        }
        if !(1..=WorkerInfo::MOST[0]).contains(&self.cores) || !(1..=WorkerInfo::MOST[1]).contains(&self.nps)
        {
            return Err("its worker: it has 1 to 2^20 cores, and visits 1 to 2^40 nodes per second");
        }
        let fits = WorkerInfo::TIME_FACTORS.contains(&self.time_factor);
        if fits { Ok(()) } else { Err("its worker: times are multiplied by 0.05 to 20") }
    }
}
