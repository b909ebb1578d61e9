//! The file of a packed level, and its values as they are probed.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `KROO-PAK` |
//! | 2 | version of the format, 2 |
//! | 2, 2, 2 | values of a line and lines of a tile, 64 and 32; tiles of a block, 8 |
//! | 8 | bytes of the plain file |
//! | 8 | bytes of its header |
//! | 8 | tiles |
//! | 8 | bytes of all tiles |
//! | | the header of the plain file, as it is there (`file.rs`) |
//! | 8 a block | where its first tile begins among the tiles |
//! | 2 a tile | where its nodes begin in its block; in the last block also of tiles that are not there |
//! | 1 a tile | its root |
//! | 4 a block | CRC-32 of its tiles |
//! | 4 | CRC-32 of everything before |
//! | | the tiles (`tile_coder.rs`), by number (`tiling.rs`) |
//! | 8 | zeros |
//!
//! Numbers are little-endian; what there is of a block before the tiles stands together, block after block. A value is read from
//! the map as it is; nothing is unpacked for it, and nothing kept. A block is checked when one of its values is first read. One
//! that does not have its checksum loses the whole file.

use super::error::{EndgameFileError, EndgameFormatError};
use super::file::{Header, LevelFile, PACKED_FIXED as FIXED};
use super::level_map::LevelMap;
use super::thread_pool::{BuildStatus, ThreadPool};
use super::tile_coder::{self, BEHIND, Code, HEIGHT, NewCode, WIDTH};
use super::tiling::{Place, Strip, Tiling};
use crate::files;
use once_cell::sync::OnceCell;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const MAGIC: &[u8; 8] = b"KROO-PAK";
const VERSION: u16 = 2;
/// Tiles of a block, some 8 KiB: one checksum, one place.
const BLOCK: usize = 8;
/// Bytes of a block before the tiles.
const ENTRY: usize = 8 + 3 * BLOCK + SUM;
/// Bytes of a checksum.
const SUM: usize = 4;
/// Values that are packed before they are written.
const AT_ONCE: usize = 16 << 20;
/// Bits that count for a value that is not in the root of its tile, where values are gains. `kalah` reads more of them, and they need
/// fewer bits than thresholds.
pub(super) const ESCAPE_BITS: u32 = 2;

/// The values of a level in a packed file.
#[derive(Debug)]
pub(super) struct PackedValues {
    map: LevelMap,
    layout: Layout,
    bytes: usize,
    tiling: Tiling,
    /// By block: it has been looked at, and if it is broken, the file is lost.
    checked: Box<[AtomicBool]>,
}

/// Where the parts of a file begin.
#[derive(Clone, Copy, Debug)]
struct Layout {
    blocks: usize,
    sum: usize,
    tiles: usize,
    end: usize,
}

