//! Whole turns: a move, and every bonus move after it.
//!
//! In `kalah` a turn can go on for dozens of moves, and different orders lead to the same boards, so what was found for a
//! board is kept: its best worth and how many ways of going on reach that. Elsewhere a turn is one move or two.

use crate::game::{Board, Move, Position, Side};
use crate::search::Observer;
use ahash::AHashMap;

/// What the rest of a turn can bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The best worth of a position that the turn can end in.
    pub worth: i64,
    /// How many ways of going on reach it; `u64::MAX` for as many or more.
    pub ways: u64,
}

/// Looks through the turns of a side.
pub struct Turns<'a, F> {
    side: Side,
    /// What a position is worth that a turn ends in.
    worth: F,
    known: AHashMap<Board, Rest>,
    node_limit: u64,
    observer: &'a mut dyn Observer,
}

impl<'a, F: Fn(&Position) -> i64> Turns<'a, F> {
    /// The turns of a side; each leads to a worth. Once the nodes are used up or the observer says so, a turn is taken
    /// to end where it stands.
    pub fn new(side: Side, worth: F, node_limit: u64, observer: &'a mut dyn Observer) -> Turns<'a, F> {
        // The first node is the position at hand.
        Turns { side, worth, known: AHashMap::new(), node_limit: node_limit.saturating_sub(1), observer }
    }

    /// Positions whose moves were weighed, the one at hand included.
    pub fn nodes(&self) -> u64 {
        1 + self.known.len() as u64
    }

    /// What a turn can bring that has come to a position.
    pub fn rest(&mut self, position: &Position) -> Rest {
        let ended = Rest { worth: (self.worth)(position), ways: 1 };
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
        let rest = together(each).unwrap_or(ended);
        self.known.insert(board, rest);
        rest
    }

    /// The way on from a position: of the moves that lead to the best worth, the one that is picked each time. It is
    /// told their ways.
    pub fn line(&mut self, mut position: Position, pick: &mut dyn FnMut(&[u64]) -> usize) -> Vec<Move> {
        let mut line = Vec::new();
        while position.verdict().is_none() && position.side() == self.side {
            let wanted = self.rest(&position).worth;
            let rests = position.moves().into_iter().map(|mv| (mv, self.rest(&after(&position, mv))));
            let best: Vec<(Move, Rest)> = rests.filter(|(_, rest)| rest.worth == wanted).collect();
            let ways: Vec<u64> = best.iter().map(|(_, rest)| rest.ways).collect();
            // Where the turns were not looked through to their ends there may be no such move.
            if ways.is_empty() {
                break;
            }
            let mv = best[pick(&ways)].0;
            line.push(mv);
            position = after(&position, mv);
        }
        line
    }
}

/// What several ways on can bring together.
fn together(rests: impl Iterator<Item = Rest>) -> Option<Rest> {
    rests.reduce(|best, rest| match rest.worth.cmp(&best.worth) {
        std::cmp::Ordering::Less => best,
        std::cmp::Ordering::Equal => Rest { ways: best.ways.saturating_add(rest.ways), ..best },
        std::cmp::Ordering::Greater => rest,
    })
}

/// The position after a move that was listed.
pub fn after(position: &Position, mv: Move) -> Position {
    position.play(mv).expect("a move that was listed is legal")
}
