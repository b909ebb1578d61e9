//! Whole turns: a move, and every bonus move after it.
//!
//! In `kalah` a turn can last dozens of moves, and different orders lead to the same boards, so the result of each board is
//! cached: its best value and how many continuations reach it. In other games a turn is one move or two.

use crate::game::{Board, Move, Position, Side};
use crate::search::Observer;
use ahash::AHashMap;

/// The result of the rest of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The best value of a position at the end of the turn.
    pub value: i64,
    /// How many continuations reach it; saturates at `u64::MAX`.
    pub count: u64,
}

/// Searches the turns of a side.
pub struct TurnSearch<'a, F> {
    side: Side,
    /// Evaluates a position at the end of a turn.
    value: F,
    known: AHashMap<Board, Rest>,
    node_limit: u64,
    observer: &'a mut dyn Observer,
}

impl<'a, F: Fn(&Position) -> i64> TurnSearch<'a, F> {
    /// A search of a side's turns by a value function. After the node limit, or if the observer stops it, turns are cut off at
    /// their current position.
    pub fn new(side: Side, value: F, node_limit: u64, observer: &'a mut dyn Observer) -> TurnSearch<'a, F> {
        // The first node is the given position.
        TurnSearch { side, value, known: AHashMap::new(), node_limit: node_limit.saturating_sub(1), observer }
    }

    /// Positions whose moves were evaluated, the given one included.
    pub fn nodes(&self) -> u64 {
        1 + self.known.len() as u64
    }

    /// The result of the rest of a turn from a position.
    pub fn rest(&mut self, position: &Position) -> Rest {
        let ended = Rest { value: (self.value)(position), count: 1 };
        let goes_on = position.verdict().is_none() && position.side() == self.side;
        if !goes_on {
            return ended;
        }
        let board = position.board();
        if let Some(&rest) = self.known.get(&board) {
            return rest;
        }
        let nodes = self.known.len() as u64;
        if nodes >= self.node_limit || self.observer.stop(nodes) {
            return ended;
        }
        self.known.insert(board, ended);
        let each = position.moves().into_iter().map(|mv| self.rest(&after(position, mv)));
        let rest = best_of(each).unwrap_or(ended);
        self.known.insert(board, rest);
        rest
    }

    /// The continuation from a position: among the moves that lead to the best value, `pick` chooses each time by how many
    /// continuations each has.
    pub fn line(&mut self, mut position: Position, pick: &mut dyn FnMut(&[u64]) -> usize) -> Vec<Move> {
        let mut line = Vec::new();
        while position.verdict().is_none() && position.side() == self.side {
            let wanted = self.rest(&position).value;
            let rests = position.moves().into_iter().map(|mv| (mv, self.rest(&after(&position, mv))));
            let best: Vec<(Move, Rest)> = rests.filter(|(_, rest)| rest.value == wanted).collect();
            let counts: Vec<u64> = best.iter().map(|(_, rest)| rest.count).collect();
            // There may be no such move if the search was cut off.
            if counts.is_empty() {
                break;
            }
            let mv = best[pick(&counts)].0;
            line.push(mv);
            position = after(&position, mv);
        }
        line
    }
}

/// The best value of several continuations, and how many reach it.
fn best_of(rests: impl Iterator<Item = Rest>) -> Option<Rest> {
    rests.reduce(|best, rest| match rest.value.cmp(&best.value) {
        std::cmp::Ordering::Less => best,
        std::cmp::Ordering::Equal => Rest { count: best.count.saturating_add(rest.count), ..best },
        std::cmp::Ordering::Greater => rest,
    })
}

/// The position after a listed move.
pub fn after(position: &Position, mv: Move) -> Position {
    position.play(mv).expect("a move that was listed is legal")
}
