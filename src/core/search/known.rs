//! The known results of the root: deadlines, the tablebase's result, and the way to convert it.
//!
//! Before every iteration, databases that the search has paid for are built (`budget.rs`) and the root is looked up. After every
//! iteration a known result is converted: the moves are ordered by their distance to conversion
//! (`../endgames/probe/conversion.rs`). While the solver runs, larger databases are built as its nodes pay for them
//! (`solver/state.rs`).
//!
//! If a move limit or a repetition may cut a database's result short, the deadlines of small boards decide
//! (`../endgames/probe/deadlines.rs`): a side that is in time keeps to moves that stay in time.

use super::claims::settling_plies;
use super::frame::Frame;
use super::probing::sure_bounds;
use super::request::{Purpose, TablebasePolicy};
use super::root::{Root, RootMove};
use super::thread::SearchThread;
use crate::endgames::probe::deadlines::MAX_DEADLINE_SEEDS;
use crate::endgames::{ConversionTable, Endgames, attacker_is_to_move};
use crate::game::{Board, Capture, Cycle, Rules, Verdict};
use crate::value::{Bounds, Proof, Score, UNKNOWN_PLIES, Value};
use std::cmp::Reverse;

/// Boards of a conversion table allowed for each node of the search (chosen, not measured).
const CONVERSION_BOARDS_PER_NODE: u64 = 8;
/// Boards always allowed: with them a search of any depth or number of nodes completes its conversion table within a few moves.
/// They take some 30 ms, short enough for a search by time (chosen, not measured).
const MIN_CONVERSION_BOARDS: usize = 100_000;
/// Maximum seeds of a root whose deadlines are counted at once, once a process: a tenth of a second (chosen, not measured).
const MAX_ROOT_SEEDS: u8 = 7;

