//! Games from text.

use super::Record;
use super::write::banked;
use crate::game::{Game, Move, MoveError, Position, SetupError, Variant, names};
use std::iter::Peekable;
use std::str::Chars;

/// What some editors put at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct OgnError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a game as text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A tag is not `[Name "value"]`.
    #[error("this is no tag; expected a line like [South \"name\"]")]
    Tag,
    /// A game without its rule set.
    #[error("the game has no tag [Variant \"…\"], so that its rules are not known")]
    NoVariant,
    /// Nobody plays that.
    #[error("no rule set is called `{found}`; the rule sets are {}", names().join(", "))]
    Variant {
        /// The name.
        found: String,
    },
    /// The first position is none.
    #[error("FEN: {0}")]
    Fen(SetupError),
    /// A word that has no place among moves.
    #[error(
        "`{found}` is no move: expected a letter from A to F or a to f, perhaps with `+` and the seeds that it \
         brought, or the seeds in the stores at the end, as `25-20`"
    )]
    Word {
        /// The word.
        found: String,
    },
    /// A move that the rules forbid.
    #[error("`{mv}`: {error}")]
    Move {
        /// The move.
        mv: Move,
        /// Why.
        error: MoveError,
    },
    /// A move brings other seeds than it says.
    #[error("`{mv}` brings {expected} seeds into the store, not {found}")]
    Banked {
        /// The move.
        mv: Move,
        /// What the text says.
        found: u32,
        /// What it brings.
        expected: u8,
    },
    /// The stores at the end are others.
    #[error("the stores hold {}-{} at this end, not `{found}`", .expected[0], .expected[1])]
    Stores {
        /// What the text says.
        found: String,
        /// South's and North's.
        expected: [u8; 2],
    },
    /// A comment that nobody closes.
    #[error("the comment that begins here has no end, `}}`")]
    Comment,
    /// The text ends, or another game begins, in the middle of a game.
    #[error("the game breaks off: expected a move, or the seeds in the stores at the end, as `25-20`")]
    NoEnd,
}

/// The games of a text, played through.
///
/// # Errors
/// The first thing that is wrong.
pub fn parse(text: &str) -> Result<Vec<Record>, OgnError> {
    let chars = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).chars().peekable();
    let mut reader = Reader { chars, place: (1, 1) };
    let mut records = Vec::new();
    while reader.skip_blanks().is_some() {
        records.push(reader.record()?);
    }
    Ok(records)
}

/// A line and a column.
type Place = (usize, usize);

