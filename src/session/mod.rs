//! The conversation over the line protocol.
//!
//! The [`Session`] is a state machine. It is handed a line, or an event of the job that it has started, answers at once and
//! waits for nothing. It keeps the settings, the game and the transposition table, and is the only one that writes; so two
//! lines of output are never mixed. Whoever drives it does the jobs. There are two drivers:
//!
//! - [`Session::run`] has three threads that work together over channels. The **reader** thread turns the input into lines. The
//!   **search thread** takes jobs and sends events. The **session loop** stands between them and hands the session lines and
//!   events. So `isready` is answered during a search.
//! - [`SlicedSession`] has no thread of its own. Its owner hands it lines, and time in which it works; after each slice of time it
//!   pauses, and more lines may come. This is for a worker of a browser.
//!
//! At most one job runs at a time. Commands that would disturb it (another `go`, options, a new game) are refused until
//! it has ended. After `stop` the lines that come wait for the job's final reply, so a program may send `stop`, `position` and
//! `go` at once.
//!
//! | file | contents |
//! |---|---|
//! | `conversation.rs` | the session: lines and events, and what waits for what |
//! | `commands.rs`, `set_option.rs` | what each command does |
//! | `job.rs` | what takes its time: the jobs, their control and their events |
//! | `threads.rs` | the driver with threads |
//! | `reader.rs`, `search_thread.rs`, `spin.rs` | the two other threads, and how threads wait for each other |
//! | `slices.rs` | the driver without |
//! | `info.rs` | search reports as `info` lines |
//! | `learning.rs`, `move_record.rs` | what the player learns from games |
//! | `bench.rs`, `endgames.rs`, `evaluation.rs`, `sow.rs` | the commands `bench`, `endgame`, `eval` and `sow` |

mod bench;
mod commands;
mod conversation;
mod endgames;
mod evaluation;
#[doc(hidden)]
pub mod info;
#[doc(hidden)]
pub mod job;
mod learning;
#[doc(hidden)]
pub mod move_record;
#[doc(hidden)]
pub mod reader;
mod search_thread;
#[doc(hidden)]
pub mod set_option;
mod slices;
mod sow;
mod spin;
mod threads;

pub use bench::quick_signature as quick_bench_signature;
pub use conversation::{NAME, Session, StartError};
pub use job::AfterPause;
pub use slices::SlicedSession;
