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
//! - The tags stand in this order. `FEN` is there if the game did not begin at the rule set's start. `Result` says who
//!   won, South first, or `*` if the game is not over; `Termination` why it ended; `TimeControl` the limits.
//! - A move is its letter, and `+N` if it brought N seeds into the mover's store: captured, or sown there. What the end
//!   of the game awards is not part of it.
//! - A number counts a turn of South's and the turn of North's that follows. A turn may have several moves
//!   (`awari1978`, `kalah`): they follow each other as words of their own, without a new number. Case tells whose they
//!   are. If North begins, the game begins with `1... f`.
//! - A comment in braces belongs to the move before it.
//! - Lines are shorter than 80 characters, tags excepted. The last word is the seeds in the stores, South's first. A
//!   blank line ends the game.
//!
//! All programs here share one writer and one reader: the referee writes the games of a match, counts results and reads
//! openings, `kroo play` saves games and continues them, and `kroo analyse` judges them. The writer is strict. The reader
//! has two stages:
//!
//! 1. [`Reader`] makes a [`GameText`] of the words, one game after the other, so that a file may be of any length. It
//!    allows what other programs write: tags in any order or none, lines of any length, no numbers of turns, `1.F` without
//!    a space, comments from `;` to the end of the line, the stores as the value of `Result`, and no last word. Variations in
//!    round brackets and judgements of moves (`$1`, `?!`) are kept beside the moves. Lines that begin with `%` are skipped.
//! 2. [`GameText::play`] plays the game through, so that what it returns, a [`GameRecord`], is a game by the rules. A game
//!    without a last word is complete if the rules have ended it, or if `Result` is `*`.
//!
//! Both tell where in the text they found something wrong. [`parse`] and [`open`] do both for all games of a text or a
//! file.
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
pub use json::{LARGEST_JSON, as_json};
pub use legal::parse;
pub use moves::MoveText;
pub use record::{GameRecord, Settlement};
pub use text::{GameText, Reader, TagText};
pub use write::TAGS;
