//! The endgames against brute force ([`support::brute`]): every board with up to seven seeds, every rule set, every lead.

use kroo::game::Variant;
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
