//! Moves of a game's text, and variations while they are read.

use super::error::Place;
use super::words::{judgement, read_move};
use kroo_core::game::Move;

/// Variations within each other that are kept. Deeper ones are left out.
const DEEPEST: usize = 32;

/// A move and what is said after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// The move.
    pub mv: Move,
    /// The seeds that it brought into the store, if the text tells: `+3`.
    pub banked: Option<u8>,
    /// How the text judges it: `?!`, or nothing.
    pub sign: String,
    /// The comments after it, without braces.
    pub comment: String,
    /// Lines that may be played instead of it and what follows. Their words are not checked: those that are no moves are
    /// left out.
    pub variations: Vec<Vec<MoveText>>,
    /// Its place in the text.
    pub place: Place,
}

impl MoveText {
    /// A move by its word.
    pub(super) fn read(word: &str, place: Place) -> Option<MoveText> {
        let (mv, banked, sign) = read_move(word)?;
        let (sign, comment) = (sign.to_owned(), String::new());
        Some(MoveText { mv, banked, sign, comment, variations: Vec::new(), place })
    }

    /// Takes a judgement that is a word of its own. The one within the move's word counts more.
    pub(super) fn judge(&mut self, sign: &str) {
        if self.sign.is_empty() {
            sign.clone_into(&mut self.sign);
        }
    }
}

/// A variation that has not ended.
#[derive(Debug)]
pub(super) struct Variation {
    /// Its bracket.
    pub begins: Place,
    pub moves: Vec<MoveText>,
}

impl Variation {
    pub fn new(begins: Place) -> Variation {
        Variation { begins, moves: Vec::new() }
    }

    /// Takes a word; whether it is a move.
    pub fn take(&mut self, word: &str, place: Place) -> bool {
        if let (Some(sign), Some(last)) = (judgement(word), self.moves.last_mut()) {
            last.judge(sign);
        }
        let read = MoveText::read(word, place);
        let is_move = read.is_some();
        self.moves.extend(read);
        is_move
    }

    /// Ends it: it is played instead of the last move of the line around it.
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
