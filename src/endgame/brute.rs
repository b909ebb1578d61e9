//! Values against brute force: a search of whole lines that remembers nothing but the way it came.
//!
//! It knows no more than the rules as a user has them: positions, moves, and what a position is worth that comes back.
//! A position of few seeds is asked two questions, whether its mover can get as much as the endgames say and whether he
//! can get more, and each is answered by going through the moves of both sides to the end of every line that matters.
//! Lines that go on without end come back to a position; then the game is over as the rule set has it. Some questions
//! take too long; those stay open, and are counted.

use super::{Endgames, Proof};
use crate::game::{Board, Position, ROW, Row, Rules, Side, Verdict, split_mix};
use crate::value::{Kind, Score, Value};
use std::cmp::Reverse;

/// Seeds on the largest board that is searched out.
const MOST: u64 = 5;
/// Positions that a question may cost.
const BUDGET: u64 = 20_000;
/// The longest line that is looked at.
const LONGEST: usize = 500;

/// What came of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Questions that were answered, and as the endgames do.
    pub confirmed: u64,
    /// Questions that took too long.
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
        for (at_least, wanted) in claims::<R>(score) {
            let mut search = Search { side: position.side(), wanted, path: Vec::new(), left: BUDGET };
            match search.reaches::<R>(position) {
                None => tried.open += 1,
                Some(reached) if reached == at_least => tried.confirmed += 1,
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

/// A question: can a side get so much?
struct Search {
    side: Side,
    wanted: i32,
    path: Vec<Position>,
    left: u64,
}

impl Search {
    fn reaches<R: Rules>(&mut self, position: Position) -> Option<bool> {
        let ended = |lead: i8, verdict: Verdict| {
            let outcome = if R::LEAD_ADDS { i32::from(lead) } else { verdict as i32 - Verdict::Draw as i32 };
            Some(if position.side() == self.side { outcome >= self.wanted } else { -outcome >= self.wanted })
        };
        if let Some(verdict) = position.verdict() {
            return ended(position.board().lead(), verdict);
        }
        if self.path.contains(&position) {
            let ending = position.cycle();
            return ended(ending.margin(), ending.verdict);
        }
        self.left = self.left.checked_sub(1)?;
        if self.path.len() == LONGEST {
            return None;
        }
        let mine = position.side() == self.side;
        let mut next: Vec<Position> =
            position.moves().into_iter().filter_map(|mv| position.play(mv).ok()).collect();
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
