//! Contents of files: see [`ProgramContent`].

use super::error::QueueError;
use crate::engine::{ContentHash, ProgramContent, content_of};
use crate::plan::{Contestant, MatchPlan};
use std::fs;
use std::path::Path;

/// The content of some bytes.
pub(super) fn content_of_bytes(bytes: &[u8]) -> ProgramContent {
    let mut hash = ContentHash::default();
    hash.update(bytes);
    hash.content()
}

/// Whether a file has this content; another length shows it at once.
pub(super) fn has_content(path: &Path, content: &ProgramContent) -> bool {
    let same_length = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == content.bytes);
    same_length && content_of(path).is_ok_and(|found| found == *content)
}

/// The contents of the executables of a plan.
///
/// # Errors
/// If one cannot be read: by their contents workers know them.
pub fn contents_of(plan: &MatchPlan) -> Result<Vec<ProgramContent>, QueueError> {
    let content = |contestant: &Contestant| {
        let engine = &contestant.engine;
        if let Some(content) = engine.content() {
            return Ok(content.clone());
        }
        let content = engine.program().ok_or_else(|| "there is no such file".to_owned());
        let content = content.and_then(|path| content_of(&path).map_err(|error| error.to_string()));
        content.map_err(|problem| {
            let (name, command) = (&engine.name, engine.command.display());
            QueueError::System(format!(
                "{name}: {command}: {problem}: the coordinator names engines by the content of their executables"
            ))
        })
    };
    plan.contestants.iter().map(content).collect()
}
