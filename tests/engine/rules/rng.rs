//! Tests of `src/core/game/rng.rs`.

use kroo::game::rng::*;

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