impl<R: Rules> SearchThread<'_, R> {
    /// Builds the databases that have been paid for, or requests them if the policy is [`TablebasePolicy::Available`], and
    /// looks the root up.
    pub fn extend_tablebase(&mut self, root: &mut Root) {
        let max_seeds = self.shared.request.endgame_seeds;
        if max_seeds > 0 {
            self.extend_deadlines(root, max_seeds);
        }
        if max_seeds == 0 || self.move_limit.is_near() || !Endgames::is_about::<R>(root.frame.board) {
            return;
        }
        let table = self.shared.table;
        let (policy, seeds) = (self.shared.request.tablebase, root.frame.board.seeds());
        let affordable = table.budget.affordable_seeds::<R>(self.counters.nodes, seeds, policy);
        let there = self.seeds_by_policy();
        let builds = policy != TablebasePolicy::Available;
        if let Some(seeds) = affordable.filter(|_| !builds && affordable > there) {
            self.stop.observer.wants_endgames(seeds.min(max_seeds));
        }
        let wanted = if builds { there.max(affordable) } else { there };
        let Some(wanted) = wanted.map(|seeds| seeds.min(max_seeds)) else { return };
        let (observer, nodes) = (&mut self.stop.observer, self.counters.nodes);
        // Stopping here is safe, even before the first iteration: a move can be reported without endgames.
        if self.shared.build_endgames::<R>(wanted, &mut || observer.stop(nodes)) {
            self.use_tablebase(root, wanted);
            if let Some(smp) = self.shared.smp {
                smp.set_tablebase_limit(wanted);
            }
        } else {
            table.budget.building_was_stopped();
        }
    }

    /// Maximum seeds that the request's policy allows from the beginning.
    fn seeds_by_policy(&self) -> Option<u8> {
        match self.shared.request.tablebase {
            TablebasePolicy::Earned => None,
            TablebasePolicy::UpTo(seeds) => Some(seeds),
            TablebasePolicy::Available => self.shared.endgames.built::<R>(),
        }
    }

    /// Looks the root up in the deadlines that are there, where they matter.
    fn extend_deadlines(&mut self, root: &mut Root, max_seeds: u8) {
        let matter =
            R::CYCLE == Cycle::EndsGame || self.move_limit.is_there() && R::CYCLE != Cycle::Impossible;
        let (endgames, seeds) = (self.shared.endgames, root.frame.board.seeds());
        let most = max_seeds.min(MAX_DEADLINE_SEEDS);
        if !matter {
            return;
        }
        let settles = settling_plies::<R>(root.frame.board, seeds);
        let may_be_late = !self.move_limit.allows(0, settles);
        // Where the result will come too late in some moves, it is worth the time even if a move is awaited.
        let will_be_late = !self.move_limit.allows(usize::from(settles), settles);
        let is_small = seeds <= most.min(MAX_ROOT_SEEDS);
        if is_small && (will_be_late || self.shared.request.tablebase != TablebasePolicy::Available) {
            let (observer, nodes) = (&mut self.stop.observer, self.counters.nodes);
            endgames.count_deadlines::<R>(seeds, &mut || observer.stop(nodes));
        }
        let counted = match self.shared.request.tablebase {
            TablebasePolicy::Available => endgames.counted_deadlines::<R>().map(|counted| counted.min(most)),
            _ => is_small.then_some(seeds).filter(|_| endgames.counted_deadlines::<R>() >= Some(seeds)),
        };
        let Some(counted) = counted else { return };
        let covers_root = seeds <= counted;
        // If positions can repeat, the search looks for captures, and does not go round in circles.
        let below = if covers_root { seeds.checked_sub(1) } else { Some(counted) };
        if self.tablebase.deadlines != below {
            self.tablebase.deadlines = below;
            if covers_root && !self.look_up_deadlines(root) && may_be_late && root.known.is_none() {
                // The databases' results come too late.
                self.move_limit = self.move_limit.in_sight();
                root.limit = self.move_limit;
                root.frame =
                    Frame { quiet_plies: root.frame.quiet_plies, ..self.frame_of(root.frame.board, 0) };
            }
        }
    }

    /// Adds the sure bounds from the deadlines of the root and its moves. With one line, moves that lose a sure result or delay
    /// it are excluded. Returns whether the root's result is sure.
    fn look_up_deadlines(&self, root: &mut Root) -> bool {
        let board = root.frame.board;
        let mut visited = self.path.before_root(root.frame.quiet_plies).to_vec();
        let of_root = self.sure_with_past(board, &visited);
        root.bounds.narrow(root.limit.allowed(of_root));
        visited.push(board);
        let mut sure = Vec::with_capacity(root.moves.len());
        for index in 0..root.moves.len() {
            let Some(step) = R::play(board, root.moves[index].pit) else { continue };
            let bounds = self.sure_after(board, step.board, &visited).before_move(false);
            root.add_bounds(index, bounds);
            sure.push((root.moves[index].pit, bounds));
        }
        let result = root.bounds.result();
        // If the limit is far enough for the whole result, the margin counts too, not only the winner.
        let is_settled = R::LEAD_ADDS && root.limit.allows(0, settling_plies::<R>(board, board.seeds()));
        let Some(result) = result.filter(|_| !root.restricted && root.multipv == 1 && !is_settled) else {
            return result.is_some();
        };
        // The plies of a move that keeps the result; the other side keeps a loss after every move.
        let plies = |mv: &RootMove| {
            let (_, bounds) = sure.iter().find(|(pit, _)| *pit == mv.pit)?;
            let keeps = match result {
                Verdict::Loss => return (bounds.at_most < Value::MOST).then_some(bounds.most_within),
                Verdict::Draw => bounds.at_least >= Value::DRAW,
                Verdict::Win => bounds.result() == Some(Verdict::Win),
            };
            keeps.then_some(bounds.least_within)
        };
        let all = root.moves.iter().filter_map(plies);
        let best = if result == Verdict::Loss { all.max() } else { all.min() };
        if best.is_some() {
            root.keep(|mv| plies(mv) == best);
        }
        true
    }

    /// The sure bounds after a move of the root.
    fn sure_after(&self, before: Board, after: Board, visited: &[Board]) -> Bounds {
        if let Some(ending) = R::ending(after) {
            return Bounds::exact(Value::of(&ending));
        }
        if after.seeds() < before.seeds() {
            return self.sure_with_past(after, &[]);
        }
        self.sure_with_past(after, visited)
    }

    /// The sure bounds of a board after the boards `visited`. If a repetition ends the game, a side that follows the deadlines
    /// must not reach a visited board: the visited ones must have later deadlines.
    fn sure_with_past(&self, board: Board, visited: &[Board]) -> Bounds {
        let endgames = self.shared.endgames;
        let Some(deadline) = endgames.deadline::<R>(board) else { return Bounds::NONE };
        let is_ahead = |verdict, mine, plies| {
            let lies_behind = |(back, &board): (usize, &Board)| {
                let mine = mine ^ (back % 2 == 0);
                let deadline = endgames.deadline::<R>(board);
                deadline.is_some_and(|deadline| deadline.plies(verdict, mine).is_none_or(|it| it > plies))
            };
            R::CYCLE != Cycle::EndsGame || visited.iter().rev().enumerate().all(lies_behind)
        };
        let counts =
            |verdict, mine, plies| self.move_limit.allows(0, plies) && is_ahead(verdict, mine, plies);
        sure_bounds::<R>(board, deadline, counts)
    }

    /// Looks the root up in the databases with up to `built` seeds, and probes those from here on.
    pub fn use_tablebase(&mut self, root: &mut Root, built: u8) {
        self.tablebase.limit = look_up::<R>(root, self.shared.endgames, built);
        // While a known result is being converted, boards that have lost it need no search.
        self.tablebase.known_root = root.known.filter(|_| R::CYCLE == Cycle::ScoreStands).and_then(|score| {
            (score.proven() != Some(Verdict::Draw)).then_some((root.frame.board.seeds(), score.value))
        });
    }

    /// Keeps the moves that convert a known result soonest, or a loss latest; with several lines they come first. A win found by
    /// deepening is not enough: every move may keep it, for ever. Later searches reuse the conversion table: each search that
    /// completes an iteration makes progress.
    pub fn keep_converting_moves(&mut self, root: &mut Root) {
        let Some(known) = self.result_to_convert(root) else { return };
        let (value, board) = (known.value, root.frame.board);
        let Some(attacker) = attacker_is_to_move::<R>(board, value) else {
            root.is_converted = true;
            return;
        };
        let nothing_to_do = root.moves.len() == 1 && !root.limit.is_there();
        root.is_converted = nothing_to_do;
        let is_listed = root.multipv > 1;
        if root.restricted || nothing_to_do || self.wants_more(root) || is_listed && root.known.is_none() {
            return;
        }
        let endgames = self.shared.endgames;
        let path = self.path.before_root(root.frame.quiet_plies);
        let mut conversion = self.shared.table.conversion();
        if !conversion.as_ref().is_some_and(|table| table.covers::<R>(board, value, path)) {
            *conversion = ConversionTable::new::<R>(board, value, path);
        }
        let Some(conversion) = conversion.as_mut() else { return };
        let max_boards = usize::try_from(CONVERSION_BOARDS_PER_NODE.saturating_mul(self.counters.nodes))
            .unwrap_or(usize::MAX)
            .max(MIN_CONVERSION_BOARDS);
        let generation = self.shared.table.transpositions.generation();
        let observer = &mut self.stop.observer;
        let built = conversion.build::<R>(endgames, generation, max_boards, &mut || observer.interrupts());
        if !built || !conversion.covers::<R>(board, value, path) {
            if R::CYCLE == Cycle::EndsGame {
                keep_won_moves::<R>(root, known, endgames, path);
            }
            return;
        }
        let distance = |mv: &RootMove| {
            let after = R::play(board, mv.pit)?.board;
            conversion.distance_after::<R>(endgames, after, attacker)
        };
        let all = root.moves.iter().filter_map(distance);
        let best = if attacker { all.min() } else { all.max() };
        let converts = |mv: &RootMove| distance(mv) == best;
        root.is_converted = true;
        if best.is_none() {
            return;
        }
        // A side that follows the distances captures in time for the result of the smaller database.
        let least_capture = if R::CAPTURE == Capture::TwosAndThrees { 2 } else { 1 };
        let below = settling_plies::<R>(board, board.seeds().saturating_sub(least_capture));
        let plies = |mv: &RootMove| {
            let known = distance(mv).filter(|_| below < UNKNOWN_PLIES);
            known.map_or(UNKNOWN_PLIES, |plies| (1 + plies + below).min(UNKNOWN_PLIES))
        };
        if is_listed {
            let equals = root.end_of_equals(0);
            root.moves[..equals].sort_by_key(|mv| !converts(mv));
            return;
        }
        if R::CYCLE == Cycle::EndsGame {
            root.narrow(converts, known, plies);
            return;
        }
        root.keep(converts);
        for index in 0..root.moves.len() {
            let plies = plies(&root.moves[index]);
            if let Some(known) = root.moves[index].known {
                root.add_bounds(index, Bounds::of(known, plies));
            }
        }
    }

    /// Whether the search is for a value that is more exact than the known result.
    pub fn wants_more(&self, root: &Root) -> bool {
        let is_bound = root.known.is_some_and(|known| !known.proof.is_exact());
        self.shared.request.purpose == Purpose::Value && is_bound
    }

    /// The known result of the root that must be converted, if any.
    fn result_to_convert(&self, root: &Root) -> Option<Score> {
        let (board, seeds) = (root.frame.board, root.frame.board.seeds());
        match R::CYCLE {
            Cycle::EndsGame if self.tablebase.limit.is_some_and(|limit| seeds <= limit) => {
                self.shared.endgames.probe::<R>(board, seeds)
            }
            _ => root.known,
        }
    }
}

