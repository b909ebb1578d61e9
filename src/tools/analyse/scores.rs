//! Scores as text and as JSON.

use crate::game::{Move, Verdict};
use crate::value::Score;
use serde_json::{Value as Json, json};

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Draw => "draw",
        Verdict::Loss => "loss",
    }
}

/// A score in seeds with its result: `+3.00 win` if it is proven, `+3.00 found win` if it is not.
pub(super) fn shown(score: Score) -> String {
    let seeds = f64::from(score.value.shown_centiseeds()) / 100.0;
    match (score.proven(), score.found()) {
        (Some(proven), _) => format!("{seeds:+.2} {}", word(proven)),
        (None, Some(found)) => format!("{seeds:+.2} found {}", word(found)),
        (None, None) => format!("{seeds:+.2}"),
    }
}

/// A score for programs.
pub(super) fn score_json(score: Score) -> Json {
    json!({ "centiseeds": score.value.shown_centiseeds(), "proven": score.proven().map(word),
        "found": score.found().map(word), "exact": score.proof.is_exact(), "wdl": score.chances() })
}

/// A line with its score for programs.
pub(super) fn line_json(score: Score, line: &[Move]) -> Json {
    let mut json = score_json(score);
    json["pv"] = line.iter().map(Move::to_string).collect::<String>().into();
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Proof, Value};

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
}
