//! A level that is being built by several ranks: what one of them has of it.

use super::super::cell::take_better;
use super::super::indexing::Indexing;
use super::super::lower_levels::LowerLevels;
use super::super::move_tables::{MoveTables, Sown};
use super::super::thread_pool::{BuildStatus, ThreadPool};
use super::super::thresholds::{Thresholds, of_endless_play};
use super::kernel::look;
use super::layout::{Layout, Slab};
use super::messages::{Put, Request};
use crate::game::Rules;
use bytemuck::allocation::zeroed_vec;
use once_cell::sync::OnceCell;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Other rows that are done together, and boards of a slab that share the bit of a change.
pub const STRETCH: usize = 256;
/// Boards that are one task of a thread where there is no other reason.
pub(super) const TASK: usize = 1 << 16;

/// A row of the mover, by its place among the slabs of this rank, against a stretch of other rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub slab: u32,
    pub stretch: u32,
}

/// What a rank has of a level.
pub(super) struct LevelShare<'a, R> {
    pub seeds: u8,
    pub layout: &'a Layout,
    pub rank: usize,
    pub(super) threads: usize,
    pub(super) indexing: &'static Indexing,
    pub(super) lower: LowerLevels<'a>,
    pub(super) tables: &'a MoveTables,
    /// The slabs as the threads share them where each changes its own.
    parts: Vec<Range<usize>>,
    /// What a board is worth before anything is known, for the side that moved there.
    pub(super) start: [u8; 2],
    /// By slab and place: the value for the side that moved there, as the bits of [`Thresholds`].
    pub values: Vec<u16>,
    /// By row of the mover and row of the other side, as if the row of the mover were a slab: the conversion value.
    pub(super) conversions: Vec<u16>,
    /// In the same order: how far the value that was put last is from the start. Every byte of a value moves one way only,
    /// so this sum tells whether the value has changed.
    pub(super) distances: Vec<AtomicU8>,
    /// A bit for each [`STRETCH`] boards of each slab of the level: whether one of them changed in the iteration before.
    pub changed: Vec<u64>,
    /// The same for this iteration, of the slabs of this rank.
    changing: Vec<AtomicU64>,
    /// By the seeds of the other row: where their bits begin.
    first_bit: Vec<usize>,
    rules: PhantomData<R>,
}

/// Does tasks on several threads, and returns what each has made.
pub(super) fn on_threads<T: Send + Sync>(
    threads: usize,
    tasks: usize,
    task: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let made: Vec<OnceCell<T>> = (0..tasks).map(|_| OnceCell::new()).collect();
    let mut pool = ThreadPool { threads, watch: &mut |_| false };
    let done = pool.run(BuildStatus::default(), tasks, |index| {
        let _ = made[index].set(task(index));
    });
    done.expect("nobody stops it");
    made.into_iter().map(|made| made.into_inner().expect("every task was done")).collect()
}

