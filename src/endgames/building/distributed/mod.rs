//! Databases that several processes build together, each with a share of the boards: for databases that are too large or too slow
//! for one machine. The files are those of one machine, byte for byte.
//!
//! This is the value iteration of [`value_iteration`], with the same sweep ([`evaluator`]), for the rule sets that are built
//! there (`awari`, `oware`). The connection of the processes, the **ranks**, is left open ([`Exchange`]): threads of one process
//! in tests, MPI in the package `kroo-endgame-mpi`. Parallel retrograde analysis over many machines is due to H. Bal and L.
//! Allis, "Parallel Retrograde Analysis on a Distributed System" (Supercomputing 1995), and solved awari (J. Romein and H. Bal,
//! "Solving Awari with Parallel Retrograde Analysis", IEEE Computer 36(10), 2003). There, a changed board notifies its
//! predecessors; here, as on one machine, whole stretches of boards look at their successors.
//!
//! # Tasks of a rank
//! A slab is all boards with one row of the other side. It has one owner (`layout.rs`). All boards with one row of the mover look
//! at no more than six slabs, those of the rows that the six moves leave, and most of these have the owner that a slab of the
//! mover's row would have. The owner of a row therefore also evaluates the boards with that row to move. A **step** evaluates a
//! bounded number of stretches of such boards:
//!
//! 1. ask the owners of the slabs that others have, a word for a move against a stretch of 256 other rows;
//! 2. answer with a cell a board, gathered in the order in which they are used;
//! 3. evaluate: take the best of the moves and of the conversion value;
//! 4. put what has changed, place and value in a word, to the owner of the slab of the other side's row.
//!
//! All four go by all-to-all exchange. At the end of an iteration the ranks exchange a bit for every 256 boards that have
//! changed. The next iteration leaves out boards that look at none of them; when nothing has changed, the database is done.
//!
//! # Why late and repeated messages do no harm
//! Take one byte of one board: a bound, or the sum of both thresholds, which move together ([`cell`]). It begins at the value of
//! endless play, s, and ends at some e. *It moves from s to e one way only.* For each v better than s there is a set of boards
//! whose side can force v, and for each v worse than s a set whose other side can force it ([`kroo_core::endgames`]). The byte
//! encodes which of these sets contain the board. Iterations only ever add boards to them, because a move that forces v still
//! forces it when the sets are larger. No board is in a set for something better and in one for something worse. The byte
//! therefore goes only down or only up, and never past e, the least sets that are closed under the moves.
//!
//! *A message never says too much.* An evaluation of bytes between s and e gives a byte between s and e, whether
//! its inputs are the newest or not: an earlier iteration could have found it.
//!
//! *An owner therefore takes from a put, byte by byte, the values further from s than its own.* It does not matter when a put
//! arrives, how often, or after which others: the owner has the furthest value that has arrived. A late put is either superseded
//! by a later one, or moves the byte where it would have gone anyway.
//!
//! *Nothing is missed.* A change sets a bit, and every board that looks at that stretch is evaluated in the next iteration, from
//! values at least as new as the change. Puts arrive before their iteration ends. If none has changed anything, every board has
//! the best offer of its moves: a fixpoint that is not past the least, and so the least. The values, and the files, do not depend
//! on the number of ranks, on the order of the steps, or on the checkpoint at the start.
//!
//! *A byte a board tells whether its value has changed.* The rank that evaluates a board has no copy of its value. The distance
//! of both bytes from s is enough: neither byte goes back, and the sum grows whenever one of them moves. This requires that a
//! rank never reads older values in a later evaluation, which holds because answers come from the owner in the same step.
//!
//! # Memory
//! A rank has, for each board of its share, a [`cell`] for the value, one for the conversion value and a byte for the
//! distance; two bits for every 256 boards of the database; 14 bytes a row, and the tables of moves, which all ranks need
//! whole; and buffers of bounded size ([`Limits`]). Lower databases are mapped from the shared folder. Threads share all of
//! this, so one rank a machine, with a thread a core, takes the least.
//!
//! [`cell`]: kroo_core::endgames::building::cell
//! [`evaluator`]: kroo_core::endgames::building::evaluator
//! [`value_iteration`]: kroo_core::endgames::building::value_iteration

mod builder;
mod conversions;
mod exchange;
mod iterations;
#[doc(hidden)]
pub mod layout;
mod limits;
#[doc(hidden)]
pub mod messages;
#[doc(hidden)]
pub mod share;
mod stream;

pub use builder::{DistributedBuildError, DistributedEvent, DistributedNeeds, build_distributed, needs};
pub use exchange::{Exchange, LocalExchange, PeerLost, Reduction};
pub use limits::{Limits, Traffic};
