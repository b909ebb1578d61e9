//! Probes of the endgame tablebase ([`crate::endgame`]).
//!
//! Every node probes boards with no more seeds than the limit. Before every iteration, databases that the search has paid for
//! are built (`budget.rs`) and the root is looked up. After every iteration a known result is converted: the moves are ordered
//! by their distance to conversion (`../endgame/conversion.rs`). While the solver runs, larger databases are built as its nodes
//! pay for them (`solver/state.rs`).

use super::frame::{Frame, Window};
use super::move_limit::settling_plies;
use super::request::TablebasePolicy;
use super::result::NodeResult;
use super::root::{Root, RootMove};
use super::thread::SearchThread;
use crate::endgame::{ConversionTable, Endgames, attacker_is_to_move};
use crate::game::{Board, Cycle, Rules, Verdict};
use crate::value::Score;

/// Boards of a conversion table allowed for each node of the search (chosen, not measured).
const CONVERSION_BOARDS_PER_NODE: u64 = 8;
/// Boards always allowed, so that a search of any depth or number of nodes completes its conversion table within a few moves:
/// some 30 ms, too little to ask a search by time to wait (chosen, not measured).
const MIN_CONVERSION_BOARDS: usize = 100_000;

impl<R: Rules> SearchThread<'_, R> {
    /// The tablebase's result for a board, if it decides the window.
    ///
    /// Where a repetition ends the game, the tablebase is right only for boards just after a capture, before which nothing can
    /// repeat.
    #[inline]
    pub fn probe_tablebase(&mut self, frame: Frame, window: Window) -> Option<NodeResult> {
        let seeds = frame.board.seeds();
        if R::CYCLE == Cycle::EndsGame && frame.quiet_plies > 0 {
            return None;
        }
        let score = if self.tablebase.limit.is_some_and(|limit| seeds <= limit) {
            self.probe_board(frame.board, seeds)?
        } else {
            self.leaves_known_result(frame, seeds)?
        };
        let is_enough = window.is_decided_by(score.value, score.proof) || score.proof.is_exact();
        is_enough.then(|| {
            self.counters.tablebase_hits += 1;
            NodeResult::settling(score.value, score.proof, settling_plies::<R>(frame.board, seeds))
        })
    }

    #[inline]
    fn probe_board(&mut self, board: Board, seeds: u8) -> Option<Score> {
        self.stop.poll_sooner(self.shared.endgames.is_mapped::<R>(seeds));
        self.shared.endgames.probe::<R>(board, seeds)
    }

    /// The tablebase's result for a board with as many seeds as a root with a known result, if the board has lost that result.
    /// Boards that keep it are searched for a way to convert it.
    #[inline]
    fn leaves_known_result(&mut self, frame: Frame, seeds: u8) -> Option<Score> {
        let (_, value) = self.tablebase.known_root.filter(|known| known.0 == seeds)?;
        let score = self.probe_board(frame.board, seeds)?;
        // Sides alternate in every rule set with cycles.
        let seen_by_root = if frame.ply.is_multiple_of(2) { score.value } else { score.value.turned() };
        (seen_by_root != value).then_some(score)
    }

    /// Builds the databases that have been paid for, or requests them if the policy is [`TablebasePolicy::Available`], and
    /// looks the root up.
    pub fn extend_tablebase(&mut self, root: &mut Root) {
        let max_seeds = self.shared.request.endgame_seeds;
        if max_seeds == 0 || self.move_limit.is_near() {
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
        if self.shared.endgames.build::<R>(wanted, &mut || observer.stop(nodes)) {
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

    /// Looks the root up in the databases with up to `built` seeds, and probes those from here on.
    pub fn use_tablebase(&mut self, root: &mut Root, built: u8) {
        self.tablebase.limit = root.look_up::<R>(self.shared.endgames, built);
        // If a known result has to be converted, boards that have lost it need no search.
        self.tablebase.known_root = root.known.filter(|_| R::CYCLE == Cycle::ScoreStands).and_then(|score| {
            (score.proven() != Some(Verdict::Draw)).then_some((root.frame.board.seeds(), score.value))
        });
    }

    /// Keeps the moves that convert a known result soonest, or a loss latest. A win found by deepening is not enough: every
    /// move may keep it, for ever. Later searches reuse the conversion table, so each search that completes an iteration makes
    /// progress.
    pub fn keep_converting_moves(&mut self, root: &mut Root) {
        let Some(known) = self.result_to_convert(root) else { return };
        let (value, board) = (known.value, root.frame.board);
        let Some(attacker) = attacker_is_to_move::<R>(board, value) else { return };
        if root.multipv > 1 || root.restricted || root.moves.len() == 1 {
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
        if best.is_some() && R::CYCLE == Cycle::EndsGame {
            root.narrow(converts, known);
        } else if best.is_some() {
            root.moves.retain(converts);
        }
    }

    /// The known result of the root, if it has to be converted.
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

/// Where a repetition ends the game: keeps the moves that the tablebase knows to win, if any. A move to a visited board would
/// end the game at once.
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
        root.narrow(wins, known);
    }
}
