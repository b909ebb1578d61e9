//! Tests of `src/core/search/smp.rs`.

use kroo::search::smp::extra_depth;

#[test]
fn more_helpers_search_farther_apart() {
    let of_all = |helpers| (0..helpers).map(|helper| extra_depth(helper, helpers)).collect::<Vec<_>>();
    assert_eq!(of_all(1), [2]);
    assert_eq!(of_all(2), [2, 1]);
    assert_eq!(of_all(3), [3, 2, 1]);
    assert_eq!(of_all(7), [4, 3, 2, 1, 0, 4, 3]);
    assert_eq!(of_all(255).iter().max(), Some(&9));
}
