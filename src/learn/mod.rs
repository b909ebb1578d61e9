//! Lessons from games that the engine failed to win: a text file that outlives the engine.
//!
//! Each line of the file is a lesson (`src/formats.md` has the format). Play only adds lessons, so several
//! engines can share one file. To add lines, an engine takes an exclusive lock, appends whole lines, and syncs them to the
//! disk. At the beginning of a game or a move, it reads the lines that others have added.
//!
//! **Crashes.** A line ends with a full stop, which occurs nowhere else, and a line feed. So a last line truncated by a crash
//! is recognisable: readers ignore it, and the next writer removes it. A file with another first line, or with a line that is
//! no lesson, is refused and never written to.
//!
//! **Compaction** merges equal lessons. It writes a new file and atomically replaces the old one, under the lock of the old
//! one. An engine that has the old file open notices the replacement and reads the new one.

mod compact;
mod error;
#[doc(hidden)]
pub mod file;
mod line;

pub use compact::{Summary, compact, summary};
pub use error::LearnError;
pub use file::{LearnFile, LearnUpdate};
pub use line::{LearnedGame, Lesson};
