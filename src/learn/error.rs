//! Errors of lesson files.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a lesson file cannot be read or written. The file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The operating system refused.
    #[error("{} cannot be {doing}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The failed operation, as a participle: "read", "written".
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// Another process held the lock for too long.
    #[error("{} has been locked by another process for {waited:?}; what was learned will be written later", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// How long this process waited.
        waited: Duration,
    },
    /// Another kind of file.
    #[error(
        "{} is not a file of lessons: its first line is `{found}`, expected `{expected}`; name another file",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its first line, clipped.
        found: String,
        /// The first line of a file of lessons.
        expected: &'static str,
    },
    /// A line is not a lesson.
    #[error(
        "{}, line {line}, column {column}: expected {expected}, found `{found}`; correct or remove the line, or name another \
         file", .path.display()
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1.
        column: usize,
        /// The expected text.
        expected: &'static str,
        /// The text found, clipped.
        found: String,
    },
}