impl<'a, R: Rules> LevelShare<'a, R> {
    /// A level before its first iteration.
    pub fn new(
        seeds: u8,
        rank: usize,
        threads: usize,
        layout: &'a Layout,
        lower: LowerLevels<'a>,
        tables: &'a MoveTables,
    ) -> LevelShare<'a, R> {
        let indexing = Indexing::get();
        let mut first_bit = vec![0];
        for other in 0..=seeds {
            let bits = indexing.row_count(other) * bits_of(indexing.row_count(seeds - other));
            first_bit.push(first_bit[usize::from(other)] + bits);
        }
        let words = first_bit[usize::from(seeds) + 1].div_ceil(64);
        let mut level = LevelShare {
            seeds,
            layout,
            rank,
            threads,
            indexing,
            lower,
            tables,
            parts: Vec::new(),
            start: of_endless_play::<R>(seeds).turned::<R>(seeds).0,
            values: zeroed_vec(layout.boards),
            conversions: zeroed_vec(layout.boards),
            distances: (0..layout.boards).map(|_| AtomicU8::new(0)).collect(),
            changed: vec![0; words],
            changing: (0..words).map(|_| AtomicU64::new(0)).collect(),
            first_bit,
            rules: PhantomData,
        };
        level.parts = level.groups(layout.boards.div_ceil(threads).max(TASK));
        level.initialise();
        level
    }

    /// The slabs in groups of some [`TASK`] boards.
    pub(super) fn groups(&self, boards: usize) -> Vec<Range<usize>> {
        let (slabs, mut groups, mut from) = (&self.layout.slabs, Vec::new(), 0);
        for (place, &slab) in slabs.iter().enumerate() {
            if slab.start + self.layout.len(slab) - slabs[from].start >= boards || place + 1 == slabs.len() {
                groups.push(from..place + 1);
                from = place + 1;
            }
        }
        groups
    }

    /// The stretches of memory that groups of slabs have.
    pub(super) fn split<'b, T>(&self, all: &'b mut [T], groups: &[Range<usize>]) -> Vec<Mutex<&'b mut [T]>> {
        let (mut parts, mut rest, mut from) = (Vec::new(), all, 0);
        for group in groups {
            let end = self.layout.end(&self.layout.slabs[group.clone()]);
            let (part, behind) = rest.split_at_mut(end - from);
            parts.push(Mutex::new(part));
            (rest, from) = (behind, end);
        }
        parts
    }

    /// How far a value is from the start.
    #[inline]
    pub(super) fn distance(&self, value: u16) -> u8 {
        let [one, other] = value.to_le_bytes();
        one.abs_diff(self.start[0]) + other.abs_diff(self.start[1])
    }

    /// The bit of a stretch of a slab.
    #[inline]
    fn bit(&self, seeds: u8, row: usize, place: usize) -> usize {
        let bits = bits_of(self.indexing.row_count(self.seeds - seeds));
        self.first_bit[usize::from(seeds)] + row * bits + place / STRETCH
    }

    /// What is to be evaluated in this iteration: all in the first, then only what looks at something that has changed.
    pub fn active(&self, first: bool) -> Vec<Unit> {
        let groups = self.groups(TASK);
        let active = on_threads(self.threads, groups.len(), |group| {
            let mut units = Vec::new();
            for place in groups[group].clone() {
                let slab = self.layout.slabs[place];
                let stretches = if slab.seeds == 0 { 0 } else { bits_of(self.layout.len(slab)) };
                for stretch in 0..stretches {
                    if first || self.may_change(slab, stretch) {
                        units.push(Unit { slab: place as u32, stretch: stretch as u32 });
                    }
                }
            }
            units
        });
        active.concat()
    }

    /// The other rows of a stretch.
    #[inline]
    fn stretch(&self, others: u8, stretch: usize) -> Range<usize> {
        stretch * STRETCH..self.indexing.row_count(others).min((stretch + 1) * STRETCH)
    }

    /// Whether what a row looks at against a stretch has changed in the iteration before.
    fn may_change(&self, mover: Slab, stretch: usize) -> bool {
        let others = self.seeds - mover.seeds;
        let rows = self.stretch(others, stretch);
        self.tables.moves(mover.seeds, mover.row, others).any(|sown| {
            let (first, last) = match self.tables.pattern(sown, others) {
                None => (rows.start, rows.end - 1),
                Some(pattern) => pattern.sowing.span(&rows),
            };
            let mine = mover.seeds - sown.given;
            let [first, last] = [first, last].map(|place| self.bit(mine, sown.row as usize, place));
            (first..=last).any(|bit| self.changed[bit / 64] >> (bit % 64) & 1 == 1)
        })
    }

    /// The moves of a unit, each with the number of the row that it leaves and the owner of its slab.
    fn moves(&self, unit: Unit) -> (Slab, u8, impl Iterator<Item = (Sown, usize, usize)>) {
        let mover = self.layout.slabs[unit.slab as usize];
        let others = self.seeds - mover.seeds;
        let moves = self.tables.moves(mover.seeds, mover.row, others).map(move |sown| {
            let number = self.layout.number(mover.seeds - sown.given, sown.row as usize);
            (sown, number, self.layout.owner(number))
        });
        (mover, others, moves)
    }

    /// What units have to ask of other ranks: the owner and the request.
    pub fn requests(&self, units: &[Unit]) -> Vec<(usize, u64)> {
        let mut requests = Vec::new();
        for &unit in units {
            let stretch = unit.stretch as usize;
            for (Sown { given, pattern, .. }, row, owner) in self.moves(unit).2 {
                if owner != self.rank {
                    requests.push((owner, Request { row, given, pattern, stretch }.to_word()));
                }
            }
        }
        requests
    }

    /// Answers a request with [`reply_words`] words.
    pub fn serve(&self, word: u64, reply: &mut Vec<u64>) {
        let Request { row, given, pattern, stretch } = Request::from_word(word);
        let slab = self.layout.slab(row);
        let others = self.seeds - slab.seeds - given;
        let sown = Sown { row: slab.row as u32, given, pattern };
        let rows = self.stretch(others, stretch);
        let from = reply.len();
        reply.resize(from + reply_words(rows.len()), 0);
        let offers = &mut bytemuck::cast_slice_mut::<u64, u16>(&mut reply[from..])[..rows.len()];
        look(self.of_slab(slab), self.tables.pattern(sown, others), rows, offers);
    }

    fn of_slab(&self, slab: Slab) -> &[u16] {
        &self.values[slab.start..][..self.layout.len(slab)]
    }

    /// Words of the replies to the requests of a unit, by owner.
    pub fn count_replies(&self, unit: Unit, words: &mut [usize]) {
        let (_, others, moves) = self.moves(unit);
        let reply = reply_words(self.stretch(others, unit.stretch as usize).len());
        moves.filter(|&(.., owner)| owner != self.rank).for_each(|(.., owner)| words[owner] += reply);
    }

    /// Evaluates units. `read` says by rank how many words of the replies have been used before. Returns what has changed,
    /// as the owner and the put; looks of this rank and of others.
    pub fn evaluate(&self, units: &[Unit], replies: &[Vec<u64>], mut read: Vec<usize>) -> Evaluated {
        let mut evaluated = Evaluated::default();
        let (mut offers, mut best) = ([0; STRETCH], [0; STRETCH]);
        for &unit in units {
            let (mover, others, moves) = self.moves(unit);
            let rows = self.stretch(others, unit.stretch as usize);
            let (offers, best) = (&mut offers[..rows.len()], &mut best[..rows.len()]);
            best.fill(Thresholds::WORST.bits());
            for (sown, number, owner) in moves {
                if owner == self.rank {
                    let slab = self.of_slab(self.layout.slab(number));
                    look(slab, self.tables.pattern(sown, others), rows.clone(), offers);
                    take_better(best, offers);
                    evaluated.local += rows.len() as u64;
                } else {
                    let words = &replies[owner][read[owner]..][..reply_words(rows.len())];
                    take_better(best, &bytemuck::cast_slice(words)[..rows.len()]);
                    read[owner] += words.len();
                    evaluated.remote += rows.len() as u64;
                }
            }
            evaluated.boards += rows.len() as u64;
            self.find_changes(mover, others, rows, best, &mut evaluated.puts);
        }
        evaluated
    }

    /// Puts what has come further from the start.
    fn find_changes(
        &self,
        mover: Slab,
        others: u8,
        rows: Range<usize>,
        best: &mut [u16],
        puts: &mut Vec<(usize, u64)>,
    ) {
        let places = mover.start + rows.start..mover.start + rows.end;
        take_better(best, &self.conversions[places.clone()]);
        for ((best, distance), row) in best.iter().zip(&self.distances[places]).zip(rows) {
            let value = Thresholds::from_bits(*best).turned::<R>(self.seeds).bits();
            let far = self.distance(value);
            if far > distance.load(Relaxed) {
                distance.store(far, Relaxed);
                let number = self.layout.number(others, row);
                let put = Put { row: number, place: mover.row, value };
                puts.push((self.layout.owner(number), put.to_word()));
            }
        }
    }

    /// Puts into the slabs of this rank what has come further from the start. Returns how many boards have changed.
    pub fn apply(&mut self, messages: &[Vec<u64>]) -> u64 {
        if messages.iter().all(Vec::is_empty) {
            return 0;
        }
        let mut values = std::mem::take(&mut self.values);
        let values_of = self.split(&mut values, &self.parts);
        let changes = on_threads(self.threads, self.parts.len(), |part| {
            let slabs = &self.layout.slabs[self.parts[part].clone()];
            let [first, last] =
                [slabs[0], slabs[slabs.len() - 1]].map(|slab| self.layout.number(slab.seeds, slab.row));
            let mut values = values_of[part].lock().expect("no task panics");
            let mut changes = 0;
            for put in messages.iter().flatten().map(|&word| Put::from_word(word)) {
                if (first..=last).contains(&put.row) {
                    let slab = self.layout.slab(put.row);
                    changes += u64::from(self.advance(&mut values[slab.start - slabs[0].start..], slab, put));
                }
            }
            changes
        });
        drop(values_of);
        self.values = values;
        changes.iter().sum()
    }

    /// Takes from a put what is further from the start, byte by byte: one that is late or repeated changes nothing.
    fn advance(&self, values: &mut [u16], slab: Slab, put: Put) -> bool {
        let (now, then) = (values[put.place].to_le_bytes(), put.value.to_le_bytes());
        let further: [u8; 2] = std::array::from_fn(|byte| {
            let start = self.start[byte];
            if then[byte].abs_diff(start) > now[byte].abs_diff(start) { then[byte] } else { now[byte] }
        });
        if further == now {
            return false;
        }
        values[put.place] = u16::from_le_bytes(further);
        let bit = self.bit(slab.seeds, slab.row, put.place);
        self.changing[bit / 64].fetch_or(1 << (bit % 64), Relaxed);
        true
    }

    /// The bits of this iteration's changes, which begin anew.
    pub fn take_changes(&self) -> Vec<u64> {
        self.changing.iter().map(|word| word.swap(0, Relaxed)).collect()
    }
}

/// What an evaluation of some units has found.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    pub boards: u64,
    pub local: u64,
    pub remote: u64,
    pub puts: Vec<(usize, u64)>,
}

/// Bits of a slab.
#[inline]
fn bits_of(places: usize) -> usize {
    places.div_ceil(STRETCH)
}

/// Words of a reply with so many values.
#[inline]
fn reply_words(values: usize) -> usize {
    values.div_ceil(4)
}