impl Layout {
    fn new(header: u64, tiles: u64, body: u64) -> Option<Layout> {
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
    /// Maps a file whose header is sound. Its tiles are checked when they are read.
    pub fn open(level: &LevelFile, path: &Path) -> Result<(Header, PackedValues), EndgameFileError> {
        let read = |source| EndgameFileError::Read { path: path.to_owned(), source };
        let (variant, seeds) = (level.variant, level.seeds);
        let wrong = |error| EndgameFileError::Format { path: path.to_owned(), error, variant, seeds };
        let file = files::open(path).map_err(read)?;
        let map = LevelMap::new(file, path, (variant, seeds)).map_err(read)?;
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
        let layout = Layout::new(header, tiles, body).ok_or_else(|| short(usize::MAX))?;
        if layout.end != map.len() {
            return Err(short(layout.end));
        }
        let sum = &map[layout.sum..layout.tiles];
        let (found, expected) = (number(sum) as u32, crc32fast::hash(&map[..layout.sum]));
        if found != expected {
            return Err(wrong(EndgameFormatError::Header { found, expected }));
        }
        let size = [number(&fixed[10..12]), number(&fixed[12..14]), number(&fixed[14..16])];
        let tiling = Tiling::new(seeds, level.bytes / super::indexing::board_count(seeds));
        if size != [WIDTH, HEIGHT, BLOCK].map(|size| size as u64) || tiles != tiling.tiles() as u64 {
            return Err(wrong(EndgameFormatError::Inconsistent("has blocks of another size")));
        }
        let known = level.header(&mut &map[FIXED..layout.blocks], plain).map_err(read)?;
        let (header, _) = known.map_err(wrong)?;
        let checked = (0..tiling.tiles().div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect();
        Ok((header, PackedValues { map, layout, bytes: level.bytes, tiling, checked }))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// The value with an index; any if the file turns out to be damaged.
    #[inline]
    pub fn value(&self, index: usize) -> u8 {
        let Place { tile, values, place } = self.tiling.locate(index);
        let read = self.tile(tile).and_then(|code| tile_coder::value(code, values, place));
        read.unwrap_or_else(|| self.lose_block(tile / BLOCK))
    }

    /// The code of a tile.
    #[inline]
    fn tile(&self, tile: usize) -> Option<Code<'_>> {
        let (block, number) = (tile / BLOCK, tile % BLOCK);
        // Who sees that it is checked also sees whether the file is lost.
        if !self.checked[block].load(Ordering::Acquire) {
            self.check(block);
        }
        let entry = self.entry(block)?;
        let middle = entry[8..].as_chunks::<2>().0[number];
        let bytes = self.map.get(self.block_start(entry)?..)?;
        Some(Code {
            bytes,
            middle: usize::from(u16::from_le_bytes(middle)),
            root: entry[8 + 2 * BLOCK + number],
        })
    }

    #[inline]
    fn entry(&self, block: usize) -> Option<&[u8; ENTRY]> {
        self.map.get(self.layout.blocks + block * ENTRY..)?.first_chunk()
    }

    #[inline]
    fn block_start(&self, entry: &[u8; ENTRY]) -> Option<usize> {
        let start = u64::from_le_bytes(*entry.first_chunk()?);
        usize::try_from(start).ok()?.checked_add(self.layout.tiles)
    }

    /// Checks a block, unless it has been.
    #[cold]
    fn check(&self, block: usize) {
        if !self.is_whole(block).unwrap_or(false) {
            self.lose_block(block);
        }
        self.checked[block].store(true, Ordering::Release);
    }

    fn is_whole(&self, block: usize) -> Option<bool> {
        let entry = self.entry(block)?;
        let end = match block + 1 < self.checked.len() {
            true => self.block_start(self.entry(block + 1)?)?,
            false => self.layout.end - BEHIND,
        };
        let tiles = self.map.get(self.block_start(entry)?..end)?;
        Some(crc32fast::hash(tiles) == number(&entry[ENTRY - SUM..]) as u32)
    }

    /// Nothing of the file counts any more, since a block is not what was written.
    #[cold]
    fn lose_block(&self, block: usize) -> u8 {
        let byte =
            self.entry(block).and_then(|entry| self.block_start(entry)).unwrap_or(self.layout.tiles) as u64;
        self.map.lose_for(EndgameFormatError::Block { block: block + 1, blocks: self.checked.len(), byte });
        0
    }

    /// The values of a strip of tiles.
    fn unpack(&self, strip: &Strip) -> Vec<u8> {
        let mut values = vec![0; strip.indices.len()];
        for (right, tile) in strip.tiles.clone().enumerate() {
            let mut unpacked = vec![0; strip.values_of(right)];
            let is_sound = self.tile(tile).is_some_and(|code| tile_coder::decode(code, &mut unpacked));
            if !is_sound {
                self.lose_block(tile / BLOCK);
            }
            if self.is_lost() {
                break;
            }
            strip.paste(right, &unpacked, &mut values);
        }
        values
    }

    /// Calls a function with the values from an index on, one stretch after the other, until it fails.
    pub fn each_stretch<E>(&self, mut each: impl FnMut(usize, &[u8]) -> Result<(), E>) -> Result<(), E> {
        self.tiling.strips().try_for_each(|strip| each(strip.indices.start, &self.unpack(&strip)))
    }

    /// Whether a function says so of all values, from an index on, which it gets in stretches in no fixed order.
    pub fn all_stretches(&self, threads: usize, holds: impl Fn(usize, &[u8]) -> bool + Sync) -> bool {
        let strips: Vec<Strip> = self.tiling.strips().collect();
        let failed = AtomicBool::new(false);
        let mut pool = ThreadPool { threads, watch: &mut |_| failed.load(Ordering::Relaxed) };
        let _ = pool.run(BuildStatus::default(), strips.len(), |number| {
            let strip = &strips[number];
            if !failed.load(Ordering::Relaxed) && !holds(strip.indices.start, &self.unpack(strip)) {
                failed.store(true, Ordering::Relaxed);
            }
        });
        !failed.load(Ordering::Relaxed)
    }

    /// Checks all blocks. `means_something` says of values, from an index on, whether they can be those of the level.
    pub fn check_all(
        &self,
        threads: usize,
        means_something: impl Fn(usize, &[u8]) -> bool + Sync,
    ) -> Result<(), EndgameFileError> {
        let sound =
            self.all_stretches(threads, |from, values| !self.is_lost() && means_something(from, values));
        if !sound {
            self.map.lose_for(EndgameFormatError::Inconsistent("lacks the thresholds of a board"));
        }
        self.map.error().map_or(Ok(()), Err)
    }

    /// Whether what was read so far may be anything.
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.map.is_lost()
    }

    /// Nothing of the file counts any more.
    #[cold]
    pub fn lose(&self) {
        self.map.lose();
    }

    /// Why the file is not used any more, once, if it is not.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        self.map.take_lost()
    }
}

