//! Levels of rule sets in which play can go round in circles and a sowing is one lap: `awari` and `oware`.
//!
//! Every board begins with what a cycle is worth ([`unknown`]) and takes the best that its moves offer, in pass after
//! pass over the level, until nothing changes.
//!
//! # Forward, not backward
//! A pass costs little because it hardly leaves the cache: the boards of one mover's row read, for each of its pits,
//! one stretch of memory from one end to the other ([`super::moves`]), bytes are compared sixteen at a time, and 64
//! rows are turned round together to be written (the values lie by the other side's row). About 8.5 ns a look, on one
//! core. A backward step from a board that has changed reads four or five boards all over the level and has to
//! look at their moves again, on its own place in memory each. Rows whose moves lead to nothing that has changed are left
//! out: the 50 to 70 passes over a level of 12 to 14 seeds look at each board 27 to 33 times. Passes that go back and forth
//! look 34 to 41 times, because what a pass finds is then used half a pass later on average and not at once.
//!
//! Values are kept as the side sees them that moved there, so that reading them is enough. They are changed in place, by
//! several threads without order: whoever reads an old value reads again in the next pass, and the limit is the same.

use super::crew::{Crew, Stage, Stopped};
use super::moves::{CAPTURED, Tables};
use super::number::{Numbering, Rows, count};
use super::part::Part;
use super::worth::{Worth, captured, over, swept, unknown};
use super::{Below, Level};
use crate::game::{Board, Row, Rules};
use bytemuck::allocation::zeroed_vec;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

/// Rows of the mover that are done together, and boards that a mark of change stands for.
const WIDTH: usize = 64;
/// Rows of the other side that are done together.
const LENGTH: usize = 256;
/// No capture is worth this; it stands for a code that is no worth's.
const RARE: u16 = Worth::WORST.bits();

/// The level with so many seeds.
pub(super) fn level<R: Rules>(
    seeds: u8,
    below: Below<'_>,
    tables: &Tables,
    crew: &mut Crew<'_>,
    part: &mut Part,
) -> Result<Level, Stopped> {
    let mut area = Area::<R>::new(seeds, below, tables);
    let tiles = area.tiles();
    let stage = Stage { seeds, ..Stage::default() };
    let exits: Vec<AtomicU16> = zeroed_vec(count(seeds));
    crew.share(stage, tiles.len(), |index| area.begin(&tiles[index], &exits))?;
    area.exits = exits.into_iter().map(AtomicU16::into_inner).collect();
    if let Some(kept) = part.taken_up() {
        for (value, bytes) in area.values.iter().zip(kept.bytes().chunks_exact(2)) {
            value.store(u16::from_le_bytes([bytes[0], bytes[1]]), Relaxed);
        }
    }
    let fill = |from: usize, block: &mut [u8]| {
        for (bytes, value) in block.chunks_exact_mut(2).zip(&area.values[from / 2..]) {
            bytes.copy_from_slice(&value.load(Relaxed).to_le_bytes());
        }
    };
    for pass in 1.. {
        let before = area.changes.load(Relaxed);
        let stage = Stage { pass, looks: area.looks.load(Relaxed), ..stage };
        let done = crew.share(stage, tiles.len(), |index| area.improve(&tiles[index], pass as u16));
        if let Err(stopped) = done {
            part.keep(&fill);
            return Err(stopped);
        }
        if area.changes.load(Relaxed) == before {
            break;
        }
        part.keep_if_due(&fill);
    }
    // What is worked out needs only the values.
    area.exits = Vec::new();
    let worths = area.values.iter().map(|value| Worth::of_bits(value.load(Relaxed)).turned::<R>(seeds));
    Ok(Level::of_worths(worths))
}

/// Rows of the mover that are done together, all with as many seeds.
struct Tile {
    /// Seeds of the mover's rows.
    mover: u8,
    /// Seeds of the other side's.
    other: u8,
    /// The number of the first row.
    first: usize,
    len: usize,
}

/// A level in the making.
struct Area<'a, R> {
    seeds: u8,
    numbering: &'static Numbering,
    below: Below<'a>,
    tables: &'a Tables,
    /// What a capture is worth, by its seeds and by the code of the board that is left.
    captures: Vec<[u16; 256]>,
    /// By the number of a board: what it is worth to the side that moved there.
    values: Vec<AtomicU16>,
    /// By the number of a board: the best that moves out of the level offer, or what the end of the game is worth.
    exits: Vec<u16>,
    /// The last pass in which one of [`WIDTH`] boards with the same other row has changed.
    marks: Vec<AtomicU16>,
    /// Where the marks begin of the boards with so many seeds in the other row.
    first_mark: Vec<usize>,
    changes: AtomicU64,
    /// Boards that were looked at, each as often as it was.
    looks: AtomicU64,
    rules: PhantomData<R>,
}

