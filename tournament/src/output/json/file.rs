//! Writing the document.

use super::game::GameJson;
use super::parts::PlanJson;
use crate::failure::Failure;
use crate::ledger::record::GameRecord;
use crate::ledger::results::Summary;
use crate::output::document::{Document, Know};
use crate::plan::MatchPlan;
use std::io::Write;
use std::path::Path;

/// The beginning of every document.
pub(in crate::output) const BEGINNING: &str = "{\"plan\":";

/// A JSON document that is being written.
#[derive(Debug)]
pub struct JsonFile {
    document: Document,
    games: u64,
}

impl JsonFile {
    /// Begins a document.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub(in crate::output) fn create(
        path: &Path,
        plan: &MatchPlan,
        know: Know<'_>,
    ) -> Result<JsonFile, Failure> {
        let mut document = Document::begin(path, BEGINNING, know)?;
        document.add(|file| {
            serde_json::to_writer(&mut *file, &PlanJson::new(plan))?;
            file.write_all(b",\n\"games\":[")
        })?;
        Ok(JsonFile { document, games: 0 })
    }

    /// Adds a game. `counts`: it is in the results.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &GameRecord, plan: &MatchPlan, counts: bool) -> Result<(), Failure> {
        let separator: &[u8] = if self.games == 0 { b"\n" } else { b",\n" };
        self.games += 1;
        self.document.add(|file| {
            file.write_all(separator)?;
            Ok(serde_json::to_writer(file, &GameJson::new(record, plan, counts))?)
        })
    }

    /// Adds the results, and moves the document to its place.
    ///
    /// # Errors
    /// If that cannot be done. The path is then as it was.
    pub fn close(mut self, summary: &Summary) -> Result<(), Failure> {
        self.document.add(|file| {
            file.write_all(b"],\n\"result\":")?;
            serde_json::to_writer(&mut *file, summary)?;
            file.write_all(b"}\n")
        })?;
        self.document.commit()
    }
}
