//! The games of each worker of a queue, from the journals of a match: `referee audit`.

use crate::failure::Failure;
use crate::merge::{MergeOptions, MergedJournals};
use crate::output::{SprtStatusJson, verdict};
use crate::plan::MatchPlan;
use crate::record::GameRecord;
use crate::results::{Tally, WorkerLine, WorkerTable};
use crate::run::MatchObserver;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

const AFTER: &str = "\
The journals are those of `referee --queue URL --journal FILE`: each game
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
    let journals = options.journals.clone();
    let merge = MergeOptions { journals, partial: true, games_out: None, json: None, html: None };
    let mut journals = MergedJournals::open(&merge)?;
    let mut counting = Counting(WorkerTable::default());
    let tally = journals.replay(&mut counting)?;
    let (workers, plan) = (counting.0, journals.plan());
    if workers.lines().len() == 0 {
        return Err(Failure::new(
            "these games were played on one machine, without a queue: there are no workers to list",
        ));
    }
    Ok(if options.json {
        json(&workers, &tally, plan)
    } else {
        format!("{}All games: {}\n", workers.text(usize::MAX), verdict(&tally, plan))
    })
}

fn json(workers: &WorkerTable, tally: &Tally, plan: &MatchPlan) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        worker: &'a str,
        #[serde(flatten)]
        line: &'a WorkerLine,
        score: Option<f64>,
    }
    #[derive(Serialize)]
    struct All {
        games: u64,
        points: Vec<f64>,
        sprt: Option<SprtStatusJson>,
    }
    #[derive(Serialize)]
    struct Document<'a> {
        engines: Vec<&'a str>,
        workers: Vec<Line<'a>>,
        all: All,
    }
    let sprt = plan.sprt.as_ref().zip(tally.sprt(plan));
    let document = Document {
        engines: plan.all_names(),
        workers: workers.lines().map(|(worker, line)| Line { worker, line, score: line.score() }).collect(),
        all: All {
            games: tally.games(),
            points: tally.engines().iter().map(|totals| totals.points()).collect(),
            sprt: sprt.map(|(sprt, status)| SprtStatusJson::new(sprt, &status)),
        },
    };
    serde_json::to_string(&document).expect("numbers and texts can be written") + "\n"
}

/// Counts what is replayed.
struct Counting(WorkerTable);

impl MatchObserver for Counting {
    fn warning(&mut self, _: &str) {}
    fn failure(&mut self, _: &str) {}
    fn broken(&mut self, _: &str) {}
    fn resumed(&mut self, _: &Tally) {}
    fn finished(&mut self, _: &GameRecord, _: &Tally) {}
    fn in_order(&mut self, record: &GameRecord) {
        self.0.add(record);
    }
}
