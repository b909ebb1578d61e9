//! Finding the best move: iterative deepening over an alpha–beta tree with a transposition table.
//!
//! The whole public face is [`search`]. It is told what to search and how far ([`Request`]), reports each iteration to
//! an [`Observer`], and asks it now and then whether to stop; it never prints, parses or looks at a clock of its own.
//!
//! | technique | where |
//! |---|---|
//! | iterative deepening, aspiration windows | `iterate.rs` |
//! | the root, several best lines, covered roots | `root.rs` |
//! | negamax alpha–beta, principal variation search, cycles, proofs | `node.rs`, `result.rs` |
//! | late-move reductions, reverse futility; what each won | `reductions.rs`, `node.rs` |
//! | captures first, killers, history | `ordering.rs` |
//! | solving without a horizon | `solver/` |
//! | the transposition table | `table/` |
//! | endgames in the tree, bringing a known result about | `tablebase/` |
//! | several threads | `smp.rs` |
//! | the principal variation | `pv.rs` |
//! | how long to think | `clock.rs` |
//!
//! # Paths and repetition, by rule set
//! The table knows boards and not how they came about, so it may only keep what holds on every path.
//!
//! - `kalah`, `awari1978`: nothing can come back, and all of this compiles to nothing.
//! - `awari`, `ayoayo`: play that never ends leaves the score as it stands, so a position has one worth whatever its
//!   past. A position that is met again on the path of the search is a leaf with that worth; what was concluded from
//!   such a leaf is not kept as certain before the position that it came back to has been closed (`node.rs`,
//!   `result.rs`). If some moves of the root are left out, for `searchmoves` or for a later line, coming back to the root
//!   bounds nothing from above. The endgames solve the same question from below, without paths (`crate::endgame`).
//! - `oware`: the second occurrence since the last capture ends the game, and the boards of the game so far stand at
//!   the beginning of the path. Its worth hangs on the past, so a proof is kept only if it holds whatever any position
//!   below it would pay by ending the game there. The endgames bound what a side can be sure of on a board that cannot
//!   have been seen before, and are asked right after a capture only.
//!
//! `tests/it/paths.rs` has positions where a table without this care names the wrong winner.

mod clock;
mod iterate;
mod node;
mod ordering;
mod pv;
mod reductions;
mod result;
mod root;
mod smp;
mod solver;
mod table;
mod tablebase;

use crate::endgame::MOST_SEEDS;
use crate::evaluate::Weights;
use crate::game::{Board, Game, Move, Pit, Position, Rules, Visitor};
use crate::value::Score;
pub use clock::{Clock, TimeLimits};
pub(crate) use pv::{Line, PrincipalVariation};
pub(crate) use root::legal_line;
use std::sync::Arc;
pub use table::{Bound, Entry, OutOfMemory, Table};

/// Plies that a search looks ahead at the most.
pub const MOST_PLIES: u8 = 127;

/// What to search, and how far.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to search from.
    pub position: Position,
    /// The boards since the last capture, the position's last: [`crate::game::Game::line`].
    pub line: Vec<Board>,
    /// Only these moves, or all if there are none.
    pub only: Vec<Pit>,
    /// Plies to look ahead at the most.
    pub depth: u8,
    /// Nodes to visit at the most.
    pub nodes: u64,
    /// Stop as soon as the win is certain, however large it may be.
    pub until_won: bool,
    /// Best lines to find.
    pub lines: usize,
    /// Threads to search with. Only one alone gives the same nodes every time.
    pub threads: usize,
    /// Nodes to spend on solving, in hundredths of those spent on looking ahead.
    pub solving_share: u64,
    /// What to evaluate with.
    pub weights: Arc<Weights>,
    /// Boards with more seeds are not looked up in the endgames; 0 for none at all.
    pub endgame_seeds: u8,
    /// Which endgames are there from the beginning; larger ones are worked out when enough nodes have been visited.
    pub endgames: Given,
}

impl Request {
    /// Nodes for solving in an ordinary search, in hundredths of those for looking ahead.
    pub const SOLVING_SHARE: u64 = 25;

    /// A search of where a game stands, without any limit.
    #[must_use]
    pub fn new(game: &Game) -> Request {
        Request {
            position: *game.position(),
            line: game.line().to_vec(),
            only: Vec::new(),
            depth: MOST_PLIES,
            nodes: u64::MAX,
            until_won: false,
            lines: 1,
            threads: 1,
            solving_share: Request::SOLVING_SHARE,
            weights: Weights::built_in(game.position().variant()),
            endgame_seeds: MOST_SEEDS,
            endgames: Given::Nothing,
        }
    }
}

/// Which endgames a search takes for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// None. The search is the same every time.
    Nothing,
    /// Those with up to so many seeds, which are there. The search is the same every time.
    UpTo(u8),
    /// All that anybody has built when an iteration begins.
    WhatThereIs,
}

/// What an iteration has found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Plies looked ahead.
    pub depth: u8,
    /// Plies of the longest line.
    pub deepest: usize,
    /// What the position is worth to its side to move.
    pub score: Score,
    /// Nodes visited since the search began.
    pub nodes: u64,
    /// Positions found in the endgames.
    pub hits: u64,
    /// How full the table is, in thousandths.
    pub permille: u16,
    /// The best line; never empty.
    pub line: Vec<Move>,
    /// The next best lines with their scores, as many as were asked for and found.
    pub others: Vec<(Score, Vec<Move>)>,
    /// Whether there was no choice.
    pub forced: bool,
    /// Iterations since the best move changed.
    pub steady: u32,
    /// Hundredths of a seed by which the position looks worse than an iteration before; below 0 if it looks better.
    pub fall: i32,
}

/// Who a search reports to.
pub trait Observer {
    /// Asked every few hundred nodes or so: is it enough?
    fn stop(&mut self, nodes: u64) -> bool;

    /// An iteration is complete, or was stopped after it had found a better line. Is it enough?
    fn iteration(&mut self, report: &Report) -> bool;

    /// A move of the root is searched next, to so many plies: which, and its place in the order, from 1.
    fn current(&mut self, _depth: u8, _mv: Move, _number: usize) {}
}

/// An observer that listens to nothing and never ends a search: its limits do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

/// Searches a position that is not over, and returns the last report: its line begins with the best move.
///
/// On one thread the same request with the same table gives the same nodes.
///
/// # Panics
/// If the position is over.
#[must_use]
pub fn search(request: &Request, table: &Table, observer: &mut dyn Observer) -> Report {
    request.position.variant().visit(Start { request, table, observer })
}

struct Start<'a> {
    request: &'a Request,
    table: &'a Table,
    observer: &'a mut dyn Observer,
}

impl Visitor for Start<'_> {
    type Output = Report;

    fn visit<R: Rules>(self) -> Report {
        iterate::search::<R>(self.request, self.table, self.observer)
    }
}
