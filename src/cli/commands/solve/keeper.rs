//! `--proofs`: what took long to prove goes to a file, and a signal ends the command only when it is there.

use super::super::output::remark;
use super::solver::Solver;
use crate::game::{Position, Variant};
use crate::printable::counted;
use crate::search::{SearchMemory, solver_takes};
use crate::signals::{self, StopSignal};
use crate::solve::{Pause, ProofFile};
use std::error::Error;
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The file of proofs, and the exit status of the signal that has come.
pub(super) struct Keeper {
    file: ProofFile,
    /// 0 if none has come.
    stopped: Arc<AtomicU8>,
}

impl Keeper {
    /// Continues from the proofs of a file, if it exists, and catches signals from now on. A second one ends the program at once.
    ///
    /// # Errors
    /// If the file cannot be read and written, or has other content; if the rule set has no such proofs.
    pub(super) fn open(path: &Path, variant: Variant, solver: &Solver) -> Result<Keeper, Box<dyn Error>> {
        if !solver_takes(&Position::start(variant)) {
            return Err(format!(
                "--proofs: positions of {variant} can repeat; only proofs of kalah, awari1978 and avalanche are kept"
            )
            .into());
        }
        let file = ProofFile::open(path, variant, &solver.table)?;
        if file.found > 0 {
            remark(&format!("kroo: continues from {}", counted(file.found as u64, "proof")));
        }
        let stopped = Arc::new(AtomicU8::new(0));
        let come = Arc::clone(&stopped);
        signals::each(move |signal| {
            // As shells do: 128 and the number of the signal.
            let status = if signal == StopSignal::Interrupt { 130 } else { 143 };
            if come.swap(status, Ordering::Relaxed) != 0 {
                process::exit(status.into());
            }
            true
        })?;
        Ok(Keeper { file, stopped })
    }

    /// Writes the file now and then, and says whether the search goes on.
    pub(super) fn pause(&mut self, table: &SearchMemory) -> Pause {
        if let Err(error) = self.file.keep_sometimes(table) {
            remark(&format!("kroo: {error}"));
        }
        if self.stopped.load(Ordering::Relaxed) == 0 { Pause::GoOn } else { Pause::Stop }
    }

    /// The exit status if a signal has come.
    pub(super) fn stopped(&self) -> Option<ExitCode> {
        let status = self.stopped.load(Ordering::Relaxed);
        (status != 0).then(|| ExitCode::from(status))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn keep(&mut self, table: &SearchMemory) -> Result<(), Box<dyn Error>> {
        self.file.keep(table)
    }
}
