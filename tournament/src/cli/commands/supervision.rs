//! The supervisor of a command, and the limits of this process.

use crate::engine::{ConversationLog, Supervisor, try_sandbox};
use anyhow::Context;
use kroo::printable;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::env;
use std::sync::Arc;

pub(super) fn start_supervisor(log: Option<ConversationLog>) -> anyhow::Result<Arc<Supervisor>> {
    let program = env::current_exe().context("cannot find the referee's own program")?;
    let supervisor = Supervisor::start(&program, log).context("cannot start the cleanup process")?;
    Ok(Arc::new(supervisor))
}

/// Ends the supervisor, and passes its warnings on.
pub(super) fn end(supervisor: &Supervisor) {
    for warning in supervisor.end() {
        // If standard error is closed the text is lost.
        let _ = printable::to_stderr(&format!("referee: warning: {warning}"));
    }
}

/// Raises the limit of open files: each engine needs some, and many may play at once.
pub(super) fn raise_limits() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // If it cannot be raised, the present limit may be enough.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}

/// An error if a sandbox is wanted, and cannot be made here.
pub(super) fn require_sandbox(wanted: bool) -> anyhow::Result<()> {
    let tried = if wanted { try_sandbox() } else { Ok(()) };
    tried.map_err(|problem| anyhow::anyhow!("there is no sandbox for engines: {problem}"))
}
