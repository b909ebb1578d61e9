//! From the shares of all ranks to one file in the order of the boards, and back.
//!
//! Rank 0 writes. Every rank goes through the database in the order of the indices, a block at a time, and sends its bytes of
//! the block; no buffer is larger than a block. So the file does not depend on the owners.

use super::exchange::{Exchange, PeerLost, Reduction};
use super::layout::{Layout, Slab};
use super::share::DatabaseShare;
use crate::building::checkpoint::CheckpointFile;
use crate::writer::write_file;
use kroo_core::endgames::building::cell::Cell;
use kroo_core::endgames::building::checkpoint::Checkpoint as _;
use kroo_core::endgames::building::coding::{CellCoding, CellCounts};
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::file::{DatabaseFile, Header};
use kroo_core::endgames::probe::indexing::{Indexing, board_count};
use kroo_core::endgames::probe::plain_values::BLOCK;
use kroo_core::game::Rules;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The boards of a stretch of indices, slab by slab: the number of its row, seeds and rank of that, and the places.
fn pieces(seeds: u8, boards: Range<usize>, mut each: impl FnMut(u8, usize, Range<usize>)) {
    let indexing = Indexing::get();
    for other in 0..=seeds {
        let (first, movers) = (indexing.first_index(seeds, other), indexing.row_count(seeds - other));
        let end = first + indexing.row_count(other) * movers;
        let (from, to) = (boards.start.max(first), boards.end.min(end));
        if from >= to {
            continue;
        }
        for row in (from - first) / movers..(to - first).div_ceil(movers) {
            let start = first + row * movers;
            each(other, row, from.max(start) - start..to.min(start + movers) - start);
        }
    }
}

/// Gathers the bytes of some boards on rank 0, in their order; the other ranks get none. `encode` writes the bytes of the
/// values in some places of a slab, `size` bytes a board.
fn gather(
    layout: &Layout,
    seeds: u8,
    exchange: &mut dyn Exchange,
    boards: Range<usize>,
    size: usize,
    encode: &dyn Fn(Range<usize>, &mut Vec<u8>),
) -> Result<Vec<u8>, PeerLost> {
    let (rank, mut mine, all) = (exchange.rank(), Vec::new(), size * boards.len());
    pieces(seeds, boards.clone(), |other, row, places| {
        let number = layout.number(other, row);
        if layout.owner(number) == rank {
            let Slab { start, .. } = layout.slab(number);
            encode(start + places.start..start + places.end, &mut mine);
        }
    });
    mine.resize(mine.len().next_multiple_of(8), 0);
    let mut messages = vec![Vec::new(); exchange.size()];
    messages[0] = bytemuck::pod_collect_to_vec(&mine);
    let parts = exchange.all_to_all(messages)?;
    let mut bytes = Vec::new();
    if rank == 0 {
        bytes.reserve(all);
        let mut read = vec![0; parts.len()];
        pieces(seeds, boards, |other, row, places| {
            let owner = layout.owner(layout.number(other, row));
            let length = size * places.len();
            bytes.extend(&bytemuck::cast_slice::<u64, u8>(&parts[owner])[read[owner]..][..length]);
            read[owner] += length;
        });
    }
    Ok(bytes)
}

/// Has rank 0 write a file with the bytes of `encode`. If that fails no file is left; all ranks have completed their part.
fn write(
    layout: &Layout,
    exchange: &mut dyn Exchange,
    header: &Header,
    path: &Path,
    encode: &dyn Fn(Range<usize>, &mut Vec<u8>),
) -> Result<Result<(), EndgameFileError>, PeerLost> {
    let (mut next, mut lost) = (0, None);
    let size = header.bytes / board_count(header.seeds);
    let mut result = Ok(());
    let block_of = |exchange: &mut dyn Exchange, from: usize| {
        let boards = from / size..(from + BLOCK).min(header.bytes) / size;
        gather(layout, header.seeds, exchange, boards, size, encode)
    };
    if exchange.rank() == 0 {
        result = write_file(header, path, &mut |from, block| {
            next = from + BLOCK;
            let bytes = block_of(exchange, from).map_err(|gone| {
                lost = Some(gone);
                io::Error::other(gone)
            })?;
            block.copy_from_slice(&bytes);
            Ok(())
        });
        if let Some(lost) = lost {
            return Err(lost);
        }
    }
    for from in (next..header.bytes).step_by(BLOCK) {
        block_of(exchange, from)?;
    }
    Ok(result)
}

