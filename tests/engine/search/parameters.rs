//! The parameters of the search, and the reductions (`reductions.rs`).

use kroo::game::{Awari, Oware};
use kroo::search::parameters::DECLARED;
use kroo::search::reductions::*;
use kroo::value::Value;

#[test]
fn each_parameter_has_a_name_of_its_own_and_a_value_within_its_range() {
    for (place, (name, value, range)) in DECLARED.iter().enumerate() {
        assert!(range.contains(value) && range.start() < range.end(), "{name}");
        assert!(DECLARED[..place].iter().all(|(other, ..)| !other.eq_ignore_ascii_case(name)), "{name}");
    }
}

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
