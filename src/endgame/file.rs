//! The file of a level.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `KROO-END` |
//! | 2 | version of the format, 1 |
//! | 1 | 0 for a level, 1 for one in the making |
//! | 1 | its seeds |
//! | 12 | name of the rule set, filled up with zeros |
//! | 8 | bytes of the values |
//! | 8 | how many boards are in the list of rare worths |
//! | 4 | how many worths there are |
//! | 4 | bytes of a block, 1 MiB |
//! | 2 each | the worths |
//! | 8 + 2 each | the list: number and worth |
//! | 4 a block | CRC-32 of each block of the values, the last one shorter |
//! | 4 | CRC-32 of everything before |
//! | | zeros up to a multiple of 4096 |
//! | | the values: a byte a board (two planes where a turn can have a second move, two bytes a board of some levels in the making, eight behind the boards of others), by number |
//!
//! Numbers are little-endian. The values stand as the search reads them, so a file is mapped and never read in. They
//! are not compressed: blocks of 64 KiB of `awari` with 15 seeds shrink to 0.73 with LZ4 and to 0.44 with deflate, but
//! a probe that meets a block which is not at hand would wait 80 and 310 µs where it now waits 0.1.
//!
//! A file is written beside its place and put there when all of it is on the disk, so that there is either a whole file
//! or none; it is never changed in place, and whoever has the old one mapped keeps it. A reader takes nothing on trust:
//! header, length and every block are checked before use.

use super::crew::{Crew, Stage};
use super::fault::{Fault, FileError};
use super::level::{Codes, Level};
use super::worth::Worth;
use crate::files;
use crate::game::Variant;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const MAGIC: &[u8; 8] = b"KROO-END";
const VERSION: u16 = 1;
const NAME: usize = 12;
/// Bytes before the worths.
const FIXED: usize = 48;
const BLOCK: usize = 1 << 20;
const PAGE: usize = 4096;
/// Bytes of a board in the list of rare worths.
const RARE: usize = 10;

/// The file of a level in a folder.
#[must_use]
pub fn file_of(folder: &Path, variant: Variant, seeds: u8) -> PathBuf {
    folder.join(format!("{variant}-{seeds:02}.endgame"))
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A level.
    Whole,
    /// The values of a level in the making.
    Part,
}

/// What a file says of itself.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub kind: Kind,
    pub variant: Variant,
    pub seeds: u8,
    /// Bytes of the values.
    pub bytes: usize,
    pub worths: Vec<Worth>,
    pub rare: Vec<(u64, Worth)>,
}

impl Head {
    /// Whether each code stands for a worth, or for one in the list.
    fn explains(&self, codes: &[u8]) -> bool {
        let next = self.worths.len();
        if self.rare.is_empty() {
            return codes.iter().max().is_none_or(|&code| usize::from(code) < next);
        }
        let listed = |&(number, _): &(u64, Worth)| codes.get(number as usize) == Some(&(next as u8));
        codes.iter().filter(|&&code| usize::from(code) >= next).count() == self.rare.len()
            && self.rare.is_sorted_by(|one, other| one.0 < other.0)
            && self.rare.iter().all(listed)
    }

    fn blocks(&self) -> usize {
        self.bytes.div_ceil(BLOCK)
    }

    /// Where the values begin.
    fn start(&self) -> usize {
        head_length(self.worths.len(), self.rare.len(), self.blocks()).next_multiple_of(PAGE)
    }

