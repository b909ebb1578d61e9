//! Whole turns: a move, and every bonus move after it.
//!
//! In `kalah` a turn can go on for dozens of moves, and different orders lead to the same boards, so what was found for a
//! board is kept: its best value and how many continuations reach that. Elsewhere a turn is one move or two.

use crate::game::{Board, Move, Position, Side};
use crate::search::Observer;
use ahash::AHashMap;

/// What the rest of a turn can bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The best value of a position that the turn can end in.
    pub value: i64,
    /// How many continuations reach it; `u64::MAX` for as many or more.
    pub count: u64,
}

/// Searches the turns of a side.
pub struct TurnSearch<'a, F> {
    side: Side,
    /// The value of a position that a turn ends in.
    value: F,
    known: AHashMap<Board, Rest>,
    node_limit: u64,
    observer: &'a mut dyn Observer,
}

impl<'a, F: Fn(&Position) -> i64> TurnSearch<'a, F> {
    /// The turns of a side; each leads to a value. Once the nodes are used up or the observer says so, a turn is taken
    /// to end where it stands.
    pub fn new(side: Side, value: F, node_limit: u64, observer: &'a mut dyn Observer) -> TurnSearch<'a, F> {
        // The first node is the position at hand.
        TurnSearch { side, value, known: AHashMap::new(), node_limit: node_limit.saturating_sub(1), observer }
    }

    /// Positions whose moves were weighed, the one at hand included.
    pub fn nodes(&self) -> u64 {
        1 + self.known.len() as u64
    }

    /// What a turn can bring that has come to a position.
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

    /// The continuation from a position: of the moves that lead to the best value, the one that `pick` chooses each time. It
    /// is given how many continuations each has.
    pub fn line(&mut self, mut position: Position, pick: &mut dyn FnMut(&[u64]) -> usize) -> Vec<Move> {
        let mut line = Vec::new();
        while position.verdict().is_none() && position.side() == self.side {
            let wanted = self.rest(&position).value;
            let rests = position.moves().into_iter().map(|mv| (mv, self.rest(&after(&position, mv))));
            let best: Vec<(Move, Rest)> = rests.filter(|(_, rest)| rest.value == wanted).collect();
            let counts: Vec<u64> = best.iter().map(|(_, rest)| rest.count).collect();
            // Where the turns were not searched to their ends there may be no such move.
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

/// What several continuations bring: the best value, and how many reach it.
fn best_of(rests: impl Iterator<Item = Rest>) -> Option<Rest> {
    rests.reduce(|best, rest| match rest.value.cmp(&best.value) {
        std::cmp::Ordering::Less => best,
        std::cmp::Ordering::Equal => Rest { count: best.count.saturating_add(rest.count), ..best },
        std::cmp::Ordering::Greater => rest,
    })
}

/// The position after a move that was listed.
pub fn after(position: &Position, mv: Move) -> Position {
    position.play(mv).expect("a move that was listed is legal")
}
