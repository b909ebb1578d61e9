//! A legal game with its tags and comments.

use super::moves::VariationText;
use super::omitted::Omitted;
use crate::GameResult;
use kroo_core::game::{Game, Side, Verdict};

/// The tag with the number of moves of the opening, which were given and not chosen.
pub const OPENING: &str = "OpeningPlies";

/// A game with its tags and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game, which contains the values of the tags `Variant` and `FEN`.
    pub game: Game,
    /// Names and values of the other tags. Of several with the same name, the first counts.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move, or empty.
    pub before: String,
    /// The comment after each move, or empty; may end after the last non-empty one.
    pub comments: Vec<String>,
    /// The judgement of each move and its variations, which are legal; may end after the last one.
    pub notes: Vec<MoveNotes>,
    /// What the text had besides, and could not be kept.
    pub omitted: Omitted,
}

/// A move's annotations besides its comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNotes {
    /// The annotation, such as `?!`, or empty.
    pub sign: String,
    /// Alternatives to the move.
    pub variations: Vec<VariationText>,
}

impl GameRecord {
    /// A game without tags and comments.
    #[must_use]
    pub fn new(game: Game) -> GameRecord {
        let (tags, before, comments) = (Vec::new(), String::new(), Vec::new());
        GameRecord { game, tags, before, comments, notes: Vec::new(), omitted: Omitted::default() }
    }

    /// The value of a tag.
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

    /// The seeds in the stores of the current position, South's first.
    #[must_use]
    pub fn stores(&self) -> [u8; 2] {
        Side::BOTH.map(|side| self.game.position().store(side))
    }

    /// The tag `Result`, or else the result by the rules.
    #[must_use]
    pub fn result(&self) -> &str {
        self.tag("Result").unwrap_or_else(|| GameResult::of(self.game.position()).word())
    }

    /// How many of its moves belong to the opening, which neither side has chosen.
    #[must_use]
    pub fn opening(&self) -> usize {
        let plies = self.tag(OPENING).and_then(|plies| plies.parse().ok()).unwrap_or(0);
        self.game.moves().len().min(plies)
    }

    /// South's result of a game that was ended although the rules had not ended it, and the reason.
    #[must_use]
    pub fn settlement(&self) -> Option<(Verdict, Settlement)> {
        if self.game.position().verdict().is_some() {
            return None;
        }
        let south = GameResult::of_word(self.result())?.south()?;
        let said = self.tag("Termination").unwrap_or_default().to_lowercase();
        let says = |word| said.contains(word);
        let reason = match south {
            Verdict::Win | Verdict::Loss if says("resign") => Settlement::Resignation,
            Verdict::Win | Verdict::Loss if says("time") => Settlement::TimeForfeit,
            Verdict::Draw if says("agree") => Settlement::Agreement,
            _ => Settlement::Other,
        };
        Some((south, reason))
    }
}

/// Why a game was ended before the rules ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// The loser resigned.
    Resignation,
    /// The loser's time ran out.
    TimeForfeit,
    /// The players agreed to a draw.
    Agreement,
    /// Another reason, such as a referee's decision; see the tag `Termination`.
    Other,
}
