//! The values of a plain file, a byte each, in blocks of a mebibyte.

use super::checked_file::CheckedFile;
use super::error::EndgameFormatError;
use std::ops::Deref;

/// Bytes of the values that have a checksum of their own.
pub const BLOCK: usize = 1 << 20;

#[derive(Debug)]
pub struct PlainValues {
    pub file: CheckedFile,
    /// The offset of the values in the file.
    start: usize,
    checksums: Vec<u32>,
}

impl PlainValues {
    /// The values from a byte of a file on, up to its end, with the checksums of their blocks.
    pub fn new(file: CheckedFile, start: usize, checksums: Vec<u32>) -> PlainValues {
        PlainValues { file: file.with_blocks(checksums.len()), start, checksums }
    }

    /// The value with an index. `means_something` says of the values of its block, from an index on, whether they can be those
    /// of the database.
    #[inline]
    pub fn value(&self, index: usize, means_something: impl FnOnce(usize, &[u8]) -> bool) -> u8 {
        if !self.file.is_checked(index / BLOCK) {
            self.check(index / BLOCK, means_something);
        }
        self[index]
    }

    #[cold]
    pub fn check(&self, block: usize, means_something: impl FnOnce(usize, &[u8]) -> bool) {
        self.file.check(block, || {
            let from = block * BLOCK;
            let values = &self[from..self.len().min(from + BLOCK)];
            if crc32fast::hash(values) != self.checksums[block] {
                return Some(self.file.broken(block, self.start + from));
            }
            let wrong = EndgameFormatError::Inconsistent("lacks the thresholds of a board");
            (!means_something(from, values)).then_some(wrong)
        });
    }
}

impl Deref for PlainValues {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.file[self.start..]
    }
}
