//! Tests of `src/core/search/budget.rs`.

use kroo::game::{Awari, Kalah};
use kroo::search::budget::*;
use kroo::search::request::TablebasePolicy;

const EARNED: TablebasePolicy = TablebasePolicy::Earned;

#[test]
fn levels_are_paid_for_by_nodes() {
    let budget = BuildBudget::default();
    // Boards of up to 9 and 10 seeds: 293,930 and 646,646.
    assert_eq!(budget.affordable_seeds::<Kalah>(646_646 / 4 + 1, 0, EARNED), Some(10));
    assert_eq!(budget.affordable_seeds::<Kalah>(646_646 / 4 - 1, 0, EARNED), Some(9));
    assert_eq!(budget.affordable_seeds::<Awari>(646_646 * 16, 0, EARNED), Some(10));
    assert_eq!(budget.affordable_seeds::<Awari>(646_646 * 16 - 1, 0, EARNED), Some(9));
    budget.building_was_stopped();
    assert_eq!(budget.affordable_seeds::<Kalah>(646_646, 0, EARNED), Some(10));
    assert_eq!(budget.affordable_seeds::<Kalah>(646_645, 0, EARNED), Some(9));
    assert_eq!(budget.affordable_seeds::<Kalah>(u64::MAX / 8, 0, EARNED), Some(18));
    assert_eq!(budget.affordable_seeds::<Awari>(u64::MAX / 8, 0, EARNED), Some(17));
}

/// The nodes of earlier games count for searches that need not be reproducible, even with a new table.
#[test]
fn earlier_games_count_in_searches_by_time_only() {
    let old = BuildBudget::default();
    old.add_nodes::<Kalah>(50_000_000);
    old.clear();
    let new = BuildBudget::default();
    new.go_on_from(&old);
    for budget in [old, new] {
        let affordable = |policy| budget.affordable_seeds::<Kalah>(1, 0, policy);
        assert_eq!(affordable(EARNED), Some(0));
        assert_eq!(affordable(TablebasePolicy::Available), Some(18));
        assert_eq!(budget.affordable_seeds::<Awari>(1, 0, TablebasePolicy::Available), Some(0));
    }
}
