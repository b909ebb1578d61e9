//! Finding the best move: iterative deepening over an alpha–beta tree with a transposition table.
//!
//! The whole public face is [`search`]. It is told what to search and how far ([`Request`]), reports each iteration to
//! an [`Observer`], and asks it now and then whether to stop; it never prints, parses or looks at a clock of its own.
//!
//! # Where is …
//! | question | answer |
//! |---|---|
//! | what is asked of a search, and what it tells | [`Request`] in `request.rs`; [`Report`], [`Observer`] in `report.rs` |
//! | iterative deepening, aspiration windows | `iterate.rs`: `iterate`, `search_line` |
//! | how the moves of the root are ordered, several best lines (multi-PV) | `root.rs`; `iterate.rs`: `root_moves` |
//! | **the node**: negamax alpha–beta, principal variation search | `node.rs`: `node`, `search_move` |
//! | where a repetition is scored | `node.rs`: `repetition` |
//! | what depends on the path (graph-history interaction) | `result.rs`, `node.rs` |
//! | where the move limit ends the game | `move_limit.rs`, `node.rs`: `node` |
//! | what is proven, and how that spreads | `node.rs`, `frame.rs`: `MoveLoop::add` |
//! | late-move and internal iterative reductions, reverse futility pruning; what each won | `reductions.rs`, called in `node.rs` |
//! | singular extension, multi-cut | `singular.rs`, called in `node.rs` |
//! | the numbers of all these, for a tuner, too | `parameters.rs` |
//! | move ordering: captures, killers, history | `ordering.rs` |
//! | the principal variation | `pv.rs` |
//! | the transposition table, its entries and their bits, lockless hashing | `table/` |
//! | when an endgame is looked up, and when one is built | `probing.rs`, `budget.rs` |
//! | how a known result is converted (distance to conversion) | `../endgame/conversion.rs` |
//! | solving games that cannot cycle: MTD(f), proven bounds, enhanced transposition cutoffs | `solver/` |
//! | several threads (lazy SMP) | `smp.rs`, `iterate.rs`: `help`, `publish_or_take_over` |
//! | what lives how long: between searches; shared, thread, iteration, node | [`SearchMemory`] in `memory.rs`; `thread.rs`, `frame.rs` |
//! | when the search stops | `thread.rs`: `StopControl` |
//! | how long to think | `clock.rs` |
//!
//! Players who do not see everything have a small search of their own: `players/handicap.rs`.
//!
//! # Paths and repetition, by rule set
//! The table knows boards and not how they came about, so it may only keep what holds on every path.
//!
//! - `kalah`, `awari1978`: nothing can come back, and all of this compiles to nothing.
//! - `awari`, `ayoayo`: play that never ends leaves the score as it stands, so a position has one value whatever its
//!   past. A position that is met again on the path of the search is a leaf with that value; what was concluded from
//!   such a leaf is not kept as proven before the node of the position that it came back to has been left (`node.rs`,
//!   `result.rs`). If some moves of the root are left out, for `searchmoves` or for a later line, coming back to the root
//!   bounds nothing from above. The endgame tablebase answers the same question from below, without paths
//!   (`crate::endgame`).
//! - `oware`: the second occurrence since the last capture ends the game, and the boards of the game so far stand at
//!   the beginning of the path. Its value depends on the past, so a proof is kept only if it holds whatever any position
//!   below it would pay by ending the game there. The endgame tablebase bounds what a side can be sure of on a board that
//!   cannot have been seen before, and is asked right after a capture only.
//!
//! `tests/engine/search/paths.rs` has positions where a table without this care names the wrong winner.

#[doc(hidden)]
pub mod budget;
#[doc(hidden)]
pub mod clock;
mod frame;
mod iterate;
mod memory;
mod move_limit;
mod node;
mod ordering;
#[doc(hidden)]
pub mod parameters;
mod probing;
mod pv;
#[doc(hidden)]
pub mod reductions;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod request;
mod result;
mod root;
mod singular;
#[doc(hidden)]
pub mod smp;
#[doc(hidden)]
pub mod solver;
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod thread;

use crate::game::{Rules, Visitor};
pub use clock::{Clock, TimeLimits};
pub use memory::SearchMemory;
#[cfg(feature = "tune")]
pub use parameters::{parameters, set_parameter};
pub use pv::{Line, PrincipalVariation};
pub use report::{Observer, Report, Silent};
pub use request::{MAX_DEPTH, Request, TablebasePolicy};
pub use root::legal_line;
pub use solver::{positions_of_solution, prepare, takes as solver_takes};
pub use table::OutOfMemory;

/// Searches a position that is not over, and returns the last report: its line begins with the best move.
///
/// On one thread the same request with the same table gives the same nodes.
///
/// # Panics
/// If the position is over.
#[must_use]
pub fn search(request: &Request, table: &SearchMemory, observer: &mut dyn Observer) -> Report {
    request.position.variant().visit(Start { request, table, observer })
}

struct Start<'a> {
    request: &'a Request,
    table: &'a SearchMemory,
    observer: &'a mut dyn Observer,
}

impl Visitor for Start<'_> {
    type Output = Report;

    fn visit<R: Rules>(self) -> Report {
        iterate::search::<R>(self.request, self.table, self.observer)
    }
}
