//! The algorithms that compute a database from those below it. The package `kroo-endgames` uses them to build files.

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
