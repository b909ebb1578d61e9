//! The values of a level in a mapped file, in blocks that are checked when they are first read.
//!
//! A pass over all bytes at the start would read gigabytes before the first move. So a file is opened by its header, and a
//! reader asks [`MappedValues::is_checked`] before it reads a block. That takes one more byte of memory a probe, which is
//! nearly always in the nearest cache (what that costs is not measured). A block that does not have its checksum loses the whole file.

use super::error::{EndgameFileError, EndgameFormatError};
use super::level_map::LevelMap;
use super::thread_pool::{BuildStatus, ThreadPool};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of the values that have a checksum of their own.
pub const BLOCK: usize = 1 << 20;

/// The values of a level in a mapped file.
#[derive(Debug)]
pub struct MappedValues {
    file: LevelMap,
    /// Where the values begin in the file.
    start: usize,
    checksums: Vec<u32>,
    /// By block: it has been looked at, and if it is broken, the file is lost.
    checked: Box<[AtomicBool]>,
}

impl MappedValues {
    /// The values from a byte of a file on, up to its end, with the checksums of their blocks.
    pub fn new(file: LevelMap, start: usize, checksums: Vec<u32>) -> MappedValues {
        let checked = checksums.iter().map(|_| AtomicBool::new(false)).collect();
        MappedValues { file, start, checksums, checked }
    }

    /// The checksums of the blocks.
    pub fn checksums(&self) -> &[u32] {
        &self.checksums
    }

    /// Whether the block of a value has been checked.
    #[inline]
    pub fn is_checked(&self, index: usize) -> bool {
        // Who sees that it is checked also sees whether the file is lost.
        self.checked[index / BLOCK].load(Ordering::Acquire)
    }

    /// Checks a block, unless it has been. `means_something` says of its values, from an index on, whether they can be those of
    /// the level.
    #[cold]
    pub fn check(&self, block: usize, means_something: impl FnOnce(usize, &[u8]) -> bool) {
        if self.checked[block].load(Ordering::Acquire) {
            return;
        }
        let from = block * BLOCK;
        let values = &self[from..self.len().min(from + BLOCK)];
        let fault = if crc32fast::hash(values) != self.checksums[block] {
            let byte = (self.start + from) as u64;
            Some(EndgameFormatError::Block { block: block + 1, blocks: self.checksums.len(), byte })
        } else if !means_something(from, values) {
            Some(EndgameFormatError::Inconsistent("lacks the thresholds of a board"))
        } else {
            None
        };
        if let Some(fault) = fault {
            self.file.lose_for(fault);
        }
        self.checked[block].store(true, Ordering::Release);
    }

    /// Checks all blocks that have not been checked, up to the first that is broken.
    pub fn check_all(
        &self,
        threads: usize,
        means_something: impl Fn(usize, &[u8]) -> bool + Sync,
    ) -> Result<(), EndgameFileError> {
        let mut pool = ThreadPool { threads, watch: &mut |_| false };
        let done = pool.run(BuildStatus::default(), self.checksums.len(), |block| {
            if !self.is_lost() {
                self.check(block, &means_something);
            }
        });
        done.expect("nobody stops it");
        self.file.error().map_or(Ok(()), Err)
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

    /// Why the file is not used any more, once, if it is not; also if it has changed since it was mapped.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        self.file.take_lost()
    }
}

impl Deref for MappedValues {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.file[self.start..]
    }
}
