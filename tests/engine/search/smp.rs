//! Tests of `src/core/search/smp.rs`.

use kroo::game::{Game, Position, Variant};
use kroo::search::smp::{HelperObserver, MainObserver, SmpState, StopHelpers, extra_depth};
use kroo::search::{Observer, Report, Request, SearchMemory, search};
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
    let mut last = Last::default();
    assert!(!MainObserver { smp: &smp, observer: &mut last }.stop(10));
    assert_eq!(last.nodes, 117);
}

/// The nodes at the last of some questions whether to stop. If it is to wait for helpers, it stops once they have some nodes.
#[derive(Default)]
struct Last {
    nodes: u64,
    questions: u64,
    /// Questions for which it waits.
    waits: u64,
}

impl Last {
    /// The main thread asks once in 256 nodes of its own.
    fn has_help(&self) -> bool {
        self.nodes > 256 * (self.questions + 10)
    }
}

impl Observer for Last {
    fn stop(&mut self, nodes: u64) -> bool {
        (self.nodes, self.questions) = (nodes, self.questions + 1);
        if self.waits > 0 {
            thread::sleep(A_WHILE / 50);
        }
        self.waits > 0 && (self.has_help() || self.questions >= self.waits)
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

#[test]
fn helpers_search_while_the_main_thread_waits() {
    let game = Game::new(Position::start(Variant::Awari));
    for (threads, waits) in [(1, 20), (2, 20_000)] {
        let mut last = Last { waits, ..Last::default() };
        let request = Request { threads, ..Request::new(&game) };
        search(&request, &SearchMemory::new(1).expect("memory"), &mut last);
        assert_eq!(last.has_help(), threads > 1, "{threads} threads");
    }
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
