//! The conversation over the line protocol: one loop that owns the output.
//!
//! Three threads work together over channels. The **reader** thread turns the input into lines. The **search thread**
//! takes jobs and sends events. The **session loop** in [`Session::run`] stands between them: it receives lines and
//! events, keeps the settings, the game and the transposition table, and is the only one that writes. So `isready` is
//! answered during a search, and two lines of output are never mixed.
//!
//! At most one job runs at a time. Commands that would disturb it (another `go`, options, a new game) are refused until
//! it has ended. After `stop` the loop waits for the job's final reply before it reads the next line, so a program may
//! send `stop`, `position` and `go` at once.
//!
//! | file | contents |
//! |---|---|
//! | `conversation.rs` | the session and its loop |
//! | `job_end.rs` | waiting for the end of a job |
//! | `commands.rs`, `set_option.rs` | what each command does |
//! | `reader.rs`, `search_thread.rs`, `spin.rs` | the two other threads, and how threads wait for each other |
//! | `info.rs` | search reports as `info` lines |
//! | `book_moves.rs`, `endgames.rs` | the opening book and the endgames of a session |
//! | `player.rs`, `learning.rs`, `move_record.rs` | the player that chooses the moves, and what it learns |
//! | `bench.rs`, `evaluation.rs`, `sow.rs` | the commands `bench`, `eval` and `sow` |

mod bench;
mod book_moves;
mod commands;
mod conversation;
mod endgames;
mod evaluation;
mod info;
mod job_end;
mod learning;
mod move_record;
mod player;
mod reader;
mod search_thread;
mod set_option;
mod sow;
mod spin;
#[cfg(test)]
mod tests;

pub use conversation::{NAME, Session, StartError};
