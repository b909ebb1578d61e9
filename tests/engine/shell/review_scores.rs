//! Tests of `src/cli/commands/analyse/scores.rs`.

use kroo::cli::commands::analyse::scores::*;
use kroo::game::Verdict;
use kroo::value::{Proof, Score, Value};

#[test]
fn a_result_that_is_not_proven_is_marked() {
    let score = |verdict, margin, proof| Score { value: Value::ended(verdict, margin), proof };
    for (score, text) in [
        (score(Verdict::Win, 13, Proof::NONE), "+13.00 found win"),
        (score(Verdict::Loss, -9, Proof::NONE), "-9.00 found loss"),
        (score(Verdict::Loss, -9, Proof::EXACT), "-9.00 loss"),
        (Score { value: Value::estimate(1300), proof: Proof::NONE }, "+13.00"),
    ] {
        assert_eq!(shown(score), text);
        let told = score_json(score);
        for key in ["found", "proven"] {
            let marked = text.contains(" found ") == (key == "found") && text.contains(' ');
            assert_eq!(told[key].is_string(), marked, "{key} of {text}");
        }
    }
}
