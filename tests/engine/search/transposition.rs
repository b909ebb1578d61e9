//! Tests of `src/core/search/table/transposition.rs`.

use kroo::game::{Kalah, Pit, RuleOptions, Verdict, split_mix};
use kroo::search::solver::bounds::{ProvenBounds, TableSlot};
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
fn every_kind_of_entry_comes_back() {
    let table = TranspositionTable::new(1).expect("memory");
    for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
        for (at_least, at_most) in [(false, false), (true, false), (false, true), (true, true)] {
            for (pit, settles) in
                Pit::ALL.map(Some).into_iter().chain([None]).zip([0, 1, 2, 76, 512, 1022, 1023])
            {
                let stored = Entry { bound, proof: Proof { at_least, at_most }, pit, settles, ..entry(1) };
                let depth = if stored.is_proven() { PROVEN } else { 1 };
                table.store(9, stored);
                assert_eq!(table.probe(9), Some(Entry { depth, ..stored }));
                table.clear();
            }
        }
    }
}

/// The deepest entry goes first if it is of ten searches ago.
#[test]
fn old_entries_go_before_shallow_ones() {
    let table = TranspositionTable::new(1).expect("memory");
    table.store(1, entry(9));
    (0..10).for_each(|_| table.next_generation());
    (2..=5).for_each(|key| table.store(key, entry(3)));
    assert_eq!([1, 2, 3, 4, 5].map(|key| table.probe(key).is_some()), [false, true, true, true, true]);
}

#[test]
fn an_entry_answers_a_window_that_its_bound_or_its_proof_decides() {
    let value = |value| Value::estimate(value);
    let answers = |bound, proof, number, depth| {
        Entry { bound, proof, value: value(number), ..entry(5) }.answers(value(-1), value(1), depth)
    };
    for (bound, proof, decided, undecided) in
        [(Bound::Lower, Proof::AT_LEAST, [1, 2], [0, -1]), (Bound::Upper, Proof::AT_MOST, [-1, -2], [0, 1])]
    {
        for number in decided {
            assert!(answers(bound, Proof::NONE, number, 5) && !answers(bound, Proof::NONE, number, 6));
            assert!(answers(bound, proof, number, 6) && !answers(bound, proof.turned(), number, 6));
            // Exact values that are proven on that side only.
            assert!(
                answers(Bound::Exact, proof, number, 6) && !answers(Bound::Exact, proof.turned(), number, 6)
            );
        }
        for number in undecided {
            assert!(!answers(bound, proof, number, 5) && !answers(Bound::Exact, proof, number, 6));
        }
    }
    for number in [-2, 0, 2] {
        assert!(
            answers(Bound::Exact, Proof::NONE, number, 5) && answers(Bound::Exact, Proof::EXACT, number, 6)
        );
        assert!(!answers(Bound::Exact, Proof::NONE, number, 6));
    }
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

/// Half of the table is for proven bounds. Those of earlier searches count as well, entries of earlier searches do not.
#[test]
fn the_share_in_use_counts_bounds_and_entries_of_this_search() {
    const MANY: u64 = 1_000_000;
    let table = TranspositionTable::new(1).expect("memory");
    assert!((1_000_000..=1 << 20).contains(&table.bytes()), "{}", table.bytes());
    table.divide::<Kalah>(8, RuleOptions::default());
    assert_eq!([table.hashfull(0), table.hashfull(MANY)], [0; 2]);
    let mut state = 1;
    (0..MANY).for_each(|_| table.store(split_mix(&mut state), entry(3)));
    let half = 490..=501;
    assert!(half.contains(&table.hashfull(MANY)), "{}", table.hashfull(MANY));
    assert_eq!(table.hashfull(1), 0, "too little for one per mille");
    table.next_generation();
    assert_eq!(table.hashfull(MANY), 0);
    let bounds = ProvenBounds { at_least: -1, at_most: 1, pit: None };
    (0..MANY).for_each(|index| TableSlot::of(&table, index).store(bounds, 1, 0));
    assert!(half.contains(&table.hashfull(MANY)), "{}", table.hashfull(MANY));
    (0..MANY).for_each(|_| table.store(split_mix(&mut state), entry(3)));
    assert!((980..=1000).contains(&table.hashfull(MANY)), "{}", table.hashfull(MANY));
}

/// It would take more than a second with 4096 MiB, on the clock of the first move.
#[cfg(target_os = "linux")]
#[test]
fn a_new_table_is_not_read_before_a_search() {
    let faults = || {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("the thread's figures");
        let (_, after_name) = stat.rsplit_once(')').expect("the name");
        let faults = after_name.split_whitespace().nth(7).expect("the minor faults");
        faults.parse::<u64>().expect("a number")
    };
    let table = TranspositionTable::new(1024).expect("memory");
    let before = faults();
    table.divide::<Kalah>(12, RuleOptions::default());
    assert!(faults() - before < 1_000, "{} pages", faults() - before);
}
