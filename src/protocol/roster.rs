//! Who can play: the players by name, in one table.
//!
//! Each is a file of `players`, which says what it does and where it comes from. Here is only what an option and a page
//! need to know of it: what it is called and which rule sets it can play.

use kroo_core::game::Variant;

/// A player, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlayerName {
    /// Any legal move.
    Random,
    /// What fills its store most at once.
    Greedy,
    /// The same, with an eye on the answer.
    Careful,
    /// The program of BASIC Computer Games.
    Classic1978,
    /// Six weights that have evolved, and minimax.
    Evolved,
    /// This engine.
    #[default]
    Kroo,
}

/// The players with their names and the rule sets they can play, the simplest first.
pub const PLAYERS: &[(PlayerName, &str, &[Variant])] = &[
    (PlayerName::Random, "random", Variant::ALL),
    (PlayerName::Greedy, "greedy", Variant::ALL),
    (PlayerName::Careful, "careful", Variant::ALL),
    (PlayerName::Classic1978, "classic1978", &[Variant::Awari1978]),
    (PlayerName::Evolved, "evolved", Variant::ALL),
    (PlayerName::Kroo, "kroo", Variant::ALL),
];

impl PlayerName {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        PLAYERS[self as usize].1
    }

    /// The rule sets that it can play.
    #[must_use]
    pub fn variants(self) -> &'static [Variant] {
        PLAYERS[self as usize].2
    }

    /// Whether it can play a rule set, with any number of seeds.
    #[must_use]
    pub fn plays(self, variant: Variant) -> bool {
        self.variants().contains(&variant.rule_set())
    }
}

/// The names of all players, the simplest first.
#[must_use]
pub fn names() -> Vec<&'static str> {
    PLAYERS.iter().map(|(_, name, _)| *name).collect()
}
