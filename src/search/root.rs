//! The root of a search: its moves in the order of their promise, the best lines, and what the endgames say.

use super::Report;
use super::node::{At, Worker};
use super::pv::Line;
use crate::endgame::{Endgames, covers};
use crate::game::{Board, Cycle, Move, Pit, Position, Rules};
use crate::value::{Proof, Score, Value};

/// A move of the root.
#[derive(Clone)]
pub struct RootMove {
    pub pit: Pit,
    /// What the last search that it led found of it.
    pub score: Option<Score>,
    pub line: Line,
}

/// The root of a search.
pub struct Root {
    pub position: Position,
    pub at: At,
    /// The moves to look at. The best lines come first, in order.
    pub moves: Vec<RootMove>,
    /// Whether moves were left out on request.
    pub restricted: bool,
    /// How many best lines are wanted.
    pub lines: usize,
    /// What is certain of the root before any search.
    pub certain: Option<Score>,
    /// Iterations since the best move changed.
    pub steady: u32,
    /// Hundredths of a seed by which the last iteration thinks less of the position than the one before.
    pub fall: i32,
}

impl Root {
    /// The root of a request.
    ///
    /// # Panics
    /// If the game is over.
    pub fn new<R: Rules>(request: &super::Request) -> Root {
        let board = request.position.board();
        let legal: Vec<Pit> = request.position.moves().into_iter().map(|mv| mv.pit).collect();
        assert!(!legal.is_empty(), "a game that is over is not searched");
        let wanted: Vec<Pit> = legal.iter().copied().filter(|pit| request.only.contains(pit)).collect();
        let restricted = !wanted.is_empty() && wanted.len() < legal.len();
        let quiet = if R::CYCLE == Cycle::EndsGame { request.line.len().saturating_sub(1) } else { 0 };
        let pits = if wanted.is_empty() { legal } else { wanted };
        let moves: Vec<RootMove> = pits
            .into_iter()
            .map(|pit| RootMove { pit, score: None, line: std::iter::once(pit).collect() })
            .collect();
        Root {
            position: request.position,
            at: At { board, ply: 0, quiet },
            lines: request.lines.clamp(1, moves.len()),
            moves,
            restricted,
            certain: None,
            steady: 0,
            fall: 0,
        }
    }

    /// The best move so far.
    pub fn best(&self) -> &RootMove {
        &self.moves[0]
    }

    /// The score of a line, with what the endgames know.
    fn score(&self, index: usize) -> Score {
        let found = self.moves[index].score.unwrap_or(Score { value: Value::DRAW, proof: Proof::NONE });
        match self.certain {
            Some(certain) if index == 0 && found.proven().is_none() => certain,
            _ => found,
        }
    }

    /// Whether nothing is left to find out about the lines that are wanted.
    pub fn is_exact(&self) -> bool {
        self.moves[..self.lines].iter().all(|mv| mv.score.is_some_and(|score| score.proof.is_exact()))
    }

    /// Takes what the endgames say of the root, if it is covered, and leaves out the moves that give some of it away.
    ///
    /// The boards that are looked up from here on have fewer seeds, unless nothing can come back: so the search still
    /// looks for the captures that lead there, and does not go round in circles.
    pub fn consult<R: Rules>(&mut self, endgames: &Endgames, built: u8) -> Option<u8> {
        let seeds = self.at.board.seeds();
        if built < seeds || !covers::<R>() {
            return Some(built);
        }
        if R::CYCLE == Cycle::Impossible {
            return Some(built);
        }
        let worth = |board: Board| match R::ending(board) {
            Some(ending) => Some(Score { value: Value::of(&ending), proof: Proof::EXACT }),
            None => endgames.probe::<R>(board, board.seeds()),
        };
        if self.certain.is_none()
            && !self.restricted
            && let Some(best) = worth(self.at.board)
        {
            let board = self.at.board;
            let keeps = |mv: &RootMove| {
                let after = R::play(board, mv.pit).and_then(|step| worth(step.board));
                after.is_some_and(|score| same_result(best, turned(score)))
            };
            if self.moves.iter().any(keeps) && self.lines == 1 {
                self.moves.retain(keeps);
            }
            self.certain = Some(best);
        }
        seeds.checked_sub(1)
    }
}

fn turned(score: Score) -> Score {
    Score { value: score.value.turned(), proof: score.proof.turned() }
}

/// Whether a move keeps what a board is worth: the exact value, or who wins where only that is known.
fn same_result(best: Score, kept: Score) -> bool {
    if best.proof.is_exact() && kept.proof.is_exact() {
        return best.value == kept.value;
    }
    best.proven() == kept.proven()
}

impl<R: Rules> Worker<'_, R> {
    /// What is known after so many plies.
    pub fn report(&self, root: &Root, depth: u8) -> Report {
        let line = |index: usize| {
            let line = self.led_on(root.at.board, &root.moves[index].line);
            (root.score(index), spelled(root.position, &line))
        };
        let (score, best) = line(0);
        let others = (1..root.lines).filter(|&index| root.moves[index].score.is_some()).map(line).collect();
        Report {
            depth,
            deepest: self.deepest,
            score,
            nodes: self.nodes,
            hits: self.hits,
            permille: self.table.permille(self.nodes),
            line: best,
            others,
            forced: root.moves.len() == 1,
            steady: root.steady,
            fall: root.fall,
        }
    }
}

impl<R: Rules> Worker<'_, R> {
    /// A line that ends where the endgames begin, played on to the end of the game.
    fn led_on(&self, mut board: Board, line: &Line) -> Line {
        let mut line = line.clone();
        if R::CYCLE != Cycle::Impossible || self.covered.is_none() {
            return line;
        }
        for &pit in &line {
            match R::play(board, pit) {
                Some(step) if R::moves(board).contains(pit) => board = step.board,
                _ => return line,
            }
        }
        let worth = |board: Board| match R::ending(board) {
            Some(ending) => Some(Value::of(&ending)),
            None => self.endgames.probe::<R>(board, board.seeds()).map(|score| score.value),
        };
        while R::ending(board).is_none() && !line.is_full() {
            let offers = R::moves(board).into_iter().filter_map(|pit| {
                let step = R::play(board, pit)?;
                let value = worth(step.board)?;
                Some((pit, step, if step.again { value } else { value.turned() }))
            });
            let Some((pit, step, _)) = offers.max_by_key(|offer| offer.2) else { break };
            line.push(pit);
            board = step.board;
        }
        line
    }
}

/// A line with the side of each move, as far as it is legal.
pub fn spelled(mut position: Position, line: &[Pit]) -> Vec<Move> {
    let mut moves = Vec::with_capacity(line.len());
    for &pit in line {
        let mv = Move { side: position.side(), pit };
        let Ok(next) = position.play(mv) else { break };
        moves.push(mv);
        position = next;
    }
    moves
}
