//! The file of a database.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `KROO-END` |
//! | 2 | version of the format, 1 |
//! | 1 | 0 |
//! | 1 | its seeds |
//! | 12 | name of the rule set, padded with zeros |
//! | 8 | bytes of the values |
//! | 8 | boards in the list of rare thresholds |
//! | 4 | thresholds that have a code |
//! | 4 | bytes of a block, 1 MiB |
//! | 2 each | the thresholds, by code (`thresholds.rs` has the two bytes) |
//! | 8 + 2 each | the list: index of a board, its thresholds |
//! | 4 a block | CRC-32 of each block of the values, the last one shorter |
//! | 4 | CRC-32 of everything before |
//! | | zeros up to a multiple of 4096, checked when the file is opened |
//! | | the values: a byte a board, by index (`database.rs`) |
//!
//! Numbers are little-endian.
//!
//! The values have the form that the search reads: the file is mapped and never copied into memory. A packed file
//! (`packed_values.rs`) takes about half the space.
//!
//! A file is replaced whole or not at all ([`crate::files`]) and never changed in place: a program that has mapped the old one
//! keeps it. A reader trusts nothing: header and length are checked when a file is opened, and every block before it is used. If
//! another program later cuts the file off or writes into it, the file is no longer used (`mapped_file.rs`).

use super::checked_file::CheckedFile;
use super::error::{EndgameFileError, EndgameFormatError};
use super::indexing::{CODES, database_bytes};
use super::plain_values::{BLOCK, PlainValues};
use super::thresholds::Thresholds;
use crate::files;
use crate::game::{Rules, Variant};
use crate::printable::counted;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub const MAGIC: &[u8; 8] = b"KROO-END";
pub const VERSION: u16 = 1;
/// Bytes of the name of the rule set.
const NAME: usize = 12;
/// Bytes of the header before the thresholds.
const FIXED: usize = 48;
/// The values begin at a multiple of this, in bytes: a page of memory.
pub const PAGE: usize = 4096;
/// The largest header that is read before it is checked, in bytes; the content of a longer one is checked while it is read.
const LARGE_HEADER: u128 = 1 << 20;
/// Entries of a list that are read and checked together.
const ENTRIES_AT_ONCE: u64 = 1 << 12;
/// Bytes of a board in the list of rare thresholds.
const RARE: usize = 10;

/// A header gives lengths whose sum is no number of bytes.
pub const TOO_LONG: &str = "gives lengths that no file can have";

/// The ending of the name of a packed file.
const PACKED: &str = "packed";

/// The file of a database in a folder.
pub fn database_path(folder: &Path, variant: Variant, seeds: u8) -> PathBuf {
    folder.join(format!("{variant}-{seeds:02}.endgame"))
}

/// The packed file of a database in a folder.
pub fn packed_path(folder: &Path, variant: Variant, seeds: u8) -> PathBuf {
    database_path(folder, variant, seeds).with_extension(PACKED)
}

/// Whether a file is a packed one, by its name.
pub fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == PACKED)
}

/// Bytes of a packed file before the header of the plain one (`packed_values.rs`).
pub const PACKED_FIXED: usize = 48;

/// The header of a file.
#[derive(Clone, Debug)]
pub struct Header {
    pub variant: Variant,
    pub seeds: u8,
    /// Bytes of the values.
    pub bytes: usize,
    pub thresholds: Vec<Thresholds>,
    pub rare: Vec<(u64, Thresholds)>,
}

impl Header {
    /// The number of blocks of the values.
    pub fn blocks(&self) -> usize {
        self.bytes.div_ceil(BLOCK)
    }

    /// The offset of the values in the file.
    pub fn start(&self) -> usize {
        self.length().next_multiple_of(PAGE)
    }

    /// Its bytes up to the checksum.
    fn length(&self) -> usize {
        header_length(self.thresholds.len(), self.rare.len(), self.blocks())
    }

