//! Writes the file of a packed database ([`packed_values`](kroo_core::endgames::probe::packed_values) has the format).
//!
//! The tiles of each batch of values are a record of an unfinished file, from which an interrupted run resumes
//! ([`files::records`]). The packed file is made of the complete set.
//!
//! | bytes a tile | of a record |
//! |---|---|
//! | 2, 2 | its length; where its nodes begin |
//! | 1 | its root |
//! | | its code |

use super::tile_encoder::{NewCode, encode};
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::packed_values::{BLOCK, Layout, MAGIC, VERSION};
use kroo_core::endgames::probe::tile_coder::{BEHIND, HEIGHT, WIDTH};
use kroo_core::endgames::probe::tiling::{Strip, Tiling};
use kroo_core::files;
use kroo_core::files::records::{Origin, RecordFile, RecordReader, partial_path};
use kroo_core::game::Variant;
use kroo_core::thread_pool::ThreadPool;
use once_cell::sync::OnceCell;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Values of a batch.
const BATCH: usize = 16 << 20;
/// Bits that count for a value that is not in the root of its tile, where values are gains. `kalah` reads more of them, and
/// they need fewer bits than thresholds.
const ESCAPE_BITS: u32 = 2;
/// The format of the unfinished file, and its version.
const FORMAT: (&str, u32) = ("packed tiles", 1);

#[derive(Clone, Copy, Debug)]
pub(super) struct ValuesToPack<'a> {
    pub variant: Variant,
    pub seeds: u8,
    pub bytes: &'a [u8],
    /// Whether they are gains, not codes of thresholds.
    pub are_gains: bool,
}

impl ValuesToPack<'_> {
    /// The origin of the tiles. The header of the plain file has the checksums of all values.
    fn origin(&self, header: &[u8]) -> Origin {
        let origin = Origin::new(FORMAT.0, FORMAT.1).with("rule set", self.variant).with("seeds", self.seeds);
        origin.with("plain file", format!("{:08x}", crc32fast::hash(header)))
    }

    /// The tiles of a strip.
    fn pack(&self, strip: &Strip) -> Vec<NewCode> {
        let values = &self.bytes[strip.indices.clone()];
        let escape_bits = if self.are_gains { ESCAPE_BITS } else { 0 };
        (0..strip.tiles.len()).map(|right| encode(&strip.cut(right, values), escape_bits)).collect()
    }
}

