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
//!   of the game hands out is not part of it.
//! - A number counts a turn of South's and the turn of North's that follows. A turn may have several moves
//!   (`awari1978`, `kalah`): they follow each other as words of their own, without a new number. Case tells whose they
//!   are. If North begins, the game begins with `1... f`.
//! - A comment in braces belongs to the move before it.
//! - Lines are shorter than 80 characters, tags excepted. The last word is the seeds in the stores, South's first. A
//!   blank line ends the game.
//!
//! One writer and one reader serve everybody: the referee, which writes the games of a match, and `kroo play`, which
//! saves games and takes them up again. The writer is strict. The reader plays each game through, so that what it
//! returns is a game by the rules; it tells where in the text it found something wrong. Of the freedoms that other
//! programs take it allows the harmless ones: the order of tags, the filling of lines, and numbers of turns.

mod date;
mod file;
mod read;
mod write;

use crate::game::{Game, Position, Side, Verdict};
pub use date::date;
pub use file::{FileError, open, save};
pub use read::{Fault, OgnError, parse};

/// The tags that every game has, behind `Variant`, in their order.
pub const TAGS: [&str; 7] = ["Event", "Site", "Date", "Round", "South", "North", "Result"];

/// A game with what is told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game. It knows its rule set and where it began, so that `Variant` and `FEN` are not among the tags.
    pub game: Game,
    /// The other tags, names first. Of two with one name the first counts.
    pub tags: Vec<(String, String)>,
    /// What is said after each move; a move without a comment has an empty one, or none if no later one has any.
    pub comments: Vec<String>,
}

impl Record {
    /// A game of which nothing more is known.
    #[must_use]
    pub fn new(game: Game) -> Record {
        Record { game, tags: Vec::new(), comments: Vec::new() }
    }

    /// What a tag says.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The seeds in the stores where the game stands, South's first.
    #[must_use]
    pub fn stores(&self) -> [u8; 2] {
        Side::BOTH.map(|side| self.game.position().store(side))
    }

    /// What `Result` says: the tag if there is one, otherwise what the rules have decided.
    #[must_use]
    pub fn result(&self) -> &str {
        self.tag("Result").unwrap_or_else(|| result_of(self.game.position()))
    }
}

/// How a position has ended, in the words of the tag `Result`.
#[must_use]
pub fn result_of(position: &Position) -> &'static str {
    match position.verdict_for(Side::South) {
        None => "*",
        Some(Verdict::Win) => "1-0",
        Some(Verdict::Draw) => "1/2-1/2",
        Some(Verdict::Loss) => "0-1",
    }
}
