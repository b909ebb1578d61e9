//! The distribution of a database's slabs over the ranks.
//!
//! A **slab** is all boards with one row of the other side. A row belongs to a class by its first pits. The classes are
//! distributed over the ranks, the heaviest first, each to the rank with the smallest share. A sowing from a later pit leaves the
//! first pits unchanged unless it goes round, and leads to a slab of the same rank. With fewer pits to a class, more looks are
//! local, but fewer ranks can have equal shares. The classes therefore have the fewest pits that give the fullest rank at most a
//! tenth more than its share.

use kroo_core::endgames::probe::indexing::{Indexing, Rows, database_size};
use kroo_core::game::ROW;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The largest share of a rank may be this much of an equal one, in hundredths, if that can be had.
pub(super) const FULLEST: u64 = 110;

/// A row of the other side, and the slab of boards with this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slab {
    /// Seeds of the row.
    pub seeds: u8,
    /// Its rank among those with as many.
    pub row: usize,
    /// The index of its first board in the memory of its owner.
    pub start: usize,
}

/// The owners of the rows of a database.
#[derive(Debug)]
pub struct Layout {
    seeds: u8,
    /// By the seeds of a row: how many rows have fewer.
    first_row: Vec<usize>,
    /// By the number of a row: its owner, and its place among the slabs of that.
    owners: Vec<u16>,
    places: Vec<u32>,
    /// The slabs of this rank, in the order of their boards.
    pub slabs: Vec<Slab>,
    /// The boards of this rank.
    pub boards: usize,
    /// The boards of the rank that has most.
    pub most: u64,
}

impl Layout {
    /// The layout with the fewest pits to a class that still balances the boards, from the view of a rank.
    pub fn balanced(seeds: u8, rank: usize, size: usize) -> Layout {
        let spread = |prefix| spread(&weights(seeds, prefix), size);
        let is_even = |most: u64| most * size as u64 * 100 <= FULLEST * database_size(seeds);
        let prefix = (0..ROW).find(|&prefix| is_even(spread(prefix).1)).unwrap_or(ROW);
        let (classes, most) = spread(prefix);
        let (owners, places, slabs) = (Vec::new(), Vec::new(), Vec::new());
        let mut layout = Layout { seeds, first_row: vec![0], owners, places, slabs, boards: 0, most };
        let mut counts = vec![0; size];
        for row_seeds in 0..=seeds {
            let boards = Indexing::get().row_count(seeds - row_seeds);
            for (number, row) in Rows::with(row_seeds).enumerate() {
                let owner = classes[&class(row.pits(), prefix)];
                layout.owners.push(owner);
                layout.places.push(counts[usize::from(owner)]);
                counts[usize::from(owner)] += 1;
                if usize::from(owner) == rank {
                    layout.slabs.push(Slab { seeds: row_seeds, row: number, start: layout.boards });
                    layout.boards += boards;
                }
            }
            layout.first_row.push(layout.owners.len());
        }
        layout
    }

    /// The number of a row in the database.
    #[inline]
    pub fn number(&self, seeds: u8, row: usize) -> usize {
        self.first_row[usize::from(seeds)] + row
    }

    /// The owner of the slab of a row, by its number.
    #[inline]
    pub fn owner(&self, number: usize) -> usize {
        usize::from(self.owners[number])
    }

    /// The slab of a row of this rank, by its number.
    #[inline]
    pub fn slab(&self, number: usize) -> Slab {
        self.slabs[self.places[number] as usize]
    }

    /// The boards of a slab.
    #[inline]
    pub fn len(&self, slab: Slab) -> usize {
        Indexing::get().row_count(self.seeds - slab.seeds)
    }

    /// The end of the boards of some slabs that follow each other.
    pub fn end(&self, slabs: &[Slab]) -> usize {
        slabs.last().map_or(0, |&slab| slab.start + self.len(slab))
    }
}

fn class(pits: [u8; ROW], prefix: usize) -> [u8; ROW] {
    std::array::from_fn(|pit| if pit < prefix { pits[pit] } else { 0 })
}

/// The boards of each class.
fn weights(seeds: u8, prefix: usize) -> BTreeMap<[u8; ROW], u64> {
    let mut weights = BTreeMap::new();
    for row_seeds in 0..=seeds {
        let boards = Indexing::get().row_count(seeds - row_seeds) as u64;
        for row in Rows::with(row_seeds) {
            *weights.entry(class(row.pits(), prefix)).or_default() += boards;
        }
    }
    weights
}

/// Gives each class to a rank. Also the boards of the rank that has most.
fn spread(weights: &BTreeMap<[u8; ROW], u64>, size: usize) -> (BTreeMap<[u8; ROW], u16>, u64) {
    let mut heaviest: Vec<_> = weights.iter().map(|(&class, &boards)| (Reverse(boards), class)).collect();
    heaviest.sort_unstable();
    let mut ranks: BinaryHeap<_> = (0..size).map(|rank| Reverse((0, rank as u16))).collect();
    let mut owners = BTreeMap::new();
    let mut most = 0;
    for (Reverse(boards), class) in heaviest {
        let Some(Reverse((load, rank))) = ranks.pop() else { break };
        owners.insert(class, rank);
        most = most.max(load + boards);
        ranks.push(Reverse((load + boards, rank)));
    }
    (owners, most)
}
