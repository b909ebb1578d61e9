//! The coder of tiles.

use kroo::endgame_files::pack::tile_encoder::{NewCode, encode};
use kroo::endgames::probe::tile_coder::*;
use kroo::game::split_mix;
use proptest::prelude::*;

const TILE: usize = HEIGHT * WIDTH;

/// Values with few frequent ones, if `rare` is large.
fn tile(seed: u64, values: usize, most: u8, rare: u64) -> Vec<u8> {
    let mut state = seed;
    let mut value = || {
        let random = split_mix(&mut state);
        let width = if random.is_multiple_of(rare) { 255 } else { random >> 8 & 15 };
        ((random >> 16) % (width + 1)) as u8 % most.max(1)
    };
    (0..values).map(|_| value()).collect()
}

proptest! {
    #[test]
    fn each_value_is_read_and_all_are_decoded(
        seed: u64,
        values in 1..=TILE,
        most in prop::sample::select(vec![1u8, 2, 5, 9, 40, 255]),
        rare in prop::sample::select(vec![1u64, 2, 8, 50, 10_000]),
        escape_bits in 0..4u32,
    ) {
        let tile = tile(seed, values, most, rare);
        let NewCode { mut bytes, middle, root } = encode(&tile, escape_bits);
        // Never much more than the values themselves.
        prop_assert!(bytes.len() <= values + 32);
        bytes.extend([0; BEHIND]);
        let code = Code { bytes: &bytes, middle, root };
        for (place, &known) in tile.iter().enumerate() {
            prop_assert_eq!(value(code, values, place), Some(known));
        }
        let mut all = vec![0; values];
        prop_assert!(decode(code, &mut all));
        prop_assert_eq!(all, tile);
    }

    /// A modified file: no value is right, but the process does not end.
    #[test]
    fn any_bytes_give_a_value_or_none(
        bytes in prop::collection::vec(any::<u8>(), 0..300), middle in 0..400usize, root: u8, values in 1..=TILE, place in 0..TILE,
    ) {
        let code = Code { bytes: &bytes, middle, root };
        let _ = value(code, values, place % values);
        decode(code, &mut vec![0; values]);
    }
}

/// The tree is optimal, so frequent values cost few bits.
#[test]
fn frequent_values_take_few_bits() {
    let bytes = |values: &[u8]| encode(values, 0).bytes.len();
    assert_eq!(bytes(&[7; TILE]), 1, "a value");
    let one_bit: Vec<u8> = (0..TILE).map(|place| (place * 7 % 13 % 2) as u8).collect();
    assert_eq!(bytes(&one_bit), TILE / 8 + 2);
    // A rare third value: an escape.
    let mut rare = one_bit.clone();
    rare[1000] = 200;
    assert!(bytes(&rare) < TILE * 3 / 16);
    let any: Vec<u8> = (0..TILE).map(|place| ((place * 167) >> 3) as u8).collect();
    assert_eq!(bytes(&any), TILE);
}
