//! Iterative deepening: one ply more each time, the best move of the last time first.

use super::node::{At, Progress, Worker};
use super::order::Memory;
use super::pv::{Line, Variation};
use super::table::{Bound, Entry, Table};
use super::{MOST_PLIES, Observer, Report, Request};
use crate::evaluate::Weights;
use crate::game::{Cycle, Move, Pit, Position, Rules, Verdict, Zobrist};
use crate::value::{Kind, Proof, Score, Value};
use std::marker::PhantomData;

/// From this depth on the window is laid around the last value (Slate and Atkin, 1977).
const ASPIRE: u8 = 5;
/// Half the first window, in hundredths of a seed.
const HALF_WINDOW: i32 = 60;

/// The root of a search.
struct Root {
    position: Position,
    at: At,
    /// The moves to look at, the most promising first.
    pits: Vec<Pit>,
    /// Whether moves were left out on request.
    restricted: bool,
    best: Option<Best>,
}

/// The best line so far, which a search that is stopped falls back on.
#[derive(Clone)]
struct Best {
    score: Score,
    line: Line,
}

/// Searches deeper and deeper until a limit, the observer, or certainty ends it.
pub(super) fn iterate<R: Rules>(request: &Request, table: &Table, observer: &mut dyn Observer) -> Report {
    let mut root = Root::new::<R>(request);
    let mut worker = worker::<R>(request, table, observer);
    table.age();
    let mut report = worker.first_report(&root);
    let mut told = Vec::new();
    for depth in 1..=request.depth.clamp(1, MOST_PLIES) {
        let done = worker.deepen(&mut root, depth);
        let Some(best) = &root.best else { break };
        report = worker.report(&root, best, depth);
        if !done {
            break;
        }
        told.clone_from(&report.line);
        (worker.may_stop, worker.next_poll) = (true, 0);
        let enough = worker.observer.iteration(&report);
        let won = request.until_won && report.score.proven() == Some(Verdict::Win);
        if enough || won || report.score.proof.is_exact() {
            break;
        }
    }
    // An iteration that was cut short may have changed the answer, and nothing is answered that was not told.
    if report.line != told {
        worker.observer.iteration(&report);
    }
    report
}

fn worker<'a, R: Rules>(
    request: &Request,
    table: &'a Table,
    observer: &'a mut dyn Observer,
) -> Worker<'a, R> {
    // What was before the root matters only where it can end the game.
    let before = match R::CYCLE {
        Cycle::EndsGame => &request.line[..request.line.len().saturating_sub(1)],
        Cycle::Impossible | Cycle::ScoreStands => &[],
    };
    let mut path = Vec::with_capacity(before.len() + 2 * usize::from(MOST_PLIES));
    path.extend_from_slice(before);
    Worker {
        table,
        weights: Weights::for_variant(R::VARIANT),
        zobrist: Zobrist::get(),
        observer,
        memory: Memory::new(),
        variation: Variation::new(),
        root: path.len(),
        path,
        nodes: 0,
        node_limit: request.nodes.max(1),
        next_poll: 0,
        deepest: 0,
        stopped: false,
        may_stop: false,
        rules: PhantomData,
    }
}

impl Root {
    fn new<R: Rules>(request: &Request) -> Root {
        let board = request.position.board();
        let legal: Vec<Pit> = request.position.moves().into_iter().map(|mv| mv.pit).collect();
        assert!(!legal.is_empty(), "a game that is over is not searched");
        let wanted: Vec<Pit> = legal.iter().copied().filter(|pit| request.only.contains(pit)).collect();
        let restricted = !wanted.is_empty() && wanted.len() < legal.len();
        let quiet = if R::CYCLE == Cycle::EndsGame { request.line.len().saturating_sub(1) } else { 0 };
        Root {
            position: request.position,
            at: At { board, ply: 0, quiet },
            pits: if wanted.is_empty() { legal } else { wanted },
            restricted,
            best: None,
        }
    }
}

impl<R: Rules> Worker<'_, R> {
    /// One iteration; says whether it was completed.
    fn deepen(&mut self, root: &mut Root, depth: u8) -> bool {
        let mut half = HALF_WINDOW;
        let (mut alpha, mut beta) = (Value::LEAST, Value::MOST);
        if let (Some(best), true) = (&root.best, depth >= ASPIRE)
            && let Kind::Estimate(_) = best.score.value.kind()
        {
            (alpha, beta) = (best.score.value.shifted(-half), best.score.value.shifted(half));
        }
        loop {
            let progress = self.root_moves(root, alpha, beta, depth);
            if self.stopped {
                return false;
            }
            let value = progress.best;
            half *= 4;
            if value <= alpha && alpha > Value::LEAST {
                alpha = if half > 1000 { Value::LEAST } else { value.shifted(-half) };
            } else if value >= beta && beta < Value::MOST {
                beta = if half > 1000 { Value::MOST } else { value.shifted(half) };
            } else {
                self.remember_root(root, &progress, depth);
                return true;
            }
        }
    }

    fn root_moves(&mut self, root: &mut Root, alpha: Value, beta: Value, depth: u8) -> Progress {
        let mut progress = Progress::new(alpha, beta);
        self.variation.clear(0);
        for index in 0..root.pits.len() {
            let pit = root.pits[index];
            let before = progress.best_pit;
            self.try_root_move(root.at, pit, &mut progress, depth);
            if self.stopped {
                break;
            }
            if progress.best_pit != before && progress.best > alpha {
                let score = Score { value: progress.best, proof: Proof::NONE };
                root.best = Some(Best { score, line: self.variation.line().clone() });
                root.pits[..=index].rotate_right(1);
            }
            if progress.is_cut() {
                break;
            }
        }
        progress
    }

    /// Completes what is known of the root after an iteration.
    fn remember_root(&mut self, root: &mut Root, progress: &Progress, depth: u8) {
        if let Some(best) = &mut root.best {
            best.score = progress.score();
        }
        if !root.restricted {
            // What is certain here may hang on the game before the root, so the table does not get the proof.
            let entry = Entry {
                value: progress.best,
                bound: Bound::Exact,
                proof: if R::CYCLE == Cycle::EndsGame { Proof::NONE } else { progress.score().proof },
                depth,
                pit: progress.best_pit,
            };
            self.table.store(self.key(root.at.board), entry);
        }
    }

    /// What to say if not even the first iteration is completed: a legal move.
    fn first_report(&self, root: &Root) -> Report {
        let score = Score { value: Value::DRAW, proof: Proof::NONE };
        let line: Line = root.pits.first().copied().into_iter().collect();
        self.report(root, &Best { score, line }, 0)
    }

    fn report(&self, root: &Root, best: &Best, depth: u8) -> Report {
        Report {
            depth,
            deepest: self.deepest,
            score: best.score,
            nodes: self.nodes,
            permille: self.table.permille(self.nodes),
            line: spelled(root.position, &best.line),
            forced: root.pits.len() == 1,
        }
    }
}

/// A line with the side of each move, as far as it is legal.
pub(super) fn spelled(mut position: Position, line: &[Pit]) -> Vec<Move> {
    let mut moves = Vec::with_capacity(line.len());
    for &pit in line {
        let mv = Move { side: position.side(), pit };
        let Ok(next) = position.play(mv) else { break };
        moves.push(mv);
        position = next;
    }
    moves
}
