//! From the shares of all ranks to one file in the order of the boards, and back.
//!
//! Rank 0 writes. Every rank goes through the level in the order of the indices, a block at a time, and sends its bytes of
//! the block; no buffer is larger than a block. So the file does not depend on who had what.

use super::super::cell::{cell_bytes, push_cell, read_cell};
use super::super::checkpoint::Checkpoint;
use super::super::coding::Coding;
use super::super::error::EndgameFileError;
use super::super::file::{Header, LevelFile};
use super::super::indexing::{Indexing, board_count};
use super::super::plain_values::BLOCK;
use super::super::thresholds::Thresholds;
use super::exchange::{Exchange, PeerLost, Reduction};
use super::layout::{Layout, Slab};
use super::level::LevelShare;
use crate::game::Rules;
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
/// values in some places of a slab, so many a board.
fn gather<E: Exchange + ?Sized>(
    layout: &Layout,
    seeds: u8,
    exchange: &mut E,
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

/// Has rank 0 write a file of so many bytes a board. If that fails there is no file, and all ranks have come to the end.
fn write<E: Exchange + ?Sized>(
    layout: &Layout,
    exchange: &mut E,
    header: &Header,
    path: &Path,
    encode: &dyn Fn(Range<usize>, &mut Vec<u8>),
) -> Result<Result<(), EndgameFileError>, PeerLost> {
    let (mut next, mut lost) = (0, None);
    let size = header.bytes / board_count(header.seeds);
    let mut result = Ok(());
    let block_of = |exchange: &mut E, from: usize| {
        let boards = from / size..(from + BLOCK).min(header.bytes) / size;
        gather(layout, header.seeds, exchange, boards, size, encode)
    };
    if exchange.rank() == 0 {
        result = header.write(path, &mut |from, block| {
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

/// Has rank 0 write the checkpoint of a level, as one machine does.
pub(super) fn write_checkpoint<R: Rules, E: Exchange + ?Sized>(
    level: &LevelShare<'_, R>,
    exchange: &mut E,
    checkpoint: &mut Checkpoint,
) -> Result<(), PeerLost> {
    let size = cell_bytes::<R>();
    let all = size * board_count(level.seeds);
    checkpoint.failed = None;
    for from in (0..all).step_by(BLOCK) {
        let boards = from / size..(from + BLOCK).min(all) / size;
        let bytes = gather(level.layout, level.seeds, exchange, boards, size, &|places, bytes| {
            level.values[places]
                .iter()
                .for_each(|&value| push_cell::<R>(Thresholds::from_bits(value), bytes));
        })?;
        if exchange.rank() == 0 {
            checkpoint.put(from, &bytes);
        }
    }
    checkpoint.sync();
    Ok(())
}

/// Writes the file of a level, as one machine does: with so many codes at most.
pub(super) fn write_level<R: Rules, E: Exchange + ?Sized>(
    level: &LevelShare<'_, R>,
    exchange: &mut E,
    file: &LevelFile,
    path: &Path,
    most: usize,
) -> Result<Result<(), EndgameFileError>, PeerLost> {
    let turned = |value: u16| Thresholds::from_bits(value).turned::<R>(level.seeds).bits();
    let mut counts = vec![0; 1 << 16];
    level.values.iter().for_each(|&value| counts[usize::from(turned(value))] += 1);
    exchange.all_reduce(Reduction::Sum, &mut counts)?;
    let coding = Coding::new(&counts, most);
    let codes: Vec<u8> = (0..=u16::MAX).map(|bits| coding.code(Thresholds::from_bits(bits))).collect();
    let rare = if coding.too_many {
        let has_none = |bits: u16| usize::from(codes[usize::from(bits)]) == coding.thresholds.len();
        gather_rare(level, exchange, |value| Some(turned(value)).filter(|&bits| has_none(bits)))?
    } else {
        Vec::new()
    };
    let LevelFile { kind, variant, seeds, bytes, .. } = *file;
    let header = Header { kind, variant, seeds, bytes, thresholds: coding.thresholds, rare };
    write(level.layout, exchange, &header, path, &|places, bytes| {
        bytes.extend(level.values[places].iter().map(|&value| codes[usize::from(turned(value))]));
    })
}

/// Gathers the boards without a code on rank 0, by their indices; the other ranks get none.
fn gather_rare<R: Rules, E: Exchange + ?Sized>(
    level: &LevelShare<'_, R>,
    exchange: &mut E,
    thresholds_of: impl Fn(u16) -> Option<u16>,
) -> Result<Vec<(u64, Thresholds)>, PeerLost> {
    let (indexing, mut mine) = (Indexing::get(), Vec::new());
    for &slab in &level.layout.slabs {
        let movers = level.layout.len(slab);
        let first = indexing.first_index(level.seeds, slab.seeds) + slab.row * movers;
        for (index, &value) in (first as u64..).zip(&level.values[slab.start..][..movers]) {
            mine.extend(thresholds_of(value).map(|bits| index << 16 | u64::from(bits)));
        }
    }
    let mut messages = vec![Vec::new(); exchange.size()];
    messages[0] = mine;
    let mut rare = exchange.all_to_all(messages)?.concat();
    rare.sort_unstable();
    Ok(rare.into_iter().map(|word| (word >> 16, Thresholds::from_bits(word as u16))).collect())
}

/// Takes the values of a checkpoint, as far as there are sound ones. Each rank reads all of it.
pub(super) fn load_checkpoint<R: Rules>(level: &mut LevelShare<'_, R>, checkpoint: &mut Checkpoint) {
    let (size, seeds) = (cell_bytes::<R>(), level.seeds);
    let (layout, rank) = (level.layout, level.rank);
    let values = &mut level.values;
    checkpoint.load(|from, bytes| {
        let mut cells = bytes.chunks_exact(size);
        pieces(seeds, from / size..(from + bytes.len()) / size, |other, row, places| {
            let number = layout.number(other, row);
            let mine = (layout.owner(number) == rank).then(|| layout.slab(number).start);
            for place in places {
                let Some(cell) = cells.next() else { return };
                if let Some(start) = mine {
                    values[start + place] = read_cell::<R>(cell).bits();
                }
            }
        });
    });
}
