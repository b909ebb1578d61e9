//! The root of a search: the order of its moves, and the best lines.

use super::claims::MoveLimit;
use super::frame::{Frame, Line};
use super::report::ReportedLine;
use super::request::Request;
use super::table::table_key;
use crate::endgames::Endgames;
use crate::game::{Board, Cycle, Move, Pit, Position, Rules, Verdict, Zobrist};
use crate::value::{Bounds, Kind, Plies, Score, Value};
use std::cmp::Reverse;

/// A move of the root.
#[derive(Clone)]
pub struct RootMove {
    pub pit: Pit,
    /// The value found by the last search with this move as the best.
    pub estimate: Option<Value>,
    /// The depth of that search, in plies.
    pub depth: u8,
    /// Whether that search failed high: the estimate is then only a lower bound.
    pub is_lower_bound: bool,
    /// Whether that search proved that the move reaches the estimate.
    pub is_reached: bool,
    /// The tablebase's score, whatever the move limit.
    pub known: Option<Score>,
    /// The bounds of the move, proven by any iteration, thread or store.
    pub bounds: Bounds,
    pub line: Line,
}

impl RootMove {
    fn new(pit: Pit) -> RootMove {
        let line = std::iter::once(pit).collect();
        RootMove {
            pit,
            estimate: None,
            depth: 0,
            is_lower_bound: false,
            is_reached: false,
            known: None,
            bounds: Bounds::NONE,
            line,
        }
    }

    /// Sets a result of an iteration that has not completed its line.
    pub fn set_estimate(&mut self, value: Value, depth: u8, is_lower_bound: bool) {
        (self.depth, self.is_lower_bound) = (depth, is_lower_bound);
        self.is_reached = self.is_won();
        self.estimate = Some(if self.is_won() { self.bounds.at_least } else { value });
    }

    /// Caps what an earlier window of this iteration has found: a later one has found no more than `value`.
    pub fn cap(&mut self, value: Value, depth: u8) {
        if self.depth == depth {
            self.estimate = self.estimate.min(Some(value));
        }
    }

    pub fn is_won(&self) -> bool {
        matches!(self.bounds.at_least.kind(), Kind::Win(_))
    }

    /// Sort key of moves with different tablebase values; higher is better.
    fn known_value(&self) -> Option<Value> {
        self.known.map(|score| score.value)
    }
}

/// Sort key of lines: proven wins, found wins, estimates and draws, found losses, proven losses.
fn rank(score: Score) -> (i8, Value) {
    let class = match (score.proven(), score.found()) {
        (Some(Verdict::Win), _) => 2,
        (_, Some(Verdict::Win)) => 1,
        (Some(Verdict::Loss), _) => -2,
        (_, Some(Verdict::Loss)) => -1,
        _ => 0,
    };
    (class, score.value)
}

/// The root of a search.
pub struct Root {
    pub position: Position,
    pub frame: Frame,
    pub limit: MoveLimit,
    /// The proven bounds of the position, independent of its best move.
    pub bounds: Bounds,
    /// The moves to search, the best lines first.
    pub moves: Vec<RootMove>,
    /// Whether the request excludes moves.
    pub restricted: bool,
    /// How many best lines to find.
    pub multipv: usize,
    /// The depth of the iteration, in plies.
    pub depth: u8,
    /// The greatest value that moves which are not searched any more may have; [`Value::LEAST`] if all are.
    pub left_out: Value,
    /// The tablebase's score of the root.
    pub known: Option<Score>,
    /// Whether its moves convert that score, or it needs no conversion.
    pub is_converted: bool,
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// Hundredths of a seed by which the score has fallen since the previous iteration.
    pub score_drop: i32,
}

impl Root {
    /// The root of a request.
    ///
    /// # Panics
    /// If the game is over.
    pub fn new<R: Rules>(request: &Request) -> Root {
        let board = request.position().board();
        let legal: Vec<Pit> = request.position().moves().into_iter().map(|mv| mv.pit).collect();
        assert!(!legal.is_empty(), "a game that is over is not searched");
        let mut wanted: Vec<Pit> = Vec::new();
        for pit in &request.search_moves {
            if legal.contains(pit) && !wanted.contains(pit) {
                wanted.push(*pit);
            }
        }
        let restricted = !wanted.is_empty() && wanted.len() < legal.len();
        let before =
            if R::CYCLE == Cycle::EndsGame { request.game.line().len().saturating_sub(1) } else { 0 };
        let pits = if wanted.is_empty() { legal } else { wanted };
        let moves: Vec<RootMove> = pits.into_iter().map(RootMove::new).collect();
        let limit = MoveLimit::new(request);
        let key = table_key::<R>(Zobrist::get(), board, limit.key(0));
        Root {
            position: *request.position(),
            limit,
            bounds: Bounds::NONE,
            frame: Frame { board, key, ply: 0, quiet_plies: before },
            multipv: request.multipv.clamp(1, moves.len()),
            moves,
            depth: 0,
            restricted,
            left_out: Value::LEAST,
            known: None,
            is_converted: false,
            stable_iterations: 0,
            score_drop: 0,
        }
    }

