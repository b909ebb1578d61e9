//! The part of the endgames that a search asks: the index of a board, its value in memory or in a file, and the answer to a probe.
//! Nothing here computes a database.
//!
//! | file | content |
//! |---|---|
//! | `endgames.rs` | all databases of a process; probing |
//! | `indexing.rs` | the index of a board, and the board of an index |
//! | `deadlines.rs` | within how many plies a result is sure, for the move limit |
//! | `conversion.rs` | distance to conversion: how a known result becomes the end of the game |
//! | `database.rs`, `database_cell.rs`, `error.rs` | a database in memory or in a file |
//! | `thresholds.rs` | results for every lead, in two numbers |
//! | `storage.rs`, `plain_values.rs`, `packed_values.rs` | the values in memory, in a plain file or in a packed one |
//! | `file.rs`, `database_files.rs` | the header of a file; the files of a folder |
//! | `mapped_file.rs`, `checked_file.rs` | files that are cut off, overwritten or damaged while they are mapped |
//! | `tile_coder.rs`, `tiling.rs` | the compression of packed files |
//! | `probe_trace.rs` | records the probes of a search, to measure their cost |

mod checked_file;
#[doc(hidden)]
pub mod conversion;
#[doc(hidden)]
pub mod database;
#[doc(hidden)]
pub mod database_cell;
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
#[cfg(feature = "probe-trace")]
pub mod probe_trace;
#[doc(hidden)]
pub mod storage;
#[doc(hidden)]
pub mod thresholds;
#[doc(hidden)]
pub mod tile_coder;
#[doc(hidden)]
pub mod tiling;
