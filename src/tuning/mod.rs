//! Making evaluation weights: data from the engine's own games, and weights from data.
//!
//! Two tools, both reproducible by their random seed. **`kroo datagen`** ([`datagen()`]) lets the engine play itself with
//! a fixed number of nodes a move, and writes down each position with the score of the search and the result of the game.
//! **`kroo tune`** ([`tune()`]) trains a network on such files, and writes the file of weights that the option `EvalFile`
//! reads. This can be repeated: data made with better weights makes better weights.
//!
//! | file | what |
//! |---|---|
//! | `self_play.rs` | one game, from its number and the random seed alone |
//! | `data.rs` | files of training data |
//! | `datagen.rs` | games on all threads, written in their order |
//! | `train.rs` | the network in real numbers, and a step of its training |
//! | `training_set.rs` | the positions of some files, read as training asks for them |
//! | `tune.rs` | from files of data to a file of weights |

#[doc(hidden)]
pub mod data;
mod datagen;
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
