//! The journal: what has been played, safe from whatever ends the referee.
//!
//! A journal is a text file that only ever grows, unless its tournament gets more rounds: then a copy with another first line
//! takes its place. The first line ([`JournalHeader`]) says which tournament it belongs to; each
//! other line ([`JournalEntry`]) is a finished game, in the order in which the games finished. A line is the checksum of the
//! rest (CRC-32, eight hexadecimal digits), a blank, and a JSON object. A game counts only after its line has been synced to
//! the disk. So a resumed tournament finds every game that was ever counted, and plays the others.
//!
//! Whatever kills the referee can only tear the end of the file: lines that were being written. Those games were never counted,
//! and the lines are dropped. A damaged line among good ones is an error; nothing is guessed. The file is locked while a referee
//! writes to it, and its header is compared with what is to be played, setting by setting.

mod entry;
mod error;
mod game_file;
mod header;
mod line;
mod reader;
mod search_columns;
mod writer;

pub use entry::{EntryError, JournalEntry, JournalScore};
pub use game_file::foreign_game;
pub use header::{Difference, JournalHeader, RecordedCommand, VERSION};
pub use reader::{JournalReader, longest_line};
pub use search_columns::{JournalProof, SearchColumns};
pub use writer::Journal;
