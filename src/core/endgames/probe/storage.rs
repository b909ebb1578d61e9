//! The storage of a database's values: in memory, in a plain file or in a packed one.

use super::checked_file::CheckedFile;
use super::error::{EndgameFileError, EndgameFormatError};
use super::packed_values::PackedValues;
use super::plain_values::{BLOCK, PlainValues};
use crate::prefetch::prefetch_byte;
use crate::thread_pool::ThreadPool;
use std::borrow::Cow;

/// The values of a database, a byte each.
#[derive(Debug)]
pub enum Storage {
    Memory(Vec<u8>),
    /// In a plain file.
    Plain(PlainValues),
    /// In a packed file.
    Packed(Box<PackedValues>),
}

impl Storage {
    #[expect(clippy::len_without_is_empty, reason = "a database has a value at least")]
    pub fn len(&self) -> usize {
        match self {
            Storage::Memory(values) => values.len(),
            Storage::Plain(values) => values.len(),
            Storage::Packed(values) => values.len(),
        }
    }

    /// The value with an index, of a block that has been checked.
    #[inline]
    pub fn get(&self, index: usize) -> u8 {
        match self {
            Storage::Memory(values) => values[index],
            Storage::Plain(values) => values[index],
            Storage::Packed(values) => values.value(index),
        }
    }

    /// The value with an index. If its block has not been read before, it is checked: `means_something` says of values, from an
    /// index on, whether they can be those of the database.
    #[inline]
    pub fn read(&self, index: usize, means_something: impl FnOnce(usize, &[u8]) -> bool) -> u8 {
        match self {
            Storage::Memory(values) => values[index],
            Storage::Plain(values) => values.value(index, means_something),
            Storage::Packed(values) => values.value(index),
        }
    }

    /// Prefetches the value with an index, if it is not packed.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        self.plain().get(index).into_iter().for_each(prefetch_byte);
    }

    /// The values from an index on. In a packed file this is slow.
    pub fn copy(&self, from: usize, to: &mut [u8]) {
        match self {
            Storage::Packed(values) => values.copy(from, to),
            _ => to.copy_from_slice(&self.plain()[from..][..to.len()]),
        }
    }

    /// All values. Those of a packed file are unpacked.
    pub fn all(&self) -> Cow<'_, [u8]> {
        match self {
            Storage::Packed(_) => {
                let mut all = Vec::with_capacity(self.len());
                self.each_stretch(|_, stretch| all.extend(stretch));
                Cow::Owned(all)
            }
            _ => Cow::Borrowed(self.plain()),
        }
    }

    /// The values as they are in memory, where they are not packed.
    #[inline]
    fn plain(&self) -> &[u8] {
        match self {
            Storage::Memory(values) => values,
            Storage::Plain(values) => values,
            Storage::Packed(_) => &[],
        }
    }

    /// The file, if they are in one.
    #[inline]
    pub fn file(&self) -> Option<&CheckedFile> {
        match self {
            Storage::Memory(_) => None,
            Storage::Plain(values) => Some(&values.file),
            Storage::Packed(values) => Some(&values.file),
        }
    }

    /// Calls a function with all values, one stretch after the other, each with its first index.
    pub fn each_stretch(&self, mut each: impl FnMut(usize, &[u8])) {
        match self {
            Storage::Packed(values) => {
                values.strips().for_each(|strip| each(strip.indices.start, &values.unpack(&strip)));
            }
            _ => each(0, self.plain()),
        }
    }

    /// Whether a function says so of all values, which it gets in stretches in no fixed order, each with its first index.
    pub fn all_stretches(&self, pool: &ThreadPool, holds: impl Fn(usize, &[u8]) -> bool + Sync) -> bool {
        match self {
            Storage::Packed(values) => {
                let strips: Vec<_> = values.strips().collect();
                pool.all(strips.len(), |number| {
                    holds(strips[number].indices.start, &values.unpack(&strips[number]))
                })
            }
            _ => {
                let values = self.plain();
                let block = |from: usize| &values[from..values.len().min(from + BLOCK)];
                pool.all(values.len().div_ceil(BLOCK), |number| holds(number * BLOCK, block(number * BLOCK)))
            }
        }
    }

    /// Checks all blocks that have not been checked, up to the first that is broken. `means_something` is that of
    /// [`Storage::read`].
    pub fn verify(
        &self,
        pool: &ThreadPool,
        means_something: impl Fn(usize, &[u8]) -> bool + Sync,
    ) -> Result<(), EndgameFileError> {
        let Some(file) = self.file() else { return Ok(()) };
        if let Storage::Plain(values) = self {
            pool.all(file.blocks(), |block| {
                values.check(block, &means_something);
                !file.is_lost()
            });
        } else if !self.all_stretches(pool, |from, values| !file.is_lost() && means_something(from, values)) {
            file.lose_for(EndgameFormatError::Inconsistent("lacks the thresholds of a board"));
        }
        file.sound()
    }
}
