//! The file of a packed level, and its values as they are probed.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `KROO-PAK` |
//! | 2 | version of the format, 1 |
//! | 2, 2, 2 | values of a line and lines of a tile, 64 and 16; 0 |
//! | 8 | bytes of the plain file |
//! | 8 | bytes of its header |
//! | 8 | bytes of the tables |
//! | 8 | tiles |
//! | 8 | bytes of all tiles |
//! | | the header of the plain file, as it is there (`file.rs`) |
//! | | the tables of the coder (`context_coder.rs`) |
//! | 8 each | where each 64th tile begins among the tiles |
//! | 2 each | bytes of each tile |
//! | 4 | CRC-32 of everything before |
//! | | the tiles (`tiling.rs`): for each the CRC-32 of its code, and the code |
//!
//! Numbers are little-endian. A tile is unpacked by itself when one of its values is first read, and kept in a cache
//! (`tile_cache.rs`). One that does not have its checksum loses the whole file.

use super::context_coder::{Counts, HEIGHT, TILE, Tables, Tile, WIDTH};
use super::error::{EndgameFileError, EndgameFormatError};
use super::file::{Header, LevelFile, PACKED_FIXED as FIXED};
use super::level_map::LevelMap;
use super::tile_cache::TileCache;
use super::tiling::Tiling;
use crate::files;
use once_cell::sync::OnceCell;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"KROO-PAK";
const VERSION: u16 = 1;
/// Tiles between two whose places stand in the file.
const GROUP: usize = 64;
/// Bytes of the checksum of a tile.
const SUM: usize = 4;

/// The values of a level in a packed file.
#[derive(Debug)]
pub(super) struct PackedValues {
    map: LevelMap,
    layout: Layout,
    bytes: usize,
    tiling: Tiling,
    tables: OnceCell<Option<Tables>>,
    cache: TileCache,
}

/// Where the parts of a file begin.
#[derive(Clone, Copy, Debug)]
struct Layout {
    tables: usize,
    groups: usize,
    lengths: usize,
    sum: usize,
    tiles: usize,
    end: usize,
}

