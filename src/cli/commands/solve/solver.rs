//! The solver of a batch: one table for all positions.

use crate::game::Game;
use crate::plan::Resources;
use crate::protocol::{Settings, SolveCommand};
use crate::search::SearchMemory;
use crate::solve::{Answer, Bounds, Pause, Solving};
use std::error::Error;

/// The settings and the memory of a batch.
pub(super) struct Solver {
    pub(super) settings: Settings,
    pub(super) resources: Resources,
    pub(super) table: SearchMemory,
}

impl Solver {
    /// # Errors
    /// If there is not enough memory for the table, or a file of the settings is not usable.
    pub(super) fn new(settings: &Settings) -> Result<Solver, Box<dyn Error>> {
        let (resources, table) = (Resources::open(settings)?, SearchMemory::new(settings.hash_mib)?);
        Ok(Solver { settings: settings.clone(), resources, table })
    }

    /// The faults of the endgame files, each once.
    pub(super) fn take_faults(&mut self) -> Vec<String> {
        self.resources.take_faults(&self.settings)
    }

    /// Proves the answers of a task about the position of a game. `tell` regularly gets the current bounds and the nodes, and says
    /// how to go on.
    pub(super) fn solve(
        &self,
        game: &Game,
        task: SolveCommand,
        tell: &mut dyn FnMut(Bounds, u64) -> Pause,
    ) -> Answer {
        let mut solving = Solving::new(game, task, &self.settings, &self.resources);
        let is_done = solving.work(&self.table, None, &mut |bounds, nodes, _| tell(bounds, nodes));
        debug_assert!(is_done, "it was not asked to leave");
        solving.answer()
    }
}
