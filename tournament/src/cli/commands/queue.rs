//! Matches that workers play, and the workers.

use super::super::exit;
use super::super::signals::{SIGNALLED, on_first_signal};
use super::supervision::{end, raise_limits, start_supervisor};
use crate::engine::{Stop, try_sandbox};
use crate::ledger::MatchObserver;
use crate::ledger::results::Summary;
use crate::output::Outputs;
use crate::plan::MatchPlan;
pub(super) use crate::queue::contents_of;
use crate::queue::{
    Coordinator, OnSignal, QueueError, QueueOptions, StatusOptions, WorkerOptions, WorkerSwitches,
    WorkerTotals,
};
use crate::run::{OpenJournal, run};
use crate::schedule::Openings;
use kroo::printable;
use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

pub(super) fn coordinate(
    queue: QueueOptions,
    plan: &MatchPlan,
    openings: Openings,
    journal: Option<OpenJournal>,
    (stop, signal): (&Stop, &AtomicI32),
    outputs: &mut Outputs<'_>,
) -> anyhow::Result<Summary> {
    let kept = journal.is_some();
    let mut coordinator = Coordinator::new(queue, openings.digest())?;
    let shown = outputs.shown();
    let summary = run(plan, openings, journal, stop, &shown, outputs, |context| {
        coordinator.play(context);
    })?;
    let interrupted = signal.load(Ordering::SeqCst) != 0;
    if let Err(error) = coordinator.close(plan, &summary.score, !(interrupted && kept)) {
        outputs.warning(&format!("the workers could not be told: {error}"));
    }
    Ok(summary)
}

pub(super) fn work(options: &WorkerOptions) -> anyhow::Result<ExitCode> {
    raise_limits();
    if !options.no_sandbox {
        try_sandbox().map_err(|problem| {
            anyhow::anyhow!(
                "there is no sandbox for engines: {problem}; --no-sandbox runs them with all rights of this user"
            )
        })?;
    }
    // With a handler, a file that grows too large is an error like any other.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let (stop, leave) = (Stop::new()?, Arc::new(AtomicBool::new(false)));
    let (switch, leaving, finish) = (stop.clone(), Arc::clone(&leave), options.on_signal == OnSignal::Finish);
    let signal =
        on_first_signal(move || if finish { leaving.store(true, Ordering::SeqCst) } else { switch.set() })?;
    let supervisor = start_supervisor(None)?;
    let report = |text: &str| {
        // If standard error is closed the text is lost.
        let _ = printable::to_stderr(&format!("referee: {text}"));
    };
    if let Some(note) = supervisor.loose_limits() {
        report(note);
    }
    let worked =
        crate::queue::work(options, &supervisor, WorkerSwitches { stop: &stop, leave: &leave }, &report);
    supervisor.clear();
    end(&supervisor);
    let signal = signal.load(Ordering::SeqCst);
    match worked {
        Ok(totals) => {
            let WorkerTotals { games, late, given_back } = totals;
            printable::to_stdout(&format!(
                "Games: {games}, batches too late: {late}, given back: {given_back}"
            ))?;
            let stopped = signal != 0 && !finish;
            Ok(if stopped { ExitCode::from((SIGNALLED + signal) as u8) } else { ExitCode::SUCCESS })
        }
        Err(error @ QueueError::Unfit(_)) => {
            report(&error.to_string());
            Ok(ExitCode::from(exit::BROKEN))
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) fn status(options: &StatusOptions) -> anyhow::Result<ExitCode> {
    let text = crate::queue::status(options)?;
    let text = text.trim_end();
    printable::to_stdout(&if options.json { printable::json(text) } else { text.into() })?;
    Ok(ExitCode::SUCCESS)
}