/// If a repetition ends the game: keeps the moves that the tablebase knows to win, if any. A move to a visited board would
/// end the game at once. That proves nothing: the way to the win may lead through visited boards, too.
fn keep_won_moves<R: Rules>(root: &mut Root, known: Score, endgames: &Endgames, visited: &[Board]) {
    let board = root.frame.board;
    let wins = |mv: &RootMove| {
        let Some(step) = R::play(board, mv.pit) else { return false };
        let after = match R::ending(step.board) {
            Some(ending) => Some(ending.verdict),
            None if visited.contains(&step.board) => None,
            None => endgames.probe::<R>(step.board, step.board.seeds()).and_then(|score| score.proven()),
        };
        after == Some(Verdict::Loss)
    };
    if root.moves.iter().any(wins) {
        root.keep(wins);
        // Their earlier scores were relative to the other moves.
        let depth = root.depth;
        root.moves.iter_mut().for_each(|mv| mv.set_estimate(known.value, depth, false));
    }
}

/// Looks the root up in the tablebase, built up to `built` seeds. With one line, moves that lose part of the known value
/// are excluded; with several, they come last. Returns the tablebase limit for the search.
///
/// If positions can repeat, the limit is below the root's seeds: the search then looks for captures that lead into the tablebase
/// instead of cycling. If a repetition ends the game, the game before the root may affect its moves, which are therefore
/// searched.
fn look_up<R: Rules>(root: &mut Root, endgames: &Endgames, built: u8) -> Option<u8> {
    let (board, seeds) = (root.frame.board, root.frame.board.seeds());
    if built < seeds || R::CYCLE != Cycle::ScoreStands {
        return Some(built);
    }
    if root.known.is_none()
        && !root.restricted
        && let Some(best) = endgames.result::<R>(board)
    {
        let known = |mv: &RootMove| {
            let after = endgames.result::<R>(R::play(board, mv.pit)?.board)?;
            Some(with_sure_margin::<R>(board, after.turned()))
        };
        let keeps = |mv: &RootMove| known(mv).is_some_and(|score| score.value == best.value);
        // Moves that are in time do not keep a result that is not.
        if root.left_out > Value::LEAST && !root.moves.iter().any(keeps) {
            return seeds.checked_sub(1);
        }
        let plies = settling_plies::<R>(board, seeds);
        for index in 0..root.moves.len() {
            root.moves[index].known = known(&root.moves[index]);
            if let Some(known) = root.moves[index].known {
                root.add_bounds(index, Bounds::of(known, plies));
            }
        }
        root.bounds.narrow(root.limit.allowed(Bounds::of(best, plies)));
        if root.multipv == 1 && root.moves.iter().any(keeps) {
            root.keep(keeps);
        }
        root.moves.sort_by_key(|mv| Reverse(mv.known.map(|score| score.value)));
        root.known = Some(best);
    }
    seeds.checked_sub(1)
}

/// A move's score by the tablebase, no more precise than that of the root: exact, or the least margin of a win or loss if only
/// the winner is known.
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
