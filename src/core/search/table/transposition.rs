//! The memory of the transposition table.
//!
//! Lock-free without `unsafe`, as R. Hyatt and T. Mann described it ("A lockless transposition-table implementation for
//! parallel search", ICGA Journal 25, 2002): an entry is two atomic words, the data and the key exclusive-or the data. If two
//! threads write at once, the words do not match and the entry is ignored.
//!
//! The first slots belong to the solver's proven bounds, one word each, the others to entries, two words each. The border moves
//! with the share of the solver. A word may then be on the wrong side; [`PROVEN_BOUNDS_TAG`] identifies it.

use super::entry::{Entry, GENERATIONS, PROVEN_BOUNDS_TAG, depth_of, generation_of};
use crate::game::{RuleOptions, Rules, Variant};
use crate::prefetch::prefetch;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// Entries of a slot; a position may be in any of them.
const SLOT_ENTRIES: usize = 4;
/// Words of a slot, which is a cache line of 64 bytes: two for each entry, the check and the data.
pub const SLOT_WORDS: usize = 2 * SLOT_ENTRIES;
/// Largest table, in MiB, that always requests large pages. A short search fills little of a larger one and should not pay 2 MiB
/// for each entry: with 4096 MiB of them a move of 10 ms took 40 to 400 ms.
const LARGE_PAGES_UP_TO: usize = 512;
/// Plies of depth that an entry loses in replacement priority per search since (chosen, not measured).
const AGE_PENALTY: i32 = 8;
/// Slots of each kind sampled by [`TranspositionTable::hashfull`] (chosen, not measured).
const HASHFULL_SAMPLE: usize = 250;

/// A hash table of a fixed size, shared by all threads of a search.
pub struct TranspositionTable {
    /// Slots of [`SLOT_WORDS`] words; the words before `first` align the slots to cache lines.
    words: Box<[AtomicU64]>,
    first: usize,
    slots: usize,
    /// Whether pages of 2 MiB have been requested.
    has_large_pages: AtomicBool,
    /// Whether the pages should still be allocated before use.
    to_touch: AtomicBool,
    /// Number of slots for proven bounds, at the start.
    bound_slots: AtomicUsize,
    /// Their rule set: its index in the list of all, from 1; 0 until the first.
    bounds_of: AtomicU8,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of `mebibytes` MiB, at least one. Its pages are not touched before they are used, or until
    /// [`touch`](TranspositionTable::touch).
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, OutOfMemory> {
        let line = SLOT_WORDS * size_of::<AtomicU64>();
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(OutOfMemory { mebibytes })?;
        let slots = bytes / line;
        let words: Box<[AtomicU64]> = bytemuck::try_zeroed_slice_box((slots + 1) * SLOT_WORDS)
            .map_err(|()| OutOfMemory { mebibytes })?;
        let small = is_small(&words);
        let first = (line - words.as_ptr() as usize % line) % line / size_of::<AtomicU64>();
        let table = TranspositionTable {
            words,
            first,
            slots,
            has_large_pages: AtomicBool::new(false),
            to_touch: AtomicBool::new(small),
            bound_slots: AtomicUsize::new(0),
            bounds_of: AtomicU8::new(0),
            generation: AtomicU8::new(0),
        };
        table.prefer_large_pages(false);
        Ok(table)
    }

    /// Decides the size of the pages that are not in use yet: large in a small table and where the search is likely to fill a
    /// large one. The value of `kalah5` with 4096 MiB and two threads took 90 s with large pages, 107 s with small ones.
    pub fn prefer_large_pages(&self, is_long: bool) {
        let large = is_long || is_small(&self.words);
        if self.has_large_pages.swap(large, Ordering::Relaxed) != large {
            advise_pages(&self.words, large);
        }
    }