/// Has rank 0 write the checkpoint of a database, the same as one machine's.
pub(super) fn write_checkpoint<R: Rules, C: Cell>(
    database: &DatabaseShare<'_, R, C>,
    exchange: &mut dyn Exchange,
    checkpoint: &mut CheckpointFile,
) -> Result<(), PeerLost> {
    let size = size_of::<C>();
    let all = size * board_count(database.seeds);
    checkpoint.failed = None;
    for from in (0..all).step_by(BLOCK) {
        let boards = from / size..(from + BLOCK).min(all) / size;
        let bytes = gather(database.layout, database.seeds, exchange, boards, size, &|places, bytes| {
            bytes.extend(bytemuck::cast_slice::<C, u8>(&database.values()[places]));
        })?;
        if exchange.rank() == 0 {
            checkpoint.put(from, &bytes);
        }
    }
    checkpoint.sync();
    Ok(())
}

/// Writes the file of a database, the same as one machine's, with at most this number of codes.
pub(super) fn write_database<R: Rules, C: Cell>(
    database: &DatabaseShare<'_, R, C>,
    exchange: &mut dyn Exchange,
    file: &DatabaseFile,
    path: &Path,
    most: usize,
) -> Result<Result<(), EndgameFileError>, PeerLost> {
    let thresholds = |cell: C| cell.turned::<R>(database.seeds).thresholds();
    let mut counts = CellCounts::new::<C>();
    counts.add(database.values(), database.threads);
    exchange.all_reduce(Reduction::Sum, &mut counts.boards)?;
    let coding = counts.coding(&thresholds, most);
    let rare = if coding.too_many { gather_rare(database, exchange, &coding)? } else { Vec::new() };
    let rare = rare.into_iter().map(|(index, cell)| (index, thresholds(cell))).collect();
    let DatabaseFile { variant, seeds, bytes, .. } = *file;
    let header = Header { variant, seeds, bytes, thresholds: coding.thresholds.clone(), rare };
    write(database.layout, exchange, &header, path, &|places, bytes| {
        bytes.extend(database.values()[places].iter().map(|&cell| coding.code(cell)));
    })
}

/// Gathers the boards without a code on rank 0, by their indices; the other ranks get none.
fn gather_rare<R: Rules, C: Cell>(
    database: &DatabaseShare<'_, R, C>,
    exchange: &mut dyn Exchange,
    coding: &CellCoding,
) -> Result<Vec<(u64, C)>, PeerLost> {
    let (indexing, mut mine) = (Indexing::get(), Vec::new());
    for &slab in &database.layout.slabs {
        let movers = database.layout.len(slab);
        let first = indexing.first_index(database.seeds, slab.seeds) + slab.row * movers;
        let rare = coding.rare(first as u64, &database.values()[slab.start..][..movers]);
        mine.extend(rare.map(|(index, cell)| index << 16 | cell.number() as u64));
    }
    let mut messages = vec![Vec::new(); exchange.size()];
    messages[0] = mine;
    let mut rare = exchange.all_to_all(messages)?.concat();
    rare.sort_unstable();
    Ok(rare.into_iter().map(|word| (word >> 16, C::from_number(usize::from(word as u16)))).collect())
}

/// Takes the values of a checkpoint that are sound. Each rank reads all of it.
pub(super) fn load_checkpoint<R: Rules, C: Cell>(
    database: &mut DatabaseShare<'_, R, C>,
    checkpoint: &mut CheckpointFile,
) {
    let (layout, rank, seeds) = (database.layout, database.rank, database.seeds);
    let values = database.values_mut();
    checkpoint.load(&mut |from, bytes| {
        let (from, mut cells) = (from / size_of::<C>(), bytemuck::cast_slice::<u8, C>(bytes));
        pieces(seeds, from..from + cells.len(), |other, row, places| {
            let number = layout.number(other, row);
            let (piece, rest) = cells.split_at(places.len());
            if layout.owner(number) == rank {
                let start = layout.slab(number).start;
                values[start + places.start..start + places.end].copy_from_slice(piece);
            }
            cells = rest;
        });
    });
}
