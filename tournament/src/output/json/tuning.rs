//! A tuning run as JSON: its parameters, how the values moved, and where they have come to.

use super::file::BEGINNING;
use super::parts::PlanJson;
use crate::failure::Failure;
use crate::output::document::Document;
use crate::output::tuning_report::TuningReport;
use crate::plan::MatchPlan;
use crate::results::Summary;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// A document that is being written.
#[derive(Debug)]
pub struct TuningJsonFile(Document);

impl TuningJsonFile {
    /// Begins a document.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(path: &Path, plan: &MatchPlan) -> Result<TuningJsonFile, Failure> {
        let mut document = Document::begin(path, BEGINNING)?;
        document.add(|file| Ok(serde_json::to_writer(file, &PlanJson::new(plan))?))?;
        Ok(TuningJsonFile(document))
    }

    /// The temporary file, if there is one.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.0.temporary()
    }

    /// Adds everything else, and moves the document to its place.
    ///
    /// # Errors
    /// If that cannot be done. The path is then as it was.
    pub(in crate::output) fn close(
        mut self,
        report: &TuningReport,
        summary: &Summary,
    ) -> Result<(), Failure> {
        let parameters = report.parameters().map(|(parameter, value)| {
            json!({"name": parameter.name, "start": parameter.start, "end": value, "rounded": parameter.text(value)})
        });
        let result = json!({
            "iterations": report.iterations()[0],
            "games": summary.games,
            "interrupted": summary.interrupted,
            "broken": summary.broken,
            "parameters": parameters.collect::<Vec<_>>(),
            "words": report.words(),
            "lines": report.lines(),
        });
        self.0.add(|file| {
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
        })?;
        self.0.commit()
    }
}
