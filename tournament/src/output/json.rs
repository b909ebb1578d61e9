//! Everything as JSON: the plan, each game, and the results. The names of the fields are a format that other programs read.
//!
//! The document grows in a temporary file next to its place, game by game, and is moved there when it is complete. So there is
//! never half a document, and never a whole one in memory.

use super::document::{Document, Know};
use super::tuning_report::TuningReport;
use crate::failure::Failure;
use crate::ledger::record::{GameLine, GameRecord};
use crate::ledger::results::Summary;
use crate::plan::MatchPlan;
use crate::statistics::{Sprt, SprtStatus};
use kroo::game::Side;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// The beginning of every document.
pub(super) const BEGINNING: &str = "{\"plan\":";

/// A JSON document that is being written.
#[derive(Debug)]
pub struct JsonFile {
    document: Document,
    games: u64,
}

impl JsonFile {
    /// Begins a document.
    pub(super) fn create(path: &Path, plan: &MatchPlan, know: Know<'_>) -> Result<JsonFile, Failure> {
        let mut document = Document::begin(path, BEGINNING, know)?;
        document.add(|file| {
            serde_json::to_writer(&mut *file, &plan_json(plan))?;
            file.write_all(b",\n\"games\":[")
        })?;
        Ok(JsonFile { document, games: 0 })
    }

    /// Adds a game. `counts`: it is in the results.
    pub fn append(&mut self, record: &GameRecord, plan: &MatchPlan, counts: bool) -> Result<(), Failure> {
        let separator: &[u8] = if self.games == 0 { b"\n" } else { b",\n" };
        self.games += 1;
        self.document.add(|file| {
            file.write_all(separator)?;
            Ok(serde_json::to_writer(file, &GameJson::new(record, plan, counts))?)
        })
    }

    /// Adds the results, and moves the document to its place. If it fails, the path is as it was.
    pub fn close(mut self, summary: &Summary) -> Result<(), Failure> {
        self.document.add(|file| {
            file.write_all(b"],\n\"result\":")?;
            serde_json::to_writer(&mut *file, summary)?;
            file.write_all(b"}\n")
        })?;
        self.document.commit()
    }
}

/// The plan as journals have it, without what concerns the machine only.
fn plan_json(plan: &MatchPlan) -> Value {
    let mut value = plan.identity();
    value["games"] = plan.games().into();
    value["concurrency"] = plan.concurrency.into();
    value
}

/// A game: the form of journals, and additions for easier reading.
#[derive(Serialize)]
struct GameJson<'a> {
    south: &'a str,
    north: &'a str,
    /// Whether it is in the results.
    counts: bool,
    /// The engine that has lost by a fault.
    fault: Option<&'a str>,
    /// Its moves, the opening's included.
    plies: usize,
    #[serde(flatten)]
    line: GameLine<'a>,
}

impl<'a> GameJson<'a> {
    fn new(record: &'a GameRecord, plan: &'a MatchPlan, counts: bool) -> GameJson<'a> {
        let (played, [south, north]) = (&record.played, plan.names(&record.scheduled));
        let fault = match Side::BOTH.map(|side| played.is_fault_of(side)) {
            [true, false] => Some(south),
            [false, true] => Some(north),
            _ => None,
        };
        let plies = played.game.moves().len();
        GameJson { south, north, counts, fault, plies, line: GameLine::of(record) }
    }
}

/// An SPRT and its state.
#[derive(Serialize)]
pub struct SprtJson<'a> {
    #[serde(flatten)]
    pub sprt: &'a Sprt,
    #[serde(flatten)]
    pub status: &'a SprtStatus,
}

/// Writes the document of a tuning run, after its beginning: its parameters, how the values moved, and where they have come to.
pub(super) fn write_tuning(
    file: &mut impl Write,
    report: &TuningReport,
    plan: &MatchPlan,
    summary: &Summary,
) -> io::Result<()> {
    let parameters = report.parameters().map(|(parameter, value)| {
        json!({"name": parameter.name, "start": parameter.start, "end": value, "rounded": parameter.text(value)})
    });
    let result = json!({
        "iterations": report.iterations()[0],
        "games": summary.score.games,
        "interrupted": summary.interrupted,
        "broken": summary.broken,
        "parameters": parameters.collect::<Vec<_>>(),
        "words": report.words(),
        "lines": report.lines(),
    });
    serde_json::to_writer(&mut *file, &plan_json(plan))?;
    file.write_all(b",\n\"tuning\":")?;
    serde_json::to_writer(&mut *file, report.plan())?;
    file.write_all(b",\n\"iterations\":[")?;
    for (place, point) in report.points().iter().enumerate() {
        file.write_all(if place == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *file, point)?;
    }
    file.write_all(b"],\n\"result\":")?;
    serde_json::to_writer(&mut *file, &result)?;
    file.write_all(b"}\n")
}
