//! What is audited.

use crate::plan::PlayedBy;
use std::path::PathBuf;

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

/// What `referee audit` is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditOptions {
    /// The journals of a match, or of its parts.
    pub journals: Vec<PathBuf>,
    /// Whose games are counted together.
    pub by: GroupBy,
    /// Whose games are left out.
    pub exclude: Vec<String>,
    /// Whether the games of outliers are left out, too.
    pub exclude_outliers: bool,
    /// Whether it is printed as JSON.
    pub json: bool,
}
