//! The output of the subcommands: lines and usage errors.

use kroo_core::printable;
use std::io;

pub(super) fn usage_error(message: &str) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{message}\n"))
}

pub(super) fn remark(line: &str) {
    // If this fails too, the answer on standard output is enough.
    let _ = printable::to_stderr(line);
}

/// Prints a line. A closed output pipe is no error.
pub(super) fn say(line: &str) -> Result<(), Box<dyn std::error::Error>> {
    match printable::to_stdout(line) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
