//! Tests of `src/core/value.rs`.

use kroo::game::Verdict;
use kroo::value::*;

#[test]
fn chances_add_up_and_only_proofs_are_whole() {
    let chances = |value, proof| Score { value, proof }.chances();
    for centiseeds in (-15_000..=15_000).step_by(37) {
        let [win, draw, loss] = chances(Value::estimate(centiseeds), Proof::NONE);
        assert_eq!(win + draw + loss, 1000, "{centiseeds}");
        assert!(win < 1000 && draw < 1000 && loss < 1000);
    }
    let won = Value::ended(Verdict::Win, 3);
    assert_eq!(chances(won, Proof::NONE), [998, 1, 1]);
    assert_eq!(chances(won, Proof::EXACT), [1000, 0, 0]);
}
