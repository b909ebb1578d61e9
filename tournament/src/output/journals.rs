//! `referee merge`, its options, and `referee audit`: results from the journals of a match.

use crate::failure::Failure;
use crate::ledger::Journals;
use crate::ledger::results::{Summary, WorkerLine};
use crate::output::{OutputFiles, SprtJson, verdict};
use crate::plan::MatchPlan;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

const MERGE_AFTER: &str = "\
The journals come from `referee --shard K/N --journal FILE`, one for each part. A single journal of a whole tournament is \
allowed, too: its results are shown again. An SPRT sees the games up to the first that is missing.

Exit status: 0, and with an SPRT that of the whole match: 0 if H1 was accepted, 10 if it was rejected (H0 accepted), 11 if the \
test is undecided after all games, 12 if an engine has lost all its games by faults; 1 after an error, for instance if a part \
or a game is missing or is there twice, and with --partial if a test is not over.";

/// Options of `referee merge`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = MERGE_AFTER)]
pub struct MergeOptions {
    /// The journals, in any order
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,
    /// Show the current results, even if parts or games are missing
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
        match journals.missing.join("; ") {
            what if what.is_empty() || self.partial => Ok(journals),
            what => Err(Failure::new(format!(
                "not everything has been played ({what}); --partial joins what there is"
            ))),
        }
    }
}

const AUDIT_AFTER: &str = "\
The journals are those of `referee --queue URL --journal FILE`: each game \
names its worker. Faults are late moves, dead engines and illegal moves.

Exit status: 0, or 1 after an error.";

/// Options of `referee audit`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = AUDIT_AFTER)]
pub struct AuditOptions {
    /// The journal of a match, or those of its parts
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The audit of a match, as text, or as JSON: one object on one line.
pub fn audit(options: &AuditOptions) -> Result<String, Failure> {
    let journals = Journals::open(&options.journals)?;
    let (summary, plan) = (&journals.summary, &journals.plan);
    let workers = &summary.workers;
    if workers.lines().len() == 0 {
        return Err(Failure::new(
            "these games were played on one machine, without a queue: there are no workers to list",
        ));
    }
    Ok(if options.json {
        json(summary, plan)
    } else {
        format!("{}All games: {}\n", workers.text(usize::MAX), verdict(summary, plan))
    })
}

fn json(summary: &Summary, plan: &MatchPlan) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        worker: &'a str,
        #[serde(flatten)]
        line: &'a WorkerLine,
        score: Option<f64>,
    }
    #[derive(Serialize)]
    struct All<'a> {
        games: u64,
        points: &'a [f64],
        sprt: Option<SprtJson<'a>>,
    }
    #[derive(Serialize)]
    struct Document<'a> {
        engines: Vec<&'a str>,
        workers: Vec<Line<'a>>,
        all: All<'a>,
    }
    let document = Document {
        engines: plan.all_names(),
        workers: summary
            .workers
            .lines()
            .map(|(worker, line)| Line { worker, line, score: line.score() })
            .collect(),
        all: All {
            games: summary.score.games,
            points: &summary.score.points,
            sprt: plan
                .sprt
                .as_ref()
                .zip(summary.score.sprt.as_ref())
                .map(|(sprt, status)| SprtJson { sprt, status }),
        },
    };
    serde_json::to_string(&document).expect("numbers and texts can be written") + "\n"
}
