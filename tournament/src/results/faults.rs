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

    /// A sentence about an engine that has lost every one of its games by a fault, if it has. Such games show nothing about
    /// strength, and decide no test.
    #[must_use]
    pub fn all_games(&self, engine: usize, name: &str, games: u64, losses: u64) -> Option<String> {
        let own = || self.iter().filter(|&(of, ..)| of == engine);
        let count: u64 = own().map(|(.., games)| games).sum();
        (games > 0 && losses == games && count >= games).then(|| {
            let kinds: Vec<String> = own().map(|(_, kind, games)| format!("{kind} {games}")).collect();
            format!("{name} has lost all its games by faults ({})", kinds.join(", "))
        })
    }
}
