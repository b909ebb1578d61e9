//! Moves of a game's text, and variations being read.

use super::error::Place;
use super::omitted::{DEEPEST, Omitted, Part};
use super::words::{MoveWord, add_word, judgement, read_move};
use kroo_core::game::Move;
use kroo_core::printable::{MAX_WORD, clipped};

/// A move with its annotations. Two are equal if move and annotations are, wherever they were read.
#[derive(Clone, Debug, Eq)]
pub struct MoveText {
    /// The move.
    pub mv: Move,
    /// The seeds after `+`, which the move brought into the store.
    pub banked: Option<u8>,
    /// Whether the text has the pit's number, which does not tell the side.
    pub is_numbered: bool,
    /// Its annotations.
    pub notes: MoveNotes,
    /// Its place in the text.
    pub place: Place,
}

impl PartialEq for MoveText {
    fn eq(&self, other: &MoveText) -> bool {
        (self.mv, &self.notes) == (other.mv, &other.notes)
    }
}

/// The annotations of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNotes {
    /// The judgement, such as `?!`, or empty.
    pub sign: String,
    /// The comments after it, without braces.
    pub comment: String,
    /// Alternatives to the move and its continuation.
    pub variations: Vec<VariationText>,
}

/// An alternative to a move and its continuation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariationText {
    /// The comment before its first move, without braces.
    pub before: String,
    /// Its moves.
    pub moves: Vec<MoveText>,
}

impl MoveNotes {
    /// A comment alone.
    pub fn of_comment(comment: impl Into<String>) -> MoveNotes {
        MoveNotes { comment: comment.into(), ..MoveNotes::default() }
    }

    pub(super) fn remark(&mut self, comment: &str) {
        add_word(&mut self.comment, comment);
    }

    /// Sets the judgement from a separate word, unless the move's own word had one.
    pub(super) fn judge(&mut self, sign: &str) {
        if self.sign.is_empty() {
            sign.clone_into(&mut self.sign);
        }
    }
}

impl MoveText {
    /// A move that was not read.
    pub fn new(mv: Move, notes: MoveNotes) -> MoveText {
        MoveText { mv, banked: None, is_numbered: false, notes, place: Place::default() }
    }

    /// Parses the word of a move.
    pub(super) fn read(word: &str, place: Place) -> Option<MoveText> {
        let MoveWord { mv, is_numbered, banked, sign } = read_move(word)?;
        let notes = MoveNotes { sign: sign.to_owned(), ..MoveNotes::default() };
        Some(MoveText { mv, banked, is_numbered, notes, place })
    }
}

#[derive(Debug)]
pub(super) struct Variation {
    /// The place of its bracket.
    pub begins: Place,
    text: VariationText,
}

impl Variation {
    pub fn new(begins: Place) -> Variation {
        Variation { begins, text: VariationText::default() }
    }

    /// Adds a word; returns whether it is a move.
    pub fn take(&mut self, word: &str, place: Place, omitted: &mut Omitted) -> bool {
        if let Some(read) = MoveText::read(word, place) {
            self.text.moves.push(read);
            return true;
        }
        match (judgement(word), self.text.moves.last_mut()) {
            (Some(sign), Some(last)) if !sign.is_empty() => last.notes.judge(sign),
            _ if word.is_empty() => {}
            _ => omitted.add(place, Part::Word(clipped(word, MAX_WORD))),
        }
        false
    }

    pub fn remark(&mut self, comment: &str) {
        match self.text.moves.last_mut() {
            Some(last) => last.notes.remark(comment),
            None => add_word(&mut self.text.before, comment),
        }
    }

    /// Ends the variation, which is an alternative to the last move of the surrounding line. One without moves is a comment.
    pub fn join(self, around: &mut [Variation], game: &mut [MoveText], omitted: &mut Omitted) {
        let is_too_deep = around.len() >= DEEPEST;
        let last = match around.last_mut() {
            Some(outer) => outer.text.moves.last_mut(),
            None => game.last_mut(),
        };
        match last {
            Some(last) if self.text.moves.is_empty() => last.notes.remark(&self.text.before),
            None if self.text == VariationText::default() => {}
            None => omitted.add(self.begins, Part::Loose),
            Some(_) if is_too_deep => omitted.add(self.begins, Part::Deep),
            Some(last) => last.notes.variations.push(self.text),
        }
    }
}
