//! Making evaluation weights: data from the engine's own games, and weights from data.
mod datagen;
mod play;
mod progress;
mod records;
mod train;
mod tune;

pub use datagen::{DatagenError, DatagenPlan, datagen};
pub use play::Player;
pub use progress::Progress;
pub use records::{DataError, GAMES_A_BLOCK, Header, Record, Writer, read};
pub use train::TrainPlan;
pub use tune::{TuneError, TunePlan, tune};
