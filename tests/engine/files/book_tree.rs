//! Tests of `src/book/tree.rs`.

use kroo::book::tree::*;
use kroo::game::{Position, Variant};
use kroo::value::Value;

/// Positions on several lines of different lengths are created before some of their predecessors.
#[test]
fn every_value_is_that_of_the_best_move() {
    for &variant in Variant::ALL {
        let mut tree = BookTree::new(&Position::start(variant), 10_000, 100, true);
        let mut state = 7;
        for _ in 0..400 {
            let next = tree.next_to_expand(1)[0];
            tree.expand(next);
            for index in tree.unsearched() {
                let centiseeds = (kroo::game::split_mix(&mut state) % 2_000) as i32 - 1_000;
                let value = Value::estimate(centiseeds);
                tree.set_value(index, SearchedValue { value, depth: 1, proven: false });
            }
            tree.back_up();
        }
        let stale = tree.nodes.iter().filter(|node| {
            let best = node.moves.iter().map(|edge| tree.value_of(edge).value).max();
            best.is_some_and(|best| best != node.value)
        });
        assert_eq!(stale.count(), 0, "{variant}");
    }
}
