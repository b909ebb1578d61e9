//! The performance-critical part of Kroo: rules, evaluation, small endgames, probing and search.
//!
//! It depends on no other package of the project, and is compiled as one unit: a sowing that is not inlined into the search
//! costs more than anything else here. Begin with [`game::Position`], then [`search::search`]. Imports go one way:
//! `game ← value ← evaluate, endgames ← search`; `files`, `printable`, [`time`] and `prefetch` import none of them. The
//! package `kroo-endgames` builds the files of large databases.

pub mod endgames;
pub mod evaluate;
#[doc(hidden)]
pub mod files;
pub mod game;
mod prefetch;
#[doc(hidden)]
pub mod printable;
pub mod search;
#[doc(hidden)]
pub mod thread_pool;
pub mod time;
pub mod value;
