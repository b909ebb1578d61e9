//! The games of each worker of a queue.

use super::super::record::GameRecord;
use crate::game::Outcome;
use kroo::game::Side;
use kroo::printable;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most workers in the table at the end of a match.
const MAX_LINES: usize = 40;

/// The games of a match by worker.
#[derive(Clone, Debug, Default)]
pub struct WorkerTable(BTreeMap<String, WorkerLine>);

/// The games of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WorkerLine {
    /// Its machine.
    pub host: String,
    /// How many games it has played.
    pub games: u64,
    /// The half points of the first engine of each pairing in games with a result, and how many those are.
    #[serde(skip)]
    half_points: (u64, u64),
    /// Games that an engine has ended by a fault.
    pub faults: u64,
}

impl WorkerLine {
    /// The share of points of the first engine of each pairing; `None` without a result.
    pub fn score(&self) -> Option<f64> {
        let (points, games) = self.half_points;
        (games > 0).then(|| points as f64 / (2 * games) as f64)
    }
}

impl WorkerTable {
    /// Counts a game, if it names its worker.
    pub fn add(&mut self, record: &GameRecord) {
        let Some(worker) = &record.worker else { return };
        let line = self.0.entry(worker.worker.clone()).or_default();
        if line.host.is_empty() {
            line.host.clone_from(&worker.host);
        }
        let (scheduled, played) = (&record.scheduled, &record.played);
        line.games += 1;
        line.faults += u64::from(Side::BOTH.iter().any(|&side| played.is_fault_of(side)));
        if played.outcome != Outcome::Void {
            line.half_points.0 += u64::from(played.outcome.half_points(scheduled.side_of_first()));
            line.half_points.1 += 1;
        }
    }

    /// Each worker by its name.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = (&str, &WorkerLine)> {
        self.0.iter().map(|(name, line)| (name.as_str(), line))
    }

    /// The table for the end of a match; nothing for fewer than two workers.
    pub fn at_end(&self) -> String {
        if self.0.len() < 2 { String::new() } else { "\n".to_owned() + &self.text(MAX_LINES) }
    }

    /// The table, with at most this many workers.
    pub fn text(&self, most: usize) -> String {
        let names: Vec<_> = self.0.keys().take(most).map(|name| printable::name(name)).collect();
        let hosts: Vec<_> = self.0.values().take(most).map(|line| printable::name(&line.host)).collect();
        let width = |texts: &[std::borrow::Cow<'_, str>], title: &str| {
            texts.iter().map(|text| text.chars().count()).chain([title.len()]).max().unwrap_or_default()
        };
        let (wide, host_wide) = (width(&names, "Worker"), width(&hosts, "Machine"));
        let mut text = format!("{:wide$}  {:host_wide$}    Games    Score  Faults\n", "Worker", "Machine");
        for ((line, name), host) in self.0.values().zip(&names).zip(&hosts) {
            let score = line.score().map_or("n/a".to_owned(), |score| format!("{:.2}%", 100.0 * score));
            let _ = writeln!(
                text,
                "{name:wide$}  {host:host_wide$}  {:7}  {score:>7}  {:6}",
                line.games, line.faults
            );
        }
        if self.0.len() > most {
            let _ = writeln!(text, "({} more: `referee audit JOURNAL` lists them)", self.0.len() - most);
        }
        text.push_str("Score: of the first engine of each pairing\n");
        text
    }
}
