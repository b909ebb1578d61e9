//! Contents of files: see [`ProgramContent`].

use super::error::QueueError;
use crate::journal::ProgramContent;
use crate::plan::{Contestant, MatchPlan};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The content of some bytes.
pub(super) fn content_of_bytes(bytes: &[u8]) -> ProgramContent {
    ProgramContent { sha256: hex(&Sha256::digest(bytes)), bytes: bytes.len() as u64 }
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
    let (mut file, mut hash) = (File::open(path)?.take(ProgramContent::MOST + 1), Sha256::new());
    let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => {
                hash.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
    if bytes > ProgramContent::MOST {
        return Err(io::Error::other(format!("it has more than {} bytes", ProgramContent::MOST)));
    }
    Ok(ProgramContent { sha256: hex(&hash.finalize()), bytes })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
