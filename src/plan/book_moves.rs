//! Moves from the opening book.

use crate::book::{Book, BookError};
use crate::game::{Game, Move};
use crate::level::Strength;
use crate::protocol::{Limits, Settings};
use crate::roster::PlayerName;
use crate::search::Report;
use crate::value::{Proof, Score};
use std::path::Path;

/// The book of `BookFile`; `None` if the option is empty.
pub fn book_of(settings: &Settings) -> Result<Option<Book>, BookError> {
    match settings.book_file.as_str() {
        "" => Ok(None),
        path => Book::open_for(Path::new(path), settings.variant).map(Some),
    }
}

/// The book's best move, if the book may be used and has the position. `book` is `None` for the built-in one.
///
/// `infinite`, `searchmoves`, `mate` and `MultiPV` above 1 are analyses and need a search, so they do not use the book. Levels
/// below `full` and the other players have a style of their own and do not use it either.
pub fn book_move(game: &Game, limits: &Limits, settings: &Settings, book: Option<&Book>) -> Option<Report> {
    let Settings { own_book, multipv, player, .. } = *settings;
    let analysis = limits.infinite || limits.mate.is_some() || !limits.searchmoves.is_empty() || multipv > 1;
    if !own_book || player != PlayerName::Kroo || settings.strength() != Strength::FULL || analysis {
        return None;
    }
    let position = game.position();
    let book = book.unwrap_or_else(|| Book::built_in(position.variant()));
    let page = book.probe(position)?;
    let (best, value) = page.moves[0];
    if ends_by_history(game, best) {
        return None;
    }
    let line = book.line(position);
    Some(Report {
        depth: page.depth,
        seldepth: line.len(),
        score: Score { value, proof: if book.is_solved() { Proof::EXACT } else { Proof::NONE } },
        nodes: 0,
        pv: line,
        forced: page.moves.len() == 1,
        ..Report::default()
    })
}

/// Whether a move ends the game because of earlier moves, which the book does not know.
fn ends_by_history(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    let ended = after.play(mv).is_ok() && after.position().verdict().is_some();
    ended && game.position().play(mv).is_ok_and(|next| next.verdict().is_none())
}
