//! The table of players by name.
//!
//! It has what an option and a page need: names and rule sets. The module `players` implements and describes each player.

use kroo_core::game::Variant;

/// A player, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlayerName {
    /// A random legal move.
    Random,
    /// The turn that leaves most seeds in its store.
    Greedy,
    /// The same, less the opponent's best answer.
    Careful,
    /// The program of BASIC Computer Games (1978).
    Classic1978,
    /// Minimax with six evolved weights.
    Evolved,
    /// This engine.
    #[default]
    Kroo,
}

/// The players with their names and rule sets, the simplest first.
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
    pub fn name(self) -> &'static str {
        PLAYERS[self as usize].1
    }

    /// The rule sets that it can play.
    pub fn variants(self) -> &'static [Variant] {
        PLAYERS[self as usize].2
    }

    /// Whether it can play a rule set, whatever the seeds per pit.
    pub fn plays(self, variant: Variant) -> bool {
        self.variants().contains(&variant.rule_set())
    }
}

/// The names of all players, the simplest first.
pub fn names() -> Vec<&'static str> {
    PLAYERS.iter().map(|(_, name, _)| *name).collect()
}
