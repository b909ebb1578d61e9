//! The algorithms that compute a database from those below it. The package `kroo-endgames` uses them to build files.
//!
//! | file | content |
//! |---|---|
//! | `missing.rs` | builds the databases that a process lacks |
//! | `database_builder.rs` | chooses the builder of a rule set, one of the next three |
//! | `acyclic.rs`; `row_moves.rs`, `row_offers.rs` | no cycles: one pass; the moves as tables |
//! | `graph_iteration.rs` | cycles, the lead only adds: iteration over a graph of moves |
//! | `value_iteration.rs` | cycles, the lead decides, sowings of one lap: value iteration |
//! | `move_tables.rs`, `sown_ranks.rs`; `cell.rs` | its moves as tables; its values, in a byte or two |
//! | `evaluator.rs` | its sweep, over values in memory, on the disk or on another process |
//! | `coding.rs` | from results to the codes of a database |
//! | `lower_databases.rs` | the databases that captures lead to |
//! | `deadlines.rs` | counts the plies within which a result is sure |
//! | `watched.rs` | the progress of a build, and what may stop it |
//! | `checkpoint.rs` | the contract for saving an unfinished build |

#[doc(hidden)]
pub mod acyclic;
#[doc(hidden)]
pub mod cell;
#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod coding;
#[doc(hidden)]
pub mod database_builder;
mod deadlines;
#[doc(hidden)]
pub mod evaluator;
#[doc(hidden)]
pub mod graph_iteration;
#[doc(hidden)]
pub mod lower_databases;
mod missing;
#[doc(hidden)]
pub mod move_tables;
#[doc(hidden)]
pub mod row_moves;
mod row_offers;
#[doc(hidden)]
pub mod sown_ranks;
#[doc(hidden)]
pub mod value_iteration;
#[doc(hidden)]
pub mod watched;
