//! The file of a packed database, and its values as they are probed.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `KROO-PAK` |
//! | 2 | version of the format, 4 |
//! | 2, 2, 2 | values of a line and lines of a tile, 64 and 32; tiles of a block, 8 |
//! | 8 | bytes of the plain file |
//! | 8 | bytes of its header |
//! | 8 | tiles |
//! | 8 | bytes of all tiles |
//! | | the header of the plain file, unchanged (`file.rs`) |
//! | 8 a block | where its first tile begins among the tiles |
//! | 2 a tile | where its nodes begin in its block; in the last block also of tiles that are not there |
//! | 1 a tile | its root |
//! | 4 a block | CRC-32 of its tiles |
//! | 4 | CRC-32 of everything before |
//! | | the tiles (`tile_coder.rs`), by number (`tiling.rs`) |
//! | 8 | zeros, checked when the file is opened |
//!
//! Numbers are little-endian; the parts of a block before the tiles are together, block after block. A value is read
//! from the map as it is; nothing is unpacked for it, and nothing kept. A block is checked when one of its values is first
//! read. One that does not have its checksum loses the whole file.

use super::checked_file::CheckedFile;
use super::error::{EndgameFileError, EndgameFormatError};
use super::file::{DatabaseFile, Header, PACKED_FIXED as FIXED, TOO_LONG};
use super::indexing::board_count;
use super::tile_coder::{self, BEHIND, Code, HEIGHT, WIDTH};
use super::tiling::{Place, Strip, Tiling};
use crate::files;
use std::path::Path;

pub const MAGIC: &[u8; 8] = b"KROO-PAK";
pub const VERSION: u16 = 4;
/// Tiles of a block, some 8 KiB: one checksum, one place.
pub const BLOCK: usize = 8;
/// Bytes of a block before the tiles.
const ENTRY: usize = 8 + 3 * BLOCK + SUM;
const SUM: usize = 4;

/// The values of a database in a packed file.
#[derive(Debug)]
pub struct PackedValues {
    pub file: CheckedFile,
    layout: Layout,
    bytes: usize,
    tiling: Tiling,
}

/// The offsets of the parts of a file.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    blocks: usize,
    sum: usize,
    pub tiles: usize,
    end: usize,
}

impl Layout {
    /// From the bytes of the header, the tiles, and the bytes of these.
    pub fn new(header: u64, tiles: u64, body: u64) -> Option<Layout> {
        let mut at = FIXED as u64;
        let mut next = |bytes: Option<u64>| {
            at = at.checked_add(bytes?)?;
            usize::try_from(at).ok()
        };
        Some(Layout {
            blocks: next(Some(header))?,
            sum: next(tiles.div_ceil(BLOCK as u64).checked_mul(ENTRY as u64))?,
            tiles: next(Some(SUM as u64))?,
            end: next(body.checked_add(BEHIND as u64))?,
        })
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl PackedValues {
    /// Maps a file with a sound header. Its tiles are checked when they are read.
    pub fn open(database: &DatabaseFile, path: &Path) -> Result<(Header, PackedValues), EndgameFileError> {
        let read = |source| EndgameFileError::Read { path: path.to_owned(), source };
        let (variant, seeds) = (database.variant, database.seeds);
        let wrong = |error| EndgameFileError::Format { path: path.to_owned(), error, variant, seeds };
        let file = files::open(path).map_err(read)?;
        let map = CheckedFile::new(file, path, (variant, seeds)).map_err(read)?;
        let short = |expected: usize| {
            wrong(EndgameFormatError::Length { found: map.len() as u64, expected: expected as u64 })
        };
        if map.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(wrong(EndgameFormatError::Packed));
        }
        let fixed = map.get(..FIXED).ok_or_else(|| short(FIXED))?;
        let found = number(&fixed[8..10]) as u16;
        if found != VERSION {
            return Err(wrong(EndgameFormatError::Version { found, known: VERSION }));
        }
        let [plain, header, tiles, body] = std::array::from_fn(|index| number(&fixed[16 + 8 * index..][..8]));
        let layout = Layout::new(header, tiles, body)
            .ok_or_else(|| wrong(EndgameFormatError::Inconsistent(TOO_LONG)))?;
        if layout.end != map.len() {
            return Err(short(layout.end));
        }
        let sum = &map[layout.sum..layout.tiles];
        let (found, expected) = (number(sum) as u32, crc32fast::hash(&map[..layout.sum]));
        if found != expected {
            return Err(wrong(EndgameFormatError::Header { found, expected }));
        }
        if map[map.len() - BEHIND..].iter().any(|&byte| byte != 0) {
            return Err(wrong(EndgameFormatError::Padding));
        }
        let size = [number(&fixed[10..12]), number(&fixed[12..14]), number(&fixed[14..16])];
        let tiling = Tiling::new(seeds, database.bytes / board_count(seeds));
        if size != [WIDTH, HEIGHT, BLOCK].map(|size| size as u64) || tiles != tiling.tiles() as u64 {
            return Err(wrong(EndgameFormatError::Inconsistent("has blocks of another size")));
        }
        let known = database.header(&mut &map[FIXED..layout.blocks], plain).map_err(read)?;
        let (header, _) = known.map_err(wrong)?;
        let file = map.with_blocks(tiling.tiles().div_ceil(BLOCK));
        Ok((header, PackedValues { file, layout, bytes: database.bytes, tiling }))
    }

    #[expect(clippy::len_without_is_empty, reason = "a database has a value at least")]
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// The value with an index; any if the file turns out to be damaged.
    #[inline]
    pub fn value(&self, index: usize) -> u8 {
        let Place { tile, values, place } = self.tiling.locate(index);
        let read = self.tile(tile).and_then(|code| {
            tile_coder::fetch(code, values, place);
            tile_coder::value(code, values, place)
        });
        read.unwrap_or_else(|| self.lose_block(tile / BLOCK))
    }

    /// The values from an index on.
    pub fn copy(&self, from: usize, to: &mut [u8]) {
        (from..).zip(to).for_each(|(index, value)| *value = self.value(index));
    }

    #[inline]
    fn tile(&self, tile: usize) -> Option<Code<'_>> {
        let (block, number) = (tile / BLOCK, tile % BLOCK);
        if !self.file.is_checked(block) {
            self.check(block);
        }
        let entry = self.entry(block)?;
        let middle = entry[8..].as_chunks::<2>().0[number];
        let bytes = self.file.get(self.block_start(entry)?..)?;
        let middle = usize::from(u16::from_le_bytes(middle));
        Some(Code { bytes, middle, root: entry[8 + 2 * BLOCK + number] })
    }

