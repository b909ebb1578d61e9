//! The checkpoint of a level that is being built, on the disk, so that a long build goes on where it was cut off.
//!
//! Value iteration may start from any values between those of the beginning and those of the end (see the essay in
//! `mod.rs`: each value has a set of boards that only grows, up to one least set). So a checkpoint is the values as they
//! stand at some moment, read while other threads write them, and the level that comes of it is the same byte for byte.
//! Where a level is built in one pass, the boards behind the pass are final, and those that were begun are done again.

use super::error::EndgameFileError;
use super::file::{FileKind, Header, LevelFile};
use super::mapped_values::MappedValues;
use crate::time::Instant;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Time between two checkpoints. Writing two bytes a board takes a small part of it.
const INTERVAL: Duration = Duration::from_secs(60);

/// Where a build keeps its checkpoint, if anywhere.
#[derive(Debug)]
pub(super) struct Checkpoint {
    file: Option<(PathBuf, LevelFile)>,
    threads: usize,
    saved: Instant,
    /// Why it could not be saved: nothing is lost by that as long as the build goes on.
    pub failed: Option<EndgameFileError>,
}

/// Writes the bytes of the values into a block, which begins at a byte of them.
pub(super) type Fill<'a> = &'a dyn Fn(usize, &mut [u8]);

impl Checkpoint {
    /// No checkpoint is kept.
    pub fn none() -> Checkpoint {
        Checkpoint { file: None, threads: 1, saved: Instant::now(), failed: None }
    }

    /// The checkpoint is kept in this file.
    pub fn at(path: PathBuf, file: LevelFile, threads: usize) -> Checkpoint {
        Checkpoint { file: Some((path, file)), threads, ..Checkpoint::none() }
    }

    /// The values of an earlier build, if the file has them and is sound.
    pub fn load(&self) -> Option<SavedValues> {
        let (path, file) = self.file.as_ref().filter(|(path, _)| path.exists())?;
        let (_, values) = file.map(path).ok()?;
        values.check_all(self.threads, |_, _| true).ok().map(|()| SavedValues(values))
    }

    /// Saves the values if the last time was long ago.
    pub fn save_if_due(&mut self, fill: Fill<'_>) {
        if self.saved.elapsed() >= INTERVAL {
            self.save(fill);
        }
    }

    /// Saves the values.
    pub fn save(&mut self, fill: Fill<'_>) {
        if let Some((path, file)) = &self.file {
            let LevelFile { variant, seeds, bytes, .. } = *file;
            let (kind, thresholds, rare) = (FileKind::Checkpoint, Vec::new(), Vec::new());
            let header = Header { kind, variant, seeds, bytes, thresholds, rare };
            let fill = &mut |from, block: &mut [u8]| {
                fill(from, block);
                Ok(())
            };
            self.failed = header.write(path, fill).err();
            self.saved = Instant::now();
        }
    }

    /// The level is on the disk: the checkpoint is not needed any more.
    pub fn remove(&self) {
        if let Some((path, _)) = &self.file {
            // If it stays, it is not read again.
            let _ = fs::remove_file(path);
        }
    }
}

/// The values of a checkpoint.
#[derive(Debug)]
pub(super) struct SavedValues(MappedValues);

impl SavedValues {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