/// Writes the packed file of a database, or the rest of it after an interrupted run. Returns false if it was stopped. Calls
/// `watch` with the part that is done.
pub(super) fn write_packed(
    path: &Path,
    (plain, header): (u64, &[u8]),
    values: ValuesToPack<'_>,
    tiling: &Tiling,
    threads: &ThreadPool,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<bool, EndgameFileError> {
    let Some(mut made) = make_tiles(path, header, values, tiling, threads, watch)? else { return Ok(false) };
    let mut stopped = false;
    let written = files::replace_with(path, |file| {
        let layout = Layout::new(header.len() as u64, tiling.tiles() as u64, 0);
        file.seek(SeekFrom::Start(layout.expect("a file that fits on a disk").tiles as u64))?;
        let mut blocks = Blocks::default();
        made.read_all(|record| {
            stopped = watch(1.0);
            if stopped {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let mut bytes = Vec::with_capacity(record.len());
            each_tile(record, |tile| {
                blocks.add(&tile);
                bytes.extend(tile.bytes);
            });
            file.write_all(&bytes)
        })?;
        file.write_all(&[0; BEHIND])?;
        let (entries, body) = blocks.finish();
        let numbers = [plain, header.len() as u64, tiling.tiles() as u64, body];
        file.rewind()?;
        file.write_all(&head([header, &entries], numbers))
    });
    if stopped {
        return Ok(false);
    }
    written?;
    made.remove();
    Ok(true)
}

/// The records of all tiles of a database. `None` if it was stopped.
fn make_tiles(
    path: &Path,
    header: &[u8],
    values: ValuesToPack<'_>,
    tiling: &Tiling,
    threads: &ThreadPool,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Option<RecordFile>, EndgameFileError> {
    let batches = batches(tiling);
    let origin = values.origin(header);
    remove_unfinished(path, |of| *of != origin);
    let mut expected = batches.iter().map(|batch| batch.iter().map(|strip| strip.tiles.len()).sum());
    let mut made = RecordFile::open(&partial_path(path), &origin, |record| {
        expected.next().is_some_and(|tiles: usize| each_tile(record, |_| ()) == Some(tiles))
    })?;
    for batch in &batches[made.records() as usize..] {
        let packed: Vec<OnceCell<Vec<NewCode>>> = vec![OnceCell::new(); batch.len()];
        let (from, all) = (batch[0].indices.start as f64, values.bytes.len() as f64);
        let part = |fraction: f64| ((from + fraction * BATCH as f64) / all).min(1.0);
        let pack = |number: usize| {
            let _ = packed[number].set(values.pack(&batch[number]));
        };
        if threads.run(batch.len(), pack, |fraction| watch(part(fraction))).is_err() {
            return Ok(None);
        }
        let mut record = Vec::new();
        let tiles = packed.into_iter().filter_map(OnceCell::into_inner).flatten();
        tiles.for_each(|tile| add(&mut record, &tile));
        made.append(&record)?;
    }
    Ok(Some(made))
}

/// Removes the unfinished file of a packed one if it is of use to no run, by its origin. Leaves a foreign file of that name alone.
pub(super) fn remove_unfinished(path: &Path, is_useless: impl Fn(&Origin) -> bool) {
    let partial = partial_path(path);
    let found = |file: File| RecordReader::new(&partial, &file, FORMAT).is_ok_and(|(of, _)| is_useless(&of));
    if files::open(&partial).is_ok_and(found) {
        // A failure here is harmless.
        let _ = fs::remove_file(&partial);
    }
}

/// The strips of tiles, in batches.
fn batches(tiling: &Tiling) -> Vec<Vec<Strip>> {
    let mut batches: Vec<Vec<Strip>> = Vec::new();
    for strip in tiling.strips() {
        match batches.last_mut() {
            Some(batch) if strip.indices.end - batch[0].indices.start <= BATCH => batch.push(strip),
            _ => batches.push(vec![strip]),
        }
    }
    batches
}

fn add(record: &mut Vec<u8>, tile: &NewCode) {
    record.extend((tile.bytes.len() as u16).to_le_bytes());
    record.extend((tile.middle as u16).to_le_bytes());
    record.push(tile.root);
    record.extend(&tile.bytes);
}

/// Calls a function with each tile of a record. Returns their number; none if the record does not end with a tile.
fn each_tile(mut record: &[u8], mut each: impl FnMut(NewCode)) -> Option<usize> {
    let mut tiles = 0;
    while let [a, b, c, d, root, rest @ ..] = record {
        let (bytes, rest) = rest.split_at_checked(u16::from_le_bytes([*a, *b]).into())?;
        each(NewCode { bytes: bytes.to_vec(), middle: u16::from_le_bytes([*c, *d]).into(), root: *root });
        (record, tiles) = (rest, tiles + 1);
    }
    record.is_empty().then_some(tiles)
}

/// The bytes before the tiles: with the header of the plain file, the entries of the blocks, and the numbers behind the sizes.
fn head([header, entries]: [&[u8]; 2], numbers: [u64; 4]) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in [VERSION, WIDTH as u16, HEIGHT as u16, BLOCK as u16] {
        head.extend(number.to_le_bytes());
    }
    numbers.into_iter().for_each(|number| head.extend(number.to_le_bytes()));
    [header, entries].into_iter().for_each(|part| head.extend(part));
    head.extend(crc32fast::hash(&head).to_le_bytes());
    head
}

/// The blocks' part of the bytes before the tiles.
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
