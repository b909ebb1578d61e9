//! Making evaluation weights: training data from self-play, and weights from data.
//!
//! Both tools are reproducible by their random seed. **`kroo datagen`** ([`datagen()`]) plays games of the engine against
//! itself with a fixed number of nodes a move, and writes each position with its search score and the game result. **`kroo
//! tune`** ([`tune()`]) trains a network on such files, and writes the weight file for the option `EvalFile`. The cycle can be
//! repeated: data from better weights trains better weights.
//!
//! | file | content |
//! |---|---|
//! | `self_play.rs` | one game, from its number and the random seed alone |
//! | `data.rs` | training data files |
//! | `datagen.rs` | games on all threads, written in their order |
//! | `train.rs` | the network in floating point, and a training step |
//! | `training_set.rs` | the positions of several files, read on demand |
//! | `epochs.rs` | the training so far, on the disk |
//! | `tune.rs` | from training data to a weight file |

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
