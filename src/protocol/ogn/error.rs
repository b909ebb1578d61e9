//! Faults of game files.

use kroo_core::files::BYTE_ORDER_MARK;
use kroo_core::game::{Move, MoveError, SetupError, names};
use kroo_core::printable::counted;
use std::io;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Place {
    /// The byte of a text at this place; `lines` are the bytes at which its lines begin.
    pub(super) fn offset(self, text: &[u8], lines: &[usize]) -> usize {
        let begin = lines[self.line - 1];
        let mark = text[begin..].starts_with(BYTE_ORDER_MARK.to_string().as_bytes()) && begin == 0;
        let begin = begin + if mark { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        // Invalid UTF-8 is read as one character.
        let widths = text[begin..].utf8_chunks().flat_map(|chunk| {
            let broken = Some(chunk.invalid().len()).filter(|&bytes| bytes > 0);
            chunk.valid().chars().map(char::len_utf8).chain(broken)
        });
        begin + widths.take(self.column - 1).sum::<usize>()
    }
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {fault}", .place.line, .place.column)]
pub struct OgnError {
    /// Its place.
    pub place: Place,
    /// The fault.
    pub fault: OgnFault,
}

impl OgnError {
    pub(super) fn new(place: Place, fault: OgnFault) -> OgnError {
        OgnError { place, fault }
    }
}

/// A file that is neither text nor of a known compression.
pub(super) const BINARY: &str = "a binary file";

/// A fault of a game's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum OgnFault {
    #[error("the line is longer than {0} bytes")]
    LongLine(usize),
    #[error("the game that begins here is too long, or has no end")]
    LongGame,
    #[error("this is {0}, not the text of games{unpack}", unpack = if *.0 == BINARY { "" } else { ": unpack it first" })]
    NotText(&'static str),
    /// A tag is not `[Name "value"]`.
    #[error("not a tag: expected a line like [South \"name\"]")]
    Tag,
    #[error("the name of a tag is one word without quotes and brackets, not `{found}`")]
    TagName { found: String },
    /// A tag's value that contradicts the game, or could not be read again.
    #[error(
        "the tag {name} cannot be `{found}`: {}",
        match name.as_str() {
            "Variant" | "FEN" => "the game has another",
            "Result" => "a result is 1-0, 0-1, 1/2-1/2 or *",
            "OpeningPlies" => "it is a number of moves",
            _ => "a value is one line of text",
        }
    )]
    TagValue { name: String, found: String },
    #[error("there are two tags {name}")]
    TagTwice { name: String },
    #[error("a variation: {0}")]
    IllegalVariation(Box<OgnFault>),
    #[error("a text with a zero byte could not be read again")]
    ZeroByte,
    #[error("more moves are annotated than the game has")]
    TooManyNotes,
    #[error(
        "`{found}` is not a move: expected a letter from A to F or a to f, perhaps with `+` and the seeds that it \
         brought, or the seeds in the stores at the end, as `25-20`"
    )]
    Word { found: String },
    #[error("`{found}` follows the end of the game: expected an empty line")]
    AfterEnd { found: String },
    /// A comment without `}`.
    #[error("the comment that begins here has no closing `}}`")]
    Comment,
    /// A variation without `)`.
    #[error("the variation that begins here has no closing `)`")]
    Variation,
    /// A `)` without `(`.
    #[error("this `)` closes no variation")]
    NoVariation,
    /// A game without the tag `Variant`.
    #[error("the game has no tag [Variant \"…\"] to name its rule set")]
    NoVariant,
    /// An unknown rule set.
    #[error("no rule set is called `{found}`; the rule sets are {}", names().join(", "))]
    Variant { found: String },
    #[error("FEN: {0}")]
    Fen(SetupError),
    #[error("OpeningPlies: expected the number of the first moves that were given, such as 4, not `{found}`")]
    Opening { found: String },
    #[error("`{mv}`: {error}")]
    Move { mv: Move, error: MoveError },
    /// A move that does not bring the seeds after its `+`.
    #[error("`{mv}` brings {} into the store, not {found}", counted(u64::from(*.expected), "seed"))]
    Banked { mv: Move, found: u8, expected: u8 },
    #[error("the stores hold {}-{} at this end, not `{found}`", .expected[0], .expected[1])]
    Stores { found: String, expected: [u8; 2] },
    /// A result that is not that of the rules, which have ended the game.
    #[error("the result is `{found}`, but by the rules the game has ended {expected}")]
    Result { found: String, expected: &'static str },
    /// The text ends, or another game begins, before the end of the game.
    #[error("the game breaks off: expected a move, or the seeds in the stores at the end, as `25-20`")]
    NoEnd,
}

impl OgnFault {
    /// A word and its values, for programs that have sentences of their own; empty for a fault of a game that is written.
    pub fn word(&self) -> String {
        match self {
            OgnFault::LongLine(_) | OgnFault::LongGame => "long".to_owned(),
            OgnFault::NotText(_) => "text".to_owned(),
            OgnFault::Tag => "tag".to_owned(),
            OgnFault::Word { found } => format!("word {found}"),
            OgnFault::AfterEnd { found } => format!("after {found}"),
            OgnFault::Comment | OgnFault::Variation => "open".to_owned(),
            OgnFault::NoVariation => "closed".to_owned(),
            OgnFault::Fen(error) => error.word(),
            OgnFault::Opening { found } => format!("opening {found}"),
            OgnFault::Move { mv, error } => format!("pit {mv} {}", error.word()),
            OgnFault::Banked { mv, found, expected } => format!("banked {mv} {expected} {found}"),
            OgnFault::Stores { found, expected: [south, north] } => format!("stores {south} {north} {found}"),
            OgnFault::Result { found, expected } => format!("result {expected} {found}"),
            OgnFault::NoEnd => "unfinished".to_owned(),
            OgnFault::TagName { .. }
            | OgnFault::TagValue { .. }
            | OgnFault::TagTwice { .. }
            | OgnFault::IllegalVariation(_)
            | OgnFault::ZeroByte
            | OgnFault::TooManyNotes
            | OgnFault::NoVariant
            | OgnFault::Variant { .. } => String::new(),
        }
    }
}

/// Why the next game cannot be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum ReadError {
    #[error("line {line}: {error}")]
    Io {
        /// The line, from 1.
        line: usize,
        error: io::Error,
    },
    #[error(transparent)]
    Text(#[from] OgnError),
}
