//! Endgames: databases with the result of every board with few seeds.
//!
//! No capture puts seeds back, so the boards are divided by the seeds in their pits: the **n-seed database** has those with n,
//! and depends on those with fewer. Within a database the boards are numbered without gaps (`indexing.rs`), and one byte a
//! board says all there is (one for each kind of move where a turn can have a second). Its meaning depends on the rule set:
//!
//! - **Gain** (`kalah`, `awari1978`, `avalanche`, `ayoayo`; [`Rules::LEAD_ADDS`]): how many seeds more than the other side the side to
//!   move will bank from here on. A cycle gains nothing. The final difference of the stores is the lead plus the gain.
//! - **Thresholds** (`awari`; [`Rules::SWEEP_WINS`]): a side wins outright by capturing everything, and a game ends when a
//!   store has more than half of the seeds, so the result depends on the lead as well. It never gets worse with a larger
//!   store (below), so two numbers give it for every lead: the smallest store with which the side to move wins, and the
//!   smallest with which it does not lose.
//! - **Bounds** (`oware`): a repetition gives each side the seeds of its row, which no board knows by itself. So two
//!   numbers bound the mover's share of the seeds in the pits, whatever a repetition pays: the least that it is sure of,
//!   and the most that it can get. They hold where no board can have been seen before: right after a capture, and in a
//!   position that was set up. Where they meet the share is exact.
//!
//! Endgames built so are due to K. Thompson, "Retrograde Analysis of Certain Endgames" (ICCA Journal 9(3), 1986) and
//! "6-Piece Endgames" (ICCA Journal 19(4), 1996); whole awari was solved in this way by J. Romein and H. Bal, "Solving
//! Awari with Parallel Retrograde Analysis" (IEEE Computer 36(10), 2003).
//!
//! # Why the values are right
//! *No cycles.* The gain of a board is the best that its moves offer, and every line ends.
//!
//! *Cycles that leave the score as it is.* A value v better than the score as it is must be forced in finitely many
//! moves. Value iteration starts with every board at what a cycle pays, and takes the best that the moves offer, over and
//! over. It finds exactly the boards from which v is forced in one move, two, and so on; the same holds for the other side
//! below the score as it is. When nothing changes any more both sides have all they can force, and what is left is
//! play that never ends. In which order the boards are evaluated does not matter: each v has its own set of boards, which
//! only grows, up to the least set that is closed under the moves.
//!
//! *A larger store is never worse (`awari`).* Play the same moves: each capture is the same, one store reaches the majority
//! no later and the other no sooner, capturing everything wins with any store, and a cycle pays no less. So the stores with
//! which a side wins reach up to the largest, and so do those with which it does not lose.
//!
//! *Bounds (`oware`).* Starting with "nothing is sure" and "everything is possible", the same iterations find the shares
//! that are forced in finitely many moves, by lines in which no board comes back. So what a repetition pays does not
//! matter. A game also ends when a store has more than half of the seeds, and the rest stays on the board then. A side that
//! can force the majority wins, and so does the side that has it first. So the shares give the winner, but not the final
//! difference.
//!
//! # Files of this folder
//! The package `kroo-endgames` builds, packs and checks files; here is what a search needs.
//!
//! | file | content |
//! |---|---|
//! | `endgames.rs` | all databases of a process; probing |
//! | `indexing.rs` | the index of a board, and the board of an index |
//! | `deadlines.rs` | within how many plies a result is sure, for the move limit |
//! | `conversion.rs` | distance to conversion: how a known result becomes the end of the game |
//! | `database.rs`, `database_cell.rs`, `coding.rs`, `error.rs` | a database in memory or in a file |
//! | `storage.rs`, `plain_values.rs`, `packed_values.rs` | the values in memory, in a plain file or in a packed one |
//! | `file.rs`, `database_files.rs` | the header of a file; the files of a folder |
//! | `mapped_file.rs`, `checked_file.rs` | files that are cut off, overwritten or damaged while they are mapped |
//! | `tile_coder.rs`, `tiling.rs`, `prediction.rs` | the compression of packed files |
//! | `database_builder.rs` | chooses the builder of a rule set, one of the three below |
//! | `acyclic.rs`; `row_moves.rs`, `row_offers.rs` | no cycles: one pass; the moves as tables |
//! | `graph_iteration.rs` | cycles, the lead only adds: iteration over a graph of moves |
//! | `value_iteration.rs` | cycles, the lead decides, sowings of one lap: value iteration |
//! | `move_tables.rs`, `sown_ranks.rs`; `thresholds.rs`, `cell.rs` | its moves as tables; its values, in a byte or two |
//! | `evaluator.rs` | its sweep, over values in memory, on the disk or on another process |
//! | `lower_databases.rs`, `thread_pool.rs` | the databases that captures lead to; the threads of a build |
//! | `checkpoint.rs` | the contract for saving an unfinished build |
//! | `probe_trace.rs` | records the probes of a search, to measure their cost |
//!
//! [`Rules::LEAD_ADDS`]: crate::game::Rules::LEAD_ADDS
//! [`Rules::SWEEP_WINS`]: crate::game::Rules::SWEEP_WINS

#[doc(hidden)]
pub mod acyclic;
#[doc(hidden)]
pub mod cell;
mod checked_file;
#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod coding;
#[doc(hidden)]
pub mod conversion;
#[doc(hidden)]
pub mod database;
#[doc(hidden)]
pub mod database_builder;
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
pub mod evaluator;
#[doc(hidden)]
pub mod file;
#[doc(hidden)]
pub mod graph_iteration;
#[doc(hidden)]
pub mod indexing;
#[doc(hidden)]
pub mod lower_databases;
#[doc(hidden)]
pub mod mapped_file;
#[doc(hidden)]
pub mod move_tables;
#[doc(hidden)]
pub mod packed_values;
#[doc(hidden)]
pub mod plain_values;
#[doc(hidden)]
pub mod prediction;
#[cfg(feature = "probe-trace")]
mod probe_trace;
#[doc(hidden)]
pub mod row_moves;
mod row_offers;
#[doc(hidden)]
pub mod sown_ranks;
#[doc(hidden)]
pub mod storage;
#[doc(hidden)]
pub mod thread_pool;
#[doc(hidden)]
pub mod thresholds;
#[doc(hidden)]
pub mod tile_coder;
#[doc(hidden)]
pub mod tiling;
#[doc(hidden)]
pub mod value_iteration;

pub use conversion::{ConversionTable, attacker_is_to_move};
pub use database_files::{Gap, find_database, user_folder};
pub use endgames::Endgames;
pub use error::{EndgameFileError, EndgameFormatError};
pub use file::{database_path, packed_path};
pub use indexing::{
    Boards, Indexing, MAX_INDEXED_SEEDS, MAX_SEEDS, Rows, board_count, database_bytes, database_size,
};
#[cfg(not(target_family = "wasm"))]
pub use mapped_file::MappedFile;
#[cfg(feature = "probe-trace")]
pub use probe_trace::ProbeTrace;
pub use thread_pool::{BuildStatus, ThreadPool, WatchedPool};
