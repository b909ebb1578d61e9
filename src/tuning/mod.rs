//! Making evaluation weights: data from the engine's own games, and weights from data.
//!
//! Two tools, both reproducible by their seed. **`kroo datagen`** ([`datagen()`]) has the engine play itself with so
//! many nodes a move and writes each position down with what the search said and how the game ended. **`kroo tune`**
//! ([`tune()`]) trains a network on such files and writes the file of weights that the option `EvalFile` reads.
//! Weights and data go round: data made with better weights makes better weights.
//!
//! | file | what |
//! |---|---|
//! | `play.rs` | one game, from its number and the seed alone |
//! | `records.rs` | files of training data |
//! | `datagen.rs` | games on all threads, written in their order |
//! | `train.rs` | the network in real numbers, and a step of its training |
//! | `tune.rs` | from files of data to a file of weights |

mod datagen;
mod play;
mod records;
mod train;
mod tune;

pub use datagen::{DatagenError, DatagenPlan, datagen};
pub use play::Player;
pub use records::{DataError, GAMES_A_BLOCK, Header, Record, Writer, read};
pub use train::TrainPlan;
pub use tune::{TuneError, TunePlan, tune};
