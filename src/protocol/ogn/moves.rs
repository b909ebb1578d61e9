//! Moves of a game's text, and variations being read.

use super::error::Place;
use super::words::{judgement, read_move};
use kroo_core::game::Move;

/// Maximum nesting of variations; deeper ones are omitted.
const DEEPEST: usize = 32;

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// The move.
    pub mv: Move,
    /// The seeds after `+`, which the move brought into the store.
    pub banked: Option<u8>,
    /// The annotation, such as `?!`, or empty.
    pub sign: String,
    /// The comments after it, without braces.
    pub comment: String,
    /// Alternatives to the move and its continuation. Words that are no moves are omitted; legality is not checked.
    pub variations: Vec<Vec<MoveText>>,
    /// Its place in the text.
    pub place: Place,
}

impl MoveText {
    /// A move without annotations.
    pub(super) fn new(mv: Move, place: Place) -> MoveText {
        MoveText {
            mv,
            banked: None,
            sign: String::new(),
            comment: String::new(),
            variations: Vec::new(),
            place,
        }
    }

    /// Parses the word of a move.
    pub(super) fn read(word: &str, place: Place) -> Option<MoveText> {
        let (mv, banked, sign) = read_move(word)?;
        Some(MoveText { banked, sign: sign.to_owned(), ..MoveText::new(mv, place) })
    }

    /// Sets the annotation from a separate word, unless the move's own word had one.
    pub(super) fn judge(&mut self, sign: &str) {
        if self.sign.is_empty() {
            sign.clone_into(&mut self.sign);
        }
    }
}

/// An open variation.
#[derive(Debug)]
pub(super) struct Variation {
    /// The place of its bracket.
    pub begins: Place,
    pub moves: Vec<MoveText>,
}

impl Variation {
    pub fn new(begins: Place) -> Variation {
        Variation { begins, moves: Vec::new() }
    }

    /// Adds a word; returns whether it is a move.
    pub fn take(&mut self, word: &str, place: Place) -> bool {
        if let (Some(sign), Some(last)) = (judgement(word), self.moves.last_mut()) {
            last.judge(sign);
        }
        let read = MoveText::read(word, place);
        let is_move = read.is_some();
        self.moves.extend(read);
        is_move
    }

    /// Ends the variation, which is an alternative to the last move of the surrounding line.
    pub fn join(self, around: &mut [Variation], game: &mut [MoveText]) {
        let is_kept = around.len() < DEEPEST && !self.moves.is_empty();
        let last = match around.last_mut() {
            Some(outer) => outer.moves.last_mut(),
            None => game.last_mut(),
        };
        if let Some(last) = last.filter(|_| is_kept) {
            last.variations.push(self.moves);
        }
    }
}
