//! The memory of the transposition table.
//!
//! Lock-free without `unsafe`, as R. Hyatt and T. Mann described it ("A lockless transposition-table implementation
//! for parallel search", ICGA Journal 25, 2002): an entry is two atomic words, the data and the key exclusive-or the
//! data. If two threads write at once the words do not match, and the entry is not taken for anything.
//!
//! The first slots belong to the proven bounds of the solver, one word each, the others to entries, two words each. How
//! many are whose depends on how much is to be solved, so a word can turn up on the wrong side of the border;
//! [`PROVEN_BOUNDS_TAG`] tells what it is.

use super::entry::{Entry, GENERATIONS, PROVEN_BOUNDS_TAG, depth_of, generation_of};
use super::pages::{PAGE, ask_for_large_pages};
use crate::game::Rules;
use crate::prefetch::prefetch;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// Entries of a slot; a position may be in any of them.
const SLOT_ENTRIES: usize = 4;
/// Words of a slot, which is a cache line of 64 bytes: two for each entry, the check and the data.
pub const SLOT_WORDS: usize = 2 * SLOT_ENTRIES;
/// MiB of the largest table that asks for large pages. A larger one is as good as never filled by a short search, which
/// should not pay 2 MiB for each entry that it stores (chosen, not measured).
const LARGE_PAGES_UP_TO: usize = 512;
/// Plies of depth that an entry loses in replacement priority with each search since (chosen, not measured).
const AGE_PENALTY: i32 = 8;
/// Slots that [`TranspositionTable::hashfull`] looks at, of each kind (chosen, not measured).
const HASHFULL_SAMPLE: usize = 250;

