//! Writing the document.

use super::game::GameJson;
use super::parts::PlanJson;
use crate::output::document;
use crate::output::error::OutputError;
use crate::plan::MatchPlan;
use crate::record::GameRecord;
use crate::results::Summary;
use kroo::files::Replacement;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How every document begins.
pub(super) const BEGINNING: &str = "{\"plan\":";

/// A JSON document that is being written.
#[derive(Debug)]
pub struct JsonFile {
    /// As the user has named it.
    path: PathBuf,
    file: BufWriter<Replacement>,
    games: u64,
}

impl JsonFile {
    /// Begins a document.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(path: &Path, plan: &MatchPlan) -> Result<JsonFile, OutputError> {
        let create = || {
            let mut file = BufWriter::new(document::begin(path, BEGINNING)?);
            file.write_all(BEGINNING.as_bytes())?;
            serde_json::to_writer(&mut file, &PlanJson::new(plan))?;
            file.write_all(b",\n\"games\":[")?;
            Ok(file)
        };
        let failed = |error| OutputError { path: path.to_path_buf(), error };
        create().map(|file| JsonFile { path: path.to_path_buf(), file, games: 0 }).map_err(failed)
    }

    /// The temporary file, if there is one.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.file.get_ref().temporary()
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, record: &GameRecord, plan: &MatchPlan) -> Result<(), OutputError> {
        let separator: &[u8] = if self.games == 0 { b"\n" } else { b",\n" };
        self.games += 1;
        let written = self.file.write_all(separator);
        let written =
            written.and_then(|()| Ok(serde_json::to_writer(&mut self.file, &GameJson { record, plan })?));
        written.map_err(|error| OutputError { path: self.path.clone(), error })
    }

    /// Adds the results, and moves the document to its place.
    ///
    /// # Errors
    /// If that cannot be done. The path is then as it was.
    pub fn close(mut self, summary: &Summary) -> Result<(), OutputError> {
        let path = self.path.clone();
        let close = || {
            self.file.write_all(b"],\n\"result\":")?;
            serde_json::to_writer(&mut self.file, summary)?;
            self.file.write_all(b"}\n")?;
            self.file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
        };
        close().map_err(|error| OutputError { path, error })
    }
}
