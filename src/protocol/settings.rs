//! The values of all options.

use super::options::OPTIONS;
use crate::game::Variant;
use crate::level::Level;
use crate::roster::PlayerName;

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the table, in MiB.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many best lines are shown.
    pub multipv: usize,
    /// Whether the engine may be asked to think in the rival's time.
    pub ponder: bool,
    /// Milliseconds of each move that go lost between the engine and the clock.
    pub move_overhead_ms: u64,
    /// The rule set.
    pub variant: Variant,
    /// Whether a score comes with the chances of win, draw and loss.
    pub show_wdl: bool,
    /// Whether moves may come from a book.
    pub own_book: bool,
    /// The file of evaluation weights; empty for those that are compiled in.
    pub eval_file: String,
    /// The file of the book; empty for the one that is built in.
    pub book_file: String,
    /// How well the engine plays.
    pub level: Level,
    /// Boards with more seeds are not looked up in the endgames.
    pub endgame_seeds: u8,
    /// The folder with files of endgames; empty for none.
    pub endgame_path: String,
    /// Who chooses the moves.
    pub player: PlayerName,
    /// Where the generator begins of a player who draws lots.
    pub seed: u64,
    /// The file that the player learns from; empty for none.
    pub learn_file: String,
}

impl Default for Settings {
    fn default() -> Settings {
        let mut settings = Settings {
            hash_mib: 0,
            threads: 0,
            multipv: 0,
            ponder: false,
            move_overhead_ms: 0,
            variant: Variant::Awari,
            show_wdl: false,
            own_book: false,
            eval_file: String::new(),
            book_file: String::new(),
            level: Level::Full,
            endgame_seeds: 0,
            endgame_path: String::new(),
            player: PlayerName::Kroo,
            seed: 0,
            learn_file: String::new(),
        };
        OPTIONS.iter().for_each(|spec| spec.store_default(&mut settings));
        settings
    }
}