    #[inline]
    fn entry_at(&self, block: usize) -> usize {
        self.layout.blocks + block * ENTRY
    }

    #[inline]
    fn entry(&self, block: usize) -> Option<&[u8; ENTRY]> {
        self.file.get(self.entry_at(block)..)?.first_chunk()
    }

    #[inline]
    fn block_start(&self, entry: &[u8; ENTRY]) -> Option<usize> {
        let start = u64::from_le_bytes(*entry.first_chunk()?);
        usize::try_from(start).ok()?.checked_add(self.layout.tiles)
    }

    #[cold]
    fn check(&self, block: usize) {
        self.file.check(block, || (!self.is_whole(block).unwrap_or(false)).then(|| self.broken(block)));
    }

    fn is_whole(&self, block: usize) -> Option<bool> {
        let entry = self.entry(block)?;
        let end = match block + 1 < self.file.blocks() {
            true => self.block_start(self.entry(block + 1)?)?,
            false => self.layout.end - BEHIND,
        };
        let tiles = self.file.get(self.block_start(entry)?..end)?;
        // The zeros at the end belong to the last one.
        let zeros = block + 1 < self.file.blocks() || self.file.get(end..)?.iter().all(|&byte| byte == 0);
        Some(zeros && crc32fast::hash(tiles) == number(&entry[ENTRY - SUM..]) as u32)
    }

    fn broken(&self, block: usize) -> EndgameFormatError {
        let start = self.entry(block).and_then(|entry| self.block_start(entry));
        self.file.broken(block, start.unwrap_or(self.layout.tiles))
    }

    /// Marks the file as unusable: a block is not as it was written.
    #[cold]
    fn lose_block(&self, block: usize) -> u8 {
        self.file.lose_for(self.broken(block));
        0
    }

    /// The strips of tiles.
    pub fn strips(&self) -> impl Iterator<Item = Strip> {
        self.tiling.strips()
    }

    /// The values of a strip of tiles.
    pub fn unpack(&self, strip: &Strip) -> Vec<u8> {
        let mut values = vec![0; strip.indices.len()];
        for (right, tile) in strip.tiles.clone().enumerate() {
            let mut unpacked = vec![0; strip.values_of(right)];
            if !self.tile(tile).is_some_and(|code| tile_coder::decode(code, &mut unpacked)) {
                self.lose_block(tile / BLOCK);
            }
            if self.file.is_lost() {
                break;
            }
            strip.paste(right, &unpacked, &mut values);
        }
        values
    }
}
