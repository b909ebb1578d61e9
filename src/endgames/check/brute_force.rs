//! Checks values by brute force, in two ways that use only the rules as a user has them: positions, moves, and the value of a
//! repeated position.
//!
//! Two questions are asked about a position with few seeds: can its mover get as much as the endgames say, and can it get more?
//! First each is answered by going through the moves of both sides to the end of every relevant line. Nothing is stored but the
//! line itself. An endless line returns to a position, and the rule set then decides the game. For some questions that takes too
//! long. For those, all positions that play can lead to are gathered, and the mover's best forced result is found for all of them
//! at once.
//!
//! If the value of a repetition depends on the past (`oware`), that is done twice. If the mover gets the amount with repetitions
//! worth nothing, it can. If it does not get it with repetitions worth everything, it cannot. Otherwise the question stays open,
//! and is counted.

use ahash::AHashMap;
use kroo_core::endgames::probe::endgames::Endgames;
use kroo_core::game::{Board, Cycle, Position, ROW, Row, Rules, Side, Verdict, split_mix};
use kroo_core::value::{Kind, Proof, Score, Value};
use std::cmp::Reverse;

/// Seeds in the pits of the largest board that is asked about.
const MOST_SEEDS: u64 = 6;
/// Positions that going through the lines may visit.
const LINE_BUDGET: u64 = 5_000;
/// Positions that are gathered at most.
const MOST_POSITIONS: usize = 200_000;
/// Plies of the longest line that is followed.
const LONGEST_LINE: usize = 500;

/// The result of checking a sample of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleReport {
    /// Questions that were answered by going through the lines, and as the endgames do.
    pub by_lines: u64,
    /// Questions that were answered from all positions that play can lead to, and as the endgames do.
    pub by_positions: u64,
    /// Questions without an answer.
    pub open: u64,
}

