//! The transposition table: what earlier searches found out about a position.
//!
//! Lock-free without `unsafe`, as R. Hyatt and T. Mann described it ("A lockless transposition-table implementation
//! for parallel search", ICGA Journal 25, 2002): an entry is two atomic words, the data and the key exclusive-or the
//! data. If two threads write at once the words do not match, and the entry is not taken for anything.

mod pages;

use crate::endgame;
use crate::game::{Cycle, Pit, Rules};
use crate::search::solver::FACT;
use crate::search::tablebase::conversion::Ways;
use crate::value::{Proof, Value};
use pages::ask_for_large_pages;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Entries that share a cache line; a position may be in any of them.
const BUCKET: usize = 4;
/// Words of a bucket: two an entry, the check and the data.
pub(in crate::search) const WORDS: usize = 2 * BUCKET;
/// Depths from here on stand for certainty, to which no search can add, and tell what it cost to find: see
/// [`certainty`].
const CERTAIN: u8 = 192;
/// Boards that are worked out at once if the root is one of them: a matter of milliseconds.
const FEW_BOARDS: u64 = 20_000;
/// The same after a short search.
const MANY_BOARDS: u64 = 400_000;
/// Nodes of that search.
const LOOK_FIRST: u64 = 1000;
/// MiB of the largest table that asks for large pages. A larger one is as good as never filled by a short search, which
/// should not pay 2 MiB for each entry that it stores.
const LARGE_PAGES_UP_TO: usize = 512;
/// Generations are counted in six bits.
const GENERATIONS: u8 = 64;

/// How a stored value relates to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The position may be worth less.
    AtMost,
    /// The position may be worth more.
    AtLeast,
    /// The value is that of the search.
    Exact,
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value that the search returned.
    pub value: Value,
    /// How it relates to the position's.
    pub bound: Bound,
    /// Which sides of it are certain, whatever the way to the position.
    pub proof: Proof,
    /// How many plies were searched; at least 192, the more the dearer it was, if nothing can be added.
    pub depth: u8,
    /// The best move, or the one that refuted the move before.
    pub pit: Option<Pit>,
}

impl Entry {
    /// Whether the entry answers a search: the value to return.
    #[must_use]
    #[inline]
    pub fn answers(&self, alpha: Value, beta: Value, depth: u8) -> bool {
        let deep = self.depth >= depth;
        match self.bound {
            Bound::Exact => deep || self.proof.is_exact() || self.cuts_by_proof(alpha, beta),
            Bound::AtLeast => self.value >= beta && (deep || self.proof.at_least),
            Bound::AtMost => self.value <= alpha && (deep || self.proof.at_most),
        }
    }

    #[inline]
    fn cuts_by_proof(&self, alpha: Value, beta: Value) -> bool {
        self.proof.at_least && self.value >= beta || self.proof.at_most && self.value <= alpha
    }

    /// Whether deeper search cannot add to the entry.
    #[must_use]
    #[inline]
    pub fn is_certain(&self) -> bool {
        match self.bound {
            Bound::Exact => self.proof.is_exact(),
            Bound::AtLeast => self.proof.at_least,
            Bound::AtMost => self.proof.at_most,
        }
    }

    fn pack(&self, generation: u8) -> u64 {
        let depth = if self.is_certain() { self.depth.max(CERTAIN) } else { self.depth.min(CERTAIN - 1) };
        let pit = self.pit.map_or(7, Pit::index) as u64;
        let proof = u64::from(self.proof.at_least) | u64::from(self.proof.at_most) << 1;
        u64::from(self.value.to_bits())
            | u64::from(depth) << 16
            | pit << 24
            | (self.bound as u64) << 27
            | proof << 29
            | u64::from(generation) << 32
            | 1 << 38
    }

    fn unpack(data: u64) -> Entry {
        let pit = (data >> 24 & 7) as usize;
        Entry {
            value: Value::from_bits(data as u16),
            bound: match data >> 27 & 3 {
                0 => Bound::AtMost,
                1 => Bound::AtLeast,
                _ => Bound::Exact,
            },
            proof: Proof { at_least: data >> 29 & 1 != 0, at_most: data >> 30 & 1 != 0 },
            depth: depth_of(data),
            pit: (pit < 6).then(|| Pit::new(pit)),
        }
    }
}

/// The depth to store with what is certain: the more nodes it took to find, the longer it is kept.
///
/// With a table that is full many times over, everything that is certain would otherwise be worth the same.
#[must_use]
#[inline]
pub fn certainty(nodes: u64) -> u8 {
    CERTAIN + (nodes | 1).ilog2() as u8
}

