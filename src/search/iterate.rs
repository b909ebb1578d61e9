//! Iterative deepening: one ply more each time, the best move of the last time first.

use super::node::Worker;
use super::ordering::Memory;
use super::pv::PrincipalVariation;
use super::result::Progress;
use super::root::Root;
use super::smp::{Helper, Leader, Team};
use super::solver;
use super::table::{Bound, Entry, Table};
use super::{MOST_PLIES, Observer, Report, Request};
use crate::endgame::Endgames;
use crate::game::{Cycle, Move, Rules, Verdict, Zobrist};
use crate::value::{Kind, Proof, Score, Value};
use std::marker::PhantomData;

/// From this depth on the window is laid around the last value (Slate and Atkin, 1977).
const ASPIRE: u8 = 5;
/// Half the first window, in hundredths of a seed.
const HALF_WINDOW: i32 = 60;
/// A root whose result the endgames know is searched for progress, up to so many nodes.
const ENOUGH_FOR_PROGRESS: u64 = 2_000_000;

/// Searches deeper and deeper until a limit, the observer, or certainty ends it, on as many threads as asked for.
pub(super) fn search<R: Rules>(request: &Request, table: &Table, observer: &mut dyn Observer) -> Report {
    table.age();
    table.divide::<R>(solver::part_of_table::<R>(request));
    let helpers = request.threads.max(1) - 1;
    let report = if helpers == 0 {
        Worker::<R>::new(request, table, observer).iterate(request)
    } else {
        together::<R>(request, table, observer, helpers)
    };
    table.count(report.nodes);
    report
}

fn together<R: Rules>(
    request: &Request,
    table: &Table,
    observer: &mut dyn Observer,
    helpers: usize,
) -> Report {
    let team = Team::new(helpers, request.nodes, Root::new::<R>(request).moves.len());
    std::thread::scope(|scope| {
        for index in 0..helpers {
            let team = &team;
            scope.spawn(move || {
                let mut helper = Helper { team, index };
                let mut worker = Worker::<R>::new(request, table, &mut helper);
                worker.team = Some(team);
                worker.help(request, team, index);
            });
        }
        let mut leader = Leader { team: &team, observer };
        let mut worker = Worker::<R>::new(request, table, &mut leader);
        worker.team = Some(&team);
        let report = worker.iterate(request);
        team.dismiss();
        leader.with_all_nodes(&report)
    })
}

