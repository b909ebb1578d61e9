//! Values against brute force, by two ways that know no more than the rules as a user has them: positions, moves, and
//! what a position is worth that comes back.
//!
//! A position of few seeds is asked two questions, whether its mover can get as much as the endgames say and whether he
//! can get more. First each is answered by going through the moves of both sides to the end of every line that matters,
//! remembering nothing but the way; lines that go on without end come back to a position, and then the game is over as
//! the rule set has it. That takes too long for some questions. For those all positions are gathered that play can lead
//! to, and what the mover can force is worked out for all of them at once. Where a repetition pays what no position
//! knows (`oware`), that is done twice: if he gets so much though a repetition pays him nothing, he can; if he does not
//! though it pays him all, he cannot; between the two the question stays open, and is counted.

use super::{Endgames, Proof};
use crate::game::{Board, Cycle, Position, ROW, Row, Rules, Side, Verdict, split_mix};
use crate::value::{Kind, Score, Value};
use ahash::AHashMap;
use std::cmp::Reverse;

/// Seeds on the largest board that is asked about.
const MOST: u64 = 6;
/// Positions that going through the lines may cost.
const BUDGET: u64 = 5_000;
/// Positions that are gathered at the most.
const CROWD: usize = 200_000;
/// The longest line that is looked at.
const LONGEST: usize = 500;

/// What came of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Questions that were answered by going through the lines, and as the endgames do.
    pub by_lines: u64,
    /// Questions that were answered from all positions that play can lead to, and as the endgames do.
    pub by_positions: u64,
    /// Questions without an answer.
    pub open: u64,
}

/// Searches out positions at random. `None` if it was stopped.
///
/// # Errors
/// A position of which the endgames say something wrong: its seeds, and what is wrong.
pub(super) fn sample<R: Rules>(
    endgames: &Endgames,
    most: u8,
    samples: u64,
    seed: u64,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Option<Tried>, (u8, String)> {
    let (mut tried, mut random) = (Tried::default(), seed);
    for number in 0..samples {
        if stop(number as f64 / samples as f64) {
            return Ok(None);
        }
        let position = any_position::<R>(&mut random, u64::from(most).min(MOST));
        if position.verdict().is_some() {
            continue;
        }
        let seeds = position.board().seeds();
        let Some(score) = endgames.probe::<R>(position.board(), seeds) else { continue };
        let mut world = None;
        for (at_least, wanted) in claims::<R>(score) {
            let question = Question { side: position.side(), wanted };
            let mut lines = Lines { question, path: Vec::new(), left: BUDGET };
            let (answer, count) = match lines.reaches::<R>(position) {
                None => {
                    let world = world.get_or_insert_with(|| World::around(position)).as_ref();
                    (world.and_then(|world| world.reaches::<R>(question)), &mut tried.by_positions)
                }
                answer => (answer, &mut tried.by_lines),
            };
            match answer {
                None => tried.open += 1,
                Some(reached) if reached == at_least => *count += 1,
                Some(_) => {
                    let can = if at_least { "cannot get" } else { "can get" };
                    let what = if R::LEAD_ADDS { "seeds more at the end" } else { "(1 a win, 0 a draw)" };
                    return Err((seeds, format!("in {position} the side to move {can} {wanted} {what}")));
                }
            }
        }
    }
    Ok(Some(tried))
}

/// A position with a few seeds thrown into its pits, and the others in the stores.
fn any_position<R: Rules>(random: &mut u64, most: u64) -> Position {
    let mut pits = [[0; ROW]; 2];
    let seeds = split_mix(random) % (most + 1);
    for _ in 0..seeds {
        let pit = (split_mix(random) % (2 * ROW as u64)) as usize;
        pits[pit / ROW][pit % ROW] += 1;
    }
    // Stores near each other, where the result is not clear beforehand.
    let rest = R::SEEDS - seeds as u8;
    let store = (rest / 2 + 2).min(rest) - (split_mix(random) % 5).min(u64::from(rest / 2)) as u8;
    let board = Board { mover: Row::new(pits[0], store), other: Row::new(pits[1], rest - store) };
    Position::new::<R>(board, Side::South)
}

/// What a score says, as questions: whether the mover can get so much, and what the answer is.
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

/// Can a side get so much?
#[derive(Clone, Copy)]
struct Question {
    side: Side,
    wanted: i32,
}

impl Question {
    /// The answer of a game that ends so, seen by the side that would be to move in a position.
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

/// Going through the lines.
struct Lines {
    question: Question,
    path: Vec<Position>,
    left: u64,
}

impl Lines {
    fn reaches<R: Rules>(&mut self, position: Position) -> Option<bool> {
        if let Some(answer) = self.question.over::<R>(&position) {
            return Some(answer);
        }
        if self.path.contains(&position) {
            return Some(self.question.comes_back::<R>(&position));
        }
        self.left = self.left.checked_sub(1)?;
        if self.path.len() == LONGEST {
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

/// All positions that play can lead to from one.
struct World {
    positions: Vec<Position>,
    /// Where the moves of each lead.
    moves: Vec<Vec<usize>>,
}

impl World {
    /// `None` if there are too many of them.
    fn around(position: Position) -> Option<World> {
        let mut world = World { positions: vec![position], moves: Vec::new() };
        let key = |position: &Position| (position.board(), position.side() == Side::South);
        let mut numbers = AHashMap::from([(key(&position), 0)]);
        while let Some(position) = world.positions.get(world.moves.len()) {
            let next = if position.verdict().is_some() { Vec::new() } else { next(position) };
            let moves = next.into_iter().map(|next| {
                *numbers.entry(key(&next)).or_insert_with(|| {
                    world.positions.push(next);
                    world.positions.len() - 1
                })
            });
            let moves = moves.collect();
            world.moves.push(moves);
            if world.positions.len() > CROWD {
                return None;
            }
        }
        Some(world)
    }

    fn reaches<R: Rules>(&self, question: Question) -> Option<bool> {
        if R::CYCLE != Cycle::EndsGame {
            return Some(self.forced::<R>(question, &|position| question.comes_back::<R>(position)));
        }
        // Who has half of the seeds in the store does not lose, whatever a repetition pays.
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
        let mut levels: Vec<Vec<usize>> = vec![Vec::new(); usize::from(R::SEEDS) + 1];
        for number in (0..self.moves.len()).filter(|&number| !self.moves[number].is_empty()) {
            levels[usize::from(self.positions[number].board().seeds())].push(number);
        }
        for level in levels {
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for &number in level.iter().rev() {
                    let mine = self.positions[number].side() == question.side;
                    let answer = self.moves[number].iter().any(|&to| answers[to] == mine) == mine;
                    changed |= answers[number] != answer;
                    answers[number] = answer;
                }
            }
        }
        answers[0]
    }
}
