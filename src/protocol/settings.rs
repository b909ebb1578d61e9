//! The values of all options.

use crate::level::{Level, Strength};
use crate::roster::PlayerName;
use kroo_core::game::Variant;

/// The values of all options. [`super::options::OPTIONS`] has their ranges and defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many best lines are searched and shown.
    pub multipv: usize,
    /// Whether the engine may be asked to think on the opponent's time.
    pub ponder: bool,
    /// Milliseconds of each move that are lost between the engine and the clock.
    pub move_overhead_ms: u64,
    /// Moves of both sides after which the stores decide a game; 0 for no limit.
    pub move_limit: usize,
    /// The rule set, with the seeds that it is played with.
    pub variant: Variant,
    /// The rule set by the name that was chosen.
    pub named: Variant,
    /// Seeds in a pit at the start; 0 for those of the name.
    pub seeds: u8,
    /// Whether a score comes with the chances of win, draw and loss.
    pub show_wdl: bool,
    /// Whether moves may come from a book.
    pub own_book: bool,
    /// Whether the search takes the first plies of a solved game for known.
    pub solution: bool,
    /// The file of evaluation weights; empty for the built-in ones.
    pub eval_file: String,
    /// The file of the opening book; empty for the built-in one.
    pub book_file: String,
    /// How well the engine plays, unless its Elo is limited.
    pub level: Level,
    /// Whether the engine plays by its Elo, and not by its level.
    pub limit_strength: bool,
    /// The Elo that the engine plays by if it is limited.
    pub elo: u16,
    /// Positions with more seeds in the pits are not looked up in the endgames.
    pub endgame_seeds: u8,
    /// The folder with endgame files; empty for none.
    pub endgame_path: String,
    /// Which player chooses the moves.
    pub player: PlayerName,
    /// Random seed of a player that uses random numbers.
    pub seed: u64,
    /// The file of lessons; empty for none.
    pub learn_file: String,
}

impl Settings {
    /// How well the engine plays.
    #[must_use]
    pub fn strength(&self) -> Strength {
        if self.limit_strength { Strength::Elo(self.elo) } else { Strength::Level(self.level) }
    }

    /// Sets how well the engine plays.
    pub fn set_strength(&mut self, strength: Strength) {
        match strength {
            Strength::Level(level) => (self.limit_strength, self.level) = (false, level),
            Strength::Elo(elo) => (self.limit_strength, self.elo) = (true, elo),
        }
    }

    /// Chooses a rule set by its name. Seeds that it is not played with are forgotten.
    pub(super) fn name_variant(&mut self, named: Variant) {
        self.named = named;
        if self.seeds > 0 && named.with_seeds(self.seeds).is_none() {
            self.seeds = 0;
        }
        self.set_seeds(self.seeds);
    }

    /// Chooses the seeds in a pit. If the rule set is not played with that many, its own stay in use.
    pub(super) fn set_seeds(&mut self, seeds: u8) {
        self.seeds = seeds;
        self.variant = self.named.with_seeds(seeds).unwrap_or(self.named);
    }
}