fn depth_of(data: u64) -> u8 {
    (data >> 16) as u8
}

fn generation_of(data: u64) -> u8 {
    (data >> 32) as u8 % GENERATIONS
}

/// No larger level is worked out in the middle of a search: 52 million boards with those below.
const MOST_IN_MEMORY: u8 = 17;

/// A table of a fixed size, shared by all who search with it.
pub struct Table {
    /// Buckets of [`WORDS`] words each; those before `first` only bring the buckets to the start of a cache line.
    words: Box<[AtomicU64]>,
    first: usize,
    buckets: usize,
    /// How many of the buckets, the first ones, are for facts.
    facts: AtomicUsize,
    /// Which rule set they are of: its place in the list of all, from 1.
    facts_of: AtomicU8,
    generation: AtomicU8,
    /// Nodes that were searched with it, which tells what endgames are worth their cost.
    visited: AtomicU64,
    /// How often building endgames was stopped.
    late: AtomicU8,
    /// The ways to a known result that were found last.
    ways: Mutex<Option<Ways>>,
}

impl Table {
    /// A table of so many MiB, at least one. The memory is not touched before it is used.
    ///
    /// # Errors
    /// If there is not that much memory.
    pub fn new(mebibytes: usize) -> Result<Table, OutOfMemory> {
        let line = WORDS * size_of::<AtomicU64>();
        let buckets = (mebibytes.max(1) << 20) / line;
        let words: Box<[AtomicU64]> =
            bytemuck::try_zeroed_slice_box((buckets + 1) * WORDS).map_err(|()| OutOfMemory { mebibytes })?;
        if mebibytes <= LARGE_PAGES_UP_TO {
            ask_for_large_pages(&words);
        }
        let first = (line - words.as_ptr() as usize % line) % line / size_of::<AtomicU64>();
        Ok(Table {
            words,
            first,
            buckets,
            facts: AtomicUsize::new(0),
            facts_of: AtomicU8::new(0),
            generation: AtomicU8::new(0),
            visited: AtomicU64::new(0),
            late: AtomicU8::new(0),
            ways: Mutex::new(None),
        })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.generation.store(0, Ordering::Relaxed);
        self.visited.store(0, Ordering::Relaxed);
        self.late.store(0, Ordering::Relaxed);
        *self.ways() = None;
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// The ways to a known result that were found last.
    pub(in crate::search) fn ways(&self) -> MutexGuard<'_, Option<Ways>> {
        // Who dies with the lock leaves whole ways or none.
        self.ways.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a search: what is there ages.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Counts the nodes of a search that is over.
    pub(in crate::search) fn count(&self, nodes: u64) {
        self.visited.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The endgames that cost little beside what has been searched with this table, or that the root calls for: up to
    /// how many seeds. It depends on counts of nodes alone, so one thread stays deterministic.
    pub(in crate::search) fn endgames_worth_their_cost<R: Rules>(&self, nodes: u64, root: u8) -> Option<u8> {
        let late = self.late.load(Ordering::Relaxed);
        let price = if R::CYCLE == Cycle::Impossible { 1 } else { 16 } << late.saturating_mul(2).min(20);
        // The larger ones may take the whole time of a quick move, so that has been searched first; and they do so once.
        let at_once =
            |boards| boards < FEW_BOARDS || boards < MANY_BOARDS && nodes >= LOOK_FIRST && late == 0;
        let visited = self.visited.load(Ordering::Relaxed) + nodes;
        let mut boards = 0;
        (0..=MOST_IN_MEMORY)
            .take_while(|&seeds| {
                boards += endgame::count(seeds) as u64;
                boards * price <= visited || at_once(boards) && seeds <= root && root <= 9
            })
            .last()
    }

    /// Building endgames was stopped: they were not worth it yet.
    pub(in crate::search) fn endgames_were_late(&self) {
        self.late.fetch_add(1, Ordering::Relaxed);
    }

    /// What is known of a position.
    #[must_use]
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            (slot[0].load(Ordering::Relaxed) ^ data == key & !FACT && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Remembers a position, in place of itself or of the entry that is worth least: shallow and old.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let worth = |slot: &&[AtomicU64]| {
            let data = slot[1].load(Ordering::Relaxed);
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let own = slot[0].load(Ordering::Relaxed) ^ data == key & !FACT;
            if own || data == 0 || data & FACT != 0 {
                i32::MIN
            } else {
                i32::from(depth_of(data)) - 8 * i32::from(age)
            }
        };
        if let Some(slot) = self.bucket(key).chunks_exact(2).min_by_key(worth) {
            let data = entry.pack(generation);
            slot[1].store(data, Ordering::Relaxed);
            slot[0].store((key ^ data) & !FACT, Ordering::Relaxed);
        }
    }

    /// How full the table is with facts and with entries of the current search, in thousandths, from samples. A search
    /// that has stored too little for one of them is not asked to look.
    #[must_use]
    pub fn permille(&self, stored: u64) -> u16 {
        if stored * 1000 < (self.buckets * BUCKET) as u64 {
            return 0;
        }
        let generation = self.generation();
        let facts = self.fact_buckets();
        let fresh = |word: &AtomicU64| {
            let data = word.load(Ordering::Relaxed);
            data != 0 && (data & FACT != 0 || generation_of(data) == generation)
        };
        // Of an entry the second word tells.
        let full = |first: usize, buckets: usize, stride: usize| {
            let sample = buckets.min(250);
            let words =
                (first..first + sample).flat_map(|bucket| self.words_of(bucket).iter().skip(stride - 1));
            let full = words.step_by(stride).filter(|word| fresh(word)).count();
            full * stride * buckets / (sample * WORDS).max(1)
        };
        let full = full(0, facts, 1) + full(facts, self.buckets - facts, 2);
        (full * 1000 / self.buckets) as u16
    }

    /// The bucket of a key: its high bits, scaled, so that any number of buckets will do.
    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let facts = self.facts.load(Ordering::Relaxed);
        let index = ((u128::from(key) * (self.buckets - facts) as u128) >> 64) as usize;
        self.words_of(facts + index)
    }

    /// The words of a bucket.
    #[inline]
    pub(in crate::search) fn words_of(&self, bucket: usize) -> &[AtomicU64] {
        &self.words[self.first + bucket * WORDS..][..WORDS]
    }

    /// How many buckets are for facts.
    #[inline]
    pub(in crate::search) fn fact_buckets(&self) -> usize {
        self.facts.load(Ordering::Relaxed)
    }

    /// What tells the current search from others.
    #[inline]
    pub(in crate::search) fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Gives so many sixteenths to facts about boards of a rule set. Those of another are forgotten.
    pub(in crate::search) fn divide<R: Rules>(&self, sixteenths: usize) {
        let own = 1 + R::VARIANT as u8;
        if sixteenths > 0 && self.facts_of.swap(own, Ordering::Relaxed) != own {
            let facts = self.words.iter().filter(|word| word.load(Ordering::Relaxed) & FACT != 0);
            facts.for_each(|word| word.store(0, Ordering::Relaxed));
        }
        self.facts.store(self.buckets * sixteenths / 16, Ordering::Relaxed);
    }
}

/// There is not enough memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {mebibytes} MiB")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub mebibytes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Verdict;