    fn to_bytes(&self, sums: &[u32]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.kind as u8, self.seeds]);
        let mut name = self.variant.name().as_bytes().to_vec();
        name.resize(NAME, 0);
        bytes.extend(name);
        bytes.extend((self.bytes as u64).to_le_bytes());
        bytes.extend((self.rare.len() as u64).to_le_bytes());
        bytes.extend((self.worths.len() as u32).to_le_bytes());
        bytes.extend((BLOCK as u32).to_le_bytes());
        self.worths.iter().for_each(|worth| bytes.extend(worth.bits().to_le_bytes()));
        for (number, worth) in &self.rare {
            bytes.extend(number.to_le_bytes());
            bytes.extend(worth.bits().to_le_bytes());
        }
        sums.iter().for_each(|sum| bytes.extend(sum.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Writes a file, whole or not at all; `fill` gives the values from a byte on.
    pub fn write(&self, path: &Path, fill: &dyn Fn(usize, &mut [u8])) -> Result<(), FileError> {
        let written = files::replace_with(path, |file| {
            file.seek(SeekFrom::Start(self.start() as u64))?;
            let mut sums = Vec::with_capacity(self.blocks());
            let mut block = vec![0; BLOCK.min(self.bytes)];
            for from in (0..self.bytes).step_by(BLOCK) {
                let block = &mut block[..BLOCK.min(self.bytes - from)];
                fill(from, block);
                sums.push(crc32fast::hash(block));
                file.write_all(block)?;
            }
            file.rewind()?;
            file.write_all(&self.to_bytes(&sums))
        });
        Ok(written?)
    }
}

/// Which level a file says that it is.
pub(super) fn identify(path: &Path) -> Result<(Variant, u8), FileError> {
    let read = |source| FileError::Read { path: path.to_owned(), source };
    let mut start = Vec::new();
    files::open(path).and_then(|file| file.take(FIXED as u64).read_to_end(&mut start)).map_err(read)?;
    let name = start.get(12..12 + NAME).map(String::from_utf8_lossy).unwrap_or_default();
    match name.trim_end_matches('\0').parse() {
        Ok(variant) if start.starts_with(MAGIC) => Ok((variant, start[11])),
        _ => Err(read(io::Error::other("it is no file of endgames"))),
    }
}

/// Bytes of a head with so many worths, rare boards and blocks.
fn head_length(worths: usize, rare: usize, blocks: usize) -> usize {
    FIXED + 2 * worths + RARE * rare + 4 * blocks + 4
}

/// Which file a reader wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub kind: Kind,
    pub variant: Variant,
    pub seeds: u8,
    /// Bytes of the values.
    pub bytes: usize,
    /// Whether the values are codes of worths.
    pub coded: bool,
}

