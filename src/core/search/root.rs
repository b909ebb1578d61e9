//! The root of a search: its ordered moves, the best lines, and the tablebase's result.

use super::frame::Frame;
use super::move_limit::{MoveLimit, plies_to_settle, settling_plies};
use super::pv::Line;
use super::request::Request;
use super::result::Plies;
use super::table::table_key;
use crate::endgame::Endgames;
use crate::game::{Board, Cycle, Move, Pit, Position, Rules, Verdict, Zobrist};
use crate::value::{Kind, Proof, Score, Value};
use std::cmp::Reverse;

/// A move of the root.
#[derive(Clone)]
pub struct RootMove {
    pub pit: Pit,
    /// The score from the last search in which it was the best.
    pub score: Option<Score>,
    /// The tablebase's score.
    known: Option<Score>,
    /// Plies within which the score's proof is realised.
    settles: Plies,
    /// The bounds proven in any iteration and realised before the move limit: at least, at most.
    proven: (Option<Value>, Option<Value>),
    /// Plies within which all of `proven` is realised.
    proven_within: Plies,
    pub line: Line,
}

impl RootMove {
    fn new(pit: Pit) -> RootMove {
        let line = std::iter::once(pit).collect();
        RootMove { pit, score: None, known: None, settles: 0, proven: (None, None), proven_within: 0, line }
    }

    /// The least win that is proven and realised before the move limit, and the plies within which it is.
    pub fn proven_win(&self) -> Option<(Value, Plies)> {
        let score = self.score.filter(|score| score.proven() == Some(Verdict::Win))?;
        self.proven.0.filter(|&least| least >= score.value).map(|least| (least, self.proven_within))
    }

    /// Sets the result of an iteration that was interrupted.
    pub fn set_estimate(&mut self, value: Value) {
        let won = self.proven.0.filter(|least| matches!(least.kind(), Kind::Win(_)));
        let found = Score { value, proof: Proof::NONE };
        (self.score, self.settles) =
            (Some(won.map_or(found, |value| Score { value, proof: Proof::AT_LEAST })), 0);
    }

    /// Adds a proof that is realised within `settles` plies; it stays proven.
    fn add_proof(&mut self, value: Value, proof: Proof, settles: Plies) {
        if proof != Proof::NONE {
            self.proven_within = self.proven_within.max(settles);
        }
        let (at_least, at_most) = &mut self.proven;
        if proof.at_least {
            *at_least = (*at_least).max(Some(value));
        }
        if proof.at_most {
            *at_most = Some(at_most.map_or(value, |known| known.min(value)));
        }
    }

    /// Adds what another thread has proven of the move.
    fn add_proofs_of(&mut self, other: &RootMove) {
        let (at_least, at_most) = other.proven;
        for (bound, proof) in [(at_least, Proof::AT_LEAST), (at_most, Proof::AT_MOST)] {
            if let Some(value) = bound {
                self.add_proof(value, proof, other.proven_within);
            }
        }
    }

    fn is_won(&self) -> bool {
        self.proven.0.is_some_and(|least| matches!(least.kind(), Kind::Win(_)))
    }

    /// The score to show: the tablebase's, unless the search has proven as much.
    fn shown_score(&self) -> Score {
        let found = self.score.unwrap_or(Score { value: Value::DRAW, proof: Proof::NONE });
        match self.known {
            Some(known) if known.proof.is_exact() || found.proven().is_none() => known,
            _ => found,
        }
    }

    /// Sort key of moves with different tablebase values; higher is better.
    fn known_value(&self) -> Option<Value> {
        self.known.map(|score| score.value)
    }

    /// Sort key of lines: known, proven, shown and found values.
    fn rank(&self) -> (Option<Value>, i8, Value, Value) {
        let found = self.score.unwrap_or(Score { value: Value::LEAST, proof: Proof::NONE });
        let shown = if self.known.is_some() || self.score.is_some() { self.shown_score() } else { found };
        let proven = match shown.proven() {
            Some(Verdict::Win) => 1,
            Some(Verdict::Loss) => -1,
            _ => 0,
        };
        (self.known_value(), proven, shown.value, found.value)
    }
}

