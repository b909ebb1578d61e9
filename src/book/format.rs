//! The file of a book.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `KROOBOOK` |
//! | 2 | version of the format, 1 |
//! | 12 | name of the rule set, padded with zeros |
//! | 8 | nodes of each search; 0 if all values are exact and proven |
//! | 4 | number of entries |
//! | 15 + 2 a move, each | the entries, in ascending order of their keys |
//! | 4 | CRC-32 of everything before |
//!
//! | bytes | of an entry |
//! |---|---|
//! | 13 | the key: the position as its mover sees it ([`Key`]) |
//! | 1 | the depth, in plies |
//! | 1 | the legal moves: bit 0 for the first pit, and so on to bit 5 |
//! | 2 each | the value of each legal move for the mover, in the order of the pits ([`Value::to_bits`]) |
//!
//! Numbers are little-endian. A reader refuses everything that is not a book of positions with all their legal moves, so no
//! file can make the engine play an illegal move.

use super::{Book, Key, StoredEntry, position};
use crate::files::{self, WriteError, shown};
use crate::game::{Pit, Variant};
use crate::value::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"KROOBOOK";
const VERSION: u16 = 1;
/// Bytes of the rule set's name.
const NAME: usize = 12;
/// Maximum size of a file in bytes: some 600,000 entries.
const LARGEST: u64 = 16 << 20;

/// Why a book cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("the book {} cannot be read: {source}", shown(.path))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is no valid book.
    #[error("{} is not a sound book: {error}; build it again with `kroo book build`", shown(.path))]
    Format {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: BookFormatError,
    },
    /// The book is for another rule set.
    #[error("{} is a book of {found}, and the rule set is {expected}: set UCI_Variant first", shown(.path))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The rule set of the book.
        found: Variant,
        /// The rule set of the game.
        expected: Variant,
    },
    /// The file cannot be written.
    #[error("the book {0}")]
    Write(#[from] WriteError),
}

/// A fault in the bytes of a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookFormatError {
    /// Another beginning.
    #[error("it does not begin with KROOBOOK")]
    Magic,
    /// An unknown version.
    #[error("it has version {found} of the format, this engine reads version {VERSION}")]
    Version {
        /// The version.
        found: u16,
    },
    /// Too short or too long.
    #[error("it has {found} bytes where {expected} are expected")]
    Length {
        /// Actual bytes.
        found: u64,
        /// Expected bytes.
        expected: u64,
    },
    /// A wrong checksum.
    #[error("its checksum is {found:08x}, and its bytes have {expected:08x}")]
    Checksum {
        /// The checksum in the file.
        found: u32,
        /// The checksum of its bytes.
        expected: u32,
    },
    /// An unknown rule set.
    #[error("its rule set `{found}` is not known")]
    Variant {
        /// The name, clipped and escaped.
        found: String,
    },
    /// An entry that is no position with its legal moves, or not in order.
    #[error("entry {number} (byte {byte}) {what}")]
    Entry {
        /// Its number, from 1.
        number: usize,
        /// Its first byte.
        byte: usize,
        /// The fault.
        what: &'static str,
    },
}

impl Book {
    /// The bytes of its file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let mut name = self.variant.name().as_bytes().to_vec();
        name.resize(NAME, 0);
        bytes.extend(name);
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        for (key, entry) in &self.entries {
            bytes.extend(key);
            bytes.push(entry.depth);
            bytes.push(entry.moves.iter().fold(0, |mask, (pit, _)| mask | 1 << pit.index()));
            entry.moves.iter().for_each(|(_, value)| bytes.extend(value.to_bits().to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Parses the bytes of a file.
    ///
    /// # Errors
    /// The fault.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookFormatError> {
        let mut left = Reader { bytes, at: 0 };
        if left.take::<8>() != Ok(*MAGIC) {
            return Err(BookFormatError::Magic);
        }
        let found = u16::from_le_bytes(left.take()?);
        if found != VERSION {
            return Err(BookFormatError::Version { found });
        }
        let name = String::from_utf8_lossy(&left.take::<NAME>()?).trim_end_matches('\0').to_owned();
        let nodes = u64::from_le_bytes(left.take()?);
        let count = u32::from_le_bytes(left.take()?) as usize;
        let body = bytes.len().checked_sub(4).filter(|&body| body >= left.at).ok_or(left.short(4))?;
        let (found, expected) = (Reader { bytes, at: body }.take()?, crc32fast::hash(&bytes[..body]));
        let found = u32::from_le_bytes(found);
        if found != expected {
            return Err(BookFormatError::Checksum { found, expected });
        }
        let variant =
            name.parse().map_err(|_| BookFormatError::Variant { found: name.escape_debug().to_string() })?;
        left.bytes = &bytes[..body];
        let mut entries = BTreeMap::new();
        for number in 1..=count {
            let byte = left.at;
            let wrong = |what| BookFormatError::Entry { number, byte, what };
            let (key, entry) = left.entry(variant, &wrong)?;
            if entries.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return Err(wrong("is not in ascending order"));
            }
            entries.insert(key, entry);
        }
        match left.at == body {
            true => Ok(Book { variant, nodes, entries }),
            false => Err(BookFormatError::Length { found: bytes.len() as u64, expected: left.at as u64 + 4 }),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no valid book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let read = |source| BookError::Read { path: path.to_owned(), source };
        let wrong = |error| BookError::Format { path: path.to_owned(), error };
        let bytes = files::read_at_most(path, LARGEST).map_err(read)?;
        let too_long = || wrong(BookFormatError::Length { found: LARGEST + 1, expected: LARGEST });
        Book::from_bytes(&bytes.ok_or_else(too_long)?).map_err(wrong)
    }

    /// Reads a file, which must be a book of this rule set.
    ///
    /// # Errors
    /// If it cannot be read, is no valid book, or is for another rule set.
    pub fn open_for(path: &Path, expected: Variant) -> Result<Book, BookError> {
        let book = Book::open(path)?;
        match book.variant == expected {
            true => Ok(book),
            false => Err(BookError::Foreign { path: path.to_owned(), found: book.variant, expected }),
        }
    }

    /// Writes its file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written; the old file, if any, is unchanged.
    pub fn save(&self, path: &Path) -> Result<(), BookError> {
        Ok(files::replace(path, &self.to_bytes())?)
    }
}

/// Reads bytes one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], BookFormatError> {
        let taken = self.bytes.get(self.at..self.at + N).ok_or(self.short(N))?;
        self.at += N;
        Ok(taken.try_into().expect("the slice has this length"))
    }

    /// The fault that `more` bytes are missing.
    fn short(&self, more: usize) -> BookFormatError {
        BookFormatError::Length { found: self.bytes.len() as u64, expected: (self.at + more) as u64 }
    }

    fn entry(
        &mut self,
        variant: Variant,
        wrong: &dyn Fn(&'static str) -> BookFormatError,
    ) -> Result<(Key, StoredEntry), BookFormatError> {
        let key: Key = self.take()?;
        let [depth, mask] = self.take()?;
        let position = position(variant, &key).ok_or(wrong("is not a position that can be played"))?;
        let legal = position.moves();
        if legal.iter().fold(0, |mask, mv| mask | 1 << mv.pit.index()) != mask {
            return Err(wrong("does not list the legal moves"));
        }
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            moves.push((mv.pit, Value::from_bits(u16::from_le_bytes(self.take()?))));
        }
        Ok((key, StoredEntry { depth, moves }))
    }
}

/// The legal moves are bits of a byte.
const _: () = assert!(Pit::ALL.len() <= 8);
