//! The games of each worker of a queue, from the journals of a match: `referee audit`.

use crate::failure::Failure;
use crate::ledger::Journals;
use crate::ledger::results::{Summary, WorkerLine};
use crate::output::{SprtJson, verdict};
use crate::plan::MatchPlan;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

const AFTER: &str = "\
The journals are those of `referee --queue URL --journal FILE`: each game \
names its worker. Faults are late moves, dead engines and illegal moves.

Exit status: 0, or 1 after an error.";

/// Options of `referee audit`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = AFTER)]
pub struct AuditOptions {
    /// The journal of a match, or those of its parts
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The audit of a match, as text or as JSON: one object, on one line.
///
/// # Errors
/// If a journal cannot be read, or no game names its worker.
pub fn audit(options: &AuditOptions) -> Result<String, Failure> {
    let journals = Journals::open(&options.journals)?;
    let (summary, plan) = (journals.summary(), journals.plan());
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
            sprt: plan.sprt.as_ref().zip(summary.score.sprt.as_ref()).map(SprtJson::new),
        },
    };
    serde_json::to_string(&document).expect("numbers and texts can be written") + "\n"
}
