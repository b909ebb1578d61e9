//! The solver's memory: proven bounds of boards, kept in the table.
//!
//! A bound is on the final difference of what the side to move and the other side bank from a board on. Both bounds and the
//! best move take one word of the table, half an entry. Boards with empty stores are indexed without gaps. A word holds the low
//! bits of the index, enough for all boards with up to 48 seeds. In larger games the high bits shift the slot, by a 64th of all
//! slots each ([`SHIFTS`]), so slot and word together identify the index. No hash is involved, so two boards are never
//! confused.

use crate::endgames::{Indexing, MAX_INDEXED_SEEDS, database_size};
use crate::game::{Board, COUNTS, Flag, LARGEST_GAME, Pit, Rules};
use crate::prefetch::prefetch;
use crate::search::table::{PROVEN_BOUNDS_TAG, SLOT_WORDS, TranspositionTable};
use crate::value::{Bounds, Plies, by_margin};
use once_cell::sync::OnceCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of a word below the board's index.
pub const DATA_BITS: u32 = 22;
/// The tag and the index of a board, without the data below.
const OWN_TAG: u64 = PROVEN_BOUNDS_TAG >> DATA_BITS;
/// Part of the index of a board whose move is the second of its turn.
pub const SECOND_MOVE: u64 = 1 << 40;
/// Offset that makes gains non-negative.
const ZERO: i8 = 64;
/// Bits of an index in a word: there are 1.4 × 10¹² boards with up to 48 seeds, fewer than 2⁴¹.
pub const INDEX_BITS: u32 = u64::BITS - 1 - DATA_BITS;
const LOW_BITS: u64 = (1 << INDEX_BITS) - 1;
/// Values of the high bits: there are 1.1 × 10¹⁴ boards with up to 72 seeds, fewer than 2⁴⁷.
pub const SHIFTS: u64 = 64;
/// Maximum seeds of an indexed board.
pub const MAX_SEEDS: u8 = MAX_INDEXED_SEEDS;
/// The largest gain that a word can hold; larger ones are clamped.
pub const LARGEST_GAIN: i8 = 127 - ZERO;
/// The same where a bit of the index marks the second move of a turn: 8.9 × 10¹¹ boards, fewer than 2⁴⁰.
pub const MAX_SEEDS_WITH_SECOND_MOVE: u8 = 46;
/// The largest margin of any game.
pub const LARGEST_MARGIN: i8 = LARGEST_GAME as i8;
/// Replacement priority of this search's bounds over older ones, in powers of four of the nodes that they took (chosen, not
/// measured).
const NEW_BONUS: u64 = 4;

/// Bounds of a board's gain, seen by its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenBounds {
    pub at_least: i8,
    pub at_most: i8,
    /// The best move, or one that sufficed.
    pub pit: Option<Pit>,
}

impl ProvenBounds {
    /// The bounds that the seeds prove: no side gains more than the seeds left.
    #[inline]
    pub fn of_seeds(seeds: u8) -> ProvenBounds {
        ProvenBounds { at_least: -(seeds as i8), at_most: seeds as i8, pit: None }
    }

    /// The bounds of a board whose gain is known.
    #[inline]
    pub fn exact(gain: i8) -> ProvenBounds {
        ProvenBounds { at_least: gain, at_most: gain, pit: None }
    }

    /// The bounds of the value of a board with this lead, realised within `plies` plies.
    pub fn of_board(self, lead: i8, plies: Plies) -> Bounds {
        let [at_least, at_most] = [self.at_least, self.at_most].map(|gain| by_margin(lead + gain));
        Bounds { at_least, at_most, least_within: plies, most_within: plies }
    }

    /// The bound that decides whether the board gains `target` seeds, if one does.
    #[inline]
    pub fn decides(self, target: i8) -> Option<i8> {
        let bound = if self.at_least >= target { self.at_least } else { self.at_most };
        (self.at_least >= target || self.at_most < target).then_some(bound)
    }

    /// The word in the table.
    ///
    /// | bits | content |
    /// |---|---|
    /// | 0–3 | half the binary logarithm of the nodes that it took, at most 15 |
    /// | 4 | the last bit of the generation: the search that stored it |
    /// | 5–7 | pit of the best move, 7 for none |
    /// | 8–14 | gain at most, and 64 |
    /// | 15–21 | gain at least, and 64 |
    /// | 22–62 | the low bits of [`board_index`] |
    /// | 63 | 1: [`PROVEN_BOUNDS_TAG`] |
    fn pack(self, index: u64, nodes: u64, generation: u8) -> u64 {
        let pit = self.pit.map_or(7, Pit::index) as u64;
        let work = u64::from((nodes | 1).ilog2() / 2).min(15);
        let [at_least, at_most] =
            [self.at_least, self.at_most].map(|gain| (gain.clamp(-ZERO, LARGEST_GAIN) + ZERO) as u64);
        let gains = at_least << 7 | at_most;
        PROVEN_BOUNDS_TAG | index << DATA_BITS | gains << 8 | pit << 5 | u64::from(generation & 1) << 4 | work
    }

