//! An entry of the transposition table, and its key.

use crate::game::{Board, Pit, Rules, Zobrist};
use crate::value::{Bounds, Plies, Proof, Score, UNKNOWN_PLIES, Value};

/// The bit that distinguishes a word of proven bounds (`solver/bounds.rs`) from the words of an entry.
pub const PROVEN_BOUNDS_TAG: u64 = 1 << 63;
/// Depths from here on mark a proven value, which no deeper search can improve, and give its cost: see [`proven_depth`]. They
/// exceed `MAX_DEPTH`, and the rest of the byte has room for the logarithm of 64 bits.
pub const PROVEN: u8 = 192;
/// Position of `settles` in the data word: ten bits, as many as [`UNKNOWN_PLIES`] has.
const SETTLES_SHIFT: u32 = 39;
const _: () = assert!(UNKNOWN_PLIES == (1 << 10) - 1);
/// How many generations of searches are distinguished (six bits).
pub(super) const GENERATIONS: u8 = 64;

/// How a stored value relates to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An upper bound.
    Upper,
    /// A lower bound.
    Lower,
    /// The search's exact value.
    Exact,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value that the search returned.
    pub value: Value,
    /// How it relates to the value of the position.
    pub bound: Bound,
    /// The sides of it that are proven on every path.
    pub proof: Proof,
    /// Depth searched, in plies; 192 or more marks a proven value, higher the more nodes it took.
    pub depth: u8,
    /// The best move, or the one that caused the cutoff.
    pub pit: Option<Pit>,
    /// Plies within which the proof is realised.
    pub settles: Plies,
}

impl Entry {
    /// Whether the entry replaces a search of this window and depth.
    #[inline]
    pub fn answers(&self, alpha: Value, beta: Value, depth: u8) -> bool {
        let deep = self.depth >= depth;
        match self.bound {
            Bound::Exact => deep || self.proof.is_exact() || self.is_decided_by_proof(alpha, beta),
            Bound::Lower => self.value >= beta && (deep || self.proof.at_least),
            Bound::Upper => self.value <= alpha && (deep || self.proof.at_most),
        }
    }

    #[inline]
    fn is_decided_by_proof(&self, alpha: Value, beta: Value) -> bool {
        self.proof.at_least && self.value >= beta || self.proof.at_most && self.value <= alpha
    }

    /// The proven bounds of its position.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(Score { value: self.value, proof: self.proof }, self.settles)
    }

    /// Whether deeper search cannot improve the entry.
    #[inline]
    pub fn is_proven(&self) -> bool {
        match self.bound {
            Bound::Exact => self.proof.is_exact(),
            Bound::Lower => self.proof.at_least,
            Bound::Upper => self.proof.at_most,
        }
    }

    /// The data word of the entry.
    ///
    /// | bits | content |
    /// |---|---|
    /// | 0–15 | [`Value::to_bits`] |
    /// | 16–23 | depth in plies; from 192 on a proven value: [`proven_depth`] |
    /// | 24–26 | pit of the best move, 7 for none |
    /// | 27–28 | bound: 0 upper, 1 lower, 2 exact |
    /// | 29 | proven: at least the value |
    /// | 30 | proven: at most the value |
    /// | 31 | 0 |
    /// | 32–37 | generation: the search that stored it, modulo 64 |
    /// | 38 | 1: no entry is 0, the empty slot |
    /// | 39–48 | plies within which the proof is realised |
    /// | 49–62 | 0 |
    /// | 63 | 0: [`PROVEN_BOUNDS_TAG`] |
    pub(super) fn pack(&self, generation: u8) -> u64 {
        let depth = if self.is_proven() { self.depth.max(PROVEN) } else { self.depth.min(PROVEN - 1) };
        let pit = self.pit.map_or(7, Pit::index) as u64;
        let proof = u64::from(self.proof.at_least) | u64::from(self.proof.at_most) << 1;
        u64::from(self.value.to_bits())
            | u64::from(depth) << 16
            | pit << 24
            | (self.bound as u64) << 27
            | proof << 29
            | u64::from(generation) << 32
            | 1 << 38
            | u64::from(self.settles.min(UNKNOWN_PLIES)) << SETTLES_SHIFT
    }

    pub(super) fn unpack(data: u64) -> Entry {
        let pit = (data >> 24 & 7) as usize;
        Entry {
            value: Value::from_bits(data as u16),
            bound: match data >> 27 & 3 {
                0 => Bound::Upper,
                1 => Bound::Lower,
                _ => Bound::Exact,
            },
            proof: Proof { at_least: data >> 29 & 1 != 0, at_most: data >> 30 & 1 != 0 },
            depth: depth_of(data),
            pit: (pit < 6).then(|| Pit::new(pit)),
            settles: (data >> SETTLES_SHIFT) as Plies & UNKNOWN_PLIES,
        }
    }
}

/// The depth to store with a proven value: the more nodes it took, the longer it is kept.
///
/// In a table that has been overwritten many times, all proven values would otherwise have equal priority.
#[inline]
pub fn proven_depth(nodes: u64) -> u8 {
    PROVEN + (nodes | 1).ilog2() as u8
}

pub(super) fn depth_of(data: u64) -> u8 {
    (data >> 16) as u8
}

pub(super) fn generation_of(data: u64) -> u8 {
    (data >> 32) as u8 % GENERATIONS
}

/// The table key of a board. It omits the stores in rule sets where these only add to the value of the pits: one entry serves
/// every lead. Equal boards of two rule sets have different keys, and so do equal boards near the move limit with different
/// numbers of moves left (`MoveLimit::key`).
#[inline]
pub fn table_key<R: Rules>(zobrist: &Zobrist, board: Board, moves_left: u64) -> u64 {
    let board = if R::LEAD_ADDS { board.without_stores() } else { board };
    let rules = (R::VARIANT.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    zobrist.keys(board).key() ^ rules ^ moves_left
}
