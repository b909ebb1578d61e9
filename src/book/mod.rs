//! The opening book: positions searched in advance, for longer than a game allows.
//!
//! A book has a few dozen or a few thousand positions of one rule set, with the values of *all* moves of each. So its user can
//! choose the best move, or any that is nearly as good. Positions are seen by their mover, so one entry serves both sides, on
//! any path.
//!
//! | file | content |
//! |---|---|
//! | `builder.rs` | builds a book from the engine's own searches |
//! | `tree.rs` | chooses the positions that a book has (drop-out expansion) |
//! | `journal.rs` | the searches of a build so far, so that it can be interrupted |
//! | `format.rs` | the file of a book |
//!
//! A book of a solved game has no estimates: the solver gives every move its exact value, the result of best play.
//!
//! The books of the rule sets are compiled in ([`Book::built_in`]).

mod builder;
mod format;
mod journal;
#[doc(hidden)]
pub mod tree;

use crate::game::{Fields, Move, Pit, Position, Side, Variant};
use crate::value::Value;
pub use builder::{BookBuildError, BookBuilder, BookPlan, BookProgress, can_solve};
pub use format::{BookError, BookFormatError};
pub use journal::BookJournalError;
use once_cell::sync::OnceCell;
use std::collections::BTreeMap;

/// A position as its mover sees it.
///
/// | byte | content |
/// |---|---|
/// | 0 to 5 | the mover's pits |
/// | 6 to 11 | the other side's pits |
/// | 12 | the mover's store in the lower seven bits; the highest bit is set in the second move of a turn |
type Key = [u8; 13];

/// The bit of a key's store that marks a second move.
const SECOND: u8 = 0x80;

/// Replaces the number of nodes: every position is solved.
const SOLVED: u64 = 0;

/// A book of one rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    variant: Variant,
    nodes: u64,
    entries: BTreeMap<Key, StoredEntry>,
}

/// A stored entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    depth: u8,
    moves: Vec<(Pit, Value)>,
}

/// The entry of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// Plies from here to the end of the searches behind the best move; in a solved book to their beginning.
    pub depth: u8,
    /// Every legal move with its value for the side to move, best first; equal ones in the order of their pits.
    pub moves: Vec<(Move, Value)>,
}

impl Book {
    /// The compiled-in book of a rule set; empty if there is none.
    #[must_use]
    pub fn built_in(variant: Variant) -> &'static Book {
        static BOOKS: [OnceCell<Book>; Variant::ALL.len()] = [const { OnceCell::new() }; Variant::ALL.len()];
        let variant = variant.rule_set();
        BOOKS[variant.index()].get_or_init(|| match variant.about().book {
            Some(bytes) => Book::from_bytes(bytes)
                .expect("the books that are compiled in are sound, which a test checks"),
            None => Book { variant, nodes: 0, entries: BTreeMap::new() },
        })
    }

    /// The rule set.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Nodes of each search behind the book; 0 if it is solved.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether all its values are proven and exact.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.nodes == SOLVED
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of a position, if any. A book of another rule set has none.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<BookEntry> {
        if position.variant() != self.variant || position.verdict().is_some() {
            return None;
        }
        let entry = self.entries.get(&key(position))?;
        let side = position.side();
        let mut moves: Vec<(Move, Value)> =
            entry.moves.iter().map(|&(pit, value)| (Move { side, pit }, value)).collect();
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        Some(BookEntry { depth: entry.depth, moves })
    }

    /// The best moves from a position on, to the end of the book.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let mut position = *position;
        let mut line = Vec::new();
        // A valid book repeats no position, but a file may contain anything.
        while let (Some(entry), true) = (self.probe(&position), line.len() < self.len()) {
            let mv = entry.moves[0].0;
            position = position.play(mv).expect("a book has legal moves only");
            line.push(mv);
        }
        line
    }
}

fn key(position: &Position) -> Key {
    let side = position.side();
    let (mine, theirs) = (position.row(side), position.row(side.other()));
    let mut key = [0; 13];
    key[..6].copy_from_slice(&mine.pits());
    key[6..12].copy_from_slice(&theirs.pits());
    key[12] = mine.store() | if position.is_second_move() { SECOND } else { 0 };
    key
}

/// The position of a key, South to move; `None` if it is illegal or over.
fn position(variant: Variant, key: &Key) -> Option<Position> {
    let [a, b, c, d, e, f, g, h, i, j, k, l, store] = *key;
    let all = u32::from(Position::start(variant).board().seeds());
    let seen: u32 = key[..12].iter().chain(&[store & !SECOND]).map(|&seeds| u32::from(seeds)).sum();
    let other = u8::try_from(all.checked_sub(seen)?).ok()?;
    let fields = Fields {
        pits: [[a, b, c, d, e, f], [g, h, i, j, k, l]],
        stores: [store & !SECOND, other],
        side: Side::South,
        second: store & SECOND != 0,
    };
    fields.position(variant).ok().filter(|position| position.verdict().is_none())
}
