//! How the values of a level lie in tiles.
//!
//! The boards with so many seeds in the other side's row are a table: a line for each of its rows, a column for each row of the
//! mover. Each such table is cut into tiles, those at its ends smaller. A strip of tiles is a stretch of indices.

use super::context_coder::{HEIGHT, TILE, Tile, WIDTH};
use super::indexing::{Indexing, board_count};
use std::ops::Range;

/// The tiles of a level.
#[derive(Debug)]
pub(super) struct Tiling {
    tables: Vec<Table>,
    tiles: usize,
}

/// The boards with so many seeds in the other side's row.
#[derive(Clone, Copy, Debug)]
struct Table {
    /// Its first index and its first tile.
    index: usize,
    tile: usize,
    columns: usize,
    lines: usize,
}

/// Tiles side by side, which together are a stretch of indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Strip {
    pub indices: Range<usize>,
    pub tiles: Range<usize>,
    columns: usize,
}

impl Tiling {
    /// The tiles of a level with so many seeds, and so many values for each board.
    pub fn new(seeds: u8, planes: usize) -> Tiling {
        let rows = |seeds| Indexing::get().row_count(seeds);
        let (mut tables, mut tile) = (Vec::new(), 0);
        for plane in 0..planes {
            for other in 0..=seeds {
                let index = plane * board_count(seeds) + Indexing::get().first_index(seeds, other);
                let (columns, lines) = (rows(seeds - other), rows(other));
                tables.push(Table { index, tile, columns, lines });
                tile += columns.div_ceil(WIDTH) * lines.div_ceil(HEIGHT);
            }
        }
        Tiling { tables, tiles: tile }
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The tile of an index, and the place in it.
    #[inline]
    pub fn locate(&self, index: usize) -> (usize, usize) {
        let table = self.tables[self.tables.partition_point(|table| table.index <= index) - 1];
        let rest = (index - table.index) as u64;
        let (line, column) = ((rest / table.columns as u64) as usize, (rest % table.columns as u64) as usize);
        let tile = table.tile + line / HEIGHT * table.columns.div_ceil(WIDTH) + column / WIDTH;
        (tile, line % HEIGHT * WIDTH + column % WIDTH)
    }

    /// Columns and lines of a tile.
    pub fn size(&self, tile: usize) -> (usize, usize) {
        let table = self.tables[self.tables.partition_point(|table| table.tile <= tile) - 1];
        let across = table.columns.div_ceil(WIDTH);
        let (down, right) = ((tile - table.tile) / across, (tile - table.tile) % across);
        (WIDTH.min(table.columns - right * WIDTH), HEIGHT.min(table.lines - down * HEIGHT))
    }

    /// All strips, in the order of their indices.
    pub fn strips(&self) -> impl Iterator<Item = Strip> + '_ {
        self.tables.iter().flat_map(|&table| {
            let across = table.columns.div_ceil(WIDTH);
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
    /// Its tiles, from the values of its indices.
    pub fn cut(&self, values: &[u8]) -> impl Iterator<Item = Tile> {
        let (columns, lines) = (self.columns, values.len() / self.columns);
        (0..self.tiles.len()).map(move |right| {
            let from = right * WIDTH;
            let width = WIDTH.min(columns - from);
            let mut tile = Tile { values: [0; TILE], width, height: lines };
            for line in 0..lines {
                let source = &values[line * columns + from..][..width];
                tile.values[line * WIDTH..][..width].copy_from_slice(source);
            }
            tile
        })
    }

    /// Puts its tile with this number among its own into the values of its indices.
    pub fn paste(&self, right: usize, tile: &Tile, values: &mut [u8]) {
        for line in 0..tile.height {
            let target = &mut values[line * self.columns + right * WIDTH..][..tile.width];
            target.copy_from_slice(&tile.values[line * WIDTH..][..tile.width]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_index_has_a_place_of_its_own() {
        for (seeds, planes) in [(0, 1), (1, 2), (5, 1), (7, 2)] {
            let tiling = Tiling::new(seeds, planes);
            let values: Vec<u8> =
                (0..planes * board_count(seeds)).map(|index| (index * 7 % 251) as u8).collect();
            let (mut next, mut tiles) = (0, 0);
            for strip in tiling.strips() {
                assert_eq!((strip.indices.start, strip.tiles.start), (next, tiles));
                let part = &values[strip.indices.clone()];
                let mut pasted = vec![0; part.len()];
                for (right, tile) in strip.cut(part).enumerate() {
                    assert_eq!(tiling.size(strip.tiles.start + right), (tile.width, tile.height));
                    strip.paste(right, &tile, &mut pasted);
                }
                assert_eq!(pasted, part);
                let cut: Vec<Tile> = strip.cut(part).collect();
                for index in strip.indices.clone() {
                    let (tile, place) = tiling.locate(index);
                    assert_eq!(cut[tile - strip.tiles.start].values[place], values[index]);
                }
                (next, tiles) = (strip.indices.end, strip.tiles.end);
            }
            assert_eq!((next, tiles), (values.len(), tiling.tiles()));
        }
    }
}
