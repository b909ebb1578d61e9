//! A mapped file in blocks that are checked when they are first read.
//!
//! Checking all bytes at the start would read gigabytes before the first move, so opening a file checks its header only. One byte
//! of memory a block records whether it was checked. One faulty block makes the whole file unusable.

use super::error::{EndgameFileError, EndgameFormatError};
use super::mapped_file::MappedFile;
use crate::game::Variant;
use once_cell::sync::OnceCell;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A mapped database file, and the fault found in it, if any.
#[derive(Debug)]
pub struct CheckedFile {
    map: MappedFile,
    /// The first fault found in the file.
    fault: OnceCell<EndgameFormatError>,
    /// By block: it has been looked at, and if it is broken, the file is lost.
    checked: Box<[AtomicBool]>,
    /// The rule set and the seeds that it should be of.
    database: (Variant, u8),
}

impl CheckedFile {
    /// Maps a whole file, of no blocks yet.
    pub fn new(file: File, path: &Path, database: (Variant, u8)) -> io::Result<CheckedFile> {
        let map = MappedFile::new(file, path)?;
        Ok(CheckedFile { map, fault: OnceCell::new(), checked: Box::default(), database })
    }

    /// The same file with this number of blocks, none of them checked.
    pub fn with_blocks(self, blocks: usize) -> CheckedFile {
        CheckedFile { checked: (0..blocks).map(|_| AtomicBool::new(false)).collect(), ..self }
    }

    pub fn blocks(&self) -> usize {
        self.checked.len()
    }

    #[inline]
    pub fn is_checked(&self, block: usize) -> bool {
        // A reader that sees that it is checked also sees whether the file is lost.
        self.checked[block].load(Ordering::Acquire)
    }

    /// Checks a block, unless done before: `fault` returns its fault.
    #[cold]
    pub fn check(&self, block: usize, fault: impl FnOnce() -> Option<EndgameFormatError>) {
        if !self.is_checked(block) {
            if let Some(fault) = fault() {
                self.lose_for(fault);
            }
            self.checked[block].store(true, Ordering::Release);
        }
    }

    /// The fault of a block without its checksum, which begins at a byte of the file.
    pub fn broken(&self, block: usize, byte: usize) -> EndgameFormatError {
        EndgameFormatError::Block { block: block + 1, blocks: self.blocks(), byte: byte as u64 }
    }

    /// Whether bytes read earlier may be wrong.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.map.is_lost()
    }

    /// Nothing of the file counts any more.
    #[cold]
    pub fn lose(&self) {
        self.map.lose();
    }

    /// Nothing of the file counts any more, because of this fault. The missing end reads as zeros, which is no fault of the
    /// file.
    #[cold]
    pub fn lose_for(&self, fault: EndgameFormatError) {
        if !self.map.is_lost() {
            let _ = self.fault.set(fault);
            self.map.lose();
        }
    }

    /// Why the file is not used any more, once, if it is not; also if it has changed since it was mapped.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        self.map.take_lost().map(|path| self.loss(path))
    }

    /// Why the file is not used any more, if it is not.
    pub fn sound(&self) -> Result<(), EndgameFileError> {
        if self.is_lost() { Err(self.loss(self.map.path())) } else { Ok(()) }
    }

    fn loss(&self, path: &Path) -> EndgameFileError {
        let (path, (variant, seeds)) = (path.to_owned(), self.database);
        match self.fault.get().cloned() {
            Some(error) => EndgameFileError::Format { path, error, variant, seeds },
            None => EndgameFileError::Lost { path },
        }
    }
}

impl Deref for CheckedFile {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}
