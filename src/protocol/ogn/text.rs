//! The text of a game: tags, moves and comments as words.

use super::error::Place;
use super::moves::MoveText;
use super::omitted::Omitted;
use super::words::{result_word, seeds};
use crate::GameResult;
use kroo_core::game::{Side, Variant, Verdict};

/// The text of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// Its first character.
    pub begins: Place,
    /// Its end: the blank line, the next game, or the end of the file.
    pub ends: Place,
    /// The tags in order.
    pub tags: Vec<TagText>,
    /// The comment before the first move, without braces.
    pub before: String,
    /// The moves.
    pub moves: Vec<MoveText>,
    /// The last word, `25-20`, `1-0` or `*`, in the writer's spelling, and its place.
    pub last: Option<(String, Place)>,
    /// The omitted parts.
    pub omitted: Omitted,
}

/// A tag, `[Name "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagText {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The place of the value.
    pub place: Place,
}

impl GameText {
    /// A tag, the first of its name.
    pub fn tag_text(&self, name: &str) -> Option<&TagText> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tag_text(name).map(|tag| tag.value.as_str())
    }

    /// The rule set; `None` if it is missing or unknown.
    pub fn variant(&self) -> Option<Variant> {
        self.tag("Variant").and_then(variant_called)
    }

    /// The final seeds in the stores, South's first, if the last word has them.
    pub fn stores(&self) -> Option<[u8; 2]> {
        let (last, _) = self.last.as_ref()?;
        let stores = seeds(last)?;
        // `1-0` is a result, not two stores, if the tag `Result` is the same.
        let is_result = ["1-0", "0-1"].contains(&last.as_str()) && self.tag("Result") == Some(last);
        (!is_result).then_some(stores)
    }

    /// A side's result by the tag `Result`, or else by the last word; `None` if the game is unfinished.
    pub fn verdict_for(&self, side: Side) -> Option<Verdict> {
        let last = || self.last.as_ref().and_then(|(word, _)| result_word(word));
        let south = self.tag("Result").and_then(result_word).or_else(last)??;
        Some(if side == Side::South { south } else { south.turned() })
    }

    /// The result by the tag `Result`, in the form of that tag; `*` without one.
    pub fn result(&self) -> &'static str {
        GameResult::of_south(self.tag("Result").and_then(|_| self.verdict_for(Side::South))).word()
    }

    /// Whether its moves have begun.
    pub(super) fn is_under_way(&self) -> bool {
        !self.moves.is_empty() || self.last.is_some()
    }
}

/// A rule set by its title or name.
pub(super) fn variant_called(text: &str) -> Option<Variant> {
    Variant::titled(text).or_else(|| text.parse().ok())
}
