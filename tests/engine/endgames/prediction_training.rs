//! Tests of `src/endgames/pack/prediction_training.rs`.

use kroo::endgame_files::pack::prediction_training::*;
use kroo::endgames::probe::indexing::Boards;
use kroo::endgames::probe::prediction::{CLASSES, StripRows};
use kroo::endgames::probe::tiling::Tiling;
use kroo::game::split_mix;
use kroo::thread_pool::Stopped;

const SEVEN: u8 = 7;

/// Values that depend mostly on the boards, and otherwise on chance.
fn values() -> Vec<u8> {
    let mut random = 5;
    let value = |board: kroo::game::Board| {
        let lead = 9 + board.mover.seeds() + board.other.sums()[2] - board.mover.sums()[3] / 2;
        lead + (split_mix(&mut random) % 3) as u8
    };
    Boards::with(SEVEN).map(value).collect()
}

/// Several profiles are learned, tiles use several, and all values round-trip.
#[test]
fn tiles_with_several_profiles_come_back() {
    let (values, tiling) = (values(), Tiling::new(SEVEN, 1));
    let targets: Vec<u8> = (0..40).collect();
    let effort = Effort { fewest_boards: 1_000, boards_of_a_profile: 4_000, tiles: tiling.tiles() / 3 };
    let learned =
        || train(&values, &tiling, (SEVEN, &targets), effort, &mut || false).expect("it is not stopped");
    let packer = learned().expect("it is large enough");
    assert_eq!(packer.prediction, learned().expect("the same").prediction);
    assert_eq!(packer.prediction.order_of.len(), values.len() / 4_000 * CLASSES);
    let (mut used, mut places) = ([false; MOST_PROFILES], [0u32; 256]);
    for strip in tiling.strips() {
        let rows = StripRows::new(&strip, SEVEN);
        for right in 0..strip.tiles.len() {
            let tile = strip.cut(right, &values[strip.indices.clone()]);
            let (profile, mut found) = packer.places(&rows, &strip, right, &tile);
            used[usize::from(profile)] = true;
            found.iter().for_each(|&place| places[usize::from(place)] += 1);
            assert!(rows.to_values(&packer.prediction, profile, &strip, right, &mut found));
            assert_eq!(found, tile);
        }
    }
    assert!(used.iter().filter(|&&used| used).count() > 3, "{used:?}");
    // Likely values come first.
    assert!(places[..4].iter().sum::<u32>() as usize * 10 > values.len() * 8, "{places:?}");
}

#[test]
fn learning_stops_when_asked() {
    let (values, tiling) = (values(), Tiling::new(SEVEN, 1));
    let effort = Effort { fewest_boards: 1_000, boards_of_a_profile: 4_000, tiles: 10 };
    let mut asked = 0;
    let stop = &mut || {
        asked += 1;
        asked == 20
    };
    assert_eq!(train(&values, &tiling, (SEVEN, &[0; 40]), effort, stop).err(), Some(Stopped));
    assert!(
        train(&values, &tiling, (SEVEN, &[0; 40]), Effort::FULL, &mut || false)
            .is_ok_and(|none| none.is_none())
    );
}
