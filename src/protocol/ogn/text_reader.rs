//! A reader of game texts that holds one game in memory.
//!
//! This stage knows words but no rules, and also reads games of unknown rule sets. [`GameText::play`](super::GameText::play)
//! checks moves and seeds.

use super::error::{BINARY, OgnError, OgnFault, Place, ReadError};
use super::line::Line;
use super::moves::{MoveText, Variation};
use super::omitted::{Omitted, Part};
use super::text::{GameText, TagText};
use super::words::{Pits, add_word, end_word, judgement};
use kroo_core::files::BYTE_ORDER_MARK;
use kroo_core::printable::{MAX_WORD, clipped};
use std::io::{BufRead, Read};
use std::mem;

/// Maximum bytes of a line. A whole game has about a thousand.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Maximum moves and bytes of a game. The referee ends games at a million moves.
const LONGEST_GAME: (usize, usize) = (1 << 20, 64 << 20);

/// Iterates over the games of a file, up to the first error; [`Reader::resume`] goes on after it.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line: Line,
    /// Bytes of the line, not yet checked for UTF-8.
    bytes: Vec<u8>,
    /// An open comment and its beginning.
    comment: Option<(String, Place)>,
    /// The open variations, the outermost first.
    variations: Vec<Variation>,
    /// Moves in variations of this game.
    varied: usize,
    /// How this game writes its pits.
    pits: Pits,
    /// Whether a blank line has followed the tags of this game.
    tags_ended: bool,
    /// Bytes of the lines of this game.
    length: usize,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads a file.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            line: Line::default(),
            bytes: Vec::new(),
            comment: None,
            variations: Vec::new(),
            varied: 0,
            pits: Pits::default(),
            tags_ended: false,
            length: 0,
            done: false,
        }
    }

    /// The source.
    pub fn get_ref(&self) -> &R {
        &self.input
    }

    /// Continues after a fault, with the next line.
    pub fn resume(&mut self) {
        self.comment = None;
        self.variations.clear();
        self.line.is_open = false;
        self.done = false;
    }

    /// Whether the last game ended at the end of a line: the rest of the source then begins with another line.
    pub(super) fn is_between_lines(&self) -> bool {
        !self.line.is_open
    }

    fn next_line(&mut self) -> Result<bool, ReadError> {
        let number = self.line.number + 1;
        self.bytes.clear();
        let mut limited = Read::take(&mut self.input, LONGEST_LINE as u64);
        let length = limited
            .read_until(b'\n', &mut self.bytes)
            .map_err(|error| ReadError::Io { line: number, error })?;
        if length == LONGEST_LINE && self.bytes.last() != Some(&b'\n') {
            let place = Place { line: number, column: 1 };
            return Err(OgnError::new(place, OgnFault::LongLine(LONGEST_LINE)).into());
        }
        if length == 0 {
            return Ok(false);
        }
        self.length += length;
        if let Some(kind) = binary_kind(&self.bytes, number) {
            return Err(OgnError::new(Place { line: number, column: 1 }, OgnFault::NotText(kind)).into());
        }
        let mut text = mem::take(&mut self.line.text);
        text.clear();
        text.push_str(&String::from_utf8_lossy(&self.bytes));
        self.line = Line { text, number, is_open: true, ..Line::default() };
        if number == 1 && self.line.take(BYTE_ORDER_MARK) {
            self.line.counted = (self.line.read, 0);
        }
        Ok(true)
    }

    fn next_game(&mut self) -> Result<Option<GameText>, ReadError> {
        let mut game = GameText::default();
        (self.length, self.varied, self.pits, self.tags_ended) = (0, 0, Pits::default(), false);
        while self.line.is_open || self.next_line()? {
            if self.take_line(&mut game)? {
                return Ok(Some(game));
            }
            if game.moves.len() + self.varied > LONGEST_GAME.0 || self.length > LONGEST_GAME.1 {
                return Err(OgnError::new(game.begins, OgnFault::LongGame).into());
            }
        }
        if let Some((_, place)) = self.comment.take() {
            return Err(OgnError::new(place, OgnFault::Comment).into());
        }
        if let Some(variation) = self.variations.first() {
            return Err(OgnError::new(variation.begins, OgnFault::Variation).into());
        }
        self.done = true;
        let ended = self.line.text.ends_with('\n');
        self.line.read = self.line.text.len();
        game.ends = if ended { Place { line: self.line.number + 1, column: 1 } } else { self.line.place() };
        Ok((game.begins != Place::default()).then_some(game))
    }

    /// Reads the rest of a line, at most to the end of a game; returns whether the game has ended.
    fn take_line(&mut self, game: &mut GameText) -> Result<bool, OgnError> {
        let is_inside = self.comment.is_some() || !self.variations.is_empty();
        let begins_line = self.line.place().column == 1;
        if !is_inside && begins_line && self.line.rest().trim().is_empty() {
            self.line.is_open = false;
            self.tags_ended |= !game.tags.is_empty();
            game.ends = self.line.place();
            return Ok(game.is_under_way());
        }
        // PGN's escape: the line is for another program.
        let mut is_over = !is_inside && begins_line && self.line.rest().starts_with('%');
        if is_over {
            game.omitted.add(self.line.place(), Part::Line);
        }
        while !is_over && self.take_comment(game) {
            self.line.skip_blanks();
            let next = self.line.rest().chars().next();
            if next.is_some() && game.begins == Place::default() {
                game.begins = self.line.place();
            }
            let place = self.line.place();
            match next {
                None => is_over = true,
                Some(';') => {
                    self.line.take(';');
                    self.comment = Some((self.line.rest().to_owned(), place));
                    self.close_comment(game);
                    is_over = true;
                }
                Some('{') => {
                    self.line.take('{');
                    self.comment = Some((String::new(), place));
                }
                Some('(') => {
                    self.line.take('(');
                    self.variations.push(Variation::new(place));
                }
                Some(')') => {
                    self.line.take(')');
                    let ended = self.variations.pop().ok_or(OgnError::new(place, OgnFault::NoVariation))?;
                    ended.join(&mut self.variations, &mut game.moves, &mut game.omitted);
                }
                Some(first) if !self.variations.is_empty() => {
                    self.take_varied(first, place, &mut game.omitted)
                }
                Some('[') if game.is_under_way() || self.begins_another(game) => {
                    game.ends = place;
                    return Ok(true);
                }
                Some('[') => self.take_tag(game)?,
                Some(_) => self.take_word(game)?,
            }
        }
        self.line.is_open = false;
        Ok(false)
    }

    /// Whether the next tag begins another game: a tag that the current game has, after a blank line that ends a game without
    /// moves.
    fn begins_another(&self, game: &GameText) -> bool {
        let name = self.line.rest().trim_start_matches(|c: char| c == '[' || c.is_whitespace());
        let name = name.split(|c: char| c.is_whitespace() || c == '"' || c == ']').next();
        self.tags_ended && name.is_some_and(|name| game.tag(name).is_some())
    }

    /// Reads the rest of an open comment, if any; returns false if the comment continues in the next line.
    fn take_comment(&mut self, game: &mut GameText) -> bool {
        let Some((text, _)) = &mut self.comment else { return true };
        let said = self.line.take_until(|c| c == '}');
        said.split_ascii_whitespace().for_each(|word| add_word(text, word));
        if !self.line.take('}') {
            return false;
        }
        self.close_comment(game);
        true
    }

    /// Adds the open comment to the move before it, or to the beginning of its line.
    fn close_comment(&mut self, game: &mut GameText) {
        let Some((text, _)) = self.comment.take() else { return };
        let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        match (self.variations.last_mut(), game.moves.last_mut()) {
            (Some(variation), _) => variation.remark(&text),
            (None, Some(last)) => last.notes.remark(&text),
            (None, None) => add_word(&mut game.before, &text),
        }
    }

    /// Reads a word of a variation.
    fn take_varied(&mut self, first: char, place: Place, omitted: &mut Omitted) {
        let begin = self.line.read;
        self.line.take(first);
        self.line.take_until(ends_word);
        let word = self.pits.without_turn(&self.line.text[begin..self.line.read]);
        if let Some(variation) = self.variations.last_mut() {
            self.varied += usize::from(variation.take(word, place, omitted));
        }
    }

    /// Reads `[Name "value"]`, with `\` as the escape of `"` and `\`.
    fn take_tag(&mut self, game: &mut GameText) -> Result<(), OgnError> {
        let begins = self.line.place();
        let fault = || OgnError::new(begins, OgnFault::Tag);
        self.line.take('[');
        self.line.skip_blanks();
        let name = self.line.take_until(|c| c.is_whitespace() || c == '"' || c == ']').to_owned();
        self.line.skip_blanks();
        if name.is_empty() || !self.line.take('"') {
            return Err(fault());
        }
        let (place, mut value) = (self.line.place(), String::new());
        loop {
            value.push_str(self.line.take_until(|c| matches!(c, '"' | '\\' | '\n')));
            if self.line.take('"') {
                break;
            }
            if !self.line.take('\\') {
                return Err(fault());
            }
            let escaped = self.line.rest().chars().next().filter(|&c| c != '\n').ok_or_else(fault)?;
            self.line.take(escaped);
            value.push(escaped);
        }
        self.line.skip_blanks();
        if !self.line.take(']') {
            return Err(fault());
        }
        match game.tag(&name) {
            Some(_) => game.omitted.add(begins, Part::SecondTag(clipped(&name, MAX_WORD))),
            None => game.tags.push(TagText { name, value, place }),
        }
        Ok(())
    }

    /// Reads a turn number, a move, an annotation, or the end of the game.
    fn take_word(&mut self, game: &mut GameText) -> Result<(), OgnError> {
        let begin = self.line.read;
        let first = self.line.rest().chars().next().unwrap_or_default();
        self.line.take(first);
        self.line.take_until(ends_word);
        let word = &self.line.text[begin..self.line.read];
        let (rest, end) = (self.pits.without_turn(word).len(), self.line.read);
        if rest == 0 {
            return Ok(());
        }
        let begin = end - rest;
        self.line.read = begin;
        let place = self.line.place();
        self.line.read = end;
        let word = &self.line.text[begin..end];
        if let Some(sign) = judgement(word) {
            match game.moves.last_mut().filter(|_| !sign.is_empty()) {
                Some(last) => last.notes.judge(sign),
                None => game.omitted.add(place, Part::Annotation(clipped(word, MAX_WORD))),
            }
            return Ok(());
        }
        let fault = |fault: fn(String) -> OgnFault| Err(OgnError::new(place, fault(clipped(word, MAX_WORD))));
        if game.last.is_some() {
            return fault(|found| OgnFault::AfterEnd { found });
        }
        if let Some(end) = end_word(word) {
            game.last = Some((end, place));
            return Ok(());
        }
        let Some(mut read) = MoveText::read(word, place) else {
            return fault(|found| OgnFault::Word { found });
        };
        if let Some(last) = game.moves.last().filter(|_| read.is_numbered) {
            // A guess until a board gives the side.
            read.mv.side = last.mv.side.other();
        }
        game.moves.push(read);
        Ok(())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<GameText, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.next_game();
        self.done |= game.is_err();
        game.transpose()
    }
}

/// The kind of a file that has these bytes as a line and is no text.
fn binary_kind(bytes: &[u8], line: usize) -> Option<&'static str> {
    const PACKED: [(&[u8], &str); 5] = [
        (b"\x1f\x8b", "a gzip file"),
        (b"PK\x03\x04", "a zip file"),
        (b"BZh", "a bzip2 file"),
        (b"\xfd7zXZ", "an xz file"),
        (b"\x28\xb5\x2f\xfd", "a zstd file"),
    ];
    let packed =
        PACKED.iter().find(|(magic, _)| line == 1 && bytes.starts_with(magic)).map(|&(_, kind)| kind);
    packed.or_else(|| bytes.contains(&0).then_some(BINARY))
}

/// Whether a character ends the word before it.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '$')
}
