//! Iterative deepening: each iteration searches one ply deeper and starts with the best move of the last.

use super::frame::{Frame, MoveLoop, Window};
use super::memory::SearchMemory;
use super::parameters::{half_window, min_aspiration_depth, widening};
use super::report::{Observer, Report, ReportedLine};
use super::request::{MAX_DEPTH, Purpose, Request};
use super::root::Root;
use super::smp::{HelperObserver, MainObserver, SmpState, StopHelpers, extra_depth};
use super::solver::{self, Proven};
use super::table::{Bound, Entry, proven_depth};
use super::thread::{SearchThread, Shared, StopControl};
use crate::game::{Cycle, Move, Pit, Rules};
use crate::value::{Bounds, Kind, Plies, Proof, Value};
use std::thread;

/// A side of the aspiration window opens from this half width on (chosen, not measured).
const MAX_HALF_WINDOW: i32 = 1000;
/// Maximum nodes to search for a way to convert a root result that the tablebase knows (chosen, not measured).
const MAX_NODES_OF_KNOWN_ROOT: u64 = 2_000_000;

/// Searches deeper until a limit, the observer or a proof ends it, on `request.threads` threads.
pub(super) fn search<R: Rules>(
    request: &Request,
    table: &SearchMemory,
    observer: &mut dyn Observer,
) -> Report {
    let (report, helper_nodes) =
        with_helpers::<R, _>(request, table, observer, |thread| SearchThread::iterate(thread));
    let report = Report { nodes: report.nodes + helper_nodes, ..report };
    table.budget.add_nodes::<R>(report.nodes);
    report
}

/// Proves a claim, without iterative deepening, on `request.threads` threads: see [`prove`](super::prove).
pub(super) fn prove<R: Rules>(
    request: &Request,
    target: i8,
    table: &SearchMemory,
    observer: &mut dyn Observer,
) -> Proven {
    let prove = |thread: &mut SearchThread<'_, R>| solver::prove(thread, target);
    let (proven, helper_nodes) = with_helpers::<R, _>(request, table, observer, prove);
    let proven = Proven { nodes: proven.nodes + helper_nodes, ..proven };
    table.budget.add_nodes::<R>(proven.nodes);
    proven
}

