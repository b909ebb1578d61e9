//! The layout of a database's values in tiles.
//!
//! The boards with the same number of seeds in the other side's row are a table: a line for each of its rows, a column for each
//! row of the mover. Each such table is cut into tiles, those at its ends smaller. A strip of tiles is a stretch of indices.

use super::indexing::{Indexing, board_count};
use super::tile_coder::{HEIGHT, WIDTH};
use std::ops::Range;

#[derive(Debug)]
pub struct Tiling {
    pub tables: Vec<Table>,
    tiles: usize,
    /// By the highest bits of an index: the table of the first index that has them.
    guesses: Vec<u8>,
    shift: u32,
}

/// Most indices at which the search for a table begins.
const GUESSES: usize = 256;

/// The boards with the same number of seeds in the other side's row.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its first index and its first tile.
    index: usize,
    tile: usize,
    pub columns: usize,
    pub lines: usize,
    /// The number of tiles side by side.
    across: usize,
    /// 2^64 divided by the columns, rounded up; 0 for one column.
    reciprocal: u64,
}

impl Table {
    /// A number divided by the columns. A multiplication, which takes a third of the time of a division, is exact while the
    /// number times the columns is below 2^64.
    #[inline]
    pub fn line(&self, number: usize) -> usize {
        match self.reciprocal {
            0 => number,
            reciprocal => ((number as u128 * u128::from(reciprocal)) >> 64) as usize,
        }
    }
}

/// A tile and a place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub tile: usize,
    /// Values of the tile.
    pub values: usize,
    pub place: usize,
}

/// Tiles side by side, which together are a stretch of indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    pub indices: Range<usize>,
    pub tiles: Range<usize>,
    columns: usize,
}

impl Tiling {
    /// The tiles of the `seeds`-seed database, with `planes` values for each board.
    pub fn new(seeds: u8, planes: usize) -> Tiling {
        let rows = |seeds| Indexing::get().row_count(seeds);
        let (mut tables, mut tile) = (Vec::new(), 0);
        for plane in 0..planes {
            for other in 0..=seeds {
                let index = plane * board_count(seeds) + Indexing::get().first_index(seeds, other);
                let (columns, lines) = (rows(seeds - other), rows(other));
                let across = columns.div_ceil(WIDTH);
                let reciprocal = if columns == 1 { 0 } else { u64::MAX / columns as u64 + 1 };
                tables.push(Table { index, tile, columns, lines, across, reciprocal });
                tile += across * lines.div_ceil(HEIGHT);
            }
        }
        let indices = planes * board_count(seeds);
        let shift = indices.div_ceil(GUESSES).next_power_of_two().trailing_zeros();
        let guess = |index: usize| (tables.partition_point(|table| table.index <= index) - 1) as u8;
        let guesses = (0..=indices >> shift).map(|high| guess(high << shift)).collect();
        Tiling { tables, tiles: tile, guesses, shift }
    }

    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The tile of an index, and the place in it.
    #[inline]
    pub fn locate(&self, index: usize) -> Place {
        let guess = usize::from(self.guesses[index >> self.shift]);
        let behind = self.tables[guess + 1..].iter().take_while(|table| table.index <= index).count();
        let table = &self.tables[guess + behind];
        let rest = index - table.index;
        let line = table.line(rest);
        let column = rest - line * table.columns;
        let (down, right) = (line / HEIGHT, column / WIDTH);
        let width = WIDTH.min(table.columns - right * WIDTH);
        let height = HEIGHT.min(table.lines - down * HEIGHT);
        Place {
            tile: table.tile + down * table.across + right,
            values: width * height,
            place: line % HEIGHT * width + column % WIDTH,
        }
    }

    /// All strips, in the order of their indices.
    pub fn strips(&self) -> impl Iterator<Item = Strip> + '_ {
        self.tables.iter().flat_map(|&table| {
            let across = table.across;
            (0..table.lines.div_ceil(HEIGHT)).map(move |down| {
                let lines = down * HEIGHT..table.lines.min((down + 1) * HEIGHT);
                let first = table.tile + down * across;
                Strip {
                    indices: table.index + lines.start * table.columns
                        ..table.index + lines.end * table.columns,
                    tiles: first..first + across,
                    columns: table.columns,
                }
            })
        })
    }
}

impl Strip {
    /// The number of the other side's rows in it.
    fn lines(&self) -> usize {
        self.indices.len() / self.columns
    }

    /// Columns of its tile with this number among its own: the ranks of the mover's rows.
    fn columns_of(&self, right: usize) -> Range<usize> {
        right * WIDTH..self.columns.min((right + 1) * WIDTH)
    }

    /// The values of its tile with this number among its own, from the values of its indices.
    pub fn cut(&self, right: usize, values: &[u8]) -> Vec<u8> {
        values.chunks(self.columns).flat_map(|line| &line[self.columns_of(right)]).copied().collect()
    }

    /// The number of values in its tile with this number.
    pub fn values_of(&self, right: usize) -> usize {
        self.columns_of(right).len() * self.lines()
    }

    /// Puts the values of its tile with this number among its own into the values of its indices.
    pub fn paste(&self, right: usize, tile: &[u8], values: &mut [u8]) {
        let columns = self.columns_of(right);
        for (target, line) in values.chunks_mut(self.columns).zip(tile.chunks(columns.len())) {
            target[columns.clone()].copy_from_slice(line);
        }
    }
}