/// A pair of bytes for each of the mover's rows and of the other side's.
type Block = [[u16; LENGTH]; WIDTH];

impl<'a, R: Rules> Area<'a, R> {
    fn new(seeds: u8, below: Below<'a>, tables: &'a Tables) -> Area<'a, R> {
        let numbering = Numbering::get();
        let mut first_mark = vec![0];
        for other in 0..=seeds {
            let rows = numbering.rows_with(other) * marks_a_row(numbering.rows_with(seeds - other));
            first_mark.push(first_mark[usize::from(other)] + rows);
        }
        let capture = |gain: u8| {
            let worths = below.worths(seeds - gain);
            std::array::from_fn(|code| {
                worths.get(code).map_or(RARE, |&rest| captured::<R>(seeds, gain, rest).bits())
            })
        };
        Area {
            seeds,
            numbering,
            below,
            tables,
            captures: std::iter::once([0; 256]).chain((1..=seeds).map(capture)).collect(),
            values: zeroed_vec(count(seeds)),
            exits: Vec::new(),
            marks: zeroed_vec(first_mark[usize::from(seeds) + 1]),
            first_mark,
            changes: AtomicU64::new(0),
            looks: AtomicU64::new(0),
            rules: PhantomData,
        }
    }

    fn tiles(&self) -> Vec<Tile> {
        let tiles = |mover| {
            let rows = self.numbering.rows_with(mover);
            let tile =
                move |first| Tile { mover, other: self.seeds - mover, first, len: WIDTH.min(rows - first) };
            (0..rows).step_by(WIDTH).map(tile)
        };
        (0..=self.seeds).flat_map(tiles).collect()
    }

    /// The number of the first board with this other row.
    #[inline]
    fn place(&self, other: u8, row: usize) -> usize {
        self.numbering.first(self.seeds, other) + row * self.numbering.rows_with(self.seeds - other)
    }

    /// The stretches of other rows that are done together.
    fn stretches(&self, tile: &Tile) -> impl Iterator<Item = Range<usize>> {
        let rows = self.numbering.rows_with(tile.other);
        (0..rows).step_by(LENGTH).map(move |from| from..rows.min(from + LENGTH))
    }

    /// The values before the first pass, and what moves out of the level offer.
    fn begin(&self, tile: &Tile, exits: &[AtomicU16]) {
        let start = unknown::<R>(self.seeds).turned::<R>(self.seeds).bits();
        let mut block: Box<Block> = Box::new([[0; LENGTH]; WIDTH]);
        let movers: Vec<Row> = Rows::with(tile.mover).skip(tile.first).take(tile.len).collect();
        for stretch in self.stretches(tile) {
            for (row, best) in block[..tile.len].iter_mut().enumerate() {
                best.fill(Worth::WORST.bits());
                self.captures(tile, tile.first + row, stretch.clone(), best);
            }
            let others = Rows::with(tile.other).skip(stretch.start);
            for (at, (other_row, other)) in stretch.zip(others).enumerate() {
                let place = self.place(tile.other, other_row) + tile.first;
                for (row, &mover) in movers.iter().enumerate() {
                    let ending = if mover.is_bare() || other.is_bare() {
                        R::ending(Board { mover, other })
                    } else {
                        None
                    };
                    let ended = ending.map(|ending| over::<R>(self.seeds, &ending));
                    let value = ended.map_or(start, |worth| worth.turned::<R>(self.seeds).bits());
                    self.values[place + row].store(value, Relaxed);
                    exits[place + row].store(ended.map_or(block[row][at], Worth::bits), Relaxed);
                }
            }
        }
    }

    /// Takes into `best` what a row's captures offer against a stretch of other rows.
    fn captures(&self, tile: &Tile, row: usize, rows: Range<usize>, best: &mut [u16; LENGTH]) {
        for sown in self.tables.moves(tile.mover, row, tile.other) {
            let Some(pattern) = self.tables.pattern(sown, tile.other) else { continue };
            let mine = tile.mover - sown.given;
            let skipped = pattern.captures.partition_point(|capture| (capture.from as usize) < rows.start);
            let captures = pattern.captures[skipped..].iter();
            for capture in captures.take_while(|capture| (capture.from as usize) < rows.end) {
                let left = tile.other + sown.given - capture.seeds;
                let worth = if R::SWEEP_WINS && left == 0 {
                    swept(self.seeds, capture.seeds).bits()
                } else {
                    let number = self.numbering.first(mine + left, mine)
                        + sown.row as usize * self.numbering.rows_with(left)
                        + capture.to as usize;
                    let code = self.below.code(mine + left, number);
                    match self.captures[usize::from(capture.seeds)][usize::from(code)] {
                        RARE => self.captured(capture.seeds, number),
                        bits => bits,
                    }
                };
                let best = &mut best[capture.from as usize - rows.start];
                *best = Worth::of_bits(*best).better(Worth::of_bits(worth)).bits();
            }
        }
    }

    /// What a capture is worth that leaves a board whose worth has no code.
    #[cold]
    fn captured(&self, gain: u8, number: usize) -> u16 {
        captured::<R>(self.seeds, gain, self.below.worth(self.seeds - gain, number)).bits()
    }

    /// A pass over a tile.
    fn improve(&self, tile: &Tile, pass: u16) {
        if tile.mover == 0 {
            return;
        }
        let mut block: Box<Block> = Box::new([[0; LENGTH]; WIDTH]);
        let mut active = Vec::with_capacity(WIDTH);
        for stretch in self.stretches(tile) {
            active.clear();
            for row in 0..tile.len {
                if pass == 1 || self.may_change(tile, tile.first + row, &stretch, pass) {
                    active.push(row);
                    self.moves_within(tile, tile.first + row, &stretch, &mut block[row][..stretch.len()]);
                }
            }
            if !active.is_empty() {
                self.looks.fetch_add((active.len() * stretch.len()) as u64, Relaxed);
                self.write(tile, &block, &active, stretch, pass);
            }
        }
    }

    /// Whether what a row's moves lead to has changed since the last pass began.
    fn may_change(&self, tile: &Tile, row: usize, rows: &Range<usize>, pass: u16) -> bool {
        self.tables.moves(tile.mover, row, tile.other).any(|sown| {
            let (first, last) = match self.tables.pattern(sown, tile.other) {
                None => (rows.start, rows.end - 1),
                Some(pattern) => {
                    let place = |row: usize| (pattern.places[row] & !CAPTURED) as usize;
                    (place(rows.start), place(rows.end - 1))
                }
            };
            let (mine, theirs) = (tile.mover - sown.given, tile.other + sown.given);
            let marks = self.first_mark[usize::from(mine)]
                + sown.row as usize * marks_a_row(self.numbering.rows_with(theirs));
            let marks = &self.marks[marks + first / WIDTH..=marks + last / WIDTH];
            marks.iter().any(|mark| mark.load(Relaxed) + 1 >= pass)
        })
    }

    /// The best that a row's moves within the level offer against a stretch of other rows.
    fn moves_within(&self, tile: &Tile, row: usize, rows: &Range<usize>, best: &mut [u16]) {
        let mut offers = [0; LENGTH];
        let offers = &mut offers[..best.len()];
        best.fill(Worth::WORST.bits());
        for sown in self.tables.moves(tile.mover, row, tile.other) {
            let (mine, theirs) = (tile.mover - sown.given, tile.other + sown.given);
            let place = self.place(mine, sown.row as usize);
            let values = &self.values[place..place + self.numbering.rows_with(theirs)];
            match self.tables.pattern(sown, tile.other) {
                None => {
                    for (offer, value) in offers.iter_mut().zip(&values[rows.clone()]) {
                        *offer = value.load(Relaxed);
                    }
                }
                Some(pattern) => {
                    for (offer, &place) in offers.iter_mut().zip(&pattern.places[rows.clone()]) {
                        // All bits set, which is worse than anything, where a capture follows.
                        let out = ((place as i32) >> 31) as u16;
                        *offer = values[(place & !CAPTURED) as usize].load(Relaxed) | out;
                    }
                }
            }
            let offers: &[u8] = bytemuck::cast_slice(offers);
            for (best, &offer) in bytemuck::cast_slice_mut::<u16, u8>(best).iter_mut().zip(offers) {
                *best = (*best).min(offer);
            }
        }
    }

    /// Writes what rows are worth now against a stretch of other rows.
    fn write(&self, tile: &Tile, block: &Block, active: &[usize], rows: Range<usize>, pass: u16) {
        let marks_a_row = marks_a_row(self.numbering.rows_with(tile.mover));
        let mut mark =
            self.first_mark[usize::from(tile.other)] + rows.start * marks_a_row + tile.first / WIDTH;
        let mut changes = 0;
        for (at, other) in rows.enumerate() {
            let place = self.place(tile.other, other) + tile.first;
            let mut changed = false;
            for &row in active {
                let exit = Worth::of_bits(self.exits[place + row]);
                let best = Worth::of_bits(block[row][at]).better(exit);
                let value = best.turned::<R>(self.seeds).bits();
                if self.values[place + row].load(Relaxed) != value {
                    self.values[place + row].store(value, Relaxed);
                    changed = true;
                }
            }
            if changed {
                self.marks[mark].store(pass, Relaxed);
                changes += 1;
            }
            mark += marks_a_row;
        }
        if changes > 0 {
            self.changes.fetch_add(changes, Relaxed);
        }
    }
}

/// How many marks the boards with one other row need.
#[inline]
fn marks_a_row(movers: usize) -> usize {
    movers.div_ceil(WIDTH)
}
