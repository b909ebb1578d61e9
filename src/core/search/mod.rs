//! Finding the best move: iterative deepening over an alpha–beta tree with a transposition table.
//!
//! The public interface is [`search`]. It takes a [`Request`], reports each iteration to an [`Observer`], and regularly asks it
//! whether to stop; it never prints, parses or looks at a clock of its own.
//!
//! # Where is …
//! | question | answer |
//! |---|---|
//! | a search's input and output | [`Request`] in `request.rs`; [`Report`], [`Observer`] in `report.rs` |
//! | iterative deepening, aspiration windows | `iterate.rs`: `iterate`, `search_line` |
//! | order of the root's moves, several best lines (multi-PV) | `root.rs`; `iterate.rs`: `root_moves` |
//! | **the node**: negamax alpha–beta, principal variation search | `node.rs`: `node`, `search_move` |
//! | scores of repetitions | `node.rs`: `repetition` |
//! | dependence on the path (graph-history interaction) | `result.rs`, `node.rs` |
//! | proofs and the move limit | `../value/bounds.rs`; `claims.rs`; `node.rs`: `node` |
//! | proofs and their propagation | `node.rs`, `frame.rs`: `MoveLoop::add` |
//! | proofs kept between searches | `table/`, `solver/bounds.rs`; `iterate.rs`: `remember_win` |
//! | late-move and internal iterative reductions, reverse futility pruning; the gain of each | `reductions.rs`, called in `node.rs` |
//! | singular extension, multi-cut | `singular.rs`, called in `node.rs` |
//! | the parameters of all these, tunable | `parameters.rs` |
//! | move ordering: captures, killers, history | `ordering.rs` |
//! | the principal variation | `frame.rs` |
//! | the transposition table, its entries and their bits, lockless hashing | `table/` |
//! | when to probe endgames and when to build them | `probing.rs`, `known.rs`, `budget.rs` |
//! | conversion of a known result (distance to conversion) | `../endgames/probe/conversion.rs` |
//! | solving games that cannot cycle: MTD(f), proven bounds, enhanced transposition cutoffs | `solver/` |
//! | whether a margin is reached, for programs that solve games | [`prove`]; `solver/kept.rs`: proofs for a file |
//! | a proof that several threads share | `joint_proof.rs`, `solver/state.rs`, `solver/together.rs` |
//! | several threads (lazy SMP) | `smp.rs`, `iterate.rs`: `help`, `publish_or_take_over` |
//! | lifetimes: between searches; shared, thread, iteration, node | [`SearchMemory`] in `memory.rs`; `thread.rs`, `frame.rs` |
//! | when the search stops | `thread.rs`: `StopControl` |
//! | time management | `clock.rs` |
//!
//! Players with a handicap have a small search of their own: `players/handicap.rs`.
//!
//! # Paths and repetition, by rule set
//! The table's key is the board without its path: an entry may only hold what is true on every path.
//!
//! - `kalah`, `awari1978`, `avalanche`: positions cannot repeat, and all of this compiles to nothing.
//! - `awari`, `ayoayo`: endless play leaves the score unchanged, so a position's value does not depend on its past. A position
//!   that repeats on the path of the search is a leaf with that value; conclusions from such a leaf are not stored as proven
//!   before the search leaves the node that was repeated (`node.rs`, `result.rs`). If `searchmoves` or a later line leaves out
//!   moves of the root, a return to the root gives no upper bound. The endgame tablebase computes the same values from below,
//!   without paths (`crate::endgames`).
//! - `oware`: the second occurrence since the last capture ends the game, and the path starts with the earlier boards of the
//!   game. A value depends on the past: a proof is stored only if it holds for the pay-out of every position below that could end
//!   the game there. The endgame tablebase bounds the result of a board that cannot have occurred before, and is probed right
//!   after a capture only.
//!
//! `tests/engine/search/paths.rs` has positions in which a table without this care names the wrong winner.

#[doc(hidden)]
pub mod budget;
#[doc(hidden)]
pub mod claims;
#[doc(hidden)]
pub mod clock;
mod frame;
mod iterate;
#[doc(hidden)]
pub mod joint_proof;
mod known;
mod memory;
mod node;
mod ordering;
#[doc(hidden)]
pub mod parameters;
mod probing;
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

use crate::under;
pub use clock::{Clock, TimeLimits};
pub use frame::{Line, PrincipalVariation};
pub use memory::SearchMemory;
#[cfg(feature = "tune")]
pub use parameters::{parameters, set_parameter};
pub use report::{Observer, Report, ReportedLine, Silent};
pub use request::{MAX_DEPTH, Purpose, Request, TablebasePolicy};
pub use root::legal_line;
pub use solver::{
    Aim, BestPlay, Choice, KeptProof, Proven, add_proofs, best_play, kept_proofs, positions_of_solution,
    prepare, takes as solver_takes,
};
pub use table::OutOfMemory;

/// Searches a position whose game is not over and returns the last report, whose line begins with the best move.
///
/// On one thread, the same request with the same table searches the same nodes.
///
/// # Panics
/// If the position is over.
pub fn search(request: &Request, table: &SearchMemory, observer: &mut dyn Observer) -> Report {
    under!(request.position().variant(), R => iterate::search::<R>(request, table, observer))
}

/// Proves whether the side to move of a position that the solver [takes](solver_takes) reaches a margin of `target` seeds by one
/// of the requested moves. Limits of depth and the number of lines have no meaning here.
///
/// # Panics
/// If the position is over.
pub fn prove(request: &Request, target: i8, table: &SearchMemory, observer: &mut dyn Observer) -> Proven {
    under!(request.position().variant(), R => iterate::prove::<R>(request, target, table, observer))
}
