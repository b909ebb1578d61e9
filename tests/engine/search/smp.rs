//! Tests of `src/core/search/smp.rs`.

use kroo::search::Observer;
use kroo::search::smp::{HelperObserver, SmpState, StopHelpers, extra_depth};
use std::thread;
use std::time::Duration;

/// Longer than a helper takes that does not wait.
const A_WHILE: Duration = Duration::from_millis(50);

#[test]
fn helpers_wait_while_the_main_thread_builds_endgames() {
    let smp = SmpState::new(1, u64::MAX, 6);
    let ask = || HelperObserver { smp: &smp, helper: 0 }.stop(1);
    assert!(!ask());
    thread::scope(|scope| {
        let helper = smp.build_endgames(|| {
            let helper = scope.spawn(ask);
            thread::sleep(A_WHILE);
            assert!(!helper.is_finished());
            helper
        });
        assert!(!helper.join().expect("it does not panic"), "then it searches again");
        // A helper does not wait for a main thread that has ended in a build.
        let helper = smp.build_endgames(|| {
            let helper = scope.spawn(ask);
            drop(StopHelpers(&smp));
            helper.join()
        });
        assert!(helper.expect("it does not panic"));
    });
}

#[test]
fn the_nodes_of_all_helpers_are_added() {
    let smp = SmpState::new(2, u64::MAX, 6);
    for (helper, nodes) in [(0, 50), (1, 7), (0, 100)] {
        assert!(!HelperObserver { smp: &smp, helper }.stop(nodes));
    }
    assert_eq!(smp.helper_nodes(), 107);
}

#[test]
fn more_helpers_search_farther_apart() {
    let of_all = |helpers| (0..helpers).map(|helper| extra_depth(helper, helpers)).collect::<Vec<_>>();
    assert_eq!(of_all(1), [2]);
    assert_eq!(of_all(2), [2, 1]);
    assert_eq!(of_all(3), [3, 2, 1]);
    assert_eq!(of_all(7), [4, 3, 2, 1, 0, 4, 3]);
    assert_eq!(of_all(255).iter().max(), Some(&9));
}