/// Writes the packed file of a level. Returns whether it is there; if not, it was stopped. `watch` is told which part is done.
pub(super) fn write_packed(
    path: &Path,
    (plain, header): (u64, &[u8]),
    (values, escape_bits): (&[u8], u32),
    tiling: &Tiling,
    threads: usize,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<bool, EndgameFileError> {
    let mut stopped = false;
    let written = files::replace_with(path, |file| {
        let layout = Layout::new(header.len() as u64, tiling.tiles() as u64, 0);
        file.seek(SeekFrom::Start(layout.expect("a file that fits on a disk").tiles as u64))?;
        let (mut blocks, mut bytes) = (Blocks::default(), Vec::new());
        let mut strips = tiling.strips().peekable();
        while let Some(first) = strips.next() {
            let from = first.indices.start;
            let mut batch = vec![first];
            while let Some(next) = strips.next_if(|next| next.indices.end - from <= AT_ONCE) {
                batch.push(next);
            }
            let packed: Vec<OnceCell<Vec<NewCode>>> = vec![OnceCell::new(); batch.len()];
            let part = |fraction: f64| (from as f64 + fraction * AT_ONCE as f64) / values.len() as f64;
            let watch = &mut |status: BuildStatus| watch(part(status.fraction).min(1.0));
            let done = ThreadPool { threads, watch }.run(BuildStatus::default(), batch.len(), |number| {
                let strip = &batch[number];
                let values = &values[strip.indices.clone()];
                let tiles = (0..strip.tiles.len())
                    .map(|right| tile_coder::encode(&strip.cut(right, values), escape_bits));
                let _ = packed[number].set(tiles.collect());
            });
            stopped = done.is_err();
            if stopped {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let tiles: Vec<NewCode> = packed.into_iter().filter_map(OnceCell::into_inner).flatten().collect();
            for tile in tiles {
                blocks.add(&tile);
                bytes.extend(tile.bytes);
            }
            file.write_all(&bytes)?;
            bytes.clear();
        }
        file.write_all(&[0; BEHIND])?;
        let (entries, body) = blocks.finish();
        let head = head(header, &entries, [plain, header.len() as u64, tiling.tiles() as u64, body]);
        file.rewind()?;
        file.write_all(&head)
    });
    match written {
        Err(_) if stopped => Ok(false),
        written => Ok(written.map(|()| true)?),
    }
}

/// What stands before the tiles: with the header of the plain file, the entries of the blocks, and the numbers behind the sizes.
fn head(header: &[u8], entries: &[u8], numbers: [u64; 4]) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in [VERSION, WIDTH as u16, HEIGHT as u16, BLOCK as u16] {
        head.extend(number.to_le_bytes());
    }
    numbers.into_iter().for_each(|number| head.extend(number.to_le_bytes()));
    [header, entries].into_iter().for_each(|part| head.extend(part));
    head.extend(crc32fast::hash(&head).to_le_bytes());
    head
}

/// What stands of the blocks before the tiles.
#[derive(Default)]
struct Blocks {
    entries: Vec<u8>,
    /// Bytes of all tiles, and of those of the last block.
    body: u64,
    block: usize,
    /// Of the last block.
    middles: Vec<u16>,
    roots: Vec<u8>,
    sum: crc32fast::Hasher,
}

impl Blocks {
    fn add(&mut self, tile: &NewCode) {
        if self.roots.len() == BLOCK {
            self.end_block();
        }
        if self.roots.is_empty() {
            self.entries.extend(self.body.to_le_bytes());
        }
        self.middles.push((self.block + tile.middle) as u16);
        self.roots.push(tile.root);
        self.sum.update(&tile.bytes);
        self.body += tile.bytes.len() as u64;
        self.block += tile.bytes.len();
    }

    fn end_block(&mut self) {
        self.middles.resize(BLOCK, 0);
        self.roots.resize(BLOCK, 0);
        self.middles.drain(..).for_each(|middle| self.entries.extend(middle.to_le_bytes()));
        self.entries.append(&mut self.roots);
        self.entries.extend(std::mem::take(&mut self.sum).finalize().to_le_bytes());
        self.block = 0;
    }

    /// The entries, and the bytes of all tiles.
    fn finish(mut self) -> (Vec<u8>, u64) {
        self.end_block();
        (self.entries, self.body)
    }
}
