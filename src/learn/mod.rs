//! What the engine has learned from games that it did not win: a text file that outlives the engine.
//!
//! Each line of the file is a lesson ([`LearnedGame`] has the format). A lesson is never changed: whoever learns
//! something adds a line. So several engines can share one file. Each engine takes an exclusive lock, adds whole
//! lines, and waits until they are on the disk. Each engine reads what the others have added when a game or a move begins.
//!
//! **Crashes.** A line ends with a full stop, which occurs nowhere else, followed by a line feed. So a last line that
//! was cut off by a crash can be recognised: readers leave it out, and the next writer removes it. A file with another
//! first line, or with a line that is not a lesson, belongs to somebody else: it is refused and never written to.
//!
//! **Compacting** merges equal lessons. It writes a new file and puts it in the place of the old one in one step, under
//! the lock of the old one. An engine that has the old file open notices that and reads the new one.

mod compact;
mod error;
#[doc(hidden)]
pub mod file;
mod line;

pub use compact::{Summary, compact, summary};
pub use error::LearnError;
pub use file::{LearnFile, LearnUpdate};
pub use line::{LearnedGame, Lesson};
