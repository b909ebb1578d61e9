//! Tests of the code of a tile.

use super::*;
use crate::game::split_mix;
use proptest::prelude::*;

/// Values of a tile.
const TILE: usize = HEIGHT * WIDTH;

/// Values of which few are frequent, if `rare` is large.
fn tile(seed: u64, values: usize, most: u8, rare: u64) -> Vec<u8> {
    let mut state = seed;
    let mut value = || {
        let random = split_mix(&mut state);
        let width = if random.is_multiple_of(rare) { 255 } else { random >> 8 & 15 };
        ((random >> 16) % (width + 1)) as u8 % most.max(1)
    };
    (0..values).map(|_| value()).collect()
}

fn code_of(values: &[u8]) -> (Vec<u8>, usize) {
    let mut code = encode(values);
    let length = code.len();
    code.extend([0; BEHIND]);
    (code, length)
}

proptest! {
    #[test]
    fn each_value_is_read_and_all_are_decoded(
        seed: u64,
        values in 1..=TILE,
        most in prop::sample::select(vec![1u8, 2, 5, 9, 40, 255]),
        rare in prop::sample::select(vec![1u64, 2, 8, 50, 10_000]),
    ) {
        let tile = tile(seed, values, most, rare);
        let (code, length) = code_of(&tile);
        for (place, &known) in tile.iter().enumerate() {
            prop_assert_eq!(value(&code, length, values, place), Some(known));
        }
        let mut all = vec![0; values];
        prop_assert!(decode(&code, length, &mut all));
        prop_assert_eq!(all, tile);
        // Never much more than the values themselves.
        prop_assert!(length <= values + 32);
    }

    /// Somebody has written into the file: no value is right, and nothing ends the process.
    #[test]
    fn any_bytes_give_a_value_or_none(
        bytes in prop::collection::vec(any::<u8>(), 0..300), length in 0..400usize, values in 1..=TILE, place in 0..TILE,
    ) {
        let _ = value(&bytes, length, values, place % values);
        decode(&bytes, length, &mut vec![0; values]);
    }
}

/// The tree is the best of those that there are, so frequent values cost few bits.
#[test]
fn frequent_values_take_few_bits() {
    assert_eq!(encode(&[7; TILE]).len(), 3, "a head and a value");
    let one_bit: Vec<u8> = (0..TILE).map(|place| (place * 7 % 13 % 2) as u8).collect();
    assert_eq!(encode(&one_bit).len(), 2 + TILE / 8 + 2);
    // A rare third value: an escape.
    let mut rare = one_bit.clone();
    rare[1000] = 200;
    assert!(encode(&rare).len() < TILE * 3 / 16, "{}", encode(&rare).len());
    let any: Vec<u8> = (0..TILE).map(|place| (place * 167 >> 3) as u8).collect();
    assert_eq!(encode(&any).len(), 2 + TILE);
}
