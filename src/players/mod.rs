//! The players: those of the sources, and the strong one among them.
//!
//! Whoever chooses moves is a [`Player`], one file each. It is told of a [`Turn`] (a game, how far to look, what it may
//! use), reports to an [`Observer`] as a search does, and returns a [`Report`] whose line begins with its move. So the
//! session, the terminal and the tests ask all of them in the same words:
//!
//! ```
//! use kroo::game::{Game, Position, Variant};
//! use kroo::players::{Equipment, Silent, Turn, player};
//! use kroo::roster::PlayerName;
//!
//! let game = Game::new(Position::start(Variant::Awari1978));
//! let mut classic = player(PlayerName::Classic1978, &Equipment::new(Variant::Awari1978)).expect("it plays these rules");
//! let report = classic.choose(&Turn::new(&game), &mut Silent);
//! println!("{} for {} hundredths", report.pv[0], report.score.value.centiseeds());
//! ```
//!
//! | file | player | source |
//! |---|---|---|
//! | `random.rs` | a legal move, drawn from the generator | Davis and Kendall 2002, tables 1 and 2 |
//! | `greedy.rs` | the turn that leaves most in its store | the JavaScript tutorial |
//! | `careful.rs` | as greedy, less the answer, lots among equals | the tutorial's two challenges |
//! | `classic1978.rs` | the program of 1978, with its learning | BASIC Computer Games |
//! | `evolved.rs` | six weights and minimax | Davis and Kendall 2002 |
//! | `kroo.rs` | the full search, and what learning takes off its scores (`penalties.rs`); its levels (`handicap.rs`) | this project |
//!
//! Those that do not search look at so little that a limit hardly matters to them: their one look has depth 1, and a
//! node is a position whose moves they weigh. Scores are in hundredths of what they count.

mod candidates;
mod careful;
mod classic1978;
pub mod evolved;
mod greedy;
mod handicap;
mod kroo;
mod lesson_file;
mod lots;
mod penalties;
mod random;
mod turns;

use crate::game::{Game, Side, Variant};
use crate::learn::LearnError;
use crate::level::Level;
use crate::roster::PlayerName;
pub use crate::search::Silent;
use crate::search::{Observer, Report, Request, Table};
pub use careful::Careful;
pub use classic1978::Classic1978;
pub use evolved::Evolved;
use evolved::WeightsError;
pub use greedy::Greedy;
pub use kroo::Kroo;
pub use lots::Lots;
pub use random::Random;
use std::path::PathBuf;
use std::sync::Arc;

/// A move to be chosen: where, how far to look, and with what.
#[derive(Clone)]
pub struct Turn {
    /// The game so far. It is not over.
    pub game: Game,
    /// The search that is asked for, of where the game stands.
    pub request: Request,
    /// How well to play, for a player who has levels.
    pub level: Level,
    /// The table of searched positions, for a player who searches.
    pub table: Arc<Table>,
}

impl Turn {
    /// A turn without any limit, and with a small table of its own.
    ///
    /// # Panics
    /// If there is no memory for a MiB.
    #[must_use]
    pub fn new(game: &Game) -> Turn {
        let table = Arc::new(Table::new(1).expect("a small table fits"));
        Turn { game: game.clone(), request: Request::new(game), level: Level::Full, table }
    }
}

/// Whoever chooses moves.
pub trait Player: Send {
    /// Chooses a move, tells the observer, and returns the last report: its line begins with the move.
    ///
    /// # Panics
    /// If the game is over, or has rules that the player does not know.
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report;

    /// A game is over in which it played this side. It may remember it; says whether it does. Once a game is enough.
    fn learn(&mut self, _game: &Game, _side: Side) -> bool {
        false
    }

    /// Looks what others have written into the file that it learns from.
    fn refresh(&mut self) {}

    /// What it has to say to people since it was asked last; `error` begins what went wrong with its file.
    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Begins to draw lots anew, if it draws any.
    fn draw_from(&mut self, _seed: u64) {}
}

/// What a player is given before it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equipment {
    /// The rule set.
    pub variant: Variant,
    /// Where its generator begins, if it draws lots.
    pub seed: u64,
    /// The path of its weights, if it has some of its own; empty for those compiled in.
    pub eval_file: String,
    /// The file that it learns from, if it learns; none to forget what it learns when it ends.
    pub learn_file: Option<PathBuf>,
}

impl Equipment {
    /// What is given if nobody says otherwise.
    #[must_use]
    pub fn new(variant: Variant) -> Equipment {
        Equipment { variant, seed: 1, eval_file: String::new(), learn_file: None }
    }
}

/// Why somebody cannot play.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// It does not know the rules.
    #[error("{} cannot play {variant}: it plays {} only", .who.name(), listed(.who.variants()))]
    OtherRules {
        /// The player.
        who: PlayerName,
        /// The rule set that is to be played.
        variant: Variant,
    },
    /// Its weights cannot be read.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Its file cannot be used.
    #[error(transparent)]
    File(#[from] LearnError),
}

fn listed(variants: &[Variant]) -> String {
    variants.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ")
}

/// The player of this name, ready to play.
///
/// # Errors
/// Why it cannot play.
pub fn player(who: PlayerName, equipment: &Equipment) -> Result<Box<dyn Player>, PlayerError> {
    let Equipment { variant, seed, eval_file, learn_file } = equipment.clone();
    let learn_file = learn_file.as_deref();
    if !who.plays(variant) {
        return Err(PlayerError::OtherRules { who, variant });
    }
    Ok(match who {
        PlayerName::Random => Box::new(Random::new(seed)),
        PlayerName::Greedy => Box::new(Greedy),
        PlayerName::Careful => Box::new(Careful::new(seed)),
        PlayerName::Classic1978 => Box::new(Classic1978::new(learn_file)?),
        PlayerName::Evolved => Box::new(Evolved::named(&eval_file, variant)?),
        PlayerName::Kroo => Box::new(Kroo::new(variant, learn_file)?),
    })
}
