//! Contents of files: see [`ProgramContent`].

use super::error::QueueError;
use crate::journal::ProgramContent;
use crate::plan::{Contestant, MatchPlan};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Finds out the content of bytes as they come.
#[derive(Default)]
pub(super) struct ContentHash {
    hash: Sha256,
    bytes: u64,
}

impl ContentHash {
    /// The next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// The content of all bytes.
    pub fn content(self) -> ProgramContent {
        let sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        ProgramContent { sha256, bytes: self.bytes }
    }
}

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

/// What a file is.
///
/// # Errors
/// If it cannot be read, or is larger than any executable.
pub(super) fn content_of(path: &Path) -> io::Result<ProgramContent> {
    let (mut file, mut hash) = (File::open(path)?.take(ProgramContent::MOST + 1), ContentHash::default());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    if hash.bytes > ProgramContent::MOST {
        return Err(io::Error::other(format!("it has more than {} bytes", ProgramContent::MOST)));
    }
    Ok(hash.content())
}