/// A hash table of a fixed size, shared by all who search with it.
pub struct TranspositionTable {
    /// Slots of [`SLOT_WORDS`] words each; those before `first` only bring the slots to the start of a cache line.
    words: Box<[AtomicU64]>,
    first: usize,
    slots: usize,
    /// Whether the system is to find its pages before it is used, and has not yet.
    to_touch: AtomicBool,
    /// How many of the slots, the first ones, are for proven bounds.
    bound_slots: AtomicUsize,
    /// Which rule set they are of: its place in the list of all, from 1.
    bounds_of: AtomicU8,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of so many MiB, at least one. The memory is not touched before it is used, or until
    /// [`touch`](TranspositionTable::touch).
    ///
    /// # Errors
    /// If there is not that much memory.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, OutOfMemory> {
        let line = SLOT_WORDS * size_of::<AtomicU64>();
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(OutOfMemory { mebibytes })?;
        let slots = bytes / line;
        let words: Box<[AtomicU64]> = bytemuck::try_zeroed_slice_box((slots + 1) * SLOT_WORDS)
            .map_err(|()| OutOfMemory { mebibytes })?;
        let small = mebibytes <= LARGE_PAGES_UP_TO;
        if small {
            ask_for_large_pages(&words);
        }
        let first = (line - words.as_ptr() as usize % line) % line / size_of::<AtomicU64>();
        Ok(TranspositionTable {
            words,
            first,
            slots,
            to_touch: AtomicBool::new(small),
            bound_slots: AtomicUsize::new(0),
            bounds_of: AtomicU8::new(0),
            generation: AtomicU8::new(0),
        })
    }

    /// Has the system find the pages of the memory now, if it has not yet, and not in the first moves of a game: the first hundred
    /// nodes ask for all of them. At 5 to 20 ms a move, first moves were up to 25 ms late for it.
    ///
    /// A table that asked for no large pages is left as it is: a short search fills little of it.
    pub fn touch(&self) {
        if self.to_touch.swap(false, Ordering::Relaxed) {
            for word in self.words.iter().step_by(PAGE / size_of::<AtomicU64>()) {
                // What changes nothing and is no exchange may be compiled to a read, which finds no page of its own.
                let _ = word.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.generation.store(0, Ordering::Relaxed);
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Begins a search: what is there becomes a generation older.
    pub fn next_generation(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Says that a position will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.slot_of(key)[0]);
    }

    /// What is known of a position.
    #[must_use]
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.slot_of(key).chunks_exact(2).find_map(|words| {
            let data = words[1].load(Ordering::Relaxed);
            let own = words[0].load(Ordering::Relaxed) ^ data == key & !PROVEN_BOUNDS_TAG;
            (own && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry, in place of the position's own or of the one in its slot with the lowest replacement priority:
    /// shallow and old.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let priority = |words: &&[AtomicU64]| {
            let data = words[1].load(Ordering::Relaxed);
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let own = words[0].load(Ordering::Relaxed) ^ data == key & !PROVEN_BOUNDS_TAG;
            if own || data == 0 || data & PROVEN_BOUNDS_TAG != 0 {
                i32::MIN
            } else {
                i32::from(depth_of(data)) - AGE_PENALTY * i32::from(age)
            }
        };
        if let Some(words) = self.slot_of(key).chunks_exact(2).min_by_key(priority) {
            let data = entry.pack(generation);
            words[1].store(data, Ordering::Relaxed);
            words[0].store((key ^ data) & !PROVEN_BOUNDS_TAG, Ordering::Relaxed);
        }
    }

    /// How full the table is with proven bounds and with entries of the current search, in thousandths, from samples. A
    /// search that has stored too little for one of them is not asked to look.
    #[must_use]
    pub fn hashfull(&self, stored: u64) -> u16 {
        if stored * 1000 < (self.slots * SLOT_ENTRIES) as u64 {
            return 0;
        }
        let generation = self.generation();
        let bound_slots = self.bound_slots();
        let is_current = |word: &AtomicU64| {
            let data = word.load(Ordering::Relaxed);
            data != 0 && (data & PROVEN_BOUNDS_TAG != 0 || generation_of(data) == generation)
        };
        // Of an entry the second word tells.
        let full = |first: usize, slots: usize, stride: usize| {
            let sample = slots.min(HASHFULL_SAMPLE);
            let words = (first..first + sample).flat_map(|slot| self.slot(slot).iter().skip(stride - 1));
            let full = words.step_by(stride).filter(|word| is_current(word)).count();
            (full * stride) as u64 * slots as u64 / (sample * SLOT_WORDS).max(1) as u64
        };
        let full = full(0, bound_slots, 1) + full(bound_slots, self.slots - bound_slots, 2);
        (full * 1000 / self.slots as u64) as u16
    }

    /// The slot of a key: its high bits, scaled, so that any number of slots will do.
    #[inline]
    fn slot_of(&self, key: u64) -> &[AtomicU64] {
        let bound_slots = self.bound_slots.load(Ordering::Relaxed);
        let index = ((u128::from(key) * (self.slots - bound_slots) as u128) >> 64) as usize;
        self.slot(bound_slots + index)
    }

    /// The words of a slot.
    #[inline]
    pub fn slot(&self, index: usize) -> &[AtomicU64] {
        &self.words[self.first + index * SLOT_WORDS..][..SLOT_WORDS]
    }

    /// How many slots are for proven bounds.
    #[inline]
    pub fn bound_slots(&self) -> usize {
        self.bound_slots.load(Ordering::Relaxed)
    }

    /// What tells the current search from others.
    #[inline]
    pub fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Gives so many sixteenths to proven bounds of boards of a rule set. Those of another are forgotten.
    pub fn divide<R: Rules>(&self, sixteenths: usize) {
        let own = 1 + R::VARIANT.index() as u8;
        if sixteenths > 0 && self.bounds_of.swap(own, Ordering::Relaxed) != own {
            let bounds =
                self.words.iter().filter(|word| word.load(Ordering::Relaxed) & PROVEN_BOUNDS_TAG != 0);
            bounds.for_each(|word| word.store(0, Ordering::Relaxed));
        }
        self.bound_slots.store(self.slots * sixteenths / 16, Ordering::Relaxed);
    }
}

/// There is not enough memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {mebibytes} MiB")]
pub struct OutOfMemory {
    /// The size that was asked for.
    pub mebibytes: usize,
}
