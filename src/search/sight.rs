//! The search of a player who does not see everything: plain alpha–beta to a small depth, by [`Sight`].
//!
//! It shares nothing with the full search but the rules, so neither costs the other anything. What it overlooks and
//! misjudges is drawn from the keys of the root and of the position at hand: the same position gets the same answer,
//! yet what was not seen in one move may be seen in the next, as with people.
//!
//! Nothing that comes from here is called proven. A player who has not seen everything knows nothing for certain.

use super::pv::{Line, Variation};
use super::{Observer, Report, Request, root::spelled};
use crate::evaluate::gain;
use crate::game::{Board, Pit, Row, Rules, Step, Zobrist, split_mix};
use crate::level::Sight;
use crate::value::{CENTISEEDS, Proof, Score, Value};
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// Plies that a line may be longer than the depth: those of a turn that goes on.
const LONGEST: usize = 100;
/// What a pit that can be sown is worth, in hundredths of a seed.
const CHOICE: i32 = 8;
/// Pits that change in a move of middling length, which [`Sight::blind`] speaks of.
const MIDDLING: u32 = 6;

/// A search under the rules `R` by somebody's sight.
struct Player<'a, R> {
    sight: Sight,
    observer: &'a mut dyn Observer,
    variation: Variation,
    /// What this look at the board sees differently from another.
    look: u64,
    nodes: u64,
    node_limit: u64,
    deepest: usize,
    may_stop: bool,
    stopped: bool,
    rules: PhantomData<R>,
}

/// A move as it is seen.
struct Seen {
    pit: Pit,
    step: Step,
    gain: u8,
}

/// Looks as far ahead as the sight and the request allow, and returns the last report.
pub(super) fn look<R: Rules>(request: &Request, sight: Sight, observer: &mut dyn Observer) -> Report {
    let board = request.position.board();
    let legal: Vec<Pit> = request.position.moves().into_iter().map(|mv| mv.pit).collect();
    assert!(!legal.is_empty(), "a game that is over is not searched");
    let only = |pit: &Pit| request.only.is_empty() || request.only.contains(pit);
    let pits: Vec<Pit> = legal.into_iter().filter(only).collect();
    let mut player = Player::<R> {
        sight,
        observer,
        variation: Variation::new(),
        look: key::<R>(board),
        nodes: 0,
        node_limit: request.nodes.clamp(1, sight.nodes),
        deepest: 0,
        may_stop: false,
        stopped: false,
        rules: PhantomData,
    };
    let mut moves = player.noticed(board, &pits);
    let mut report = player.report(request, Value::DRAW, &Line::from_iter([moves[0].pit]), 0);
    for depth in 1..=request.depth.clamp(1, sight.depth) {
        let value = player.choose(&mut moves, depth);
        if player.stopped {
            break;
        }
        report = player.report(request, value, player.variation.line(), depth);
        player.may_stop = true;
        if player.observer.iteration(&report) {
            break;
        }
    }
    if report.depth == 0 {
        player.observer.iteration(&report);
    }
    Report { nodes: player.nodes, ..report }
}

