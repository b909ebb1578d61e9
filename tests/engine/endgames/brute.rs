//! The endgames against brute force ([`support::brute`]): every board with up to seven seeds, every rule set, every lead.

use kroo::endgames::building::value_iteration::FIRST_SWEEP;
use kroo::endgames::{Endgames, database_size};
use kroo::game::{Awari, Variant};
use std::sync::atomic::Ordering::Relaxed;
use support::brute::{check_gains, check_results_of_awari, check_shares_of_oware};

#[test]
fn gains_of_kalah() {
    assert!(check_gains(Variant::Kalah) > 40_000);
}

#[test]
fn gains_of_awari1978() {
    assert!(check_gains(Variant::Awari1978) > 80_000);
}

#[test]
fn gains_of_ayoayo() {
    assert!(check_gains(Variant::Ayoayo) > 40_000);
}

#[test]
fn results_of_awari() {
    check_results_of_awari();
}

#[test]
fn shares_of_oware() {
    check_shares_of_oware();
}

/// A build may have more sweeps than their count has numbers; then it begins anew.
#[test]
fn values_do_not_depend_on_the_count_of_sweeps() {
    let codes = || -> Vec<u8> {
        let endgames = Endgames::new();
        assert!(endgames.build::<Awari>(8, &mut || false));
        let database = endgames.database::<Awari>(8).expect("it is built");
        (0..database_size(8) as usize).map(|index| database.code(index)).collect()
    };
    let expected = codes();
    for left in [0, 1, 7, 30] {
        FIRST_SWEEP.store(u16::MAX - left, Relaxed);
        assert!(codes() == expected, "{left}");
    }
    FIRST_SWEEP.store(0, Relaxed);
}
