//! The game file, `.ogn`: the text format of the oware programs, a relative of PGN.
//!
//! ```text
//! [Variant "Awari 1978"]
//! [Event "Match"]
//! [Site "?"]
//! [Date "2026.11.21"]
//! [Round "1"]
//! [South "new"]
//! [North "old"]
//! [Result "1-0"]
//! [FEN "0-0-0-1-0-1-0-2-0-0-0-3-15-14-S"]
//! [Termination "by the rules"]
//! [TimeControl "st=0.02"]
//!
//! 1. F+1 {+1.20/9 0.018s} D {+1.20/8 0.017s} f {-2.00/9 0.019s} 2. F+1
//! {+2.00/3 0.000s} 18-14
//! ```
//!
//! - The tags have this order. `FEN` is present if the game began at another position than the rule set's start. `Result` is
//!   the result with South first, or `*` for an unfinished game; `Termination` is why the game ended, `TimeControl` the limits.
//! - A move is its letter, and `+N` if it brought N seeds into the mover's store by capturing or sowing. Seeds awarded by the
//!   end of the game are not included.
//! - A number precedes a turn of South and the following turn of North. A turn may have several moves (`awari1978`, `kalah`,
//!   `avalanche`), written as separate words without a new number. Upper case is South, lower case North. If North begins,
//!   the game begins with `1... f`.
//! - A comment in braces belongs to the move before it.
//! - Lines except tags are shorter than 80 characters. The last word is the seeds in the stores, South's first. A blank line
//!   ends the game.
//!
//! All programs here share one writer and one reader: the referee writes the games of a match, counts results and reads
//! openings, `kroo play` saves games and continues them, `kroo analyse` judges them, and so does the page of `kroo web`. The
//! writer is strict. The reader has two stages:
//!
//! 1. [`Reader`] makes a [`GameText`] of the words, one game after the other, so that a file may have any length. It accepts
//!    the variations of other programs: tags in any order or none, lines of any length, no turn numbers, `1.F` without a
//!    space, comments from `;` to the end of the line, the stores as the value of `Result`, and no last word. Variations in
//!    round brackets and annotations of moves (`$1`, `?!`) are kept with the moves. Lines that begin with `%` are skipped.
//! 2. [`GameText::play`] plays the moves and returns a [`GameRecord`], which is legal. A game without a last word is complete
//!    if the rules have ended it, or if `Result` is `*`.
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
mod record;
mod text;
mod words;
mod write;

pub use date::date;
pub use error::{OgnError, OgnFault, Place, ReadError};
pub use file::{FileError, open, open_as, read, save};
pub use json::{LARGEST_JSON, as_json, from_json};
pub use legal::parse;
pub use moves::MoveText;
pub use record::{GameRecord, Settlement};
pub use text::{GameText, Reader, TagText};
pub use write::TAGS;
