//! Tests of `src/core/endgames/probe/tiling.rs`.

use kroo::endgames::probe::indexing::board_count;
use kroo::endgames::probe::tiling::*;

#[test]
fn each_index_has_a_place_of_its_own() {
    for (seeds, planes) in [(0, 1), (1, 2), (5, 1), (7, 2), (9, 1)] {
        let tiling = Tiling::new(seeds, planes);
        let values: Vec<u8> = (0..planes * board_count(seeds)).map(|index| (index * 7 % 251) as u8).collect();
        let (mut next, mut tiles) = (0, 0);
        for strip in tiling.strips() {
            assert_eq!((strip.indices.start, strip.tiles.start), (next, tiles));
            let part = &values[strip.indices.clone()];
            let mut pasted = vec![0; part.len()];
            let cut: Vec<Vec<u8>> = (0..strip.tiles.len()).map(|right| strip.cut(right, part)).collect();
            for (right, tile) in cut.iter().enumerate() {
                assert_eq!(strip.values_of(right), tile.len());
                strip.paste(right, tile, &mut pasted);
            }
            assert_eq!(pasted, part);
            for index in strip.indices.clone() {
                let Place { tile, values: size, place } = tiling.locate(index);
                let tile = &cut[tile - strip.tiles.start];
                assert_eq!((tile.len(), tile[place]), (size, values[index]));
            }
            (next, tiles) = (strip.indices.end, strip.tiles.end);
        }
        assert_eq!((next, tiles), (values.len(), tiling.tiles()));
    }
}

/// Multiplication replaces division: exact at the ends of the lines of the largest database.
#[test]
fn lines_are_found_in_the_largest_level() {
    use kroo::endgames::MAX_SEEDS;
    let tiling = Tiling::new(MAX_SEEDS, 1);
    for table in &tiling.tables {
        for line in [0, 1, table.lines / 2, table.lines - 1] {
            let first = line * table.columns;
            for rest in [first, first + 1, first + table.columns - 1] {
                assert_eq!(table.line(rest), rest / table.columns);
            }
        }
    }
}
