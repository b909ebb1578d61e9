//! Making evaluation weights: training data from self-play, and weights from data.
//!
//! Both tools are reproducible by their random seed. **`kroo datagen`** ([`datagen()`]) plays games of the engine against
//! itself with a fixed number of nodes a move, and writes each position with its search score and the game result. **`kroo
//! tune`** ([`tune()`]) trains a network on such files, and writes the weight file for the option `EvalFile`. The cycle can be
//! repeated: data from better weights trains better weights.

#[doc(hidden)]
pub mod data;
mod datagen;
mod epochs;
mod self_play;
mod train;
#[doc(hidden)]
pub mod training_set;
mod tune;

pub use data::{DataError, DataHeader, DataWriter, GAMES_PER_BLOCK, TrainingPosition, read_data};
pub use datagen::{DatagenError, DatagenPlan, datagen};
pub use self_play::{Labels, SelfPlay};
pub use train::TrainPlan;
pub use tune::{TuneError, TunePlan, tune};