impl<'a, R: Rules> Worker<'a, R> {
    fn new(request: &'a Request, table: &'a Table, observer: &'a mut dyn Observer) -> Worker<'a, R> {
        // What was before the root matters only where it can end the game.
        let before = match R::CYCLE {
            Cycle::EndsGame => &request.line[..request.line.len().saturating_sub(1)],
            Cycle::Impossible | Cycle::ScoreStands => &[],
        };
        let mut path = Vec::with_capacity(before.len() + 2 * usize::from(MOST_PLIES));
        path.extend_from_slice(before);
        Worker {
            table,
            endgames: Endgames::shared(),
            covered: None,
            most_covered: request.endgame_seeds,
            given: request.endgames,
            goal: None,
            weights: &request.weights,
            zobrist: Zobrist::get(),
            observer,
            memory: Memory::new(),
            variation: PrincipalVariation::new(),
            team: None,
            aim: MOST_PLIES + 1,
            overtaken: false,
            root: path.len(),
            path,
            nodes: 0,
            hits: 0,
            node_limit: request.nodes.max(1),
            next_poll: 0,
            next_growth: 0,
            deepest: 0,
            stopped: false,
            may_stop: false,
            solving: false,
            rules: PhantomData,
        }
    }

    fn iterate(&mut self, request: &Request) -> Report {
        let mut root = Root::new::<R>(request);
        let mut report = self.report(&root, 0);
        let mut told: Vec<Move> = Vec::new();
        let mut depth = 0;
        while depth < request.depth.clamp(1, MOST_PLIES) {
            self.consult(&mut root);
            let reached = self.deepen(&mut root, depth + 1);
            if reached.is_some() {
                self.find_ways(&mut root);
            }
            depth = reached.unwrap_or(depth + 1);
            report = self.report(&root, depth);
            if reached.is_none() {
                break;
            }
            told.clone_from(&report.line);
            (self.may_stop, self.next_poll) = (true, 0);
            if self.observer.iteration(&report) || self.is_enough(&root, request) {
                break;
            }
            if self.try_to_solve(&mut root, request, depth) {
                report = self.report(&root, depth);
                told.clear();
                break;
            }
        }
        // An iteration that was cut short may have changed the answer, and nothing is answered that was not told.
        if report.line != told {
            self.observer.iteration(&report);
        }
        report
    }

    /// Whether deeper search has nothing to add that was asked for.
    fn is_enough(&self, root: &Root, request: &Request) -> bool {
        let won = root.best().score.and_then(|score| score.proven()) == Some(Verdict::Win);
        let known = root.certain.is_some() && self.nodes > ENOUGH_FOR_PROGRESS;
        // A win at the least depth is one that comes nearer with each move; a larger one might be put off for ever.
        (request.until_won || self.goal.is_some()) && won || root.is_exact() || known
    }

    /// One iteration; says how deep it was if it was completed, which another thread may have done.
    pub(super) fn deepen(&mut self, root: &mut Root, depth: u8) -> Option<u8> {
        let before = root.best().clone();
        self.aim = if self.sharing(root).is_some() { depth } else { MOST_PLIES + 1 };
        let done = (0..root.lines).all(|index| self.deepen_line(root, index, depth));
        self.aim = MOST_PLIES + 1;
        if done {
            root.rank_lines();
        }
        let reached = self.agree(root, depth, done)?;
        root.steady = if before.pit == root.best().pit { root.steady + 1 } else { 0 };
        let worth = |score: Option<Score>| score.map_or(0, |score| score.value.centiseeds());
        root.fall = if depth > 1 { worth(before.score) - worth(root.best().score) } else { 0 };
        Some(reached)
    }

    /// Finds the best of the moves from an index on.
    fn deepen_line(&mut self, root: &mut Root, index: usize, depth: u8) -> bool {
        let mut half = HALF_WINDOW;
        let (mut alpha, mut beta) = (Value::LEAST, Value::MOST);
        if let (Some(score), true) = (root.moves[index].score, depth >= ASPIRE)
            && let Kind::Estimate(_) = score.value.kind()
        {
            (alpha, beta) = (score.value.shifted(-half), score.value.shifted(half));
        }
        loop {
            let progress = self.root_moves(root, index, (alpha, beta), depth);
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
                // Where a position that comes back ends the game, there is no other choice the second time.
                let some = (index > 0 || root.restricted) && R::CYCLE == Cycle::ScoreStands;
                let mut score = if some { progress.score_of_some() } else { progress.score() };
                score.proof.at_most &= !root.narrowed;
                root.moves[index].score = Some(score);
                if index == 0 {
                    self.remember_root(root, &progress, depth);
                }
                return true;
            }
        }
    }

    /// Tries the moves of the root from an index on; the best is brought there.
    pub fn root_moves(
        &mut self,
        root: &mut Root,
        first: usize,
        (alpha, beta): (Value, Value),
        depth: u8,
    ) -> Progress {
        let mut progress = Progress::new(alpha, beta);
        self.variation.clear(0);
        for index in first..root.end_of_equals(first) {
            let pit = root.moves[index].pit;
            self.observer.current(depth, Move { side: root.position.side(), pit }, index + 1);
            let before = progress.best_pit;
            self.try_root_move(root.at, pit, &mut progress, depth);
            if self.stopped {
                break;
            }
            if progress.best_pit != before && progress.best > alpha {
                let mv = &mut root.moves[index];
                mv.score = Some(Score { value: progress.best, proof: Proof::NONE });
                if alpha.next() < beta {
                    mv.line = self.variation.line().clone();
                }
                root.moves[first..=index].rotate_right(1);
            }
            if progress.is_cut() {
                break;
            }
        }
        progress
    }

    /// Completes what is known of the root after an iteration.
    fn remember_root(&mut self, root: &Root, progress: &Progress, depth: u8) {
        if root.restricted || root.narrowed || root.certain.is_some() {
            return;
        }
        // What is certain here may hang on the game before the root, so the table does not get the proof.
        let proof = if R::CYCLE == Cycle::EndsGame { Proof::NONE } else { progress.score().proof };
        let (value, pit) = (progress.best, progress.best_pit);
        let entry = Entry { value, bound: Bound::Exact, proof, depth, pit };
        self.remember(self.key(root.at.board), root.at.board, entry);
    }
}
