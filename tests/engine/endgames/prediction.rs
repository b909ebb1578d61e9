//! Tests of `src/core/endgames/probe/prediction.rs`.

use kroo::endgames::probe::prediction::*;
use kroo::game::{ROW, Row, split_mix};
use proptest::prelude::*;

/// The capture of a sowing that ends at `end`: a run of pits with two or three seeds after the sowing, downwards.
fn chain(pits: [u8; ROW], end: usize) -> u8 {
    let run = pits[..=end].iter().rev().take_while(|&&seeds| (1..=2).contains(&seeds));
    run.map(|seeds| seeds + 1).sum()
}

fn most(mover: [u8; ROW], other: [u8; ROW]) -> u8 {
    let ends = mover.iter().enumerate().map(|(pit, &seeds)| pit + usize::from(seeds));
    let captures = ends.filter(|end| (ROW..2 * ROW).contains(end)).map(|end| chain(other, end - ROW));
    captures.max().unwrap_or(0).min(CAPTURE_SIZES as u8 - 1)
}

fn random(seed: u64) -> Prediction {
    let mut state = seed;
    let mut weight = || split_mix(&mut state) as i16 >> 6;
    let captures = std::array::from_fn(|_| weight());
    let halves = std::array::from_fn(|_| std::array::from_fn(|_| weight()));
    let order_of = (0..3 * CLASSES as u16).map(|class| class % 5).collect();
    let orders = (0..5 * 40u8).map(|place| place % 40).collect();
    Prediction { weights: Weights { captures, halves }, order_of, symbols: 40, orders }
}

proptest! {
    #[test]
    fn features_are_those_of_the_pits(mover in prop::array::uniform6(0..=48u8), other in prop::array::uniform6(0..=48u8), store: u8) {
        let [one, two] = [mover, other].map(|pits| RowFeatures::new(Row::new(pits, store & 63)));
        let half = |pits: &[u8]| {
            pits.iter().rev().fold(0, |half, &pit| half << 3 | usize::from(pit.min(7)))
        };
        let halves = [&mover[..3], &mover[3..], &other[..3], &other[3..]].map(half);
        let captures = usize::from(most(mover, other)) * CAPTURE_SIZES + usize::from(most(other, mover));
        prop_assert_eq!(places(one, two), (captures, halves));
        prop_assert!(random(1).class(one, two) < CLASSES);
    }

    /// A modified file: any value may be read, but the process does not end.
    #[test]
    fn any_bytes_give_a_prediction_or_none(
        cut in 0..6_000usize, place in 0..6_000usize, byte: u8, profile: u8, class in 0..CLASSES,
    ) {
        let mut bytes = random(2).to_bytes();
        let kept = bytes.len().saturating_sub(cut);
        bytes.truncate(kept);
        if let Some(there) = bytes.get_mut(place) {
            *there = byte;
        }
        if let Some(prediction) = Prediction::from_bytes(&bytes) {
            prop_assert_eq!(prediction.order(profile, class).is_some(), profile < 3);
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let prediction = random(3);
    assert_eq!(Prediction::from_bytes(&prediction.to_bytes()), Some(prediction.clone()));
    assert_eq!(prediction.order(2, CLASSES - 1).map(<[u8]>::len), Some(40));
    assert_eq!(prediction.order(3, 0), None);
}
