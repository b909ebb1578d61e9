//! One rank's share of a database that several ranks build.

use super::layout::{Layout, Slab};
use super::messages::{Put, Request};
use bytemuck::allocation::zeroed_vec;
use kroo_core::endgames::building::cell::{Cell, take_better};
use kroo_core::endgames::building::evaluator::{Evaluator, LENGTH, Offers, Scratch, Values};
use kroo_core::endgames::building::lower_databases::LowerDatabases;
use kroo_core::endgames::building::move_tables::{MoveTables, Sown};
use kroo_core::endgames::building::sown_ranks::RUN;
use kroo_core::game::Rules;
use kroo_core::thread_pool::ThreadPool;
use std::ops::{Deref, Range, RangeInclusive};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Other rows that are done together, and boards of a slab that share the bit of a change.
pub const STRETCH: usize = LENGTH;
/// Boards of a thread's task, unless another size is needed.
pub(super) const TASK: usize = 1 << 16;
/// Boards of a group of slabs that takes puts together: enough for many puts of a batch.
const PART: usize = 1 << 20;
/// Puts that are sorted in one task.
const PUTS: usize = 1 << 14;

/// A row of the mover, by its place among the slabs of this rank, against a stretch of other rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub slab: u32,
    pub stretch: u32,
}

pub(super) struct DatabaseShare<'a, R, C> {
    evaluator: Evaluator<'a, R, C>,
    pub layout: &'a Layout,
    pub rank: usize,
    pub(super) threads: &'a ThreadPool,
    /// The slabs in groups, each changed by one thread.
    parts: Vec<Range<usize>>,
    /// By slab and place: the value for the side that moved there. [`RUN`] unused ones follow.
    pub(super) values: Vec<C>,
    /// By row of the mover and row of the other side, as if the row of the mover were a slab: the conversion value.
    pub(super) conversions: Vec<C>,
    /// In the same order: the distance of the last put value from the start. Every byte of a value moves one way only, so this
    /// sum shows whether the value has changed.
    pub(super) distances: Vec<AtomicU8>,
    /// A bit for each [`STRETCH`] boards of each slab of the database: whether one of them changed in the previous iteration.
    pub changed: Vec<u64>,
    /// The same for this iteration, of the slabs of this rank.
    changing: Vec<AtomicU64>,
    /// By the seeds of the other row: where their bits begin.
    first_bit: Vec<usize>,
}

impl<'a, R, C> Deref for DatabaseShare<'a, R, C> {
    type Target = Evaluator<'a, R, C>;

    #[inline]
    fn deref(&self) -> &Evaluator<'a, R, C> {
        &self.evaluator
    }
}

impl<'a, R: Rules, C: Cell> DatabaseShare<'a, R, C> {
    /// A database before its first iteration.
    pub fn new(
        seeds: u8,
        rank: usize,
        threads: &'a ThreadPool,
        layout: &'a Layout,
        lower: LowerDatabases<'a>,
        tables: &'a MoveTables,
    ) -> DatabaseShare<'a, R, C> {
        let evaluator = Evaluator::new(seeds, lower, tables);
        let indexing = evaluator.indexing;
        let mut first_bit = vec![0];
        for other in 0..=seeds {
            let bits = indexing.row_count(other) * bits_of(indexing.row_count(seeds - other));
            first_bit.push(first_bit[usize::from(other)] + bits);
        }
        let words = first_bit[usize::from(seeds) + 1].div_ceil(64);
        let mut database = DatabaseShare {
            evaluator,
            layout,
            rank,
            threads,
            parts: Vec::new(),
            values: zeroed_vec(layout.boards + RUN),
            conversions: zeroed_vec(layout.boards),
            distances: (0..layout.boards).map(|_| AtomicU8::new(0)).collect(),
            changed: vec![0; words],
            changing: (0..words).map(|_| AtomicU64::new(0)).collect(),
            first_bit,
        };
        database.parts = database.groups(PART);
        database.initialise();
        database
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

