//! Counts of faults.

use crate::game::Termination;
use std::collections::BTreeMap;

/// How many games each engine, given by its place, has ended by each kind of fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts(BTreeMap<(usize, Termination), u64>);

impl FaultCounts {
    /// Counts a fault of an engine.
    pub fn add(&mut self, engine: usize, kind: Termination) {
        *self.0.entry((engine, kind)).or_default() += 1;
    }

    /// All counts.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Termination, u64)> {
        self.0.iter().map(|(&(engine, kind), &games)| (engine, kind, games))
    }

    /// Whether an engine with these games and losses has lost every game by a fault. Such games show nothing about strength,
    /// and decide no test.
    pub fn lost_all(&self, engine: usize, games: u64, losses: u64) -> bool {
        games > 0 && losses == games && self.of(engine).map(|(_, games)| games).sum::<u64>() >= games
    }

    /// The sentence about an engine that has [lost all](FaultCounts::lost_all).
    pub fn lost_all_text(&self, engine: usize, name: &str) -> String {
        let kinds: Vec<String> = self.of(engine).map(|(kind, games)| format!("{kind} {games}")).collect();
        format!("{name} has lost all its games by faults ({})", kinds.join(", "))
    }

    fn of(&self, engine: usize) -> impl Iterator<Item = (Termination, u64)> {
        self.iter().filter(move |&(of, ..)| of == engine).map(|(_, kind, games)| (kind, games))
    }
}