/// Searches random positions to the end. `None` if it was stopped.
///
/// # Errors
/// A position with a wrong value in the endgames: its seeds, and the fault.
pub(super) fn sample<R: Rules>(
    endgames: &Endgames,
    most: u8,
    samples: u64,
    seed: u64,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Option<SampleReport>, (u8, String)> {
    let (mut report, mut random) = (SampleReport::default(), seed);
    for number in 0..samples {
        if stop(number as f64 / samples as f64) {
            return Ok(None);
        }
        let position = any_position::<R>(&mut random, u64::from(most).min(MOST_SEEDS));
        if position.verdict().is_some() {
            continue;
        }
        let seeds = position.board().seeds();
        let Some(score) = endgames.probe::<R>(position.board(), seeds) else { continue };
        let mut graph = None;
        for (at_least, wanted) in claims::<R>(score) {
            let question = Question { side: position.side(), wanted };
            let mut lines = LineSearch { question, path: Vec::new(), left: LINE_BUDGET };
            let (answer, count) = match lines.reaches::<R>(position) {
                None => {
                    let graph = graph.get_or_insert_with(|| PositionGraph::around(position)).as_ref();
                    (graph.and_then(|graph| graph.reaches::<R>(question)), &mut report.by_positions)
                }
                answer => (answer, &mut report.by_lines),
            };
            match answer {
                None => report.open += 1,
                Some(reached) if reached == at_least => *count += 1,
                Some(_) => {
                    let can = if at_least { "cannot get" } else { "can get" };
                    let what = if R::LEAD_ADDS { "seeds more at the end" } else { "(1 a win, 0 a draw)" };
                    return Err((seeds, format!("in {position} the side to move {can} {wanted} {what}")));
                }
            }
        }
    }
    Ok(Some(report))
}

/// A position with a few seeds at random in its pits, and the others in the stores.
fn any_position<R: Rules>(random: &mut u64, most: u64) -> Position {
    let mut pits = [[0; ROW]; 2];
    let seeds = split_mix(random) % (most + 1);
    for _ in 0..seeds {
        let pit = (split_mix(random) % (2 * ROW as u64)) as usize;
        pits[pit / ROW][pit % ROW] += 1;
    }
    // The stores are nearly level, to leave the result open.
    let rest = R::SEEDS - seeds as u8;
    let store = (rest / 2 + 2).min(rest) - (split_mix(random) % 5).min(u64::from(rest / 2)) as u8;
    let board = Board { mover: Row::new(pits[0], store), other: Row::new(pits[1], rest - store) };
    Position::new::<R>(board, Side::South)
}

/// The claims of a score: whether the mover can reach an outcome, and that outcome.
fn claims<R: Rules>(score: Score) -> Vec<(bool, i32)> {
    let Score { value, proof: Proof { at_least, at_most } } = score;
    let outcome = outcome::<R>(value);
    let mut claims = Vec::new();
    if at_least {
        claims.push((true, outcome));
    }
    if at_most {
        claims.push((false, outcome + 1));
    }
    claims
}

/// The margin, where the whole margin is known; otherwise 1 for a win, 0 for a draw, -1 for a loss.
fn outcome<R: Rules>(value: Value) -> i32 {
    match value.kind() {
        Kind::Win(margin) | Kind::Loss(margin) if R::LEAD_ADDS => i32::from(margin),
        Kind::Win(_) => 1,
        Kind::Loss(_) => -1,
        Kind::Estimate(_) => 0,
    }
}

/// Can `side` get at least `wanted`?
#[derive(Clone, Copy)]
struct Question {
    side: Side,
    wanted: i32,
}

impl Question {
    /// The answer if the game ends so, with the lead and the result of the side to move in a position.
    fn ended<R: Rules>(self, position: &Position, lead: i8, verdict: Verdict) -> bool {
        let outcome = if R::LEAD_ADDS { i32::from(lead) } else { verdict as i32 - Verdict::Draw as i32 };
        (if position.side() == self.side { outcome } else { -outcome }) >= self.wanted
    }

    /// The answer of a position that is over.
    fn over<R: Rules>(self, position: &Position) -> Option<bool> {
        let verdict = position.verdict()?;
        Some(self.ended::<R>(position, position.board().lead(), verdict))
    }

    /// The answer of a position that comes back.
    fn comes_back<R: Rules>(self, position: &Position) -> bool {
        let ending = position.cycle();
        self.ended::<R>(position, ending.margin(), ending.verdict)
    }
}

/// Goes through the lines of play.
struct LineSearch {
    question: Question,
    path: Vec<Position>,
    left: u64,
}

impl LineSearch {
    fn reaches<R: Rules>(&mut self, position: Position) -> Option<bool> {
        if let Some(answer) = self.question.over::<R>(&position) {
            return Some(answer);
        }
        if self.path.contains(&position) {
            return Some(self.question.comes_back::<R>(&position));
        }
        self.left = self.left.checked_sub(1)?;
        if self.path.len() == LONGEST_LINE {
            return None;
        }
        let mine = position.side() == self.question.side;
        let mut next = next(&position);
        next.sort_by_key(|next| Reverse(next.store(position.side())));
        self.path.push(position);
        let mut answer = Some(!mine);
        for next in next {
            match self.reaches::<R>(next) {
                Some(reached) if reached == mine => {
                    answer = Some(mine);
                    break;
                }
                Some(_) => {}
                // Another move may answer it all the same.
                None => answer = None,
            }
        }
        self.path.pop();
        answer
    }
}

/// The positions after the moves of one.
fn next(position: &Position) -> Vec<Position> {
    position.moves().into_iter().filter_map(|mv| position.play(mv).ok()).collect()
}

/// All positions that play can lead to from one, with their moves.
struct PositionGraph {
    positions: Vec<Position>,
    /// By position: the indices of the positions after its moves.
    moves: Vec<Vec<usize>>,
}

impl PositionGraph {
    /// `None` if there are too many of them.
    fn around(position: Position) -> Option<PositionGraph> {
        let mut graph = PositionGraph { positions: vec![position], moves: Vec::new() };
        let key = |position: &Position| (position.board(), position.side() == Side::South);
        let mut indices = AHashMap::from([(key(&position), 0)]);
        while let Some(position) = graph.positions.get(graph.moves.len()) {
            let next = if position.verdict().is_some() { Vec::new() } else { next(position) };
            let moves = next.into_iter().map(|next| {
                *indices.entry(key(&next)).or_insert_with(|| {
                    graph.positions.push(next);
                    graph.positions.len() - 1
                })
            });
            let moves = moves.collect();
            graph.moves.push(moves);
            if graph.positions.len() > MOST_POSITIONS {
                return None;
            }
        }
        Some(graph)
    }

    fn reaches<R: Rules>(&self, question: Question) -> Option<bool> {
        if R::CYCLE != Cycle::EndsGame {
            return Some(self.forced::<R>(question, &|position| question.comes_back::<R>(position)));
        }
        // A side with half of the seeds in its store cannot lose, whatever a repetition pays.
        let (Question { side, wanted }, half) = (question, R::SEEDS / 2);
        let if_nothing = |position: &Position| wanted < 0 || wanted == 0 && position.store(side) >= half;
        let if_all = |position: &Position| wanted < 1 || wanted == 1 && position.store(side.other()) < half;
        let (if_nothing, if_all) =
            (self.forced::<R>(question, &if_nothing), self.forced::<R>(question, &if_all));
        (if_nothing == if_all).then_some(if_all)
    }

    /// The answer of the first position: each begins with what play without end gives, and takes the best that its moves
    /// give until nothing changes. Those with fewer seeds come first, since no capture puts seeds back.
    fn forced<R: Rules>(&self, question: Question, without_end: &dyn Fn(&Position) -> bool) -> bool {
        let begin = |position| question.over::<R>(position).unwrap_or_else(|| without_end(position));
        let mut answers: Vec<bool> = self.positions.iter().map(begin).collect();
        let mut databases: Vec<Vec<usize>> = vec![Vec::new(); usize::from(R::SEEDS) + 1];
        for index in (0..self.moves.len()).filter(|&index| !self.moves[index].is_empty()) {
            databases[usize::from(self.positions[index].board().seeds())].push(index);
        }
        for database in databases {
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for &index in database.iter().rev() {
                    let mine = self.positions[index].side() == question.side;
                    let answer = self.moves[index].iter().any(|&to| answers[to] == mine) == mine;
                    changed |= answers[index] != answer;
                    answers[index] = answer;
                }
            }
        }
        answers[0]
    }
}
