//! Tests of `src/core/search/reductions.rs`.

use kroo::game::{Awari, Oware};
use kroo::search::reductions::*;
use kroo::value::Value;

#[test]
fn a_reduced_search_keeps_a_ply() {
    let alpha = Value::estimate(0);
    for depth in 1..=u8::MAX {
        for searched in 0..=MOST_MOVES {
            let oware = late_move_reduction::<Oware>(depth, searched, alpha);
            for plies in [oware, late_move_reduction::<Awari>(depth, searched, alpha)] {
                assert!(plies == 0 || depth - 1 > plies, "{plies} of {depth} after {searched}");
            }
            assert!(oware <= late_move_reduction::<Oware>(depth.saturating_add(1), searched, alpha));
        }
    }
}
