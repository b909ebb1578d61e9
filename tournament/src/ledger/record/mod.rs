//! Game records, and the journal: the file of game records that survives whatever ends the referee.
//!
//! A journal is a text file that grows at its end. Removed are only torn lines, and games after the one that has decided an
//! SPRT. If its tournament gets more rounds, a copy with another first line replaces it. The first line ([`JournalHeader`])
//! identifies the tournament; each other line is a [`GameRecord`], in the order in which the games finished. A line is the
//! checksum of the rest (CRC-32, eight hexadecimal digits), a blank, and a JSON object. A game counts only after its line has
//! been synced to the disk. So a resumed tournament finds every game that was ever counted, and plays the others. The workers
//! of a queue send the same lines.
//!
//! The file is a [`GrowingFile`](kroo::files::records::GrowingFile), which is locked, and a sudden end can only tear its end: lines
//! that were being written. Those games were never counted, and the lines are dropped. So is a line with zero bytes, data that was
//! lost with the power: its game is played again. Any other damaged line among good ones is an error; nothing is guessed. The
//! header is compared with the plan, setting by setting.
//!
//! | file | content |
//! |---|---|
//! | `game_record.rs` | a finished game |
//! | `encoding.rs` | its serde form, [`GameLine`], and its line |
//! | `header.rs` | the first line |
//! | `writer.rs`, `reader.rs` | appending and syncing lines; reading a journal |
//! | `fingerprint.rs` | when two games are the same |
//! | `scheduled_text.rs` | a scheduled game as text, for batches and lines |
//!
//! Begin with [`GameRecord`].

mod encoding;
mod fingerprint;
mod game_record;
mod header;
mod reader;
mod scheduled_text;
mod writer;

pub use encoding::{GameLine, RecordError};
pub use fingerprint::{fingerprint, foreign_game, number_of};
pub use game_record::{GameRecord, WorkerInfo};
pub use header::{Difference, JournalHeader, RecordedCommand, VERSION};
pub use reader::{JournalReader, longest_line};
pub use scheduled_text::ScheduledText;
pub use writer::Journal;