    /// The bytes before the values, up to the checksum.
    pub fn to_bytes(&self, checksums: &[u32]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0, self.seeds]);
        let mut name = self.variant.name().as_bytes().to_vec();
        name.resize(NAME, 0);
        bytes.extend(name);
        bytes.extend((self.bytes as u64).to_le_bytes());
        bytes.extend((self.rare.len() as u64).to_le_bytes());
        bytes.extend((self.thresholds.len() as u32).to_le_bytes());
        bytes.extend((BLOCK as u32).to_le_bytes());
        self.thresholds.iter().for_each(|thresholds| bytes.extend(thresholds.0));
        for (index, thresholds) in &self.rare {
            bytes.extend(index.to_le_bytes());
            bytes.extend(thresholds.0);
        }
        checksums.iter().for_each(|sum| bytes.extend(sum.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

/// Which database a file says that it is.
pub fn identify(path: &Path) -> Result<(Variant, u8), EndgameFileError> {
    let read = |source| EndgameFileError::Read { path: path.to_owned(), source };
    let mut start = Vec::new();
    let before = if is_packed(path) { PACKED_FIXED } else { 0 };
    let all = (before + FIXED) as u64;
    files::open(path).and_then(|file| file.take(all).read_to_end(&mut start)).map_err(read)?;
    start.drain(..before.min(start.len()));
    let name = start.get(12..12 + NAME).map(String::from_utf8_lossy).unwrap_or_default();
    match name.trim_end_matches('\0').parse() {
        Ok(variant) if start.starts_with(MAGIC) => Ok((variant, start[11])),
        _ => Err(read(io::Error::other("it is not an endgame file"))),
    }
}

/// The length of a header, by its numbers of thresholds, rare boards and blocks.
fn header_length(thresholds: usize, rare: usize, blocks: usize) -> usize {
    FIXED + 2 * thresholds + RARE * rare + 4 * blocks + 4
}

/// Which file a reader expects.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseFile {
    pub variant: Variant,
    pub seeds: u8,
    /// Bytes of the values.
    pub bytes: usize,
    /// Whether the values are codes of thresholds.
    pub coded: bool,
    /// The largest number in a threshold.
    pub most: u8,
}

impl DatabaseFile {
    pub fn of_database<R: Rules>(seeds: u8) -> DatabaseFile {
        let (bytes, most) = (database_bytes::<R>(seeds), Thresholds::most::<R>(seeds));
        DatabaseFile { variant: R::VARIANT, seeds, bytes, coded: !R::LEAD_ADDS, most }
    }

    /// Maps a file with a sound header. Its values are checked when they are read.
    pub fn map(&self, path: &Path) -> Result<(Header, PlainValues), EndgameFileError> {
        let read = |source| EndgameFileError::Read { path: path.to_owned(), source };
        let (variant, seeds) = (self.variant, self.seeds);
        let wrong = |error| EndgameFileError::Format { path: path.to_owned(), error, variant, seeds };
        let mut file = files::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let (header, checksums) = self.header(&mut file, length).map_err(read)?.map_err(wrong)?;
        let map = CheckedFile::new(file, path, (variant, seeds)).map_err(read)?;
        let start = header.start();
        // Another program may have cut it off since its header was read.
        if map.len() != start + header.bytes {
            let (found, expected) = (map.len() as u64, (start + header.bytes) as u64);
            return Err(wrong(EndgameFormatError::Length { found, expected }));
        }
        if map[header.length()..start].iter().any(|&byte| byte != 0) {
            return Err(wrong(EndgameFormatError::Padding));
        }
        Ok((header, PlainValues::new(map, start, checksums)))
    }

    /// The header of a file of this length, and the checksums of its blocks.
    pub fn header(
        &self,
        file: &mut impl Read,
        length: u64,
    ) -> io::Result<Result<(Header, Vec<u32>), EndgameFormatError>> {
        let mut bytes = Vec::new();
        file.by_ref().take(FIXED as u64).read_to_end(&mut bytes)?;
        let short = |expected: u64| EndgameFormatError::Length { found: length, expected };
        if bytes.get(..8) != Some(MAGIC) {
            return Ok(Err(EndgameFormatError::Magic));
        }
        let Ok(fixed) = <[u8; FIXED]>::try_from(&bytes[..]) else { return Ok(Err(short(FIXED as u64))) };
        let number = |from: usize, size: usize| {
            fixed[from..from + size].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let found = number(8, 2) as u16;
        if found != VERSION {
            return Ok(Err(EndgameFormatError::Version { found, known: VERSION }));
        }
        let (values, rare, thresholds) = (number(24, 8), number(32, 8), number(40, 4));
        let blocks = values.div_ceil(BLOCK as u64);
        // The numbers in a damaged header may be anything.
        let parts = [2 * u128::from(thresholds), RARE as u128 * u128::from(rare), 4 * u128::from(blocks)];
        let header_length = parts.iter().sum::<u128>() + FIXED as u128 + 4;
        if header_length > u128::from(length) {
            let expected = u64::try_from(header_length);
            return Ok(Err(expected.map_or(EndgameFormatError::Inconsistent(TOO_LONG), short)));
        }
        if header_length > LARGE_HEADER {
            let list = FIXED + 2 * thresholds as usize;
            if values != self.bytes as u64 || thresholds > CODES as u64 || rare > values {
                let what = "has other numbers of boards or thresholds than the database";
                return Ok(Err(EndgameFormatError::Inconsistent(what)));
            }
            if !read_list(file, &mut bytes, (list, rare, values))? {
                return Ok(Err(EndgameFormatError::Inconsistent("has a list that is not in order")));
            }
        }
        file.by_ref().take(header_length as u64 - bytes.len() as u64).read_to_end(&mut bytes)?;
        let Some((told, found)) = bytes.split_last_chunk() else {
            return Ok(Err(short(header_length as u64)));
        };
        let (expected, found) = (crc32fast::hash(told), u32::from_le_bytes(*found));
        if found != expected || bytes.len() as u128 != header_length {
            return Ok(Err(EndgameFormatError::Header { found, expected }));
        }
        if number(44, 4) != BLOCK as u64 {
            return Ok(Err(EndgameFormatError::Inconsistent("has blocks of another size")));
        }
        let name = String::from_utf8_lossy(&fixed[12..12 + NAME]).trim_end_matches('\0').to_owned();
        let found = format!("{} with {}", name.escape_debug(), counted(fixed[11].into(), "seed"));
        if (0, self.seeds, self.variant.name()) != (fixed[10], fixed[11], &name) {
            return Ok(Err(EndgameFormatError::OtherDatabase { found }));
        }
        Ok(self.tables(&bytes, values, thresholds as usize, rare as usize, length))
    }

    /// The tables of a header with a correct checksum.
    fn tables(
        &self,
        bytes: &[u8],
        values: u64,
        thresholds: usize,
        rare: usize,
        length: u64,
    ) -> Result<(Header, Vec<u32>), EndgameFormatError> {
        if values != self.bytes as u64 {
            return Err(EndgameFormatError::Inconsistent("has another number of boards than the database"));
        }
        if thresholds == CODES && rare > 0 {
            return Err(EndgameFormatError::Inconsistent("has a list, and a code for all thresholds"));
        }
        let (coded, rest) = bytes[FIXED..].split_at(2 * thresholds);
        let (list, checksums) = rest.split_at(RARE * rare);
        let pair = |bytes: &[u8]| Thresholds([bytes[0], bytes[1]]);
        let checksum = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let header = Header {
            variant: self.variant,
            seeds: self.seeds,
            bytes: self.bytes,
            thresholds: coded.chunks_exact(2).map(pair).collect(),
            rare: list
                .chunks_exact(RARE)
                .map(|entry| {
                    (u64::from_le_bytes(entry[..8].try_into().expect("eight bytes")), pair(&entry[8..]))
                })
                .collect(),
        };
        let mut all = header.thresholds.iter().chain(header.rare.iter().map(|(_, thresholds)| thresholds));
        if all.any(|thresholds| thresholds.0.iter().max() > Some(&self.most)) {
            return Err(EndgameFormatError::Inconsistent(
                "has thresholds that no board of the database can have",
            ));
        }
        if header.thresholds.is_empty() == self.coded || header.thresholds.len() > CODES {
            let what = "has a number of thresholds that fits no database of the rule set";
            return Err(EndgameFormatError::Inconsistent(what));
        }
        let in_order = header.rare.is_sorted_by(|one, other| one.0 < other.0);
        if !in_order || header.rare.last().is_some_and(|&(index, _)| index >= values) {
            return Err(EndgameFormatError::Inconsistent("has a list that is not in order"));
        }
        let expected = (header.start() + header.bytes) as u64;
        if length != expected {
            return Err(EndgameFormatError::Length { found: length, expected });
        }
        Ok((header, checksums[..checksums.len() - 4].chunks_exact(4).map(checksum).collect()))
    }
}

/// Reads a header to the end of its list, which begins at a byte, and returns whether the boards in it are in order and belong to
/// the database. It stops at the first wrong one: a file full of holes costs no more than its first bytes.
fn read_list(
    file: &mut impl Read,
    bytes: &mut Vec<u8>,
    (list, rare, boards): (usize, u64, u64),
) -> io::Result<bool> {
    file.by_ref().take((list - bytes.len()) as u64).read_to_end(bytes)?;
    let (mut left, mut next) = (rare, 0);
    while left > 0 {
        let entries = left.min(ENTRIES_AT_ONCE);
        let from = bytes.len();
        if file.by_ref().take(entries * RARE as u64).read_to_end(bytes)? < entries as usize * RARE {
            return Ok(false);
        }
        for entry in bytes[from..].chunks_exact(RARE) {
            let board = u64::from_le_bytes(entry[..8].try_into().expect("eight bytes"));
            if board < next || board >= boards {
                return Ok(false);
            }
            next = board + 1;
        }
        left -= entries;
    }
    Ok(true)
}
