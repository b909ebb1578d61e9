//! Tests of the coder.

use super::*;
use crate::game::split_mix;
use proptest::prelude::*;

/// A tile whose values are mostly near their neighbours.
fn tile(seed: u64, width: usize, height: usize, most: u8) -> Tile {
    let (mut state, mut tile) = (seed, Tile { values: [0; TILE], width, height });
    for row in 0..height {
        for column in 0..width {
            let random = split_mix(&mut state);
            let left = if column > 0 { tile.values[row * WIDTH + column - 1] } else { (random >> 8) as u8 };
            let value = if random.is_multiple_of(8) {
                (random >> 16) as u8
            } else {
                left.wrapping_add((random % 3) as u8)
            };
            tile.values[row * WIDTH + column] = value % (most.max(1));
        }
    }
    tile
}

fn tables(tiles: &[Tile]) -> Tables {
    let mut occurs = [false; 256];
    for tile in tiles {
        for row in 0..tile.height {
            tile.values[row * WIDTH..][..tile.width]
                .iter()
                .for_each(|&value| occurs[usize::from(value)] = true);
        }
    }
    let mut counts = Counts::new((0..=u8::MAX).filter(|&value| occurs[usize::from(value)]).collect());
    tiles.iter().for_each(|tile| counts.add(tile));
    counts.tables()
}

proptest! {
    #[test]
    fn what_is_encoded_is_decoded(
        shapes in prop::collection::vec((any::<u64>(), 1..=WIDTH, 1..=HEIGHT), 1..8),
        most in prop::sample::select(vec![1u8, 2, 5, 40, 255]),
    ) {
        let tiles: Vec<Tile> =
            shapes.iter().map(|&(seed, width, height)| tile(seed, width, height, most)).collect();
        let tables = tables(&tiles);
        let read = Tables::from_bytes(&tables.to_bytes()).expect("its own bytes");
        for tile in &tiles {
            let code = tables.encode(tile).expect("its values were counted");
            prop_assert_eq!(read.decode(&code, tile.width, tile.height), Some(tile.clone()));
            // A code that is cut off, or has more behind it, is none.
            prop_assert_eq!(read.decode(&code[..code.len() - 1], tile.width, tile.height), None);
            let more = [&code[..], &[0, 0]].concat();
            prop_assert_eq!(read.decode(&more, tile.width, tile.height), None);
        }
    }

    #[test]
    fn any_bytes_are_tables_or_none_and_any_code_a_tile_or_none(
        noise in prop::collection::vec(any::<u8>(), 0..200),
        place in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let _ = Tables::from_bytes(&noise);
        let sound = tile(7, WIDTH, HEIGHT, 30);
        let tables = tables(std::slice::from_ref(&sound));
        let _ = tables.decode(&noise, WIDTH, HEIGHT);
        let mut bytes = tables.to_bytes();
        let index = place.index(bytes.len());
        bytes[index] = value;
        if let Some(other) = Tables::from_bytes(&bytes) {
            let _ = other.decode(&tables.encode(&sound).expect("counted"), WIDTH, HEIGHT);
        }
    }
}

#[test]
fn values_that_were_not_counted_have_no_code() {
    let tables = tables(&[tile(1, WIDTH, HEIGHT, 4)]);
    let mut other = tile(1, WIDTH, HEIGHT, 4);
    other.values[5] = 200;
    // It has no symbol; what is coded in its place is another value, which whoever writes a file notices.
    let decoded = tables.encode(&other).and_then(|code| tables.decode(&code, WIDTH, HEIGHT));
    assert_ne!(decoded, Some(other));
}