impl Wanted {
    /// Maps a file, after checking all of it.
    pub fn map(&self, path: &Path, threads: usize) -> Result<(Head, Mmap, usize), FileError> {
        let read = |source| FileError::Read { path: path.to_owned(), source };
        let (variant, seeds) = (self.variant, self.seeds);
        let wrong = |fault| FileError::Fault { path: path.to_owned(), fault, variant, seeds };
        let mut file = files::open(path).map_err(read)?;
        let (head, sums) = match self.head(&mut file).map_err(read)? {
            Ok(known) => known,
            Err(fault) => return Err(wrong(fault)),
        };
        // SAFETY: nobody changes such a file in place: they are only ever replaced by another, and whoever has the old
        // one mapped keeps it.
        #[expect(
            unsafe_code,
            reason = "a map is the only way to share the values between processes without reading them in"
        )]
        let map = unsafe { Mmap::map(&file) }.map_err(read)?;
        let start = head.start();
        let values = map.get(start..start + head.bytes).ok_or_else(|| {
            wrong(Fault::Length { found: map.len() as u64, expected: (start + head.bytes) as u64 })
        })?;
        if let Some(block) = first_broken(values, &sums, threads) {
            let byte = (start + block * BLOCK) as u64;
            return Err(wrong(Fault::Block { block: block + 1, blocks: sums.len(), byte }));
        }
        Ok((head, map, start))
    }

    /// The level of a file, mapped.
    pub fn level(&self, path: &Path, threads: usize) -> Result<Level, FileError> {
        let (head, map, start) = self.map(path, threads)?;
        if self.coded && !head.explains(&map[start..start + head.bytes]) {
            let (path, fault) = (path.to_owned(), Fault::Absurd("lacks the worth of a board"));
            return Err(FileError::Fault { path, fault, variant: self.variant, seeds: self.seeds });
        }
        Ok(Level { codes: Codes::Mapped(map, start), worths: head.worths, rare: head.rare })
    }

    /// The head of a file and the checksums of its blocks.
    fn head(&self, file: &mut File) -> io::Result<Result<(Head, Vec<u32>), Fault>> {
        let length = file.metadata()?.len();
        let mut bytes = Vec::new();
        file.take(FIXED as u64).read_to_end(&mut bytes)?;
        let short = |expected: u64| Fault::Length { found: length, expected };
        if bytes.get(..8) != Some(MAGIC) {
            return Ok(Err(Fault::Magic));
        }
        let Ok(fixed) = <[u8; FIXED]>::try_from(&bytes[..]) else { return Ok(Err(short(FIXED as u64))) };
        let number = |from: usize, size: usize| {
            fixed[from..from + size].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let found = number(8, 2) as u16;
        if found != VERSION {
            return Ok(Err(Fault::Version { found, known: VERSION }));
        }
        let (values, rare, worths) = (number(24, 8), number(32, 8), number(40, 4));
        let blocks = values.div_ceil(BLOCK as u64);
        // What a damaged header says may be anything.
        let parts = [2 * u128::from(worths), RARE as u128 * u128::from(rare), 4 * u128::from(blocks)];
        let head_length = parts.iter().sum::<u128>() + FIXED as u128 + 4;
        if head_length > u128::from(length) {
            return Ok(Err(short(head_length.min(u128::from(u64::MAX)) as u64)));
        }
        file.take(head_length as u64 - FIXED as u64).read_to_end(&mut bytes)?;
        let Some((told, found)) = bytes.split_last_chunk() else { return Ok(Err(short(head_length as u64))) };
        let (expected, found) = (crc32fast::hash(told), u32::from_le_bytes(*found));
        if found != expected || bytes.len() as u128 != head_length {
            return Ok(Err(Fault::Header { found, expected }));
        }
        if number(44, 4) != BLOCK as u64 {
            return Ok(Err(Fault::Absurd("has blocks of another size")));
        }
        let name = String::from_utf8_lossy(&fixed[12..12 + NAME]).trim_end_matches('\0').to_owned();
        let kind = if fixed[10] == Kind::Whole as u8 { "" } else { "a part of " };
        let found = format!("{kind}{} with {} seeds", name.escape_debug(), fixed[11]);
        if (self.kind as u8, self.seeds, self.variant.name()) != (fixed[10], fixed[11], &name) {
            return Ok(Err(Fault::Other { found }));
        }
        Ok(self.believe(&bytes, values, worths as usize, rare as usize, length))
    }

    /// What a header says whose bytes are those that were written.
    fn believe(
        &self,
        bytes: &[u8],
        values: u64,
        worths: usize,
        rare: usize,
        length: u64,
    ) -> Result<(Head, Vec<u32>), Fault> {
        if values != self.bytes as u64 {
            return Err(Fault::Absurd("has another number of boards than the level"));
        }
        let (words, rest) = bytes[FIXED..].split_at(2 * worths);
        let (list, sums) = rest.split_at(RARE * rare);
        let word = |bytes: &[u8]| Worth([bytes[0], bytes[1]]);
        let sum = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let head = Head {
            kind: self.kind,
            variant: self.variant,
            seeds: self.seeds,
            bytes: self.bytes,
            worths: words.chunks_exact(2).map(word).collect(),
            rare: list
                .chunks_exact(RARE)
                .map(|entry| {
                    (u64::from_le_bytes(entry[..8].try_into().expect("eight bytes")), word(&entry[8..]))
                })
                .collect(),
        };
        if head.worths.is_empty() == self.coded || head.worths.len() > 256 {
            return Err(Fault::Absurd("has a table of worths that fits no level of the rule set"));
        }
        let expected = (head.start() + head.bytes) as u64;
        if length != expected {
            return Err(Fault::Length { found: length, expected });
        }
        Ok((head, sums[..sums.len() - 4].chunks_exact(4).map(sum).collect()))
    }
}

/// The first block that does not have its checksum.
fn first_broken(values: &[u8], sums: &[u32], threads: usize) -> Option<usize> {
    let broken = AtomicUsize::new(usize::MAX);
    let mut crew = Crew { threads, watch: &mut |_| false };
    let done = crew.share(Stage::default(), sums.len(), |block| {
        let from = block * BLOCK;
        if crc32fast::hash(&values[from..values.len().min(from + BLOCK)]) != sums[block] {
            broken.fetch_min(block, Relaxed);
        }
    });
    done.expect("nobody stops it");
    let broken = broken.into_inner();
    (broken != usize::MAX).then_some(broken)
}