    /// The values of this rank, by slab and place.
    pub fn values(&self) -> &[C] {
        &self.values[..self.layout.boards]
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> &mut [C] {
        &mut self.values[..self.layout.boards]
    }

    /// The bit of a stretch of a slab.
    #[inline]
    fn bit(&self, seeds: u8, row: usize, place: usize) -> usize {
        let bits = bits_of(self.indexing.row_count(self.seeds - seeds));
        self.first_bit[usize::from(seeds)] + row * bits + place / STRETCH
    }

    /// The units to evaluate in this iteration: all in the first, then only those that look at something that has changed.
    pub fn active(&self, first: bool) -> Vec<Unit> {
        let groups = self.groups(TASK);
        let active = self.threads.map(groups.len(), |group| {
            let mut units = Vec::new();
            for place in groups[group].clone() {
                let slab = self.layout.slabs[place];
                let stretches = if slab.seeds == 0 { 0 } else { bits_of(self.layout.len(slab)) };
                for stretch in 0..stretches {
                    if first || self.looks_at_changes(slab, stretch) {
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

    /// Whether the boards that a row looks at against a stretch changed in the previous iteration.
    fn looks_at_changes(&self, mover: Slab, stretch: usize) -> bool {
        let rows = self.stretch(self.seeds - mover.seeds, stretch);
        self.may_change(&Looks::new(self, &[], Vec::new()), (mover.seeds, mover.row), &rows)
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

    /// The requests of units to other ranks: the owner and the request.
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
        let mut scratch = [C::WORST; LENGTH + RUN];
        let Request { row, given, pattern, stretch } = Request::from_word(word);
        let slab = self.layout.slab(row);
        let others = self.seeds - slab.seeds - given;
        let sown = Sown { row: slab.row as u32, given, pattern };
        let rows = self.stretch(others, stretch);
        let offers = self.gather(self.of_slab(slab), others, sown, &rows, &mut scratch);
        let from = reply.len();
        reply.resize(from + reply_words::<C>(rows.len()), 0);
        bytemuck::cast_slice_mut(&mut reply[from..])[..rows.len()].copy_from_slice(offers);
    }

    /// The values of a slab and [`RUN`] more.
    fn of_slab(&self, slab: Slab) -> &[C] {
        &self.values[slab.start..][..self.layout.len(slab) + RUN]
    }

    /// Words of the replies to the requests of a unit, by owner.
    pub fn count_replies(&self, unit: Unit, words: &mut [usize]) {
        let (_, others, moves) = self.moves(unit);
        let reply = reply_words::<C>(self.stretch(others, unit.stretch as usize).len());
        moves.filter(|&(.., owner)| owner != self.rank).for_each(|(.., owner)| words[owner] += reply);
    }

    /// Evaluates units. `read` gives, by rank, the number of words of the replies used before. Returns the changes, as the owner
    /// and the put; looks of this rank and of others.
    pub fn evaluate(&self, units: &[Unit], replies: &[Vec<u64>], read: Vec<usize>) -> Evaluated {
        let (mut looks, mut evaluated) = (Looks::new(self, replies, read), Evaluated::default());
        let mut scratch: Scratch<C> = [C::WORST; LENGTH + RUN];
        let mut best = [C::WORST; STRETCH];
        for &unit in units {
            let mover = self.layout.slabs[unit.slab as usize];
            let others = self.seeds - mover.seeds;
            let rows = self.stretch(others, unit.stretch as usize);
            let places = mover.start + rows.start..mover.start + rows.end;
            let best = &mut best[..rows.len()];
            best.fill(C::WORST);
            self.take_moves(&mut looks, (mover.seeds, mover.row), &rows, best, &mut scratch);
            take_better(best, &self.conversions[places.clone()]);
            evaluated.boards += rows.len() as u64;
            for ((best, distance), row) in best.iter().zip(&self.distances[places]).zip(rows) {
                let value = best.turned::<R>(self.seeds);
                let far = value.distance(self.start);
                if far > distance.load(Relaxed) {
                    distance.store(far, Relaxed);
                    let number = self.layout.number(others, row);
                    let put = Put { row: number, place: mover.row, value: value.number() as u16 };
                    evaluated.puts.push((self.layout.owner(number), put.to_word()));
                }
            }
        }
        Evaluated { local: looks.local, remote: looks.remote, ..evaluated }
    }

    /// Puts into the slabs of this rank what has come further from the start. Returns how many boards have changed.
    pub fn apply(&mut self, messages: &[Vec<u64>]) -> u64 {
        if messages.iter().all(Vec::is_empty) {
            return 0;
        }
        let mut values = std::mem::take(&mut self.values);
        let values_of = self.split(&mut values, &self.parts);
        let puts = self.sort(messages);
        let changes = self.threads.map(self.parts.len(), |part| {
            let from = self.layout.slabs[self.parts[part].start].start;
            let mut values = values_of[part].lock().expect("no task panics");
            let mut changes = 0;
            for put in puts.iter().flat_map(|puts| &puts[part]).map(|&word| Put::from_word(word)) {
                let slab = self.layout.slab(put.row);
                changes += u64::from(self.advance(&mut values[slab.start - from..], slab, put));
            }
            changes
        });
        drop(values_of);
        self.values = values;
        changes.iter().sum()
    }

    /// Puts by the group of slabs that they change, in chunks.
    fn sort(&self, messages: &[Vec<u64>]) -> Vec<Vec<Vec<u64>>> {
        let first = |part: &Range<usize>| {
            let slab = self.layout.slabs[part.start];
            self.layout.number(slab.seeds, slab.row)
        };
        let firsts: Vec<usize> = self.parts.iter().map(first).collect();
        let chunks: Vec<&[u64]> = messages.iter().flat_map(|puts| puts.chunks(PUTS)).collect();
        self.threads.map(chunks.len(), |chunk| {
            let mut sorted = vec![Vec::new(); firsts.len()];
            for &word in chunks[chunk] {
                let row = Put::from_word(word).row;
                sorted[firsts.partition_point(|&first| first <= row) - 1].push(word);
            }
            sorted
        })
    }

    /// Takes from a put the values further from the start, byte by byte: a late or repeated one changes nothing.
    fn advance(&self, values: &mut [C], slab: Slab, put: Put) -> bool {
        let value = &mut values[put.place];
        let further = value.further(C::from_number(usize::from(put.value)), self.start);
        if further == *value {
            return false;
        }
        *value = further;
        let bit = self.bit(slab.seeds, slab.row, put.place);
        self.changing[bit / 64].fetch_or(1 << (bit % 64), Relaxed);
        true
    }

    /// The bits of this iteration's changes, which begin anew.
    pub fn take_changes(&self) -> Vec<u64> {
        self.changing.iter().map(|word| word.swap(0, Relaxed)).collect()
    }
}

/// The values that a rank looks at: its own, and those that others have replied.
struct Looks<'s, 'a, R, C> {
    database: &'s DatabaseShare<'a, R, C>,
    replies: &'s [Vec<u64>],
    /// By rank: how many words of its replies have been used.
    read: Vec<usize>,
    /// Looks at values of this rank and of others.
    local: u64,
    remote: u64,
}

impl<'s, 'a, R, C> Looks<'s, 'a, R, C> {
    fn new(database: &'s DatabaseShare<'a, R, C>, replies: &'s [Vec<u64>], read: Vec<usize>) -> Self {
        Looks { database, replies, read, local: 0, remote: 0 }
    }
}

impl<R: Rules, C: Cell> Values<C> for Looks<'_, '_, R, C> {
    #[inline]
    fn offers(&mut self, seeds: u8, sown: Sown, rows: &Range<usize>) -> Offers<'_, C> {
        let number = self.database.layout.number(seeds, sown.row as usize);
        let owner = self.database.layout.owner(number);
        if owner == self.database.rank {
            self.local += rows.len() as u64;
            return Offers::Slab(self.database.of_slab(self.database.layout.slab(number)));
        }
        self.remote += rows.len() as u64;
        let words = &self.replies[owner][self.read[owner]..][..reply_words::<C>(rows.len())];
        self.read[owner] += words.len();
        Offers::Gathered(&bytemuck::cast_slice(words)[..rows.len()])
    }

    fn has_changed(&self, seeds: u8, row: usize, others: impl FnOnce() -> RangeInclusive<usize>) -> bool {
        let others = others();
        let [first, last] = [others.start(), others.end()].map(|&place| self.database.bit(seeds, row, place));
        (first..=last).any(|bit| self.database.changed[bit / 64] >> (bit % 64) & 1 == 1)
    }
}

/// The result of evaluating some units.
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

/// Words of a reply with this number of values.
#[inline]
fn reply_words<C>(values: usize) -> usize {
    (values * size_of::<C>()).div_ceil(8)
}
