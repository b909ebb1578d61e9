//! The same where the queue was not compiled in.

use crate::engine::{ProgramContent, Stop};
use crate::ledger::results::Summary;
use crate::output::Outputs;
use crate::plan::MatchPlan;
use crate::queue::{QueueError, QueueOptions, StatusOptions, WorkerOptions};
use crate::run::OpenJournal;
use crate::schedule::Openings;
use std::process::ExitCode;
use std::sync::atomic::AtomicI32;

pub(super) fn coordinate(
    _: QueueOptions,
    _: &MatchPlan,
    _: Openings,
    _: Option<OpenJournal>,
    _: (&Stop, &AtomicI32),
    _: &mut Outputs<'_>,
) -> anyhow::Result<Summary> {
    Err(QueueError::not_built().into())
}

pub(super) fn contents_of(_: &MatchPlan) -> anyhow::Result<Vec<ProgramContent>> {
    Err(QueueError::not_built().into())
}

pub(super) fn status(_: &StatusOptions) -> anyhow::Result<ExitCode> {
    Err(QueueError::not_built().into())
}

pub(super) fn work(_: &WorkerOptions) -> anyhow::Result<ExitCode> {
    Err(QueueError::not_built().into())
}
