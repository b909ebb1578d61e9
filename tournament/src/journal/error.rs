//! What can be wrong with a journal.

use super::entry::EntryError;
use super::header::{Difference, HeaderError, VERSION};
use kroo::files::why;
use std::io;
use std::path::PathBuf;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {}", .path.display(), why(.path, .error))]
    File {
        /// The journal.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is one already.
    #[error(
        "{}: this journal exists: give --resume to go on with its tournament, or another name for a new one",
        .path.display()
    )]
    Exists {
        /// The journal.
        path: PathBuf,
    },
    /// Another referee is writing to it.
    #[error(
        "{}: another referee is writing to this journal{}",
        .path.display(), .holder.as_ref().map(|holder| format!(": {holder}")).unwrap_or_default()
    )]
    Locked {
        /// The journal.
        path: PathBuf,
        /// Who, if the system tells.
        holder: Option<String>,
    },
    /// A line is longer than any that a referee writes.
    #[error("{}:{line}: this line has more than {most} bytes: a referee has not written it", .path.display())]
    LongLine {
        /// The journal.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// The most bytes of a line.
        most: u64,
    },
    /// Its header asks for what no referee plays.
    #[error("{}: the header of this journal is out of bounds: {problem}: a referee has not written it", .path.display())]
    Header {
        /// The journal.
        path: PathBuf,
        /// What is out of bounds.
        problem: HeaderError,
    },
    /// A line has changed since it was written.
    #[error(
        "{}:{line}: this line is damaged ({problem}), but later ones are not: the journal has been changed; the \
         lines before it are good",
        .path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The first line is not a header.
    #[error("{}: this is not a journal of the referee: {problem}", .path.display())]
    NoJournal {
        /// The file.
        path: PathBuf,
        /// Why not.
        problem: String,
    },
    /// It has another version.
    #[error("{}: this journal has version {found}, but only version {VERSION} is read", .path.display())]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// It belongs to another tournament.
    #[error(
        "{}: this is the journal of another tournament: {} is {} there and {} here",
        .path.display(), .difference.place, .difference.one, .difference.other
    )]
    Another {
        /// The journal.
        path: PathBuf,
        /// The first setting that is not the same.
        difference: Box<Difference>,
    },
    /// One of its engines is another program now.
    #[error(
        "{}: {name} is another executable now than the one that has played there: bring that one back, or begin a new \
         journal",
        .path.display()
    )]
    OtherProgram {
        /// The journal.
        path: PathBuf,
        /// The engine.
        name: String,
    },
    /// An entry is not a game of this tournament.
    #[error("{}:{line}: game {number} is not a game of this tournament: {error}", .path.display())]
    Game {
        /// The journal.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// The game's number.
        number: u64,
        /// What is wrong with it.
        error: EntryError,
    },
    /// A game has two entries.
    #[error("{}:{line}: game {number} is in the journal twice", .path.display())]
    Duplicate {
        /// The journal.
        path: PathBuf,
        /// The number of the second line, from 1.
        line: u64,
        /// The game's number.
        number: u64,
    },
}
