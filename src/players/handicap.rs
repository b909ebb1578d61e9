//! The search of the lower levels: plain alpha–beta to a small depth, weakened by a [`Handicap`].
//!
//! It shares only the rules with the full search: neither slows the other. Its oversights and errors are drawn from the keys of
//! the root and of the position. The same position gets the same answer, yet a move overlooked in one search may be seen in the
//! next, as with people.
//!
//! Its results are never proven, because it may have overlooked a refutation.

use crate::evaluate::gain;
use crate::game::{Board, Handicap, Pit, Row, Rules, Step, Zobrist, split_mix};
use crate::search::{Line, Observer, PrincipalVariation, Report, Request, legal_line};
use crate::under;
use crate::value::{CENTISEEDS, Proof, Score, Value};
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// Plies after which a line is cut off, because long turns can exceed the depth (chosen, not measured).
const MAX_PLY: usize = 100;
/// The value of a legal move, in hundredths of a seed (chosen, not measured).
const MOBILITY: i32 = 8;
/// Pits that an average move changes: the move for which [`Handicap::overlook`] gives the chance.
const AVERAGE_MOVE: u32 = 6;
/// The largest chance of overlooking a move, in thousandths (chosen, not measured).
const MAX_OVERLOOK: u32 = 900;

/// A weakened search under the rules `R`.
struct HandicapSearch<'a, R> {
    handicap: Handicap,
    observer: &'a mut dyn Observer,
    variation: PrincipalVariation,
    /// Makes the oversights differ between roots.
    salt: u64,
    nodes: u64,
    node_limit: u64,
    seldepth: usize,
    may_stop: bool,
    stopped: bool,
    rules: PhantomData<R>,
}

struct Child {
    pit: Pit,
    step: Step,
    gain: u8,
}

/// Searches to the depth of the handicap or the request, and returns the last report.
///
/// # Panics
/// If the game is over.
pub(super) fn search(request: &Request, handicap: Handicap, observer: &mut dyn Observer) -> Report {
    under!(request.position().variant(), R => iterate::<R>(request, handicap, observer))
}

fn iterate<R: Rules>(request: &Request, handicap: Handicap, observer: &mut dyn Observer) -> Report {
    let board = request.position().board();
    let legal: Vec<Pit> = request.position().moves().into_iter().map(|mv| mv.pit).collect();
    assert!(!legal.is_empty(), "a game that is over is not searched");
    let wanted = |pit: &Pit| request.search_moves.is_empty() || request.search_moves.contains(pit);
    let pits: Vec<Pit> = legal.into_iter().filter(wanted).collect();
    let mut search = HandicapSearch::<R> {
        handicap,
        observer,
        variation: PrincipalVariation::default(),
        salt: key::<R>(board),
        nodes: 0,
        node_limit: request.nodes.clamp(1, handicap.max_nodes),
        seldepth: 0,
        may_stop: false,
        stopped: false,
        rules: PhantomData,
    };
    let mut moves = search.root_moves(board, &pits);
    let mut report =
        search.report(request, Value::estimate_for(board, 0), &Line::from_iter([moves[0].pit]), 0);
    let deeper = search.random(0) % 1000 < u64::from(handicap.deeper);
    for depth in 1..=request.depth.clamp(1, handicap.depth + u8::from(deeper)) {
        let value = search.iteration(&mut moves, depth);
        if search.stopped {
            break;
        }
        report = search.report(request, value, search.variation.line(), depth);
        search.may_stop = true;
        if search.observer.iteration(&report) {
            break;
        }
    }
    if report.depth == 0 {
        search.observer.iteration(&report);
    }
    Report { nodes: search.nodes, ..report }
}

