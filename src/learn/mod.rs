//! Lessons of the program of 1978: a text file that outlives the engine.
//!
//! Each line of the file is a game that the program failed to win (`docs/formats.md` has the format). Engines only add lines,
//! so several of them can share one file. To add lines, an engine takes an exclusive lock, appends whole lines, and syncs them
//! to the disk. At the beginning of a game or a move, it reads the lines that others have added.
//!
//! **Crashes.** A crash can leave the beginning of a line at the end of the file. Readers ignore it, and the next writer removes
//! it. A file with another first line, or with a line that is no lesson, is refused and never written to.

mod error;
mod file;
mod lesson;

pub use error::LearnError;
pub use file::{LearnFile, LearnUpdate};
pub use lesson::{Lesson, begins_at_start};
