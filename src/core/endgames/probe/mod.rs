//! The part of the endgames that a search asks: the index of a board, its value in memory or in a file, and the answer to a probe.
//! Nothing here computes a database.

mod checked_file;
#[doc(hidden)]
pub mod conversion;
#[doc(hidden)]
pub mod database;
#[doc(hidden)]
#[doc(hidden)]
pub mod database_files;
#[doc(hidden)]
pub mod deadlines;
#[doc(hidden)]
pub mod endgames;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod file;
#[doc(hidden)]
pub mod indexing;
#[doc(hidden)]
pub mod mapped_file;
#[doc(hidden)]
pub mod packed_values;
#[doc(hidden)]
pub mod plain_values;
#[doc(hidden)]
pub mod storage;
#[doc(hidden)]
pub mod thresholds;
#[doc(hidden)]
pub mod tile_coder;
#[doc(hidden)]
pub mod tiling;
