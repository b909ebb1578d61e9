//! Why a file of records cannot be used, and what to do about it.

use crate::files::{WriteError, for_shell, shown, why};
use std::io;
use std::path::PathBuf;

/// Why a file of records cannot be used. It is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read.
    #[error("{} cannot be read: {}", shown(.path), why(.path, .source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another program has it locked.
    #[error(
        "another program is writing to {}{}: wait for it, or name another file",
        shown(.path), .holder.as_ref().map(|holder| format!(" ({holder})")).unwrap_or_default()
    )]
    Locked {
        /// The file.
        path: PathBuf,
        /// The name and process of the other program, if known.
        holder: Option<String>,
    },
    /// It has other content.
    #[error("{} has other content than {expected}, and stays as it is: move it away, or name another file", shown(.path))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The expected content.
        expected: String,
    },
    /// It has another version of the format.
    #[error(
        "{} has {format} of version {found}, this engine has version {known}: use the engine that wrote it, or name another file",
        shown(.path)
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The format.
        format: String,
        /// Its version.
        found: String,
        /// The version of this engine.
        known: u32,
    },
    /// It belongs to another question.
    #[error(
        "{} was begun with other arguments, and stays as it is: {field} is {found} there and {wanted} here; give the same, \
         move the file away, or name another one",
        shown(.path)
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// The field that differs.
        field: String,
        /// Its value in the file.
        found: String,
        /// The value asked for.
        wanted: String,
    },
    /// A byte is not what was written.
    #[error(
        "{} is damaged from byte {} on, and stays as it is: {}", shown(.path), .sound + 1,
        if *.records == 0 { "delete it, or name another file".to_owned() } else {
            format!(
                "`truncate -s {sound} {}` keeps the {records} records before, and the command that wrote it goes on from there",
                for_shell(.path)
            )
        }
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Bytes before the damage.
        sound: u64,
        /// Whole records in them.
        records: u64,
    },
    /// Its last record is incomplete.
    #[error(
        "{} ends with an incomplete record of {bytes} bytes: its writer was killed, or is at work; the command that wrote it \
         goes on from there",
        shown(.path)
    )]
    Torn {
        /// The file.
        path: PathBuf,
        /// Bytes of the incomplete record.
        bytes: u64,
    },
    /// A line is longer than any that its writer makes.
    #[error("{}:{line}: this line has more than {most} bytes, so Kroo has not written it: name another file", .path.display())]
    LongLine {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The most bytes.
        most: u64,
    },
    /// A line is not what was written, and later ones are.
    #[error(
        "{}:{line}: this line is damaged ({problem}), but later ones are not, so the file has been changed: delete it and the \
         lines after it, which the command that wrote them makes again, or name another file", .path.display()
    )]
    DamagedLine {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The fault.
        problem: String,
    },
}