fn fault<T>((line, column): Place, fault: Fault) -> Result<T, OgnError> {
    Err(OgnError { line, column, fault })
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    place: Place,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.chars.next()?;
        self.place = if next == '\n' { (self.place.0 + 1, 1) } else { (self.place.0, self.place.1 + 1) };
        Some(next)
    }

    /// The next character that is no blank.
    fn skip_blanks(&mut self) -> Option<char> {
        while self.chars.peek().is_some_and(|c| c.is_whitespace()) {
            self.next();
        }
        self.chars.peek().copied()
    }

    fn record(&mut self) -> Result<Record, OgnError> {
        let begins = self.place;
        let mut tags: Vec<(String, String)> = Vec::new();
        let (mut variant, mut fen) = (None, None);
        while self.skip_blanks() == Some('[') {
            let (name, value, place) = self.tag()?;
            match name.as_str() {
                "Variant" if variant.is_none() => variant = Some(read_variant(&value, place)?),
                "FEN" if fen.is_none() => fen = Some((value, place)),
                "Variant" | "FEN" => {}
                _ => tags.push((name, value)),
            }
        }
        let Some(variant) = variant else { return fault(begins, Fault::NoVariant) };
        let start = match fen {
            None => Position::start(variant),
            Some((text, place)) => match Position::parse(variant, &text) {
                Ok(position) => position,
                Err(error) => return fault(place, Fault::Fen(error)),
            },
        };
        let mut record = Record { game: Game::new(start), tags, comments: Vec::new() };
        self.moves(&mut record)?;
        Ok(record)
    }

    /// A tag's name and value, and where the value begins.
    fn tag(&mut self) -> Result<(String, String, Place), OgnError> {
        let begins = self.place;
        self.next();
        let mut name = String::new();
        while let Some(c) = self.chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
            self.place.1 += 1;
            name.push(c);
        }
        while self.chars.peek() == Some(&' ') {
            self.next();
        }
        if name.is_empty() || self.next() != Some('"') {
            return fault(begins, Fault::Tag);
        }
        let (place, mut value) = (self.place, String::new());
        loop {
            match self.next() {
                Some('"') => break,
                Some('\\') => value.extend(self.next()),
                None | Some('\n') => return fault(begins, Fault::Tag),
                Some(c) => value.push(c),
            }
        }
        if self.next() != Some(']') {
            return fault(begins, Fault::Tag);
        }
        Ok((name, value, place))
    }

    /// Moves and comments up to the stores at the end.
    fn moves(&mut self, record: &mut Record) -> Result<(), OgnError> {
        loop {
            let place = match self.skip_blanks() {
                None | Some('[') => return fault(self.place, Fault::NoEnd),
                Some('{') => {
                    let comment = self.comment()?;
                    if let Some(last) = record.comments.last_mut() {
                        *last = comment;
                    }
                    continue;
                }
                Some(_) => self.place,
            };
            let mut word = String::new();
            while let Some(c) = self.chars.next_if(|c| !c.is_whitespace() && *c != '{') {
                self.place.1 += 1;
                word.push(c);
            }
            let text = without_number(&word);
            if text.is_empty() {
                continue;
            }
            let place = (place.0, place.1 + word.chars().count() - text.chars().count());
            if is_end(text) {
                return check_end(record, text, place);
            }
            play(record, text, place)?;
        }
    }

    fn comment(&mut self) -> Result<String, OgnError> {
        let begins = self.place;
        self.next();
        let mut comment = String::new();
        loop {
            match self.next() {
                Some('}') => return Ok(comment.split_whitespace().collect::<Vec<_>>().join(" ")),
                Some(c) => comment.push(c),
                None => return fault(begins, Fault::Comment),
            }
        }
    }
}

/// A rule set by its name or by its title.
fn read_variant(text: &str, place: Place) -> Result<Variant, OgnError> {
    let titled = Variant::ALL.iter().copied().find(|variant| variant.title().eq_ignore_ascii_case(text));
    match titled.or_else(|| text.parse().ok()) {
        Some(variant) => Ok(variant),
        None => fault(place, Fault::Variant { found: clipped(text) }),
    }
}

/// A word without the number of a turn before it, which may be all of it.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') && rest.len() < word.len() { rest.trim_start_matches('.') } else { word }
}

/// Whether a word is what ends a game.
fn is_end(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word == "*"
        || word == "1/2-1/2"
        || word.split_once('-').is_some_and(|(south, north)| number(south) && number(north))
}

/// The stores are what they should be, unless the players agreed on an end that the rules do not know.
fn check_end(record: &Record, word: &str, place: Place) -> Result<(), OgnError> {
    let [south, north] = record.stores();
    let agreed = record.game.position().verdict().is_none() && record.result() != "*";
    let is_result = word == record.result();
    if agreed || is_result || word == format!("{south}-{north}") {
        return Ok(());
    }
    fault(place, Fault::Stores { found: clipped(word), expected: [south, north] })
}

/// Plays the move of a word.
fn play(record: &mut Record, word: &str, place: Place) -> Result<(), OgnError> {
    let (letter, said) = word.split_once('+').unwrap_or((word, ""));
    let mut letters = letter.chars();
    let mv = letters.next().and_then(Move::from_letter).filter(|_| letters.next().is_none());
    let said = if word.contains('+') { said.parse::<u32>().ok().map(Some) } else { Some(None) };
    let (Some(mv), Some(said)) = (mv, said) else {
        return fault(place, Fault::Word { found: clipped(word) });
    };
    let before = *record.game.position();
    if let Err(error) = record.game.play(mv) {
        return fault(place, Fault::Move { mv, error });
    }
    let expected = banked(&before, mv);
    // Some programs count what the last move hands out, and some leave the numbers away.
    let over = record.game.position().verdict().is_some();
    if let Some(found) = said.filter(|&found| found != u32::from(expected) && !over) {
        return fault(place, Fault::Banked { mv, found, expected });
    }
    record.comments.push(String::new());
    Ok(())
}

/// What a message repeats of its cause.
fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
