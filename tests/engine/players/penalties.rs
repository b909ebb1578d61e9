//! Tests of `src/players/penalties.rs`.

use kroo::game::{Board, Move, Position, ROW, Variant, Verdict};
use kroo::players::penalties::*;
use kroo::search::{Report, Silent};
use kroo::value::{Proof, Score, Value};

/// A loss that is found but not proven may have any margin in `awari`. It ranks below every estimate.
#[test]
fn a_loss_that_was_found_is_no_gain() {
    let moves = Position::start(Variant::Awari).moves();
    let line = |value, index: usize| (Score { value, proof: Proof::NONE }, vec![moves[index]]);
    let (score, pv) = line(Value::estimate(-300), 0);
    let others = vec![line(Value::ended(Verdict::Loss, 8), 1), line(Value::ended(Verdict::Win, -8), 2)];
    let report = Report { score, pv, others, ..Report::default() };
    let mut silent = Silent;
    let told = PenaltyObserver::new((Board::filled(4), [50; ROW]), 3, &mut silent).penalized(&report);
    let shown = |(score, line): (Score, Vec<Move>)| (score.value.shown_centiseeds(), line[0]);
    let lines = std::iter::once((told.score, told.pv)).chain(told.others);
    assert!(lines.map(shown).eq([(50, moves[2]), (-350, moves[0]), (-100, moves[1])]));
}
