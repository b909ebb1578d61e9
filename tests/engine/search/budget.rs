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

/// Boards of up to 6, 8 and 9 seeds: 18,564, 125,970 and 293,930.
#[test]
fn a_small_root_is_built_at_once_and_a_larger_one_after_a_thousand_nodes() {
    let budget = BuildBudget::default();
    let affordable = |nodes, root| budget.affordable_seeds::<Kalah>(nodes, root, EARNED);
    assert_eq!([affordable(0, 6), affordable(0, 8), affordable(999, 8)], [Some(6); 3]);
    assert_eq!([affordable(1000, 8), affordable(1000, 9), affordable(1000, 10)], [Some(8), Some(9), Some(4)]);
    budget.building_was_stopped();
    assert_eq!([affordable(1000, 9), affordable(0, 6)], [Some(6); 2]);
    budget.clear();
    assert_eq!([affordable(1000, 9), affordable(0, 0)], [Some(9), Some(0)]);
    budget.add_nodes::<Kalah>(646_646 / 4 + 1);
    assert_eq!(affordable(0, 0), Some(10));
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

/// An analysis pays less, and its larger databases take no more memory than the table.
#[test]
fn an_analysis_pays_for_larger_levels_if_the_table_is_large() {
    let budget = BuildBudget::default();
    let affordable = |nodes, bytes| budget.affordable_in_analysis::<Kalah>(nodes, bytes);
    // Boards of up to 18, 19 and 20 seeds: 86,493,225, 141,120,525 and 225,792,840.
    assert_eq!(affordable(86_493_225 / 128 + 1, 0), Some(18));
    assert_eq!(affordable(86_493_225 / 128, 0), Some(17));
    assert_eq!(affordable(225_792_840 / 16 + 1, 225_792_840), Some(20));
    assert_eq!(affordable(225_792_840 / 16, 225_792_840), Some(19));
    assert_eq!(affordable(u64::MAX, 225_792_839), Some(19));
    assert_eq!(affordable(u64::MAX, 0), Some(18));
}
