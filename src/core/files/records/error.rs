//! Why a file of records cannot be used, and what to do about it.

use crate::files::{WriteError, for_shell, shown, why};
use std::io;
use std::path::PathBuf;

/// Why a file of records cannot be used. It is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("{} cannot be read: {}", shown(.path), why(.path, .source))]
    Read { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(
        "another program is writing to {}{}: wait for it, or name another file",
        shown(.path), .holder.as_ref().map(|holder| format!(" ({holder})")).unwrap_or_default()
    )]
    Locked {
        path: PathBuf,
        /// The name and process of the other program, if known.
        holder: Option<String>,
    },
    #[error("{} has other content than {expected}, and stays as it is: move it away, or name another file", shown(.path))]
    Foreign { path: PathBuf, expected: String },
    #[error(
        "{} has {format} of version {found}, this engine has version {known}: use the engine that wrote it, or name another file",
        shown(.path)
    )]
    Version { path: PathBuf, format: String, found: String, known: u32 },
    #[error(
        "{} was begun with other arguments, and stays as it is: {field} is {found} there and {wanted} here; give the same, \
         move the file away, or name another one",
        shown(.path)
    )]
    Different { path: PathBuf, field: String, found: String, wanted: String },
    #[error(
        "{} is damaged from byte {} on, and stays as it is: {}", shown(.path), .sound + 1,
        if *.records == 0 { "delete it, or name another file".to_owned() } else {
            format!(
                "`truncate -s {sound} {}` keeps the {records} records before, and the command that wrote it goes on from there",
                for_shell(.path)
            )
        }
    )]
    Damaged { path: PathBuf, sound: u64, records: u64 },
    #[error(
        "{} ends with an incomplete record of {bytes} bytes: its writer was killed, or is at work; the command that wrote it \
         goes on from there",
        shown(.path)
    )]
    Torn { path: PathBuf, bytes: u64 },
    #[error("{}:{line}: this line has more than {most} bytes, and Kroo has not written it: name another file", .path.display())]
    LongLine {
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The most bytes.
        most: u64,
    },
    #[error(
        "{}:{line}: this line is damaged ({problem}), but later ones are not: the file has been changed; delete it and the \
         lines after it, which the command that wrote them makes again, or name another file", .path.display()
    )]
    DamagedLine {
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        problem: String,
    },
}
