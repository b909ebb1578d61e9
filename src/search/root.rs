//! The root of a search: its moves in the order of their promise, the best lines, and what the endgames say.

use super::Report;
use super::node::{At, Worker};
use super::pv::Line;
use crate::endgame::Endgames;
use crate::game::{Board, Cycle, Move, Pit, Position, Rules, Verdict};
use crate::value::{Proof, Score, Value};
use std::cmp::Reverse;

/// A move of the root.
#[derive(Clone)]
pub struct RootMove {
    pub pit: Pit,
    /// What the last search that it led found of it.
    pub score: Option<Score>,
    /// What the endgames say of it.
    certain: Option<Score>,
    pub line: Line,
}

impl RootMove {
    /// What is to be said of the move: what the endgames know, unless the search has proven as much.
    fn shown(&self) -> Score {
        let found = self.score.unwrap_or(Score { value: Value::DRAW, proof: Proof::NONE });
        match self.certain {
            Some(certain) if certain.proof.is_exact() || found.proven().is_none() => certain,
            _ => found,
        }
    }

    /// Moves that the endgames tell apart have different classes, the better the higher.
    fn class(&self) -> Option<Value> {
        self.certain.map(|score| score.value)
    }

    /// The place among the lines: what is certain, what is said, what was found.
    fn rank(&self) -> (Option<Value>, Value, Value) {
        (self.class(), self.shown().value, self.score.map_or(Value::LEAST, |score| score.value))
    }
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
    /// Whether moves were left out for a win that is sure; others may bring more.
    pub narrowed: bool,
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
            .map(|pit| RootMove { pit, score: None, certain: None, line: std::iter::once(pit).collect() })
            .collect();
        Root {
            position: request.position,
            at: At { board, ply: 0, quiet },
            lines: request.lines.clamp(1, moves.len()),
            moves,
            restricted,
            narrowed: false,
            certain: None,
            steady: 0,
            fall: 0,
        }
    }

    /// The best move so far.
    pub fn best(&self) -> &RootMove {
        &self.moves[0]
    }

    /// Where the moves end that the endgames value as they value the one at an index.
    pub fn end_of_equals(&self, index: usize) -> usize {
        let class = self.moves[index].class();
        index + self.moves[index..].iter().take_while(|mv| mv.class() == class).count()
    }

    /// Puts the lines of an iteration in order.
    ///
    /// Each was the best of those that were left when it was searched, which is what "no more than that" speaks of. If
    /// a later one then did better after all, this has not been shown of those that it overtakes.
    pub fn rank_lines(&mut self) {
        let lines = &mut self.moves[..self.lines];
        if lines.is_sorted_by_key(|mv| Reverse(mv.rank())) {
            return;
        }
        lines.sort_by_key(|mv| Reverse(mv.rank()));
        let mut bounded = true;
        for score in lines.iter_mut().rev().filter_map(|mv| mv.score.as_mut()) {
            bounded &= score.proof.at_most;
            score.proof.at_most = bounded;
        }
    }

    /// Looks at some moves only from here on, each of which is sure of so much.
    pub fn narrow(&mut self, keep: impl Fn(&RootMove) -> bool, sure: Score) {
        self.narrowed = true;
        self.moves.retain(keep);
        for mv in &mut self.moves {
            // What was found of it was said beside the others.
            (mv.score, mv.certain) = (None, Some(sure));
        }
    }

    /// Whether nothing is left to find out about the lines that are wanted.
    pub fn is_exact(&self) -> bool {
        self.moves[..self.lines].iter().all(|mv| mv.score.is_some_and(|score| score.proof.is_exact()))
    }

    /// Takes what the endgames say of the root, if it is covered. If one line is wanted, the moves that give some of it
    /// away are left out, otherwise they come last.
    ///
    /// The boards that are looked up from here on have fewer seeds, unless nothing can come back: so the search still
    /// looks for the captures that lead there, and does not go round in circles. Where a position that comes back ends
    /// the game, the root's own past may bear on its moves, so they are searched.
    pub fn consult<R: Rules>(&mut self, endgames: &Endgames, built: u8) -> Option<u8> {
        let seeds = self.at.board.seeds();
        if built < seeds || R::CYCLE != Cycle::ScoreStands {
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
            for mv in &mut self.moves {
                let after = R::play(board, mv.pit).and_then(|step| worth(step.board));
                mv.certain = after.map(|score| from_the_root::<R>(board, turned(score)));
            }
            let keeps = |mv: &RootMove| mv.certain.is_some_and(|score| score.value == best.value);
            if self.moves.iter().any(keeps) && self.lines == 1 {
                self.moves.retain(keeps);
            }
            self.moves.sort_by_key(|mv| Reverse(mv.class()));
            self.certain = Some(best);
        }
        seeds.checked_sub(1)
    }
}

fn turned(score: Score) -> Score {
    Score { value: score.value.turned(), proof: score.proof.turned() }
}

/// What is certain of a move, with no more than the endgames know of the root: the exact value, or, where that is only
/// who wins, the least margin of a win and of a loss.
fn from_the_root<R: Rules>(board: Board, score: Score) -> Score {
    let (lead, left) = (board.lead(), board.seeds() as i8);
    match score.proven() {
        Some(verdict @ Verdict::Win) if !R::LEAD_ADDS => {
            let proof = Proof { at_least: true, at_most: false };
            Score { value: Value::ended(verdict, lead - left), proof }
        }
        Some(verdict @ Verdict::Loss) if !R::LEAD_ADDS => {
            let proof = Proof { at_least: false, at_most: true };
            Score { value: Value::ended(verdict, lead + left), proof }
        }
        _ => score,
    }
}

impl<R: Rules> Worker<'_, R> {
    /// What is known after so many plies.
    pub fn report(&self, root: &Root, depth: u8) -> Report {
        let line = |index: usize| {
            let line = self.led_on(root.at.board, &root.moves[index].line);
            (root.moves[index].shown(), legal_line(root.position, &line))
        };
        let (score, best) = line(0);
        // An iteration that was cut short leaves scores of the one before. What looked better then than the best does
        // now is not told.
        let (first, rest) = (root.moves[0].rank(), 1..root.lines);
        let known = |&index: &usize| root.moves[index].score.is_some() && root.moves[index].rank() <= first;
        let mut others: Vec<usize> = rest.filter(known).collect();
        others.sort_by_key(|&index| Reverse(root.moves[index].rank()));
        let others = others.into_iter().map(line).collect();
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
        let Some(covered) = self.covered.filter(|_| R::CYCLE == Cycle::Impossible) else { return line };
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
        // Only what this search looks up, whatever others have built.
        while R::ending(board).is_none() && board.seeds() <= covered && !line.is_full() {
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
pub fn legal_line(mut position: Position, line: &[Pit]) -> Vec<Move> {
    let mut moves = Vec::with_capacity(line.len());
    for &pit in line {
        let mv = Move { side: position.side(), pit };
        let Ok(next) = position.play(mv) else { break };
        moves.push(mv);
        position = next;
    }
    moves
}