    /// Allocates the pages now, unless done before: the first hundred nodes touch nearly all of a small table. Without this the
    /// first moves of games at 5 to 20 ms a move were up to 25 ms late.
    ///
    /// A table without large pages is left alone: a short search fills little of it.
    pub fn touch(&self) {
        if self.to_touch.swap(false, Ordering::Relaxed) {
            for word in self.words.iter().step_by(PAGE / size_of::<AtomicU64>()) {
                // A no-op store could be compiled to a read, which allocates no page; an exchange cannot.
                let _ = word.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    }

    pub fn clear(&self) {
        self.generation.store(0, Ordering::Relaxed);
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Starts a search: all entries age by a generation.
    pub fn next_generation(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Prefetches the slot of a position.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.slot_of(key)[0]);
    }

    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.slot_of(key).chunks_exact(2).find_map(|words| {
            let data = words[1].load(Ordering::Relaxed);
            let own = words[0].load(Ordering::Relaxed) ^ data == key & !PROVEN_BOUNDS_TAG;
            (own && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry. Replaces the position's own, or the one in its slot with the lowest replacement priority: shallow and
    /// old.
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

    /// Per mille of the table that hold proven bounds or entries of the current search, from samples; 0 without sampling if the
    /// search has stored too little for one per mille.
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
        // For entries, the second word is examined.
        let full = |first: usize, slots: usize, stride: usize| {
            let sample = slots.min(HASHFULL_SAMPLE);
            let words = |slot: usize| self.slot(slot).iter().skip(stride - 1).step_by(stride);
            let full = (first..first + sample).flat_map(words).filter(|word| is_current(word)).count();
            (full * stride) as u64 * slots as u64 / (sample * SLOT_WORDS).max(1) as u64
        };
        let full = full(0, bound_slots, 1) + full(bound_slots, self.slots - bound_slots, 2);
        (full * 1000 / self.slots as u64) as u16
    }

    /// The slot of a key: its high bits, scaled to any number of slots.
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

    #[inline]
    pub fn bound_slots(&self) -> usize {
        self.bound_slots.load(Ordering::Relaxed)
    }

    /// The memory of the slots.
    pub fn bytes(&self) -> usize {
        self.slots * SLOT_WORDS * size_of::<AtomicU64>()
    }

    #[inline]
    pub fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Reserves `sixteenths` of the table for proven bounds under these rules. Those of others are cleared: a bound does not say
    /// its rules. A table without bounds is not read: a first move of 10 ms with 4096 MiB took 1.2 s.
    pub fn divide<R: Rules>(&self, sixteenths: usize, options: RuleOptions) {
        let own = 1 + (options.index() * Variant::ALL.len() + R::VARIANT.index()) as u8;
        let is_other = |before| before != 0 && before != own;
        if sixteenths > 0 && is_other(self.bounds_of.swap(own, Ordering::Relaxed)) {
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
    /// The requested size.
    pub mebibytes: usize,
}

/// Bytes of a system page, or fewer: with larger pages each is handled more than once.
const PAGE: usize = 4096;

/// Whether large pages are a gain even for a short search.
fn is_small(words: &[AtomicU64]) -> bool {
    size_of_val(words) >> 20 <= LARGE_PAGES_UP_TO
}

/// Requests pages of 2 MiB instead of 4 KiB, or no longer. Accesses to the table are random, and with small pages most of them
/// miss the TLB as well as the cache.
///
/// Measured with the allocator requesting the same (`GLIBC_TUNABLES=glibc.malloc.hugetlb=1`): 1.25 to 1.33 times the nodes a
/// second in `kroo bench` with 16 MiB, 1.32 times in `kalah` with 400 MiB.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_pages(words: &[AtomicU64], large: bool) {
    use rustix::mm::{Advice, madvise};
    let advice = if large { Advice::LinuxHugepage } else { Advice::LinuxNoHugepage };
    let start = words.as_ptr() as usize;
    let (first, end) = (start.next_multiple_of(PAGE), start + size_of_val(words));
    let Some(length) = end.checked_sub(first) else { return };
    // SAFETY: the range is in one allocation, which `words` borrows. The advice changes only the size of its pages, not its
    // content or validity.
    #[expect(
        unsafe_code,
        reason = "there is no safe way to give the advice, and it is worth a quarter of the speed"
    )]
    let advised = unsafe { madvise(first as *mut _, length, advice) };
    // Without large pages, small ones suffice.
    let _ = advised;
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_pages(_words: &[AtomicU64], _large: bool) {}
