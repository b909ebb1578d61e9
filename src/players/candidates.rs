//! From moves with what somebody thinks of them to a report.

use super::Turn;
use crate::game::{Move, Pit};
use crate::search::{Observer, Report};
use crate::value::{CENTISEEDS, Proof, Score, Value};

/// A first move as a player sees it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move, and what the player expects after it.
    pub line: Vec<Move>,
    /// What it is worth to the player, in what it counts.
    pub worth: i64,
}

/// The moves of a turn that are asked for: all that are legal, unless some are named.
pub fn asked_for(turn: &Turn) -> Vec<Move> {
    let legal = turn.game.position().moves();
    assert!(!legal.is_empty(), "a game that is over has no turn");
    let only: &[Pit] = &turn.request.search_moves;
    let wanted: Vec<Move> = legal.iter().copied().filter(|mv| only.contains(&mv.pit)).collect();
    if wanted.is_empty() { legal } else { wanted }
}

/// Tells of a choice, and of the next best as far as they are asked for. A player's look is an iteration of its own.
pub fn tell(
    turn: &Turn,
    mut candidates: Vec<Candidate>,
    chosen: usize,
    nodes: u64,
    observer: &mut dyn Observer,
) -> Report {
    let best = candidates.remove(chosen);
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.worth));
    let others = candidates.into_iter().take(turn.request.multipv.saturating_sub(1));
    let report = Report {
        depth: 1,
        seldepth: best.line.len(),
        score: score(best.worth),
        nodes,
        others: others.map(|candidate| (score(candidate.worth), candidate.line)).collect(),
        forced: turn.game.position().moves().len() == 1,
        pv: best.line,
        ..Report::default()
    };
    observer.iteration(&report);
    report
}

/// The worth as a score: never proven, whatever the player believes.
fn score(worth: i64) -> Score {
    let whole = worth.clamp(-1000, 1000) as i32;
    Score { value: Value::estimate(whole * CENTISEEDS), proof: Proof::NONE }
}