    /// The bounds in a word of the table.
    pub fn unpack(word: u64) -> ProvenBounds {
        let pit = (word >> 5 & 7) as usize;
        let (at_least, at_most) = ((word >> 15 & 127) as i8 - ZERO, (word >> 8 & 127) as i8 - ZERO);
        // At the ends of the range the true bound may be wider.
        ProvenBounds {
            at_least: if at_least == -ZERO { -LARGEST_MARGIN } else { at_least },
            at_most: if at_most == LARGEST_GAIN { LARGEST_MARGIN } else { at_most },
            pit: (pit < 6).then(|| Pit::new(pit)),
        }
    }
}

/// Maximum seeds in the pits of a board whose bounds can be kept.
pub const fn max_seeds<R: Rules>() -> u8 {
    if R::SECOND_MOVE { MAX_SEEDS_WITH_SECOND_MOVE } else { MAX_SEEDS }
}

/// The index of a board among all with empty stores: those with fewer seeds come first, then its rank among those with the same
/// number.
#[inline]
pub fn board_index<R: Rules>(board: Board, seeds: u8) -> u64 {
    debug_assert!(seeds <= max_seeds::<R>(), "the index fits into a word");
    let index = first_index(seeds) + Indexing::get().index(board);
    if R::SECOND_MOVE && board.has(Flag::SecondMove) { index | SECOND_MOVE } else { index }
}

/// How many boards have fewer seeds.
#[inline]
pub fn first_index(seeds: u8) -> u64 {
    static FIRST: OnceCell<[u64; COUNTS]> = OnceCell::new();
    let first = FIRST.get_or_init(|| {
        let mut fewer = 0;
        std::array::from_fn(|seeds| {
            let boards = if seeds as u8 <= MAX_SEEDS { database_size(seeds as u8) } else { 0 };
            fewer += boards;
            fewer - boards
        })
    });
    first[usize::from(seeds) % first.len()]
}

/// The slot of a board whose index has no high bits.
#[inline]
fn first_slot(low_bits: u64, slots: usize) -> usize {
    let mixed = low_bits.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(mixed) * slots as u128) >> 64) as usize
}

/// The table slot of a board's proven bounds, and the key that identifies the board in it.
#[derive(Clone, Copy)]
pub struct TableSlot<'a> {
    pub words: &'a [AtomicU64],
    pub index: u64,
}

impl<'a> TableSlot<'a> {
    /// The slot of the board with an index.
    #[inline]
    pub fn of(table: &'a TranspositionTable, index: u64) -> TableSlot<'a> {
        let (own, shift) = (index & LOW_BITS, index >> INDEX_BITS);
        let slots = table.bound_slots();
        let slot = first_slot(own, slots) + shift as usize * (slots / SHIFTS as usize);
        let slot = if slot < slots { slot } else { slot - slots };
        TableSlot { words: table.slot(slot), index: own }
    }

    /// The index of the board whose word is in the slot with a number, the inverse of [`TableSlot::of`]; `None` if the word is no
    /// proven bound.
    pub fn index_of(word: u64, slot: usize, table: &TranspositionTable) -> Option<u64> {
        let slots = table.bound_slots();
        let own = word >> DATA_BITS & LOW_BITS;
        let beyond = (slot + slots - first_slot(own, slots)) % slots;
        let shift = beyond / (slots / SHIFTS as usize).max(1);
        (word & PROVEN_BOUNDS_TAG != 0).then_some((shift as u64) << INDEX_BITS | own)
    }

    /// Prefetches the words.
    #[inline]
    pub fn prefetch(self) {
        prefetch(&self.words[0]);
    }

    /// The board's proven bounds.
    #[inline]
    pub fn load(self) -> Option<ProvenBounds> {
        let own = OWN_TAG | self.index;
        let mut words = self.words.iter().map(|word| word.load(Ordering::Relaxed));
        words.find(|word| word >> DATA_BITS == own).map(ProvenBounds::unpack)
    }

    /// Stores bounds that took `nodes` nodes to prove. Replaces the board's own, or those with the lowest replacement priority,
    /// which took the fewest nodes and come from an earlier search.
    #[inline]
    pub fn store(self, bounds: ProvenBounds, nodes: u64, generation: u8) {
        let own = OWN_TAG | self.index;
        let priority = |word: &&AtomicU64| {
            let word = word.load(Ordering::Relaxed);
            if word >> DATA_BITS == own || word & PROVEN_BOUNDS_TAG == 0 {
                return 0;
            }
            let is_new = word >> 4 & 1 == u64::from(generation & 1);
            1 + (word & 15) + if is_new { NEW_BONUS } else { 0 }
        };
        if let Some(word) = self.words.iter().min_by_key(priority) {
            word.store(bounds.pack(self.index, nodes, generation), Ordering::Relaxed);
        }
    }
}

const _: () = assert!(SLOT_WORDS == 8, "a slot is a cache line");
