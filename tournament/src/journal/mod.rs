//! What has been played, kept safe from whatever ends the referee.
//!
//! A journal is a text file that only ever grows: a line that says which tournament it is of ([`JournalHeader`]), then a line
//! for each finished game ([`JournalEntry`]), in the order in which the games finished. A line is the checksum of the rest
//! (CRC-32, eight hexadecimal digits), a blank, and a JSON object. A game counts only after its line has been synced to
//! the disk, so whoever takes the tournament up again finds every game that was ever counted, and plays the others.
//!
//! Whatever kills the referee can tear no more than the end of the file: lines that were being written. They were never
//! counted and are dropped. A line that is damaged in the midst of others is an error; nothing is guessed. The file is
//! locked while a referee writes to it, and the header is compared with what is to be played, setting by setting.

mod entry;
mod error;
mod header;
mod line;
mod reader;
mod writer;

pub use entry::{EntryError, GameResult, JournalEntry, JournalScore};
pub use error::JournalError;
pub use header::{Difference, JournalHeader, VERSION};
pub use reader::JournalReader;
pub use writer::Journal;