/// Runs the main thread's part of a search, with the helper threads that the request asks for. Returns the nodes of these as
/// well.
fn with_helpers<R: Rules, T>(
    request: &Request,
    table: &SearchMemory,
    observer: &mut dyn Observer,
    main: impl FnOnce(&mut SearchThread<'_, R>) -> T,
) -> (T, u64) {
    table.transpositions.prefer_large_pages(request.purpose == Purpose::Value);
    let _lease = table.lease::<R>(solver::table_share::<R>(), request.position().variant().options());
    if !request.goes_on {
        table.transpositions.next_generation();
    }
    let helpers = request.threads.max(1) - 1;
    if helpers == 0 {
        return (main(&mut SearchThread::new(Shared::new(request, table, None), observer)), 0);
    }
    let smp = SmpState::new(helpers, request.nodes, Root::new::<R>(request).moves.len());
    let shared = Shared::new(request, table, Some(&smp));
    thread::scope(|scope| {
        let stop_helpers = StopHelpers(&smp);
        let start = |&helper: &usize| {
            let smp = &smp;
            let help = move || {
                let mut observer = HelperObserver { smp, helper };
                SearchThread::<R>::new(shared, &mut observer).help(smp, helper);
            };
            thread::Builder::new().spawn_scoped(scope, help).is_ok()
        };
        let started = (0..helpers).take_while(start).count();
        if started < helpers {
            observer.fewer_threads(started + 1, helpers + 1);
        }
        let mut observer = MainObserver { smp: &smp, observer };
        let found = main(&mut SearchThread::new(shared, &mut observer));
        drop(stop_helpers);
        (found, smp.helper_nodes())
    })
}

impl<'a, R: Rules> SearchThread<'a, R> {
    /// The main thread's part: runs all iterations and reports them.
    pub fn iterate(&mut self) -> Report {
        let request = self.shared.request;
        let mut root = Root::new::<R>(request);
        let mut report = self.report(&root, 0);
        let mut told: Vec<Move> = Vec::new();
        let (mut depth, mut solved) = (0, false);
        while depth < request.depth.clamp(1, MAX_DEPTH) {
            self.extend_tablebase(&mut root);
            if depth == 0 {
                self.recall_proofs(&mut root);
            }
            let reached = self.iteration(&mut root, depth + 1);
            if reached.is_some() {
                self.keep_converting_moves(&mut root);
            }
            depth = reached.unwrap_or(depth + 1);
            report = self.report(&root, depth);
            if reached.is_none() {
                break;
            }
            told.clone_from(&report.pv);
            (self.stop.interruptible, self.stop.next_poll) = (true, 0);
            if self.stop.observer.iteration(&report) || self.is_enough(&root) {
                break;
            }
            if solver::try_to_solve(self, &mut root, depth) {
                report = self.report(&root, depth);
                told.clear();
                solved = true;
                break;
            }
        }
        self.remember_win(&root, solved);
        // An interrupted iteration may have changed the answer; the answer must have been reported.
        if report.pv != told {
            self.stop.observer.iteration(&report);
        }
        report
    }

    /// A helper thread's part: deepens until it is stopped or every line is exact.
    fn help(&mut self, smp: &SmpState, helper: usize) {
        let request = self.shared.request;
        let mut root = Root::new::<R>(request);
        self.stop.interruptible = true;
        let max_depth = request.depth.clamp(1, MAX_DEPTH);
        let extra_depth = extra_depth(helper, request.threads - 1);
        let mut depth = 0;
        while depth < max_depth && !root.is_exact() {
            if let Some(seeds) = smp.tablebase_limit() {
                self.use_tablebase(&mut root, seeds);
            }
            if smp.proof.is_open() && root.known.is_none() {
                solver::help_to_prove(self, smp, root.frame.board);
                if self.stop.stopped {
                    break;
                }
                continue;
            }
            match self.iteration(&mut root, max_depth.min(depth + 1 + extra_depth)) {
                Some(reached) => depth = reached,
                None => break,
            }
        }
    }

    /// Takes known proofs of the root and its moves from the table and from the solution.
    fn recall_proofs(&self, root: &mut Root) {
        if root.known.is_some() || self.shared.request.purpose == Purpose::FirstWin {
            return;
        }
        let own = self.probe_table(root.frame);
        for index in 0..root.moves.len() {
            let pit = root.moves[index].pit;
            if let Some(entry) = own.filter(|entry| entry.pit == Some(pit)) {
                root.add_bounds(index, entry.bounds().only_least());
            }
            root.add_bounds(index, self.recall_bounds(root.frame, pit).unwrap_or(Bounds::NONE));
        }
        solver::add_known::<R>(self.shared.request, root);
    }

    /// Stores a proven win in the table, as entries of the positions where its winner moves next: the search itself stores no
    /// proof that depends on boards of the path. If the root was `solved`, its line consists of winning moves. If a repetition
    /// ends the game, the proof may depend on the past and is not stored.
    fn remember_win(&self, root: &Root, solved: bool) {
        if R::CYCLE == Cycle::EndsGame || root.known.is_some() {
            return;
        }
        let Bounds { at_least, least_within, .. } = root.best().bounds;
        if !matches!(at_least.kind(), Kind::Win(_)) {
            return;
        }
        let Some(step) = R::play(root.frame.board, root.best().pit) else { return };
        let line: &[Pit] = if solved { &root.best().line } else { &[] };
        // Boards, each with its ply, whether the winner is to move there, and the rest of the line.
        let mut boards = vec![(step.board, 1, step.again, line.get(1..).unwrap_or_default())];
        while let Some((board, ply, wins, line)) = boards.pop() {
            if R::ending(board).is_some() || self.move_limit.decides(board, ply).is_some() {
                continue;
            }
            let frame = self.frame_of(board, ply);
            if wins {
                self.remember(frame, line.first().copied(), at_least, least_within);
                continue;
            }
            for pit in R::moves(board) {
                let rest =
                    line.split_first().filter(|(first, _)| **first == pit).map_or(&[][..], |(_, rest)| rest);
                boards.extend(R::play(board, pit).map(|step| (step.board, ply + 1, !step.again, rest)));
            }
        }
    }

    /// Stores a win by at least `value` within `settles` plies, unless the table has it already or no move wins.
    fn remember(&self, frame: Frame, pit: Option<Pit>, value: Value, settles: Plies) {
        let known = self.probe_table(frame);
        let knows = |entry: &Entry| entry.bounds().at_least >= value && entry.pit.is_some();
        if known.as_ref().is_some_and(|entry| knows(entry) || entry.proof.is_exact()) {
            return;
        }
        let Some(pit) = pit.or_else(|| self.winning_move(frame, value)) else { return };
        let (proof, depth) = (Proof::AT_LEAST, proven_depth(self.counters.nodes));
        self.store_in_table(
            frame,
            Entry { value, bound: Bound::Lower, proof, depth, pit: Some(pit), settles },
        );
    }

    /// Whether deeper search can add nothing that the request needs.
    fn is_enough(&self, root: &Root) -> bool {
        let found = root.value(0).is_some_and(|value| matches!(value.kind(), Kind::Win(_)));
        let won = found && (root.best().is_reached || root.known.is_none() && root.best().is_won());
        let known = root.known.is_some() && self.counters.nodes > MAX_NODES_OF_KNOWN_ROOT;
        // The shallowest win comes nearer with each move; a larger one could be put off for ever.
        let is_any = self.shared.request.purpose == Purpose::FirstWin
            || self.tablebase.known_root.is_some() && !self.wants_more(root);
        is_any && won || root.is_exact() || known
    }

    /// Runs one iteration; returns the depth that was completed, here or on another thread.
    fn iteration(&mut self, root: &mut Root, depth: u8) -> Option<u8> {
        (self.root_depth, root.depth) = (depth, depth);
        let (before, value_before) = (root.moves.clone(), root.value(0));
        let is_shared = self.smp_of(root).is_some();
        self.stop.target_depth = if is_shared { depth } else { StopControl::NEVER_SUPERSEDED };
        let whole = (0..root.multipv).take_while(|&index| self.search_line(root, index, depth)).count();
        let done = whole == root.multipv;
        self.stop.target_depth = StopControl::NEVER_SUPERSEDED;
        if done {
            root.rank_lines();
        }
        let reached = self.publish_or_take_over(root, depth, done);
        if reached.is_none() {
            root.keep_whole_lines(whole, &before);
        }
        // Proven results rank before those of an interrupted iteration.
        if root.known.is_none() {
            root.prefer_proven();
        }
        let reached = reached?;
        root.stable_iterations =
            if before[0].pit == root.best().pit { root.stable_iterations + 1 } else { 0 };
        let shown = |value: Option<Value>| value.map_or(0, Value::shown_centiseeds);
        let drop = shown(value_before) - shown(root.value(0));
        root.score_drop = if depth > 1 { drop } else { 0 };
        Some(reached)
    }

    /// The other threads, if this root has all the moves that they search. A tablebase result may exclude some, and then scores
    /// of the other threads do not apply here.
    fn smp_of(&self, root: &Root) -> Option<&'a SmpState> {
        self.shared.smp.filter(|smp| root.known.is_none() && smp.has_all_moves(&root.moves))
    }

    /// Ends an iteration, completed or not: publishes it, or takes over that of a faster thread. Returns the depth of the
    /// completed one, if any.
    fn publish_or_take_over(&mut self, root: &mut Root, depth: u8, done: bool) -> Option<u8> {
        let Some(smp) = self.smp_of(root) else { return done.then_some(depth) };
        if done {
            smp.publish(depth, &root.moves);
            return Some(depth);
        }
        std::mem::take(&mut self.stop.superseded).then(|| {
            self.stop.stopped = false;
            smp.take_over(root)
        })
    }

    /// Finds the best of the root's moves from an index on, in an aspiration window around its last value (D. Slate and L.
    /// Atkin, "Chess 4.5", 1977) that is widened until it contains the new one.
    fn search_line(&mut self, root: &mut Root, index: usize, depth: u8) -> bool {
        let mut half = half_window();
        let mut window = Window::new(Value::LEAST, Value::MOST);
        if let Some(value) = root.value(index)
            && let Kind::Estimate(_) = value.kind()
            && i32::from(depth) >= min_aspiration_depth()
        {
            window = Window::new(value.shifted(-half), value.shifted(half));
        }
        loop {
            let moves = self.root_moves(root, index, window, depth);
            if self.stop.stopped {
                return false;
            }
            let value = moves.best;
            half *= widening();
            let is_wide = half > MAX_HALF_WINDOW;
            if value <= window.alpha && window.alpha > Value::LEAST {
                window.alpha = if is_wide { Value::LEAST } else { value.shifted(-half) };
            } else if value >= window.beta && window.beta < Value::MOST {
                window.beta = if is_wide { Value::MOST } else { value.shifted(half) };
            } else {
                self.set_line_score(root, index, &moves, depth);
                return true;
            }
        }
    }

    /// Searches the root's moves from an index on and moves the best to that index.
    fn root_moves(&mut self, root: &mut Root, first: usize, window: Window, depth: u8) -> MoveLoop {
        let mut moves = MoveLoop::new(window);
        self.variation.clear(0);
        for index in first..root.end_of_equals(first) {
            let pit = root.moves[index].pit;
            self.stop.observer.current(depth, Move { side: root.position.side(), pit }, index + 1);
            let best_before = moves.best_pit;
            self.search_root_move(root.frame, pit, &mut moves, depth);
            if self.stop.stopped {
                break;
            }
            if moves.best_pit == Some(pit) {
                root.add_bounds(index, moves.bounds().only_least());
            } else {
                root.moves[index].cap(moves.best, depth);
            }
            if moves.best_pit != best_before && moves.best > window.alpha {
                let mv = &mut root.moves[index];
                mv.set_estimate(moves.best, depth, moves.is_cutoff());
                if !window.is_empty() {
                    mv.line = self.variation.line().clone();
                }
                root.moves[first..=index].rotate_right(1);
            }
            if moves.is_cutoff() {
                break;
            }
        }
        moves
    }

    /// Records the result of a line's search; that of the best line is also stored in the table.
    fn set_line_score(&self, root: &mut Root, index: usize, moves: &MoveLoop, depth: u8) {
        // Under a limit, proofs of the moves that were left out may take more plies than the others.
        let harmless = if root.limit.is_there() { Value::LEAST } else { moves.best };
        let is_some = index > 0 || root.restricted || root.left_out > harmless;
        // If a repetition ends the game, the root cannot be reached again, and moves that were left out do not matter.
        let matters = is_some && R::CYCLE == Cycle::ScoreStands;
        let bounds = if matters { moves.bounds_of_some_moves() } else { moves.bounds() };
        root.set_score(index, moves.best, bounds);
        if is_some || root.known.is_some() {
            return;
        }
        // A proof may depend on the game before the root here, so the table gets none.
        let proof = if R::CYCLE == Cycle::EndsGame { Proof::NONE } else { moves.proof };
        let (value, pit) = (moves.best, moves.best_pit);
        let settles = moves.settles(proof);
        let entry = Entry { value, bound: Bound::Exact, proof, depth, pit, settles };
        self.store_in_table(root.frame, entry);
    }

    /// The report after an iteration.
    fn report(&self, root: &Root, depth: u8) -> Report {
        let limit = self.tablebase.limit;
        let (ReportedLine { score, is_lower_bound, pv, .. }, others) =
            root.lines::<R>(self.shared.endgames, limit);
        Report {
            depth,
            seldepth: self.counters.seldepth,
            score,
            is_lower_bound,
            nodes: self.counters.nodes,
            tablebase_hits: self.counters.tablebase_hits,
            hashfull: self.shared.table.transpositions.hashfull(self.counters.nodes),
            pv,
            others,
            forced: root.moves.len() == 1,
            stable_iterations: root.stable_iterations,
            score_drop: root.score_drop,
        }
    }
}
