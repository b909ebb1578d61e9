//! Tests of `src/core/search/solver/bounds.rs`.

use kroo::endgame::{Boards, database_size};
use kroo::game::{Awari1978, Board, Flag, Kalah, Pit, RuleOptions};
use kroo::search::solver::bounds::*;
use kroo::search::table::TranspositionTable;

#[test]
fn indices_have_no_gaps_across_levels() {
    let boards = (0..=5).flat_map(|seeds| Boards::with(seeds).map(move |board| (board, seeds)));
    for (expected, (board, seeds)) in boards.enumerate() {
        assert_eq!(board_index::<Kalah>(board, seeds), expected as u64);
    }
    let second = Board::filled(3).flag_if(Flag::SecondMove, true);
    let first = board_index::<Awari1978>(Board::filled(3), 36);
    assert_eq!(board_index::<Awari1978>(second, 36), first | SECOND_MOVE);
    assert!(first_index(49) < 1 << INDEX_BITS);
    assert!(first_index(MAX_SEEDS) + database_size(MAX_SEEDS) < SHIFTS << INDEX_BITS);
    assert!(first_index(MAX_SEEDS_WITH_SECOND_MOVE + 1) < SECOND_MOVE);
}

#[test]
fn bounds_come_back_and_the_dearest_stay() {
    let table = TranspositionTable::new(1).expect("memory");
    table.divide::<Kalah>(16, RuleOptions::default());
    let bounds = |gain: i8| ProvenBounds { at_least: -gain, at_most: gain, pit: Some(Pit::new(5)) };
    for gain in 0..=48 {
        let slot = TableSlot::of(&table, 1 << 40 | gain);
        slot.store(bounds(gain as i8), gain, 0);
        assert_eq!(slot.load(), Some(bounds(gain as i8)));
        assert_eq!(TableSlot::of(&table, gain).load(), None);
    }
    // Boards whose indices differ in the high bits only.
    for high in 0..SHIFTS {
        let slot = TableSlot::of(&table, high << INDEX_BITS | 12345);
        assert_eq!(slot.load(), None);
        slot.store(bounds(1 + high as i8 % 48), 1, 0);
    }
    for high in 0..SHIFTS {
        let known = TableSlot::of(&table, high << INDEX_BITS | 12345).load();
        assert_eq!(known, Some(bounds(1 + high as i8 % 48)));
    }
    // Bounds that do not fit a word are widened.
    for (at_least, at_most, told) in [(66, 72, [63, 72]), (-72, -68, [-72, -64]), (-70, 70, [-72, 72])] {
        let slot = TableSlot::of(&table, 7);
        slot.store(ProvenBounds { at_least, at_most, pit: None }, 1, 0);
        assert_eq!(slot.load().map(|bounds| [bounds.at_least, bounds.at_most]), Some(told));
    }
    table.clear();
    let words = table.slot(3);
    for index in 0..9 {
        TableSlot { words, index }.store(bounds(1), 1 << (20 - 2 * index), 0);
    }
    assert!(TableSlot { words, index: 7 }.load().is_none());
    assert!(TableSlot { words, index: 8 }.load().is_some());
    assert!((0..7).all(|index| TableSlot { words, index }.load().is_some()));
    // Another rule set, or the same one with optional rules, does not see them.
    table.divide::<Awari1978>(16, RuleOptions::default());
    assert!((0..9).all(|index| TableSlot { words, index }.load().is_none()));
    TableSlot { words, index: 0 }.store(bounds(1), 1, 0);
    for options in RuleOptions::ALL {
        table.divide::<Kalah>(16, options);
        assert_eq!(TableSlot { words, index: 0 }.load(), None, "{options:?}");
        TableSlot { words, index: 0 }.store(bounds(1), 1, 0);
    }
}
