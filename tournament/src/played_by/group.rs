//! Whose games are counted together.

use crate::plan::PlayedBy;

/// Whose games are counted together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// Those of all workers on a machine.
    #[default]
    Machine,
    /// Those of each worker.
    Worker,
    /// Those of all machines with the same processor.
    Processor,
}

impl GroupBy {
    /// All of them.
    pub const ALL: [GroupBy; 3] = [GroupBy::Machine, GroupBy::Worker, GroupBy::Processor];

    /// As it is written on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GroupBy::Machine => "machine",
            GroupBy::Worker => "worker",
            GroupBy::Processor => "processor",
        }
    }

    /// Where a game belongs.
    #[must_use]
    pub fn group(self, by: &PlayedBy) -> &str {
        match self {
            GroupBy::Machine => &by.host,
            GroupBy::Worker => &by.worker,
            GroupBy::Processor => &by.processor,
        }
    }
}