/// The root of a search.
pub struct Root {
    pub position: Position,
    pub frame: Frame,
    /// The least win that an earlier search has proven for the position without a move that is known to win.
    pub won: Option<Value>,
    /// Plies left for a proof to be realised; `None` for any number.
    plies_left: Option<u32>,
    /// The moves to search, the best lines first.
    pub moves: Vec<RootMove>,
    /// Whether the request excludes moves.
    pub restricted: bool,
    /// How many best lines to find.
    pub multipv: usize,
    /// Whether moves were excluded for a certain win; others may win more.
    pub narrowed: bool,
    /// The tablebase's score of the root.
    pub known: Option<Score>,
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// Hundredths of a seed by which the score has fallen since the iteration before.
    pub score_drop: i32,
}

impl Root {
    /// The root of a request.
    ///
    /// # Panics
    /// If the game is over.
    pub fn new<R: Rules>(request: &Request) -> Root {
        let board = request.position.board();
        let legal: Vec<Pit> = request.position.moves().into_iter().map(|mv| mv.pit).collect();
        assert!(!legal.is_empty(), "a game that is over is not searched");
        let mut wanted: Vec<Pit> = Vec::new();
        for pit in &request.search_moves {
            if legal.contains(pit) && !wanted.contains(pit) {
                wanted.push(*pit);
            }
        }
        let restricted = !wanted.is_empty() && wanted.len() < legal.len();
        let before = if R::CYCLE == Cycle::EndsGame { request.history.len().saturating_sub(1) } else { 0 };
        let pits = if wanted.is_empty() { legal } else { wanted };
        let moves: Vec<RootMove> = pits.into_iter().map(RootMove::new).collect();
        let key = table_key::<R>(Zobrist::get(), board, MoveLimit::new(request).key(0));
        Root {
            position: request.position,
            won: None,
            plies_left: plies_to_settle(request),
            frame: Frame { board, key, ply: 0, quiet_plies: before },
            multipv: request.multipv.clamp(1, moves.len()),
            moves,
            restricted,
            narrowed: false,
            known: None,
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

    /// Adds a proof of a move's value, unless the move limit may cut it short.
    pub fn add_proof(&mut self, index: usize, value: Value, proof: Proof, settles: Plies) {
        if self.known.is_none() && self.is_in_time(settles) {
            self.moves[index].add_proof(value, proof, settles);
        }
    }

    /// Whether a proof is realised before the move limit.
    pub fn is_in_time(&self, settles: Plies) -> bool {
        self.plies_left.is_none_or(|left| u32::from(settles) <= left)
    }

    /// Sets the score of a line, and adds what it proves of the moves searched for it, realised within `settles` plies.
    pub fn set_score(&mut self, index: usize, score: Score, settles: Plies) {
        // A known win must come nearer, so there the proofs of an earlier iteration do not count.
        let is_known = self.known.is_some();
        let end = if is_known { index } else { self.end_of_equals(index) };
        for other in index..end {
            self.add_proof(other, score.value, Proof { at_least: false, ..score.proof }, settles);
        }
        self.add_proof(index, score.value, score.proof, settles);
        self.moves[index].settles = settles;
        self.moves[index].score = Some(if is_known { score } else { self.or_proven(index, score) });
    }

    /// The score of a line, or a proof that decides the game if the score does not. The greatest upper bound of the moves from
    /// `index` on bounds the line, and at index 0 the position.
    fn or_proven(&self, index: usize, score: Score) -> Score {
        let RootMove { proven: (at_least, at_most), .. } = self.moves[index];
        let mut bounds = self.moves[index..].iter().map(|mv| mv.proven.1.filter(|_| !self.narrowed));
        let most = bounds.try_fold(Value::LEAST, |most, bound| bound.map(|bound| most.max(bound)));
        let exact = at_least.filter(|&least| most.is_some_and(|most| most <= least));
        let of_line = if index == 0 { most } else { at_most };
        let is_won = at_least.filter(|least| matches!(least.kind(), Kind::Win(_)));
        let is_lost = of_line.filter(|most| matches!(most.kind(), Kind::Loss(_)));
        match (exact, is_won, is_lost) {
            _ if score.proof.is_exact() => score,
            (Some(value), ..) => Score { value, proof: Proof::EXACT },
            (_, Some(value), _) if !(score.proof.at_least && score.value >= value) => {
                Score { value, proof: Proof::AT_LEAST }
            }
            (.., Some(value)) if !(score.proof.at_most && score.value <= value) => {
                Score { value, proof: Proof::AT_MOST }
            }
            _ => score,
        }
    }

    /// Takes over the moves of another thread, and keeps what was proven here.
    pub fn take_over(&mut self, moves: &[RootMove]) {
        let own = std::mem::replace(&mut self.moves, moves.to_vec());
        for mv in &mut self.moves {
            if let Some(before) = own.iter().find(|before| before.pit == mv.pit) {
                mv.add_proofs_of(before);
            }
        }
        for index in 0..self.moves.len() {
            self.moves[index].score = self.moves[index].score.map(|score| self.or_proven(index, score));
        }
    }

    /// Brings a move with a proven win to the front if the best line has none.
    pub fn prefer_proven_win(&mut self) {
        if self.known.is_some() || self.moves[0].is_won() {
            return;
        }
        if let Some(index) = self.moves.iter().position(RootMove::is_won) {
            let mv = &mut self.moves[index];
            mv.set_estimate(Value::DRAW);
            self.moves[..=index].rotate_right(1);
        }
    }

    /// Orders the lines of an iteration.
    ///
    /// Each was the best of the remaining moves when it was searched, and its upper bound applies to those. If a later line
    /// proves better, the lines that it overtakes lose that bound.
    pub fn rank_lines(&mut self) {
        self.prefer_proven_win();
        let lines = &mut self.moves[..self.multipv];
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

    /// Restricts the search to some moves, each certain of the score `sure`.
    pub fn narrow(&mut self, keep: impl Fn(&RootMove) -> bool, sure: Score) {
        self.narrowed = true;
        self.moves.retain(keep);
        for mv in &mut self.moves {
            // Its earlier score was relative to the other moves.
            (mv.score, mv.known) = (None, Some(sure));
        }
    }

    /// Whether the scores of all requested lines are exact.
    pub fn is_exact(&self) -> bool {
        self.moves[..self.multipv].iter().all(|mv| mv.score.is_some_and(|score| score.proof.is_exact()))
    }

    /// Looks the root up in the tablebase, built up to `built` seeds. With one line, moves that lose part of the known value
    /// are excluded; with several, they come last. Returns the tablebase limit for the search.
    ///
    /// The limit is below the root's seeds if positions can repeat, so that the search looks for captures that lead into the
    /// tablebase instead of going round in circles. Where a repetition ends the game, the game before the root may affect its
    /// moves, so they are searched.
    pub fn look_up<R: Rules>(&mut self, endgames: &Endgames, built: u8) -> Option<u8> {
        let (board, seeds) = (self.frame.board, self.frame.board.seeds());
        if built < seeds || R::CYCLE != Cycle::ScoreStands {
            return Some(built);
        }
        if self.known.is_none()
            && !self.restricted
            && let Some(best) = known_score::<R>(endgames, board)
        {
            for mv in &mut self.moves {
                let after = R::play(board, mv.pit).and_then(|step| known_score::<R>(endgames, step.board));
                mv.known = after.map(|score| with_sure_margin::<R>(board, turned(score)));
            }
            let keeps = |mv: &RootMove| mv.known.is_some_and(|score| score.value == best.value);
            if self.moves.iter().any(keeps) && self.multipv == 1 {
                self.moves.retain(keeps);
            }
            self.moves.sort_by_key(|mv| Reverse(mv.known_value()));
            self.known = Some(best);
        }
        seeds.checked_sub(1)
    }

    /// The reported score of a move: within what the seeds allow, and proven only if that is realised before the move limit.
    fn told_score<R: Rules>(&self, index: usize) -> Score {
        let (board, mv) = (self.frame.board, &self.moves[index]);
        let score = mv.shown_score();
        let is_known = mv.known.is_some_and(|known| known == score);
        let settles = if is_known { settling_plies::<R>(board, board.seeds()) } else { mv.settles };
        let in_time =
            Score { proof: if self.is_in_time(settles) { score.proof } else { Proof::NONE }, ..score };
        let told = if self.known.is_some() { in_time } else { self.or_proven(index, in_time) };
        let value = if score.proof.is_exact() { told.value } else { told.value.within_seeds(board) };
        Score { value, proof: told.proof.of_moved(told.value, value) }
    }

    /// The best lines with their scores, best first; at least one. `limit` is the tablebase limit of the search.
    pub fn lines<R: Rules>(&self, endgames: &Endgames, limit: Option<u8>) -> Vec<(Score, Vec<Move>)> {
        let board = self.frame.board;
        let line = |index: usize| {
            let mv = &self.moves[index];
            let mut told = self.told_score::<R>(index);
            if let Some(value) = self.won.filter(|_| index == 0 && told.proven().is_none()) {
                told = Score { value, proof: Proof::AT_LEAST };
            }
            let line = extended::<R>(endgames, limit, board, &mv.line);
            (told, legal_line(self.position, &line))
        };
        // An interrupted iteration leaves scores of the one before; those above the best move's are not reported.
        let best = self.moves[0].rank();
        let is_told = |&index: &usize| self.moves[index].score.is_some() && self.moves[index].rank() <= best;
        let mut others: Vec<usize> = (1..self.multipv).filter(is_told).collect();
        others.sort_by_key(|&index| Reverse(self.moves[index].rank()));
        let mut others: Vec<_> = others.into_iter().map(line).collect();
        // A proof that is reported instead of the score of an iteration can change the order.
        others.sort_by_key(|(told, _)| Reverse(told.value));
        std::iter::once(line(0)).chain(others).collect()
    }
}

/// The score of a board by the rules or the tablebase.
fn known_score<R: Rules>(endgames: &Endgames, board: Board) -> Option<Score> {
    match R::ending(board) {
        Some(ending) => Some(Score { value: Value::of(&ending), proof: Proof::EXACT }),
        None => endgames.probe::<R>(board, board.seeds()),
    }
}

fn turned(score: Score) -> Score {
    Score { value: score.value.turned(), proof: score.proof.turned() }
}

/// A move's score by the tablebase, no more precise than that of the root: exact, or the least margin of a win or loss where
/// only the winner is known.
fn with_sure_margin<R: Rules>(board: Board, score: Score) -> Score {
    let (lead, left) = (board.lead(), board.seeds() as i8);
    match score.proven() {
        Some(verdict @ Verdict::Win) if !R::LEAD_ADDS => {
            let proof = Proof::AT_LEAST;
            Score { value: Value::ended(verdict, lead - left), proof }
        }
        Some(verdict @ Verdict::Loss) if !R::LEAD_ADDS => {
            let proof = Proof::AT_MOST;
            Score { value: Value::ended(verdict, lead + left), proof }
        }
        _ => score,
    }
}

/// A line that ends at the tablebase, extended to the end of the game.
fn extended<R: Rules>(endgames: &Endgames, limit: Option<u8>, mut board: Board, line: &Line) -> Line {
    let mut line = line.clone();
    let Some(limit) = limit.filter(|_| R::CYCLE == Cycle::Impossible) else { return line };
    for &pit in &line {
        match R::play(board, pit) {
            Some(step) if R::moves(board).contains(pit) => board = step.board,
            _ => return line,
        }
    }
    // Only databases that this search probes, even if more have been built.
    while R::ending(board).is_none() && board.seeds() <= limit && !line.is_full() {
        let moves = R::moves(board).into_iter().filter_map(|pit| {
            let step = R::play(board, pit)?;
            let value = known_score::<R>(endgames, step.board)?.value;
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