impl<R: Rules> HandicapSearch<'_, R> {
    /// The moves of the root that are not overlooked, or all if all are.
    fn root_moves(&self, board: Board, pits: &[Pit]) -> Vec<Child> {
        let all = || pits.iter().filter_map(|&pit| child::<R>(board, pit));
        let mut moves: Vec<Child> = all().filter(|mv| !self.overlooks(board, mv)).collect();
        if moves.is_empty() {
            moves = all().collect();
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.gain));
        moves
    }

    /// One iteration at the root; the best move comes to the front.
    fn iteration(&mut self, moves: &mut [Child], depth: u8) -> Value {
        let mut best = Value::LEAST;
        self.variation.clear(0);
        for index in 0..moves.len() {
            let value = self.after(moves[index].step, 0, best, Value::MOST, depth);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                self.variation.update(0, moves[index].pit);
                moves[..=index].rotate_right(1);
            }
        }
        best
    }

    /// The value of a move for the side that made it. A turn that continues is searched to its end, except after relays, where
    /// turns of twenty moves are ordinary.
    fn after(&mut self, step: Step, ply: usize, alpha: Value, beta: Value, depth: u8) -> Value {
        if step.again {
            let least = if R::COURSE.relay { 0 } else { 1 };
            self.node(step.board, ply + 1, alpha, beta, (depth - 1).max(least))
        } else {
            self.node(step.board, ply + 1, beta.turned(), alpha.turned(), depth - 1).turned()
        }
    }

    fn node(&mut self, board: Board, ply: usize, mut alpha: Value, beta: Value, depth: u8) -> Value {
        if self.must_stop() {
            return alpha;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.variation.clear(ply);
        if let Some(ending) = R::ending(board) {
            return Value::of(&ending);
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.evaluate(board);
        }
        let legal: ArrayVec<Child, 6> =
            R::moves(board).into_iter().filter_map(|pit| child::<R>(board, pit)).collect();
        if legal.is_empty() {
            return Value::of(&R::stuck(board));
        }
        let mut moves: ArrayVec<Child, 6> =
            legal.into_iter().filter(|mv| !self.overlooks(board, mv)).collect();
        if moves.is_empty() {
            return self.evaluate(board);
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.gain));
        let mut best = Value::LEAST;
        for Child { pit, step, .. } in moves {
            let value = self.after(step, ply, alpha, beta, depth);
            if self.stopped {
                break;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.variation.update(ply, pit);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Whether a move is overlooked: more likely the more pits it changes, less likely the more it captures.
    fn overlooks(&self, board: Board, mv: &Child) -> bool {
        let after = if mv.step.again { mv.step.board } else { mv.step.board.turned() };
        let chance =
            self.handicap.overlook * changed_pits(board, after) / AVERAGE_MOVE / (1 + u32::from(mv.gain));
        let random = self.random(key::<R>(board) ^ (mv.pit.index() as u64 + 1));
        random % 1000 < u64::from(chance.min(MAX_OVERLOOK))
    }

    /// The weakened evaluation of a position for its mover.
    fn evaluate(&self, board: Board) -> Value {
        let Board { mover, other } = board;
        let rows = i32::from(mover.seeds()) - i32::from(other.seeds());
        let mobility = mover.occupied().len() as i32 - other.occupied().len() as i32;
        let largest = self.handicap.eval_error;
        let error = (self.random(key::<R>(board)) % (2 * largest as u64 + 1)) as i32 - largest;
        Value::estimate(
            i32::from(board.lead()) * CENTISEEDS
                + rows * self.handicap.row_seed
                + mobility * MOBILITY
                + error,
        )
    }

    /// A random number that depends on the root and on a key.
    fn random(&self, key: u64) -> u64 {
        split_mix(&mut (key ^ self.salt.rotate_left(29)))
    }

    fn must_stop(&mut self) -> bool {
        self.stopped |= self.nodes >= self.node_limit || self.may_stop && self.observer.stop(self.nodes);
        self.stopped
    }

    fn report(&self, request: &Request, value: Value, line: &Line, depth: u8) -> Report {
        Report {
            depth,
            seldepth: self.seldepth,
            score: Score { value: value.within_seeds(request.position().board()), proof: Proof::NONE },
            nodes: self.nodes,
            pv: legal_line(*request.position(), line),
            forced: request.position().moves().len() == 1,
            ..Report::default()
        }
    }
}

fn child<R: Rules>(board: Board, pit: Pit) -> Option<Child> {
    let step = R::play(board, pit)?;
    Some(Child { pit, step, gain: gain(board, step) })
}

/// How many pits of both rows differ.
fn changed_pits(before: Board, after: Board) -> u32 {
    let rows = [(before.mover, after.mover), (before.other, after.other)];
    let differing =
        |(one, other): (Row, Row)| Pit::ALL.into_iter().filter(move |&pit| one.pit(pit) != other.pit(pit));
    rows.into_iter().flat_map(differing).count() as u32
}

fn key<R: Rules>(board: Board) -> u64 {
    Zobrist::get().keys(board).key() ^ R::VARIANT.index() as u64
}
