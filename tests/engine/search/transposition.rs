//! Tests of `src/core/search/table/transposition.rs`.

use kroo::game::{Pit, Verdict};
use kroo::search::table::entry::{Bound, Entry, PROVEN, proven_depth};
use kroo::search::table::transposition::*;
use kroo::value::{Proof, Value};

fn entry(depth: u8) -> Entry {
    Entry {
        value: Value::ended(Verdict::Loss, -7),
        bound: Bound::Upper,
        proof: Proof { at_least: false, at_most: false },
        depth,
        pit: Some(Pit::new(3)),
        settles: 77,
    }
}

#[test]
fn an_entry_comes_back_as_it_was() {
    let table = TranspositionTable::new(1).expect("memory");
    for depth in 0..=120 {
        let key = u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        table.store(key, entry(depth));
        assert_eq!(table.probe(key), Some(entry(depth)));
    }
    table.clear();
    assert_eq!(table.probe(0), None);
}

#[test]
fn what_is_proven_answers_at_any_depth() {
    let table = TranspositionTable::new(1).expect("memory");
    let proven = Entry { proof: Proof::AT_MOST, ..entry(2) };
    table.store(5, proven);
    let found = table.probe(5).expect("stored");
    assert_eq!(found.depth, PROVEN);
    let dear = Entry { depth: proven_depth(1 << 20), ..proven };
    table.store(6, dear);
    assert_eq!(table.probe(6).map(|entry| entry.depth), Some(proven_depth(1 << 20)));
    assert!(proven_depth(u64::MAX) == PROVEN + 63 && proven_depth(0) == PROVEN);
    assert!(found.answers(Value::DRAW, Value::DRAW.next(), 100));
    assert!(!found.answers(found.value.shifted(-100), Value::DRAW, 100));
}

#[test]
fn the_deepest_entries_stay() {
    let table = TranspositionTable::new(1).expect("memory");
    // Small keys share the first slot.
    for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (6, 1)] {
        table.store(key, entry(depth));
    }
    assert_eq!(table.probe(2), None);
    assert!(table.probe(1).is_some() && table.probe(6).is_some());
}
