//! Endgames: databases with the result of every board with few seeds.
//!
//! No capture puts seeds back, so the boards are divided by the seeds in their pits: the **n-seed database** has those with n,
//! and depends on those with fewer. Within a database the boards are numbered without gaps (`probe/indexing.rs`), and one byte a
//! board (one for each kind of move if a turn can have a second) holds its value. Its meaning depends on the rule set:
//!
//! - **Gain** (`kalah`, `awari1978`, `avalanche`, `ayoayo`; [`Rules::LEAD_ADDS`]): how many seeds more than the other side the side to
//!   move will bank from here on. A cycle gains nothing. The final difference of the stores is the lead plus the gain.
//! - **Thresholds** (`awari`; [`Rules::SWEEP_WINS`]): a side wins outright by capturing everything, and a game ends when a store
//!   has more than half of the seeds, so the result also depends on the lead. It never gets worse with a larger store (below), so
//!   two numbers give it for every lead: the smallest store with which the side to move wins, and the smallest with which it does
//!   not lose.
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
//! *Cycles that leave the score as it is.* A value v better than the current score must be forced in finitely many moves. Value
//! iteration starts with every board at the value of a cycle, and takes the best offer of the moves, repeatedly. It finds exactly
//! the boards from which v is forced in one move, two, and so on; the same holds for the other side below the current score. When
//! nothing changes any more, both sides have all that they can force, and the rest is play that never ends. The order of
//! evaluation does not matter: each v has its own set of boards, which only grows, up to the least set that is closed under the
//! moves.
//!
//! *A larger store is never worse (`awari`).* Play the same moves: each capture is the same, one store reaches the majority
//! no later and the other no sooner, capturing everything wins with any store, and a cycle pays no less. So the stores with
//! which a side wins reach up to the largest, and so do those with which it does not lose.
//!
//! *Bounds (`oware`).* Starting with "nothing is sure" and "everything is possible", the same iterations find the shares that are
//! forced in finitely many moves, by lines without a repetition. The value of a repetition therefore does not matter. A game also
//! ends when a store has more than half of the seeds, and the rest stays on the board then. A side that can force the majority
//! wins, and so does the side that has it first. So the shares give the winner, but not the final difference.
//!
//! # Modules
//! Imports go one way: `probe ← building`, which a test checks. The package `kroo-endgames` builds on the disk and on many
//! machines.
//!
//! [`Rules::LEAD_ADDS`]: crate::game::Rules::LEAD_ADDS
//! [`Rules::SWEEP_WINS`]: crate::game::Rules::SWEEP_WINS

#[doc(hidden)]
pub mod building;
#[doc(hidden)]
pub mod probe;

pub use crate::thread_pool::ThreadPool;
pub use building::watched::{BuildStatus, WatchedPool};
pub use probe::conversion::{ConversionTable, attacker_is_to_move};
pub use probe::database_files::{Gap, find_database, user_folder};
pub use probe::endgames::{Endgames, Place};
pub use probe::error::{EndgameFileError, EndgameFormatError};
pub use probe::file::{database_path, packed_path};
pub use probe::indexing::{
    Boards, Indexing, MAX_INDEXED_SEEDS, MAX_SEEDS, Rows, board_count, database_bytes, database_size,
};
#[cfg(not(target_family = "wasm"))]
pub use probe::mapped_file::MappedFile;
