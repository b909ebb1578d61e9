//! A tuning run as JSON: what was to be tuned, how the values moved, and where they have come to.

use super::file::BEGINNING;
use super::parts::PlanJson;
use crate::output::document;
use crate::output::error::OutputError;
use crate::output::tuning_report::TuningReport;
use crate::plan::MatchPlan;
use crate::results::Summary;
use kroo::files::Replacement;
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A document that is being written.
#[derive(Debug)]
pub struct TuningJsonFile {
    /// As the user has named it.
    path: PathBuf,
    file: BufWriter<Replacement>,
}

impl TuningJsonFile {
    /// Begins a document.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(path: &Path, plan: &MatchPlan) -> Result<TuningJsonFile, OutputError> {
        let create = || {
            let mut file = BufWriter::new(document::begin(path, BEGINNING)?);
            file.write_all(BEGINNING.as_bytes())?;
            serde_json::to_writer(&mut file, &PlanJson::new(plan))?;
            Ok(file)
        };
        let failed = |error| OutputError { path: path.to_path_buf(), error };
        create().map(|file| TuningJsonFile { path: path.to_path_buf(), file }).map_err(failed)
    }

    /// The temporary file, if there is one.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.file.get_ref().temporary()
    }

    /// Adds everything else, and moves the document to its place.
    ///
    /// # Errors
    /// If that cannot be done. The path is then as it was.
    pub(in crate::output) fn close(
        mut self,
        report: &TuningReport,
        summary: &Summary,
    ) -> Result<(), OutputError> {
        let path = self.path.clone();
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
        let close = || {
            self.file.write_all(b",\n\"tuning\":")?;
            serde_json::to_writer(&mut self.file, report.plan())?;
            self.file.write_all(b",\n\"iterations\":[")?;
            for (place, point) in report.points().iter().enumerate() {
                self.file.write_all(if place == 0 { b"\n" } else { b",\n" })?;
                serde_json::to_writer(&mut self.file, point)?;
            }
            self.file.write_all(b"],\n\"result\":")?;
            serde_json::to_writer(&mut self.file, &result)?;
            self.file.write_all(b"}\n")?;
            self.file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
        };
        close().map_err(|error| OutputError { path, error })
    }
}
