//! Game files read back: `.ogn`, one game after the other, in the memory of one.
//!
//! The reader takes what the referee writes and what people and other programs write in its manner: any tags in any
//! order, comments where they like, a result as seeds (`25-20`), as points (`1-0`) or open (`*`). It reads text and
//! moves as letters; whether those are legal is for whoever puts them on a board. What it cannot read it refuses, with
//! the line and the column.

mod scan;

pub use scan::{ReadError, Reader};

use crate::game::Outcome;
use kroo::game::{Move, Side, Variant};

/// A game as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// Where it begins: the line, from 1.
    pub line: usize,
    /// The tags, in order.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub moves: Vec<MoveText>,
    /// The last word: `25-20`, `1-0`, `*`.
    pub last: Option<String>,
}

/// A move and what is said after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// The move.
    pub mv: Move,
    /// The comments after it, without braces.
    pub comment: String,
}

impl GameText {
    /// A tag's value.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The rule set, by its title or by its name.
    #[must_use]
    pub fn variant(&self) -> Option<Variant> {
        let wanted = self.tag("Variant")?;
        let same = |variant: &&Variant| {
            variant.title().eq_ignore_ascii_case(wanted) || variant.name().eq_ignore_ascii_case(wanted)
        };
        Variant::ALL.iter().find(same).copied()
    }

    /// The seeds in the stores at the end, South's first.
    #[must_use]
    pub fn stores(&self) -> Option<[u8; 2]> {
        let (south, north) = self.last.as_deref()?.split_once('-')?;
        let points = ["1-0", "0-1", "1/2-1/2"];
        let told = points.contains(&self.last.as_deref()?) && self.tag("Result") == self.last.as_deref();
        let stores = [south.parse().ok()?, north.parse().ok()?];
        (!told).then_some(stores)
    }

    /// Who has won: by the tag `Result`, else by the last word; `None` if the game is open, wherever it stands.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.tag("Result").or(self.last.as_deref())? {
            "1-0" => Some(Outcome::Win(Side::South)),
            "0-1" => Some(Outcome::Win(Side::North)),
            "1/2-1/2" => Some(Outcome::Draw),
            "*" => None,
            _ => self.stores().map(Outcome::by_stores),
        }
    }
}
