//! From a player's evaluated moves to a report.

use super::player::Turn;
use crate::game::{Move, Pit};
use crate::search::{Observer, Report, ReportedLine};
use crate::value::{CENTISEEDS, Proof, Score, Value};

/// The largest score, in the player's unit; no player counts that far (chosen, not measured).
const MAX_VALUE: i64 = 1000;

/// A first move and its evaluation.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move, and the player's expected continuation.
    pub line: Vec<Move>,
    /// Its value, in the player's unit.
    pub value: i64,
}

/// The moves of a turn to choose from: all legal ones, unless the request names some.
pub fn requested_moves(turn: &Turn) -> Vec<Move> {
    let legal = turn.request.game.position().moves();
    assert!(!legal.is_empty(), "a game that is over has no turn");
    let only: &[Pit] = &turn.request.search_moves;
    let wanted: Vec<Move> = legal.iter().copied().filter(|mv| only.contains(&mv.pit)).collect();
    if wanted.is_empty() { legal } else { wanted }
}

/// Reports a choice, and the next best moves if requested. A player's evaluation is one iteration.
pub fn report_choice(
    turn: &Turn,
    mut candidates: Vec<Candidate>,
    chosen: usize,
    nodes: u64,
    observer: &mut dyn Observer,
) -> Report {
    let best = candidates.remove(chosen);
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.value));
    let line = |Candidate { line, value }| ReportedLine {
        depth: 1,
        score: score(value),
        pv: line,
        ..ReportedLine::default()
    };
    let others = candidates.into_iter().take(turn.request.multipv.saturating_sub(1));
    let report = Report {
        depth: 1,
        seldepth: best.line.len(),
        score: score(best.value),
        nodes,
        others: others.map(line).collect(),
        forced: turn.request.game.position().moves().len() == 1,
        pv: best.line,
        ..Report::default()
    };
    observer.iteration(&report);
    report
}

/// A value as a score: never proven, whatever the player assumes.
fn score(value: i64) -> Score {
    let whole = value.clamp(-MAX_VALUE, MAX_VALUE) as i32;
    Score { value: Value::estimate(whole * CENTISEEDS), proof: Proof::NONE }
}