impl<R: Rules> Player<'_, R> {
    /// The moves of the root that are noticed, or all if none is.
    fn noticed(&self, board: Board, pits: &[Pit]) -> Vec<Seen> {
        let all = || pits.iter().filter_map(|&pit| seen::<R>(board, pit));
        let mut noticed: Vec<Seen> = all().filter(|seen| !self.overlooks(board, seen)).collect();
        if noticed.is_empty() {
            noticed = all().collect();
        }
        noticed.sort_by_key(|seen| std::cmp::Reverse(seen.gain));
        noticed
    }

    /// One iteration at the root; the best move comes to the front.
    fn choose(&mut self, moves: &mut [Seen], depth: u8) -> Value {
        let mut best = Value::LEAST;
        self.variation.clear(0);
        for index in 0..moves.len() {
            let value = self.after(moves[index].step, 0, best, Value::MOST, depth);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                self.variation.lead_with(0, moves[index].pit);
                moves[..=index].rotate_right(1);
            }
        }
        best
    }

    /// The value of a move for the side that made it. A turn that goes on is looked at to its end.
    fn after(&mut self, step: Step, ply: usize, alpha: Value, beta: Value, depth: u8) -> Value {
        if step.again {
            self.node(step.board, ply + 1, alpha, beta, (depth - 1).max(1))
        } else {
            self.node(step.board, ply + 1, beta.turned(), alpha.turned(), depth - 1).turned()
        }
    }

    fn node(&mut self, board: Board, ply: usize, mut alpha: Value, beta: Value, depth: u8) -> Value {
        if self.has_to_stop() {
            return alpha;
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        self.variation.clear(ply);
        if let Some(ending) = R::ending(board) {
            return Value::of(&ending);
        }
        if depth == 0 || ply >= LONGEST {
            return self.judged(board);
        }
        let legal: ArrayVec<Seen, 6> =
            R::moves(board).into_iter().filter_map(|pit| seen::<R>(board, pit)).collect();
        if legal.is_empty() {
            return Value::of(&R::stuck(board));
        }
        let mut moves: ArrayVec<Seen, 6> =
            legal.into_iter().filter(|seen| !self.overlooks(board, seen)).collect();
        if moves.is_empty() {
            return self.judged(board);
        }
        moves.sort_by_key(|seen| std::cmp::Reverse(seen.gain));
        let mut best = Value::LEAST;
        for Seen { pit, step, .. } in moves {
            let value = self.after(step, ply, alpha, beta, depth);
            if self.stopped {
                break;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.variation.lead_with(ply, pit);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Whether a move is not seen: the more pits it changes the more likely, and the less the more it captures.
    fn overlooks(&self, board: Board, seen: &Seen) -> bool {
        let after = if seen.step.again { seen.step.board } else { seen.step.board.turned() };
        let changed = changed(board, after);
        let chance = self.sight.blind * changed / MIDDLING / (1 + u32::from(seen.gain));
        let drawn = self.draw(key::<R>(board) ^ (seen.pit.index() as u64 + 1));
        drawn % 1000 < u64::from(chance.min(900))
    }

    /// What a position seems to be worth to its mover.
    fn judged(&self, board: Board) -> Value {
        let Board { mover, other } = board;
        let hoard = i32::from(mover.seeds()) - i32::from(other.seeds());
        let choice = mover.occupied().len() as i32 - other.occupied().len() as i32;
        let blur = self.sight.blur;
        let error = (self.draw(key::<R>(board)) % (2 * blur as u64 + 1)) as i32 - blur;
        Value::estimate(
            i32::from(board.lead()) * CENTISEEDS + hoard * self.sight.hoard + choice * CHOICE + error,
        )
    }

    /// A number that hangs on this look and on what is looked at.
    fn draw(&self, key: u64) -> u64 {
        split_mix(&mut (key ^ self.look.rotate_left(29)))
    }

    fn has_to_stop(&mut self) -> bool {
        self.stopped |= self.nodes >= self.node_limit || self.may_stop && self.observer.stop(self.nodes);
        self.stopped
    }

    fn report(&self, request: &Request, value: Value, line: &Line, depth: u8) -> Report {
        Report {
            depth,
            deepest: self.deepest,
            score: Score { value, proof: Proof::NONE },
            nodes: self.nodes,
            permille: 0,
            line: spelled(request.position, line),
            forced: request.position.moves().len() == 1,
            ..Report::default()
        }
    }
}

fn seen<R: Rules>(board: Board, pit: Pit) -> Option<Seen> {
    let step = R::play(board, pit)?;
    Some(Seen { pit, step, gain: gain(board, step) })
}

/// How many pits of both rows differ.
fn changed(before: Board, after: Board) -> u32 {
    let rows = [(before.mover, after.mover), (before.other, after.other)];
    let differing =
        |(one, other): (Row, Row)| Pit::ALL.into_iter().filter(move |&pit| one.pit(pit) != other.pit(pit));
    rows.into_iter().flat_map(differing).count() as u32
}

fn key<R: Rules>(board: Board) -> u64 {
    Zobrist::get().keys(board).key() ^ R::VARIANT as u64
}
