//! Tests of `src/core/search/solver/bounds.rs`.

use kroo::endgames::{Boards, database_size};
use kroo::game::{Awari1978, Board, Flag, Kalah, Pit, RuleOptions, Verdict};
use kroo::search::Aim;
use kroo::search::solver::bounds::*;
use kroo::search::table::TranspositionTable;
use kroo::value::{Bounds, Question, by_margin};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

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

/// Null windows from any guess find any value, whether the answers are exact bounds or only just decide.
#[test]
fn an_aim_closes_in_on_any_value() {
    let seeds = 12;
    let bounds = ProvenBounds::of_seeds(12).of_board(0, 0);
    for (value, guess) in (-seeds..=seeds).flat_map(|value| (-40..=40).map(move |guess| (value, guess))) {
        let first = Aim { bounds, guess }.target(Question::Draw);
        assert_eq!(first, Some(i8::from(guess > 0)), "a guess of {guess} is tried first");
        for (question, is_tight) in [Question::Value, Question::Draw, Question::Win]
            .into_iter()
            .flat_map(|question| [(question, true), (question, false)])
        {
            let (mut aim, mut asked) = (Aim { bounds, guess }, 0);
            while let Some(target) = aim.target(question) {
                assert!(target > -seeds && target <= seeds, "{target} is no question");
                let loose = if value >= target { target } else { target - 1 };
                aim.learn(target, if is_tight { value } else { loose });
                asked += 1;
                assert!(asked <= 2 * seeds, "{question:?} of {value} from {guess}");
            }
            let (found, result) = (aim.bounds.value(), aim.bounds.result());
            assert!(aim.bounds.at_least <= by_margin(value) && by_margin(value) <= aim.bounds.at_most);
            match question {
                Question::Value => assert_eq!(found, Some(by_margin(value))),
                Question::Draw => assert_eq!(result, Bounds::exact(by_margin(value)).result()),
                Question::Win => assert_eq!(result == Some(Verdict::Win), value > 0),
            }
        }
    }
}

fn one_gain() -> ProvenBounds {
    ProvenBounds { at_least: -1, at_most: 1, pit: Some(Pit::new(5)) }
}

/// The last five bits: half the logarithm of the nodes, and the last bit of the generation.
#[test]
fn a_word_holds_any_generation_and_any_cost() {
    let table = TranspositionTable::new(1).expect("memory");
    table.divide::<Kalah>(16, RuleOptions::default());
    for generation in 0..4 {
        for (nodes, work) in [(0, 0), (3, 0), (4, 1), (1 << 30, 15), (u64::MAX, 15)] {
            table.clear();
            let slot = TableSlot { words: table.slot(3), index: 7 };
            slot.store(one_gain(), nodes, generation);
            assert_eq!(slot.load(), Some(one_gain()), "{generation} {nodes}");
            let word = slot.words[0].load(Ordering::Relaxed);
            assert_eq!(word & 31, u64::from(generation & 1) << 4 | work, "{generation} {nodes}");
        }
    }
}

#[test]
fn free_words_are_taken_first_and_then_those_of_older_searches() {
    let table = TranspositionTable::new(1).expect("memory");
    table.divide::<Kalah>(16, RuleOptions::default());
    let slot = |index| TableSlot { words: table.slot(3), index };
    (0..7).for_each(|index| slot(index).store(one_gain(), 1, 2));
    // It took 64 times the nodes, but in the search before.
    slot(7).store(one_gain(), 64, 1);
    assert!((0..8).all(|index| slot(index).load().is_some()));
    slot(8).store(one_gain(), 1, 2);
    assert_eq!(slot(7).load(), None);
    table.clear();
    (0..8).for_each(|index| slot(index).store(one_gain(), 1, 0));
    assert!((0..8).all(|index| slot(index).load().is_some()));
}

#[test]
fn boards_are_spread_over_the_slots() {
    let table = TranspositionTable::new(1).expect("memory");
    table.divide::<Kalah>(16, RuleOptions::default());
    let slots: BTreeSet<_> = (0..1000).map(|index| TableSlot::of(&table, index).words.as_ptr()).collect();
    assert!(slots.len() > 900, "{}", slots.len());
}

#[test]
fn the_index_of_a_word_is_that_of_its_board() {
    let table = TranspositionTable::new(1).expect("memory");
    table.divide::<Kalah>(8, RuleOptions::default());
    let indices = |number: usize| -> Vec<Option<u64>> {
        let words = table.slot(number).iter().map(|word| word.load(Ordering::Relaxed));
        words.map(|word| TableSlot::index_of(word, number, &table)).collect()
    };
    assert!((0..table.bound_slots()).all(|number| indices(number).iter().all(Option::is_none)));
    let stored = BTreeSet::from([0, 1, 12345, 1 << INDEX_BITS, 5 << INDEX_BITS | 77]);
    stored.iter().for_each(|&index| TableSlot::of(&table, index).store(one_gain(), 1, 0));
    let found: BTreeSet<u64> = (0..table.bound_slots()).flat_map(indices).flatten().collect();
    assert_eq!(found, stored);
}

/// A search without a solver reserves nothing, and leaves the bounds for the next one.
#[test]
fn bounds_outlast_a_search_that_has_no_use_for_them() {
    let table = TranspositionTable::new(1).expect("memory");
    table.divide::<Kalah>(8, RuleOptions::default());
    TableSlot::of(&table, 7).store(one_gain(), 1, 0);
    table.divide::<Awari1978>(0, RuleOptions::default());
    assert_eq!(table.bound_slots(), 0);
    table.divide::<Kalah>(8, RuleOptions::default());
    assert_eq!(TableSlot::of(&table, 7).load(), Some(one_gain()));
}
