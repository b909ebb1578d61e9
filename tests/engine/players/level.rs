//! Tests of `src/protocol/level.rs`.

use kroo::game::Variant;
use kroo::level::*;

#[test]
fn the_table_is_in_order() {
    for (index, (level, name)) in LEVELS.iter().enumerate() {
        assert_eq!((*level as usize, level.name()), (index, *name));
        for &variant in Variant::ALL {
            assert_eq!(level.handicap(variant).is_none(), *level == Level::Full);
        }
    }
}

#[test]
fn each_level_is_held_back_less_than_the_one_below() {
    let calibrated = Variant::ALL.iter().map(|&variant| (variant.name(), handicaps(variant)));
    for (variant, handicaps) in calibrated.chain([("uncalibrated", UNCALIBRATED)]) {
        for pair in handicaps.windows(2) {
            let (lower, upper) = (pair[0], pair[1]);
            assert!(lower.depth < upper.depth && lower.max_nodes < upper.max_nodes, "{variant} {pair:?}");
            assert!(lower.overlook >= upper.overlook, "{variant} {pair:?}");
            assert!(lower.eval_error >= upper.eval_error, "{variant} {pair:?}");
            assert!(lower.row_seed >= upper.row_seed, "{variant} {pair:?}");
        }
    }
}
