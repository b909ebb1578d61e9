//! Errors of a journal.

use crate::failure::Failure;
use kroo::files::why;
use std::io;
use std::path::Path;

/// It cannot be read or written.
pub(super) fn of_file(path: &Path, error: &io::Error) -> Failure {
    Failure::at(path.display(), why(path, error))
}

/// A line is longer than any that a referee writes.
pub(super) fn of_long_line(path: &Path, line: u64, most: u64) -> Failure {
    let problem = format!("this line has more than {most} bytes: a referee has not written it");
    Failure::at(format!("{}:{line}", path.display()), problem)
}
