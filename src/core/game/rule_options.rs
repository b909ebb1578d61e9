//! Optional rules: a rule set may be played with some of its rules changed.
//!
//! They are data of a game, not a type: a position marks them in both rows of its board ([`Flag`]), so every board of the game
//! carries them, turned or not, and their hash keys differ. Code for the rule set is not compiled again for them.

use super::board::{Board, Flag};

/// The optional rules of a game. The default is the rule set as it is usually played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleOptions {
    /// The last seed in an empty pit of the mover's own is captured even if the pit opposite is empty (M. Rawlings, "empty
    /// capture", 2015).
    pub empty_capture: bool,
    /// The seeds left in a row at the end count for the other side, whose row is empty, not for their owner.
    pub rest_to_opponent: bool,
}

/// The explanations of a rule set's optional rules, in the form of [`About`](super::About).
#[derive(Clone, Copy, Debug)]
pub struct OptionalRules {
    /// How seeds are captured with [`RuleOptions::empty_capture`].
    pub empty_capture: &'static str,
    /// When the game ends with [`RuleOptions::rest_to_opponent`], and which side gets the remaining seeds.
    pub rest_to_opponent: &'static str,
    /// [`Rules::PLIES_A_SEED`](super::Rules::PLIES_A_SEED) with [`RuleOptions::rest_to_opponent`], which makes games longer.
    pub plies_a_seed: Option<u16>,
}

impl RuleOptions {
    /// Every combination, the usual rules first.
    pub const ALL: [RuleOptions; 4] = [
        RuleOptions { empty_capture: false, rest_to_opponent: false },
        RuleOptions { empty_capture: true, rest_to_opponent: false },
        RuleOptions { empty_capture: false, rest_to_opponent: true },
        RuleOptions { empty_capture: true, rest_to_opponent: true },
    ];

    /// Whether these are the usual rules.
    pub const fn are_usual(self) -> bool {
        self.index() == 0
    }

    /// The index in [`RuleOptions::ALL`].
    pub const fn index(self) -> usize {
        self.empty_capture as usize + 2 * self.rest_to_opponent as usize
    }

    /// The rules that are changed in either.
    #[must_use]
    pub const fn or(self, other: RuleOptions) -> RuleOptions {
        RuleOptions {
            empty_capture: self.empty_capture || other.empty_capture,
            rest_to_opponent: self.rest_to_opponent || other.rest_to_opponent,
        }
    }

    /// The endings of the name and of the title of a game.
    pub(super) fn suffixes(self) -> [String; 2] {
        let words = [
            (self.empty_capture, "emptycapture", "empty capture"),
            (self.rest_to_opponent, "opponent", "rest to the opponent"),
        ];
        let chosen = || words.iter().filter(|(chosen, ..)| *chosen);
        [
            chosen().map(|(_, name, _)| format!("-{name}")).collect(),
            chosen().map(|(.., title)| format!(", {title}")).collect(),
        ]
    }
}

impl Board {
    /// The board in a game with these optional rules.
    #[must_use]
    #[inline]
    pub const fn with_options(self, options: RuleOptions) -> Board {
        let RuleOptions { empty_capture, rest_to_opponent } = options;
        self.flag_rows_if(Flag::EmptyCapture, empty_capture)
            .flag_rows_if(Flag::RestToOpponent, rest_to_opponent)
    }

    /// The optional rules of its game.
    #[inline]
    pub const fn options(self) -> RuleOptions {
        RuleOptions {
            empty_capture: self.has(Flag::EmptyCapture),
            rest_to_opponent: self.has(Flag::RestToOpponent),
        }
    }
}
