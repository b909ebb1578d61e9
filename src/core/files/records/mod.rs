//! Files that take long to write: training data, sets of openings, weights in training, checkpoints of endgames, tiles of packed
//! endgames; and, as text, journals of the referee and answers of `kroo solve`.
//!
//! Each is a [`GrowingFile`]: its writer holds an exclusive lock and adds whole records, each with a checksum. Each addition is
//! synced before the next one, so a kill or a power failure leaves one incomplete record at the end, which the next run replaces.
//! A damaged file, or one of another origin, format or version, is refused and left unchanged.
//!
//! | type | file |
//! |---|---|
//! | [`RecordFile`] | binary: a header that names its [`Origin`], all that its bytes depend on, then records one after the other |
//! | [`PlacedFile`] | the same with records in fixed places, each written again and again; one that is not whole is as if it had not been written |
//! | [`LineReader`] | text: reads lines, of which the first names the origin, or each one does |
//!
//! A binary record:
//!
//! | bytes | record |
//! |---|---|
//! | 4 | bytes of its content |
//! | 4 | check of its length and number |
//! | 4 | check of its content |
//! | | content |
//!
//! Checks are CRC-32, and begin with that of the header. So a record counts in its own file and place only, and zeros are no
//! record. Numbers are little-endian.

mod error;
mod growing;
mod lines;
mod origin;
mod own_file;
mod places;
mod reader;
mod writer;

pub use error::RecordError;
pub use growing::GrowingFile;
pub use lines::LineReader;
pub use origin::Origin;
pub use places::PlacedFile;
pub use reader::RecordReader;
pub use writer::RecordFile;

use super::resolved;
use crc32fast::Hasher;
use std::path::{Path, PathBuf};

/// The file in the same folder that holds an incomplete one.
pub fn partial_path(complete: &Path) -> PathBuf {
    // A link that must not be followed is not replaced either, when the file is complete.
    let complete = resolved(complete).unwrap_or_else(|_| complete.to_owned());
    let mut name = complete.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    complete.with_file_name(name)
}

/// Bytes of a record before its content.
pub const RECORD_HEAD: usize = 12;

/// Makes the checks of the records of a file.
#[derive(Clone, Copy, Debug)]
struct Seal {
    /// The checksum of the file's header.
    header: u32,
}

impl Seal {
    /// The check of a record's number and length.
    fn of_length(self, number: u64, length: u32) -> u32 {
        self.begun(number, length).finalize()
    }

    fn of_content(self, number: u64, content: &[u8]) -> u32 {
        let mut hasher = self.begun(number, content.len() as u32);
        hasher.update(content);
        hasher.finalize()
    }

    /// The bytes of a record before its content.
    fn head(self, number: u64, content: &[u8]) -> [u8; RECORD_HEAD] {
        let length = content.len() as u32;
        let words = [length, self.of_length(number, length), self.of_content(number, content)];
        let mut head = [0; RECORD_HEAD];
        head.as_chunks_mut::<4>()
            .0
            .iter_mut()
            .zip(words)
            .for_each(|(bytes, word)| *bytes = word.to_le_bytes());
        head
    }

    fn begun(self, number: u64, length: u32) -> Hasher {
        let mut hasher = Hasher::new();
        hasher.update(&self.header.to_le_bytes());
        hasher.update(&number.to_le_bytes());
        hasher.update(&length.to_le_bytes());
        hasher
    }
}
