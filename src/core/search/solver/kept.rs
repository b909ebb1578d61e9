//! The proofs in a table that took long, so that a later process can continue from them.

use super::bounds::{INDEX_BITS, ProvenBounds, SHIFTS, TableSlot};
use super::root::table_share;
use crate::game::{Pit, ROW, Variant};
use crate::search::memory::SearchMemory;
use crate::under;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of a word for the work of a proof.
const WORK: u64 = 15;

/// A board's proven bounds and the work that they took. As text: index, the gain at least and at most, the best move from 0 or
/// `-`, and the work, separated by spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptProof {
    /// The board: its [index](super::bounds::board_index).
    pub index: u64,
    pub bounds: ProvenBounds,
    /// Half the binary logarithm of the nodes that it took, at most 15.
    pub work: u8,
}

impl KeptProof {
    /// What this and another proof of the same board prove together.
    #[must_use]
    pub fn and(self, other: KeptProof) -> KeptProof {
        let (one, two) = (self.bounds, other.bounds);
        let (first, second) = if two.at_least > one.at_least { (two, one) } else { (one, two) };
        let bounds = ProvenBounds {
            at_least: first.at_least,
            at_most: one.at_most.min(two.at_most),
            pit: first.pit.or(second.pit),
        };
        KeptProof { index: self.index, bounds, work: self.work.max(other.work) }
    }
}

impl fmt::Display for KeptProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KeptProof { index, bounds: ProvenBounds { at_least, at_most, pit }, work } = self;
        let pit = pit.map_or("-".to_owned(), |pit| pit.index().to_string());
        write!(f, "{index} {at_least} {at_most} {pit} {work}")
    }
}

/// A text that is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a proof is an index, two bounds, a move from 0 to 5 or '-', and the work from 0 to 15")]
pub struct NoProof;

impl FromStr for KeptProof {
    type Err = NoProof;

    fn from_str(text: &str) -> Result<KeptProof, NoProof> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [index, at_least, at_most, pit, work] = fields[..] else { return Err(NoProof) };
        let number = |text: &str| text.parse::<i8>().map_err(|_| NoProof);
        let pit = match pit {
            "-" => None,
            pit => Some(pit.parse().ok().filter(|&pit| pit < ROW).map(Pit::new).ok_or(NoProof)?),
        };
        Ok(KeptProof {
            index: index.parse().ok().filter(|&index| index < SHIFTS << INDEX_BITS).ok_or(NoProof)?,
            bounds: ProvenBounds { at_least: number(at_least)?, at_most: number(at_most)?, pit },
            work: work.parse().ok().filter(|&work| u64::from(work) <= WORK).ok_or(NoProof)?,
        })
    }
}

/// The proofs in the memory that took at least 4 to the power of `work` nodes.
pub fn kept_proofs(memory: &SearchMemory, work: u8) -> impl Iterator<Item = KeptProof> {
    let table = &memory.transpositions;
    let words =
        (0..table.bound_slots()).flat_map(|slot| table.slot(slot).iter().map(move |word| (slot, word)));
    let proof = |(slot, word): (usize, &AtomicU64)| {
        let word = word.load(Ordering::Relaxed);
        let index = TableSlot::index_of(word, slot, table)?;
        Some(KeptProof { index, bounds: ProvenBounds::unpack(word), work: (word & WORK) as u8 })
    };
    words.filter_map(proof).filter(move |proof| proof.work >= work)
}

/// Adds proofs that [`kept_proofs`] returned for the same rule set.
pub fn add_proofs(memory: &SearchMemory, variant: Variant, proofs: impl IntoIterator<Item = KeptProof>) {
    let _lease = under!(variant, R => memory.lease::<R>(table_share::<R>(), variant.options()));
    let table = &memory.transpositions;
    for KeptProof { index, bounds, work } in proofs {
        TableSlot::of(table, index).store(bounds, 1 << (2 * u32::from(work)), table.generation());
    }
}