impl Layout {
    fn new(header: u64, tables: u64, tiles: u64, body: u64) -> Option<Layout> {
        let mut at = FIXED as u64;
        let mut next = |bytes: Option<u64>| {
            at = at.checked_add(bytes?)?;
            usize::try_from(at).ok()
        };
        Some(Layout {
            tables: next(Some(header))?,
            groups: next(Some(tables))?,
            lengths: next(tiles.div_ceil(GROUP as u64).checked_mul(8))?,
            sum: next(tiles.checked_mul(2))?,
            tiles: next(Some(SUM as u64))?,
            end: next(Some(body))?,
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
        let [plain, header, tables, tiles, body] =
            std::array::from_fn(|index| number(&fixed[16 + 8 * index..][..8]));
        let layout = Layout::new(header, tables, tiles, body).ok_or_else(|| short(usize::MAX))?;
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
        if size != [WIDTH as u64, HEIGHT as u64, 0] || tiles != tiling.tiles() as u64 {
            return Err(wrong(EndgameFormatError::Inconsistent("has blocks of another size")));
        }
        let known = level.header(&mut &map[FIXED..layout.tables], plain).map_err(read)?;
        let (header, _) = known.map_err(wrong)?;
        let cache = TileCache::new(tiling.tiles());
        Ok((header, PackedValues { map, layout, bytes: level.bytes, tiling, tables: OnceCell::new(), cache }))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// The value with an index; any if the file turns out to be damaged.
    #[inline]
    pub fn value(&self, index: usize) -> u8 {
        let (tile, place) = self.tiling.locate(index);
        self.cache.get(tile, place).unwrap_or_else(|| self.unpacked(tile).values[place])
    }

    /// A tile that is not in the cache, or not any more.
    #[cold]
    fn unpacked(&self, tile: usize) -> Tile {
        match self.unpack(tile) {
            Some(unpacked) => {
                self.cache.put(tile, &unpacked.values);
                unpacked
            }
            None => {
                let byte = self.place(tile).map_or(self.layout.tiles, |place| place.0) as u64;
                let blocks = self.tiling.tiles();
                self.map.lose_for(EndgameFormatError::Block { block: tile + 1, blocks, byte });
                Tile { values: [0; TILE], width: WIDTH, height: HEIGHT }
            }
        }
    }

    /// Where a tile begins and ends in the file.
    fn place(&self, tile: usize) -> Option<(usize, usize)> {
        let group = &self.map[self.layout.groups + tile / GROUP * 8..][..8];
        let length = |tile: usize| number(&self.map[self.layout.lengths + 2 * tile..][..2]) as usize;
        let before: usize = (tile / GROUP * GROUP..tile).map(length).sum();
        let from =
            usize::try_from(number(group)).ok()?.checked_add(before)?.checked_add(self.layout.tiles)?;
        Some((from, from.checked_add(length(tile))?))
    }

    fn unpack(&self, tile: usize) -> Option<Tile> {
        let tables = || Tables::from_bytes(&self.map[self.layout.tables..self.layout.groups]);
        let tables = self.tables.get_or_init(tables).as_ref()?;
        let (from, to) = self.place(tile)?;
        let (sum, code) = self.map.get(from..to)?.split_at_checked(SUM)?;
        let (width, height) = self.tiling.size(tile);
        (number(sum) as u32 == crc32fast::hash(code)).then(|| tables.decode(code, width, height))?
    }

    /// Calls a function with the values from an index on, one stretch after the other, until it fails.
    pub fn each_stretch<E>(&self, mut each: impl FnMut(usize, &[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut values = Vec::new();
        for strip in self.tiling.strips() {
            values.resize(strip.indices.len(), 0);
            for (right, tile) in strip.tiles.clone().enumerate() {
                let unpacked = self.unpack(tile).unwrap_or_else(|| self.unpacked(tile));
                if self.is_lost() {
                    break;
                }
                strip.paste(right, &unpacked, &mut values);
            }
            each(strip.indices.start, &values)?;
        }
        Ok(())
    }

    /// Checks all tiles. `means_something` says of values, from an index on, whether they can be those of the level.
    pub fn check_all(&self, means_something: impl Fn(usize, &[u8]) -> bool) -> Result<(), EndgameFileError> {
        let sound =
            self.each_stretch(|from, values| if means_something(from, values) { Ok(()) } else { Err(()) });
        if sound.is_err() {
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
    values: &[u8],
    tiling: &Tiling,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<bool, EndgameFileError> {
    let mut occurs = [false; 256];
    values.iter().for_each(|&value| occurs[usize::from(value)] = true);
    let mut counts = Counts::new((0..=u8::MAX).filter(|&value| occurs[usize::from(value)]).collect());
    let part = |index: usize| index as f64 / (2 * values.len()) as f64;
    for strip in tiling.strips() {
        strip.cut(&values[strip.indices.clone()]).for_each(|tile| counts.add(&tile));
        if watch(part(strip.indices.end)) {
            return Ok(false);
        }
    }
    let coder = counts.tables();
    let tables = coder.to_bytes();
    let mut stopped = false;
    let written = files::replace_with(path, |file| {
        let layout = Layout::new(header.len() as u64, tables.len() as u64, tiling.tiles() as u64, 0);
        let body = layout.expect("a file that fits on a disk").tiles as u64;
        file.seek(SeekFrom::Start(body))?;
        let (mut groups, mut lengths, mut end) = (Vec::new(), Vec::new(), 0);
        for strip in tiling.strips() {
            let mut bytes = Vec::new();
            for (tile, number) in strip.cut(&values[strip.indices.clone()]).zip(strip.tiles.clone()) {
                let code = coder.encode(&tile).expect("all its values were counted");
                if number % GROUP == 0 {
                    groups.extend((end + bytes.len() as u64).to_le_bytes());
                }
                lengths.extend(((SUM + code.len()) as u16).to_le_bytes());
                bytes.extend(crc32fast::hash(&code).to_le_bytes());
                bytes.extend(code);
            }
            file.write_all(&bytes)?;
            end += bytes.len() as u64;
            stopped = watch(0.5 + part(strip.indices.end));
            if stopped {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        let mut head = MAGIC.to_vec();
        for number in [VERSION, WIDTH as u16, HEIGHT as u16, 0] {
            head.extend(number.to_le_bytes());
        }
        for number in [plain, header.len() as u64, tables.len() as u64, tiling.tiles() as u64, end] {
            head.extend(number.to_le_bytes());
        }
        [header, &tables, &groups, &lengths].into_iter().for_each(|part| head.extend(part));
        head.extend(crc32fast::hash(&head).to_le_bytes());
        file.rewind()?;
        file.write_all(&head)
    });
    match written {
        Err(_) if stopped => Ok(false),
        written => Ok(written.map(|()| true)?),
    }
}
