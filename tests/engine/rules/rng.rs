//! Tests of `src/core/game/rng.rs`.

use kroo::game::rng::*;
use std::collections::BTreeMap;

#[test]
fn numbers_depend_on_the_seed_and_are_evenly_spread() {
    let drawn = |seed| {
        let mut rng = Rng::new(seed);
        (0..6000).map(|_| rng.below(6) as usize).collect::<Vec<_>>()
    };
    assert_eq!(drawn(7), drawn(7));
    assert_ne!(drawn(7), drawn(8));
    let mut counts = [0; 6];
    drawn(1).into_iter().for_each(|number| counts[number] += 1);
    // 29 is the standard deviation of each.
    assert!(counts.iter().all(|count| (880..1120).contains(count)), "{counts:?}");
    let mut rng = Rng::new(0);
    assert!((0..100).all(|_| rng.below(1) == 0));
    assert!((0..100).all(|_| rng.below(u64::MAX) < u64::MAX));
}

/// Published numbers of SplitMix64 for the seed 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
const PUBLISHED: [u64; 5] = [
    6_457_827_717_110_365_317,
    3_203_168_211_198_807_973,
    9_817_491_932_198_370_423,
    4_593_380_528_125_082_431,
    16_408_922_859_458_223_821,
];

#[test]
fn numbers_are_the_published_ones_and_the_first_is_discarded() {
    let mut state = 1_234_567;
    assert_eq!(PUBLISHED.map(|_| split_mix(&mut state)), PUBLISHED);
    let mut rng = Rng::new(1_234_567);
    assert!(PUBLISHED[1..].iter().all(|&number| rng.below(u64::MAX) == number));
}

/// A quarter of all numbers is past the bound.
#[test]
fn numbers_past_the_last_multiple_of_the_bound_are_skipped() {
    let (mut rng, bound, mut state) = (Rng::new(1), 3 << 62, 1);
    split_mix(&mut state);
    let within = std::iter::repeat_with(|| split_mix(&mut state)).filter(|&number| number < bound);
    assert!(within.take(100).all(|number| rng.below(bound) == number));
}

#[test]
fn each_order_of_three_items_is_as_likely_as_any_other() {
    let (mut counts, mut state) = (BTreeMap::new(), 1);
    for _ in 0..6000 {
        let mut items = ['a', 'b', 'c'];
        shuffle(&mut items, &mut state);
        *counts.entry(items).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6, "{counts:?}");
    // 29 is the standard deviation of each.
    assert!(counts.values().all(|count| (880..1120).contains(count)), "{counts:?}");
}
