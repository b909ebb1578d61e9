//! A level in the making on the disk, so that a long one need not be begun again.
//!
//! Where a level is worked out in passes, each pass may start from any values between those of the beginning and those
//! of the end (see the essay in `mod.rs`: each value has a set of boards that only grows, up to one least set). So the
//! values as they stand at some moment, read while others write them, will do to go on from, and the level that comes of
//! it is the same byte for byte. Where a level is worked out in one walk, the boards behind it are final, and those that
//! were begun after it are written over.

use super::fault::FileError;
use super::file::{Head, Kind, Wanted};
use memmap2::Mmap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time between two writings. Two bytes a board are written in a small part of it.
const EVERY: Duration = Duration::from_secs(60);

/// What is kept of a level in the making, if anything.
#[derive(Debug)]
pub(super) struct Part {
    file: Option<(PathBuf, Wanted)>,
    threads: usize,
    written: Instant,
    /// Why it could not be kept: nothing is lost by that as long as the work goes on.
    pub failed: Option<FileError>,
}

/// Gives the bytes of the values from one on.
pub(super) type Fill<'a> = &'a dyn Fn(usize, &mut [u8]);

impl Part {
    /// Nothing is kept.
    pub fn none() -> Part {
        Part { file: None, threads: 1, written: Instant::now(), failed: None }
    }

    /// Values are kept in this file.
    pub fn at(path: PathBuf, wanted: Wanted, threads: usize) -> Part {
        Part { file: Some((path, wanted)), threads, ..Part::none() }
    }

    /// The values that have been kept before, if the file has such.
    pub fn taken_up(&self) -> Option<Kept> {
        let (path, wanted) = self.file.as_ref().filter(|(path, _)| path.exists())?;
        wanted
            .map(path, self.threads)
            .ok()
            .map(|(head, map, start)| Kept { map, range: start..start + head.bytes })
    }

    /// Keeps the values if that was long ago.
    pub fn keep_if_due(&mut self, fill: Fill<'_>) {
        if self.written.elapsed() >= EVERY {
            self.keep(fill);
        }
    }

    /// Keeps the values.
    pub fn keep(&mut self, fill: Fill<'_>) {
        if let Some((path, wanted)) = &self.file {
            let Wanted { variant, seeds, bytes, .. } = *wanted;
            let head = Head { kind: Kind::Part, variant, seeds, bytes, worths: Vec::new(), rare: Vec::new() };
            self.failed = head.write(path, fill).err();
            self.written = Instant::now();
        }
    }

    /// The level is there: nothing need be kept any more.
    pub fn remove(&self) {
        if let Some((path, _)) = &self.file {
            // If it stays, it is not read again.
            let _ = fs::remove_file(path);
        }
    }
}

/// Values that have been kept.
#[derive(Debug)]
pub(super) struct Kept {
    map: Mmap,
    range: std::ops::Range<usize>,
}

impl Kept {
    pub fn bytes(&self) -> &[u8] {
        &self.map[self.range.clone()]
    }
}
