//! The players: those of the literature, and the strong one.
//!
//! A [`Player`] chooses moves; each has a file. It gets a [`Turn`] (a game, search limits, resources), reports to an
//! [`Observer`](crate::search::Observer) like a search, and returns a [`Report`](crate::search::Report) whose line begins with
//! its move. So the session, the terminal and the tests use all of them in the same way:
//!
//! ```
//! use kroo::game::{Game, Position, Variant};
//! use kroo::players::{PlayerConfig, Silent, Turn, player};
//! use kroo::roster::PlayerName;
//!
//! let game = Game::new(Position::start(Variant::Awari1978));
//! let mut classic = player(PlayerName::Classic1978, &PlayerConfig::new(Variant::Awari1978)).expect("it plays these rules");
//! let report = classic.choose(&Turn::new(&game), &mut Silent);
//! println!("{} for {} hundredths", report.pv[0], report.score.value.centiseeds());
//! ```
//!
//! | file | player | source |
//! |---|---|---|
//! | `random.rs` | a legal move at random | Davis and Kendall 2002, tables 1 and 2 |
//! | `greedy.rs` | the turn that leaves most in its own store | the JavaScript tutorial |
//! | `careful.rs` | as greedy, less the answer; one of equal turns at random | the tutorial's two challenges |
//! | `classic1978.rs` | the program of 1978, with its learning | BASIC Computer Games |
//! | `evolved.rs` | six weights and minimax | Davis and Kendall 2002 |
//! | `kroo.rs` | the full search and its levels (`handicap.rs`) | this project |
//!
//! The players without a search evaluate so little that limits hardly affect them: they report depth 1, and a node is a
//! position whose moves they evaluate. Scores are in hundredths of the player's unit.

mod candidates;
mod careful;
mod classic1978;
#[doc(hidden)]
pub mod evolved;
mod greedy;
mod handicap;
mod kroo;
mod player;
mod random;
mod turn_search;

use crate::game::Variant;
use crate::learn::LearnError;
use crate::roster::PlayerName;
pub use crate::search::Silent;
use careful::Careful;
use classic1978::Classic1978;
use evolved::Evolved;
pub use evolved::{WeightsError, WeightsFault, WeightsFaultKind};
use greedy::Greedy;
#[doc(hidden)]
pub use kroo::Kroo;
pub use player::{Player, Turn};
use random::Random;
use std::path::PathBuf;

/// The configuration of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerConfig {
    /// The rule set.
    pub variant: Variant,
    /// The random seed, if it uses random numbers.
    pub seed: u64,
    /// The path of its own weights; empty for those compiled in.
    pub eval_file: String,
    /// The file of lessons, which only `classic1978` reads; without one it forgets them at exit.
    pub learn_file: Option<PathBuf>,
}

impl PlayerConfig {
    /// The default configuration.
    pub fn new(variant: Variant) -> PlayerConfig {
        PlayerConfig { variant, seed: 1, eval_file: String::new(), learn_file: None }
    }
}

/// Why a player cannot play.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum PlayerError {
    #[error("{} cannot play {variant}: it plays {} only", .who.name(), listed(.who.variants()))]
    OtherRules { who: PlayerName, variant: Variant },
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    File(#[from] LearnError),
}

fn listed(variants: &[Variant]) -> String {
    variants.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ")
}

/// The player of a name.
///
/// # Errors
/// If it cannot play.
pub fn player(who: PlayerName, config: &PlayerConfig) -> Result<Box<dyn Player>, PlayerError> {
    let PlayerConfig { variant, seed, eval_file, learn_file } = config.clone();
    if !who.plays(variant) {
        return Err(PlayerError::OtherRules { who, variant });
    }
    Ok(match who {
        PlayerName::Random => Box::new(Random::new(seed)),
        PlayerName::Greedy => Box::new(Greedy),
        PlayerName::Careful => Box::new(Careful::new(seed)),
        PlayerName::Classic1978 => Box::new(Classic1978::new(learn_file.as_deref())?),
        PlayerName::Evolved => Box::new(Evolved::named(&eval_file, variant)?),
        PlayerName::Kroo => Box::new(Kroo),
    })
}
