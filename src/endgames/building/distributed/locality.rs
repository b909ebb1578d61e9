//! The share of the looks of a distributed build that stay on a rank, counted move by move, to compare layouts.

use super::layout::Layout;
use kroo_core::endgames::building::move_tables::FULL;
use kroo_core::endgames::probe::indexing::{Indexing, Rows, database_size};
use kroo_core::game::{Board, Pit, Rules, Variant};
use kroo_core::under;

/// The locality and balance of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Locality {
    /// The part of the looks that go to slabs of the same rank.
    pub local: f64,
    /// The boards of the rank that has most, of an equal share.
    pub fullest: f64,
    /// Looks of an evaluation.
    pub looks: f64,
    /// The number of first pits of a row that choose its owner; none where each rank has a stretch of indices.
    pub prefix: Option<usize>,
}

/// Counts the looks of a database with `size` ranks, with slabs by `prefix` first pits, by as many as a build takes
/// (`None`), or by stretches of indices (`Some(0)`).
pub fn locality(variant: Variant, seeds: u8, size: usize, prefix: Option<usize>) -> Locality {
    under!(variant, R => count::<R>(seeds, size, prefix))
}

fn count<R: Rules>(seeds: u8, size: usize, prefix: Option<usize>) -> Locality {
    let indexing = Indexing::get();
    let layout = match prefix {
        None => Layout::balanced(seeds, 0, size),
        Some(0) => Layout::in_stretches(seeds, 0, size),
        Some(prefix) => Layout::new(seeds, 0, size, prefix),
    };
    let (mut looks, mut local) = (0, 0);
    for mover in 1..=seeds {
        let boards = indexing.row_count(seeds - mover) as u64;
        for (rank, row) in Rows::with(mover).enumerate() {
            let owner = layout.owner(layout.number(mover, rank));
            for pit in Pit::ALL.into_iter().filter(|&pit| row.pit(pit) > 0) {
                let step = R::play(Board { mover: row, other: FULL }, pit).expect("a single lap ends");
                let left = step.board.other;
                looks += boards;
                if layout.owner(layout.number(left.seeds(), indexing.rank_row(left))) == owner {
                    local += boards;
                }
            }
        }
    }
    let all = database_size(seeds);
    Locality {
        local: local as f64 / looks.max(1) as f64,
        fullest: (layout.most * size as u64) as f64 / all as f64,
        looks: looks as f64 / all as f64,
        prefix: if prefix == Some(0) { None } else { Some(layout.prefix) },
    }
}
