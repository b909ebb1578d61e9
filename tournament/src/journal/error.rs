//! What is wrong with a journal.

use super::EntryError;
use super::header::{Difference, VERSION};
use kroo::files::why;
use std::io;
use std::path::PathBuf;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system does not let it be read or written.
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
    /// Another referee writes to it.
    #[error("{}: another referee is writing to this journal", .path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// A line is not what it was when it was written.
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
    /// The first line is no header.
    #[error("{}: this is no journal of the referee: {problem}", .path.display())]
    NoJournal {
        /// The file.
        path: PathBuf,
        /// Why not.
        problem: String,
    },
    /// Another version.
    #[error("{}: this journal has version {found}, but only version {VERSION} is read", .path.display())]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// Another tournament.
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
    /// A record that is no game.
    #[error("{}:{line}: game {number} is no game of this tournament: {error}", .path.display())]
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
    /// A game that has been recorded before.
    #[error("{}:{line}: game {number} stands in the journal twice", .path.display())]
    Twice {
        /// The journal.
        path: PathBuf,
        /// The second line's number, from 1.
        line: u64,
        /// The game's number.
        number: u64,
    },
}