    pub fn best(&self) -> &RootMove {
        &self.moves[0]
    }

    /// The index after the moves from `index` on that have the same tablebase value.
    pub fn end_of_equals(&self, index: usize) -> usize {
        let value = self.moves[index].known_value();
        index + self.moves[index..].iter().take_while(|mv| mv.known_value() == value).count()
    }

    /// Adds proven bounds of a move, if the limit allows them.
    pub fn add_bounds(&mut self, index: usize, bounds: Bounds) {
        self.moves[index].bounds.narrow(self.limit.allowed(bounds));
    }

    /// Sets the value of a line after an iteration, and adds the proven bounds of the moves searched for it.
    pub fn set_score(&mut self, index: usize, value: Value, bounds: Bounds) {
        for other in index..self.end_of_equals(index) {
            self.add_bounds(other, bounds.only_most());
        }
        self.add_bounds(index, bounds);
        let is_reached = self.limit.allowed(bounds).at_least >= value;
        let mv = &mut self.moves[index];
        (mv.estimate, mv.is_reached) = (Some(value), is_reached);
        (mv.depth, mv.is_lower_bound) = (self.depth, false);
    }

    /// Ends an iteration that was stopped after `whole` lines, with the moves `before` it. Each line keeps the result of its
    /// deepest search: in this iteration, or in the previous one. A lower bound counts only for a new best move. The best line of
    /// this iteration comes first.
    pub fn keep_whole_lines(&mut self, whole: usize, before: &[RootMove]) {
        let (listed, best) = (&before[..self.multipv], before[0].pit);
        let place = |mv: &RootMove| listed.iter().position(|old| old.pit == mv.pit);
        for (index, mv) in self.moves.iter_mut().enumerate().skip(whole) {
            let is_new_best = index == 0 && mv.pit != best;
            if let Some(old) = before.iter().find(|old| old.pit == mv.pit)
                && mv.is_lower_bound
                && !is_new_best
            {
                *mv = RootMove { bounds: mv.bounds, ..old.clone() };
            }
        }
        self.moves[whole.max(1)..].sort_by_key(|mv| place(mv).unwrap_or(listed.len()));
        let ranked =
            |index: usize| (self.moves[index].depth == self.depth).then(|| rank(self.told_score(index)));
        // A move that failed high may come back with less than one that this iteration had found before.
        let best = (0..self.moves.len()).max_by_key(|&index| (ranked(index), Reverse(index)));
        self.moves[..=best.unwrap_or(0)].rotate_right(1);
    }

    /// The proven bounds of a line: the lower bound of its move; the upper bound of the position at index 0, and of its move
    /// later.
    fn bounds(&self, index: usize) -> Bounds {
        let bounds = self.moves[index].bounds;
        if index > 0 {
            return bounds;
        }
        let of_moves = self.moves.iter().map(|mv| mv.bounds.at_most).fold(self.left_out, Value::max);
        Bounds { at_most: of_moves.min(self.bounds.at_most), ..bounds }
    }

    /// Takes over the moves of another thread, and keeps the proofs found here.
    pub fn take_over(&mut self, moves: &[RootMove]) {
        let own = std::mem::replace(&mut self.moves, moves.to_vec());
        for mv in &mut self.moves {
            if let Some(before) = own.iter().find(|before| before.pit == mv.pit) {
                mv.bounds.narrow(before.bounds);
            }
        }
    }

    /// Brings a move with a proven win to the front if the best line has none; without a win, one that keeps a proven draw.
    pub fn prefer_proven(&mut self) {
        if self.moves[0].is_won() {
            return;
        }
        let draws = |mv: &RootMove| mv.bounds.at_least >= Value::DRAW;
        let is_drawn = !draws(&self.moves[0]) && self.bounds(0).at_most == Value::DRAW;
        let won = self.moves.iter().position(RootMove::is_won);
        if let Some(index) = won.or_else(|| self.moves.iter().position(draws).filter(|_| is_drawn)) {
            let mv = &mut self.moves[index];
            mv.set_estimate(Value::DRAW, self.depth, false);
            self.moves[..=index].rotate_right(1);
        }
    }

