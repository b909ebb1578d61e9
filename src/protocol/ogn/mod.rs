//! The game file, `.ogn`: the text format of the oware programs, a relative of PGN.
//! `docs/formats.md` of the repository describes the format, and how far the reader is more lenient than the writer.
//!
//! All programs here share one writer and one reader: the referee writes the games of a match, counts results and reads
//! openings, `kroo play` saves games and continues them, `kroo analyse` judges them, and so does the page of `kroo web`. The
//! writer is strict. What is read is written again, comments and variations included; a game lists what it had to omit
//! ([`Omitted`]). The reader has two stages:
//!
//! 1. [`Reader`] makes a [`GameText`] of the words, one game after the other, so that a file may have any length. Variations and
//!    annotations are kept with the moves.
//! 2. [`GameText::play`] plays the moves and returns a [`GameRecord`], which is legal.
//!
//! Errors of both have the place in the text. [`parse`] and [`open`] run both stages for all games of a text or a file.
//!
//! ```
//! let text = "[Variant \"Oware Abapa\"]\n[South \"me\"]\n\n1. F f 2. E *\n";
//! let games = kroo_protocol::ogn::parse(text)?;
//! assert_eq!(games[0].tag("South"), Some("me"));
//! assert_eq!(games[0].game.moves().len(), 3);
//! # Ok::<(), kroo_protocol::ogn::OgnError>(())
//! ```

#[doc(hidden)]
pub mod date;
mod error;
mod file;
mod json;
mod legal;
mod line;
mod moves;
mod omitted;
mod played;
mod record;
mod text;
mod text_reader;
mod turn;
mod words;
mod write;

pub use date::date;
pub use error::{OgnError, OgnFault, Place, ReadError};
pub use file::{FileError, FileText, open, open_as, read, save};
pub use json::{LARGEST_JSON, as_json, from_json};
pub use legal::parse;
pub use moves::{MoveNotes, MoveText, VariationText};
pub use omitted::{Omitted, Part};
pub use record::{GameRecord, OPENING};
pub use text::{GameText, TagText};
pub use text_reader::Reader;
pub use turn::Turn;
