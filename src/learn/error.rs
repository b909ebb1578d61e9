//! What can be wrong with a file of lessons.

use crate::files::WriteError;
use std::io;
use std::path::PathBuf;

/// Why lessons cannot be read or written. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The file cannot be reached.
    #[error("{} cannot be {doing}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was to be done with it.
        doing: &'static str,
        /// Why it could not be.
        source: io::Error,
    },
    /// The file cannot be replaced.
    #[error(transparent)]
    Replace(#[from] WriteError),
    /// It is a folder, a pipe, a device.
    #[error("{} is not an ordinary file; name a file of lessons, or one that does not exist yet", .path.display())]
    NoFile {
        /// What is there.
        path: PathBuf,
    },
    /// Another program does not let go of it.
    #[error("{} has been locked by another process for {seconds} seconds; what was learned is kept until it can be written", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// How long was waited.
        seconds: u64,
    },
    /// It is something else.
    #[error(
        "{} is no file of lessons: its first line is `{found}`, expected `kroo learn 1`; name another file",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its first line, clipped.
        found: String,
    },
    /// A line is no lesson.
    #[error(
        "{}, line {line}, column {column}: expected {expected}, found `{found}`; mend or remove the line, or name another \
         file", .path.display()
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which column, from 1.
        column: usize,
        /// What should stand there.
        expected: &'static str,
        /// What does, clipped.
        found: String,
    },
}

/// What a message repeats of its cause.
pub(super) fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
