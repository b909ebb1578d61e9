//! The mapped file of a level, and why it is not used any more.

use super::error::{EndgameFileError, EndgameFormatError};
use super::mapped_file::MappedFile;
use crate::game::Variant;
use once_cell::sync::OnceCell;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// A mapped file that should be that of a level.
#[derive(Debug)]
pub struct LevelMap {
    file: MappedFile,
    /// What was found wrong with it first.
    fault: OnceCell<EndgameFormatError>,
    level: (Variant, u8),
}

impl LevelMap {
    /// Maps a whole file.
    pub fn new(file: File, path: &Path, level: (Variant, u8)) -> io::Result<LevelMap> {
        Ok(LevelMap { file: MappedFile::new(file, path)?, fault: OnceCell::new(), level })
    }

    /// Whether what was read so far may be anything.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.file.is_lost()
    }

    /// Nothing of the file counts any more.
    #[cold]
    pub fn lose(&self) {
        self.file.lose();
    }

    /// Nothing of the file counts any more, because this is wrong with it. What was cut off reads as zeros, which is no fault
    /// of the file.
    #[cold]
    pub fn lose_for(&self, fault: EndgameFormatError) {
        if !self.file.is_lost() {
            let _ = self.fault.set(fault);
            self.file.lose();
        }
    }

    /// Why the file is not used any more, once, if it is not; also if it has changed since it was mapped.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        self.file.take_lost().map(|path| self.loss(path))
    }

    /// Why the file is not used any more, if it is not.
    pub fn error(&self) -> Option<EndgameFileError> {
        self.is_lost().then(|| self.loss(self.file.path()))
    }

    fn loss(&self, path: &Path) -> EndgameFileError {
        let (path, (variant, seeds)) = (path.to_owned(), self.level);
        match self.fault.get().cloned() {
            Some(error) => EndgameFileError::Format { path, error, variant, seeds },
            None => EndgameFileError::Lost { path },
        }
    }
}

impl Deref for LevelMap {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.file
    }
}