    /// Orders the lines of an iteration, each of which was the best of the remaining moves when it was searched.
    pub fn rank_lines(&mut self) {
        self.prefer_proven();
        let mut ranked: Vec<_> = (0..self.multipv).map(|index| rank(self.told_score(index))).collect();
        let mut lines: Vec<RootMove> = self.moves.drain(..self.multipv).collect();
        while let Some(best) = (0..lines.len()).max_by_key(|&index| (ranked[index], Reverse(index))) {
            ranked.remove(best);
            let next = lines.remove(best);
            self.moves.insert(self.multipv - lines.len() - 1, next);
        }
    }

    /// Restricts the search to some moves, independent of the bounds of the others.
    pub fn keep(&mut self, keep: impl Fn(&RootMove) -> bool) {
        let left = self.moves.extract_if(.., |mv| !keep(mv)).map(|mv| mv.bounds.at_most).max();
        self.left_out = left.into_iter().fold(self.left_out, Value::max);
    }

    /// Restricts the search to some moves, each certain of the score `sure` within some plies.
    pub fn narrow(
        &mut self,
        keep: impl Fn(&RootMove) -> bool,
        sure: Score,
        plies: impl Fn(&RootMove) -> Plies,
    ) {
        self.keep(keep);
        for mv in &mut self.moves {
            // Its earlier score was relative to the other moves.
            (mv.estimate, mv.known, mv.depth) = (None, Some(sure), self.depth);
            mv.bounds.narrow(self.limit.allowed(Bounds::of(sure, plies(mv))));
        }
    }

    /// Whether all requested lines are reported as exact and lead to a known result, which a line may also put off for ever.
    pub fn is_exact(&self) -> bool {
        (0..self.multipv).all(|index| {
            let mv = &self.moves[index];
            let leads_there = self.known.is_none() || self.is_converted || mv.is_reached;
            leads_there && self.is_solved(index)
        })
    }

    /// Whether the value of a line is proven.
    pub fn is_solved(&self, index: usize) -> bool {
        self.bounds(index).value().is_some()
    }

    /// The value of a line that was searched: the proven value, or the estimate.
    pub fn value(&self, index: usize) -> Option<Value> {
        let estimate = self.moves[index].estimate?;
        // A known win must come nearer: the proofs of an earlier iteration do not count.
        Some(if self.known.is_some() { estimate } else { self.bounds(index).score(estimate).value })
    }

    /// The reported score of a line: proven, or an estimate within the bounds that the seeds give.
    fn told_score(&self, index: usize) -> Score {
        let (board, mv) = (self.frame.board, &self.moves[index]);
        let estimate = mv.known_value().or(mv.estimate).unwrap_or(Value::DRAW);
        let told = self.bounds(index).score(estimate);
        let value = if told.proof.is_exact() { told.value } else { told.value.within_seeds(board) };
        Score { value, proof: told.proof.of_moved(told.value, value) }
    }

    /// The line of the best move, and the next best ones, by their scores. `limit` is the tablebase limit of the search.
    pub fn lines<R: Rules>(
        &self,
        endgames: &Endgames,
        limit: Option<u8>,
    ) -> (ReportedLine, Vec<ReportedLine>) {
        let line = |index: usize| {
            let (mv, score) = (&self.moves[index], self.told_score(index));
            let line = extended::<R>(endgames, limit, self.frame.board, &mv.line);
            let is_lower_bound = mv.is_lower_bound && score.proven().is_none();
            ReportedLine { depth: mv.depth, score, is_lower_bound, pv: legal_line(self.position, &line) }
        };
        let is_searched =
            |&index: &usize| self.moves[index].estimate.is_some() || self.moves[index].known.is_some();
        let mut others: Vec<_> = (1..self.multipv).filter(is_searched).map(line).collect();
        others.sort_by_key(|line| Reverse(rank(line.score)));
        (line(0), others)
    }
}

/// A line that ends at the tablebase, extended to the end of the game.
fn extended<R: Rules>(endgames: &Endgames, limit: Option<u8>, mut board: Board, line: &Line) -> Line {
    let mut line = line.clone();
    let Some(limit) = limit.filter(|_| R::CYCLE == Cycle::Impossible) else { return line };
    for &pit in &line {
        match R::play(board, pit) {
            Some(step) => board = step.board,
            None => return line,
        }
    }
    // Only databases that this search probes, even if more have been built.
    while R::ending(board).is_none() && board.seeds() <= limit && !line.is_full() {
        let moves = R::moves(board).into_iter().filter_map(|pit| {
            let step = R::play(board, pit)?;
            let value = endgames.result::<R>(step.board)?.value;
            Some((pit, step, if step.again { value } else { value.turned() }))
        });
        let Some((pit, step, _)) = moves.max_by_key(|mv| mv.2) else { break };
        line.push(pit);
        board = step.board;
    }
    line
}

/// The legal beginning of a line, with the side of each move.
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