    fn entry(depth: u8) -> Entry {
        Entry {
            value: Value::ended(Verdict::Loss, -7),
            bound: Bound::AtMost,
            proof: Proof { at_least: false, at_most: false },
            depth,
            pit: Some(Pit::new(3)),
        }
    }

    #[test]
    fn an_entry_comes_back_as_it_was() {
        let table = Table::new(1).expect("memory");
        for depth in 0..=120 {
            let key = u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            table.store(key, entry(depth));
            assert_eq!(table.probe(key), Some(entry(depth)));
        }
        table.clear();
        assert_eq!(table.probe(0), None);
    }

    #[test]
    fn what_is_certain_answers_at_any_depth() {
        let table = Table::new(1).expect("memory");
        let certain = Entry { proof: Proof { at_least: false, at_most: true }, ..entry(2) };
        table.store(5, certain);
        let found = table.probe(5).expect("stored");
        assert_eq!(found.depth, CERTAIN);
        let dear = Entry { depth: certainty(1 << 20), ..certain };
        table.store(6, dear);
        assert_eq!(table.probe(6).map(|entry| entry.depth), Some(certainty(1 << 20)));
        assert!(certainty(u64::MAX) == CERTAIN + 63 && certainty(0) == CERTAIN);
        assert!(found.answers(Value::DRAW, Value::DRAW.next(), 100));
        assert!(!found.answers(found.value.shifted(-100), Value::DRAW, 100));
    }

    #[test]
    fn the_deepest_entries_stay() {
        let table = Table::new(1).expect("memory");
        // Small keys share the first bucket.
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (6, 1)] {
            table.store(key, entry(depth));
        }
        assert_eq!(table.probe(2), None);
        assert!(table.probe(1).is_some() && table.probe(6).is_some());
    }
}
