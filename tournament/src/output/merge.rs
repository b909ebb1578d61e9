//! Options of `referee merge`.

use crate::failure::Failure;
use crate::ledger::Journals;
use crate::output::OutputFiles;
use clap::Args;
use std::path::PathBuf;

const AFTER: &str = "\
The journals come from `referee --shard K/N --journal FILE`, one for each part. A single journal of a whole tournament is \
allowed, too: its results are shown again. An SPRT sees the games up to the first that is missing.

Exit status: 0, and with an SPRT that of the whole match: 0 if H1 was accepted, 10 if it was rejected (H0 accepted), 11 if the \
test is undecided after all games, 12 if an engine has lost all its games by faults; 1 after an error, for instance if a part \
or a game is missing or is there twice, and with --partial if a test is not over.";

/// Options of `referee merge`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = AFTER)]
pub struct MergeOptions {
    /// The journals, in any order
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,
    /// Show the results so far, even if parts or games are missing
    #[arg(long)]
    pub partial: bool,
    #[command(flatten)]
    pub outputs: OutputFiles,
}

impl MergeOptions {
    /// Opens the journals.
    ///
    /// # Errors
    /// If one is an output too or cannot be read, if they do not fit together, or if anything is missing and a partial result
    /// was not asked for.
    pub fn open(&self) -> Result<Journals, Failure> {
        for journal in &self.journals {
            self.outputs.check([("a journal", journal)])?;
        }
        let journals = Journals::open(&self.journals)?;
        match journals.missing().join("; ") {
            what if what.is_empty() || self.partial => Ok(journals),
            what => Err(Failure::new(format!(
                "not everything has been played ({what}); --partial joins what there is"
            ))),
        }
    }
}
