//! Tests of `src/session/info.rs`.

use kroo::game::{Position, Variant, Verdict};
use kroo::protocol::{Bound, InfoScore, ScoreValue};
use kroo::search::{Report, ReportedLine};
use kroo::session::info::*;
use kroo::value::{Proof, Score, Value};
use std::time::Duration;

#[test]
fn a_found_result_is_marked_and_shown_in_its_place() {
    let ended = |verdict, margin| Score { value: Value::ended(verdict, margin), proof: Proof::NONE };
    let estimate = |centiseeds| Score { value: Value::estimate(centiseeds), proof: Proof::NONE };
    let proven = Score { proof: Proof::EXACT, ..ended(Verdict::Win, 1) };
    let scores = [
        (proven, "cp 100 proven win"),
        (ended(Verdict::Win, 17), "cp 1700 found win"),
        (ended(Verdict::Win, -2), "cp 1568 found win"),
        (estimate(1568), "cp 1568"),
        (estimate(-340), "cp -340"),
        (ended(Verdict::Loss, 3), "cp -340 found loss"),
        (ended(Verdict::Loss, -9), "cp -900 found loss"),
    ];
    let others =
        scores[1..].iter().map(|&(score, _)| ReportedLine { score, ..ReportedLine::default() }).collect();
    let report = Report { score: scores[0].0, others, ..Report::default() };
    let infos = infos(&report, Duration::ZERO, false);
    let shown = infos.iter().map(|info| info.score.map(|score| score.to_string()));
    assert!(shown.eq(scores.iter().map(|(_, text)| Some((*text).to_owned()))));
}

/// In `awari` the certain winner may have fewer seeds, or their number may be unknown.
#[test]
fn a_win_is_never_shown_as_less_than_a_seed() {
    let shown = |verdict, margin, proof| score(Score { value: Value::ended(verdict, margin), proof }, false);
    let winner = Proof::AT_LEAST;
    let cp = |score: InfoScore| (score.value, score.bound, score.proven);
    let won = (ScoreValue::Cp(100), Bound::Lower, Some(Verdict::Win));
    let lost = (ScoreValue::Cp(-100), Bound::Upper, Some(Verdict::Loss));
    assert_eq!(cp(shown(Verdict::Win, -14, winner)), won);
    assert_eq!(cp(shown(Verdict::Loss, 14, winner.turned())), lost);
    assert_eq!(cp(shown(Verdict::Loss, -14, Proof::EXACT)).0, ScoreValue::Cp(-1400));
    assert_eq!(cp(shown(Verdict::Win, -2, Proof::NONE)), (ScoreValue::Cp(100), Bound::Exact, None));
    let swept = Position::parse(Variant::Awari, "0-0-0-0-20-0-0-0-0-0-0-0-11-17-N").expect("a board");
    assert_eq!(
        game_over(&swept, Verdict::Loss, false).score.map(|score| score.value),
        Some(ScoreValue::Cp(-100))
    );
}
