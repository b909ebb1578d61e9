//! Writes the file of a packed database ([`packed_values`](kroo_core::endgames::probe::packed_values) has the format).

use super::prediction_training::{Effort, Packer, train};
use super::tile_encoder::{NewCode, Style, encode};
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::packed_values::{BLOCK, Layout, MAGIC, VERSION};
use kroo_core::endgames::probe::prediction::StripRows;
use kroo_core::endgames::probe::tile_coder::{BEHIND, HEIGHT, WIDTH};
use kroo_core::endgames::probe::tiling::{Strip, Tiling};
use kroo_core::files;
use kroo_core::thread_pool::ThreadPool;
use once_cell::sync::OnceCell;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Values that are packed before they are written.
const AT_ONCE: usize = 16 << 20;
/// Bits that count for a value that is not in the root of its tile, where values are gains. `kalah` reads more of them, and
/// they need fewer bits than thresholds.
const ESCAPE_BITS: u32 = 2;

/// The values of a database, and how they are to be coded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValuesToPack<'a> {
    pub seeds: u8,
    pub bytes: &'a [u8],
    /// By value, a number of seeds that is the larger the worse the value is. None if values are gains.
    pub targets: Option<&'a [u8]>,
}

/// A tile as it is made, and its profile.
type NewTile = (u8, NewCode);

impl ValuesToPack<'_> {
    /// The tiles of a strip.
    fn pack(&self, strip: &Strip, packer: Option<&Packer>) -> Vec<NewTile> {
        let values = &self.bytes[strip.indices.clone()];
        let tiles = (0..strip.tiles.len()).map(|right| strip.cut(right, values));
        match packer {
            None => {
                let escape_bits = if self.targets.is_none() { ESCAPE_BITS } else { 0 };
                tiles.map(|tile| (0, encode(&tile, Style { escape_bits, palette: true }))).collect()
            }
            Some(packer) => {
                let rows = StripRows::new(strip, self.seeds);
                let style = Style { escape_bits: 0, palette: false };
                let places = |(right, tile): (usize, Vec<u8>)| packer.places(&rows, strip, right, &tile);
                let code = |(profile, places): (u8, Vec<u8>)| (profile, encode(&places, style));
                tiles.enumerate().map(places).map(code).collect()
            }
        }
    }
}

/// Writes the packed file of a database. Returns whether it is there; if not, it was stopped. Calls `watch` with the part that
/// is done.
pub(super) fn write_packed(
    path: &Path,
    (plain, header): (u64, &[u8]),
    values: ValuesToPack<'_>,
    tiling: &Tiling,
    threads: &ThreadPool,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<bool, EndgameFileError> {
    let learned = values.targets.map_or(Ok(None), |targets| {
        train(values.bytes, tiling, (values.seeds, targets), Effort::FULL, &mut || watch(0.0))
    });
    let Ok(packer) = learned else { return Ok(false) };
    let prediction = packer.as_ref().map(|packer| packer.prediction.to_bytes()).unwrap_or_default();
    let mut stopped = false;
    let written = files::replace_with(path, |file| {
        let layout = Layout::new(header.len() as u64, prediction.len() as u64, tiling.tiles() as u64, 0);
        file.seek(SeekFrom::Start(layout.expect("a file that fits on a disk").tiles as u64))?;
        let (mut blocks, mut bytes) = (Blocks::default(), Vec::new());
        let mut strips = tiling.strips().peekable();
        while let Some(first) = strips.next() {
            let from = first.indices.start;
            let mut batch = vec![first];
            while let Some(next) = strips.next_if(|next| next.indices.end - from <= AT_ONCE) {
                batch.push(next);
            }
            let packed: Vec<OnceCell<Vec<NewTile>>> = vec![OnceCell::new(); batch.len()];
            let all = values.bytes.len() as f64;
            let part = |fraction: f64| (from as f64 + fraction * AT_ONCE as f64) / all;
            let pack = |number: usize| {
                let _ = packed[number].set(values.pack(&batch[number], packer.as_ref()));
            };
            let done = threads.run(batch.len(), pack, |fraction| watch(part(fraction).min(1.0)));
            stopped = done.is_err();
            if stopped {
                return Err(io::ErrorKind::Interrupted.into());
            }
            for (profile, tile) in packed.into_iter().filter_map(OnceCell::into_inner).flatten() {
                blocks.add(profile, &tile);
                bytes.extend(tile.bytes);
            }
            file.write_all(&bytes)?;
            bytes.clear();
        }
        file.write_all(&[0; BEHIND])?;
        let (entries, body) = blocks.finish();
        let numbers = [plain, header.len() as u64, tiling.tiles() as u64, body];
        file.rewind()?;
        file.write_all(&head([header, &prediction, &entries], numbers))
    });
    match written {
        Err(_) if stopped => Ok(false),
        written => Ok(written.map(|()| true)?),
    }
}

/// The bytes before the tiles: with the header of the plain file, the prediction, the entries of the blocks, and the numbers
/// behind the sizes.
fn head([header, prediction, entries]: [&[u8]; 3], numbers: [u64; 4]) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    for number in [VERSION, WIDTH as u16, HEIGHT as u16, BLOCK as u16] {
        head.extend(number.to_le_bytes());
    }
    numbers.into_iter().for_each(|number| head.extend(number.to_le_bytes()));
    let length = (prediction.len() as u32).to_le_bytes();
    [header, &length, prediction, entries].into_iter().for_each(|part| head.extend(part));
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
    profiles: Vec<u8>,
    sum: crc32fast::Hasher,
}

impl Blocks {
    fn add(&mut self, profile: u8, tile: &NewCode) {
        if self.roots.len() == BLOCK {
            self.end_block();
        }
        if self.roots.is_empty() {
            self.entries.extend(self.body.to_le_bytes());
        }
        self.middles.push((self.block + tile.middle) as u16);
        self.roots.push(tile.root);
        self.profiles.push(profile);
        self.sum.update(&tile.bytes);
        self.body += tile.bytes.len() as u64;
        self.block += tile.bytes.len();
    }

    fn end_block(&mut self) {
        self.middles.resize(BLOCK, 0);
        self.roots.resize(BLOCK, 0);
        self.profiles.resize(BLOCK, 0);
        self.middles.drain(..).for_each(|middle| self.entries.extend(middle.to_le_bytes()));
        self.entries.append(&mut self.roots);
        self.entries.extend(std::mem::take(&mut self.sum).finalize().to_le_bytes());
        self.entries.append(&mut self.profiles);
        self.block = 0;
    }

    /// The entries, and the bytes of all tiles.
    fn finish(mut self) -> (Vec<u8>, u64) {
        self.end_block();
        (self.entries, self.body)
    }
}
