//! `kroo datagen`: plays games on all threads, and writes their positions in the order of the games.

use super::data::{DataError, DataHeader, DataWriter, GAMES_PER_BLOCK, TrainingPosition};
use super::self_play::SelfPlay;
use crate::evaluate::{EvalFileError, Weights};
use crate::progress::Progress;
use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// What to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatagenPlan {
    /// How the data is made.
    pub header: DataHeader,
    /// The file ends with the block that brings it to this many positions.
    pub positions: u64,
    /// Threads that play.
    pub threads: usize,
    /// The file.
    pub out: PathBuf,
    /// The file of weights that the searches evaluate with; empty for the weights that are compiled in.
    pub eval_file: String,
}

/// Why data cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file cannot be written, or has something else in it.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The weights cannot be read.
    #[error("EvalFile: {0}")]
    Weights(#[from] EvalFileError),
    /// No thread can be started.
    #[error("the system starts no thread: {0}")]
    Thread(io::Error),
}

/// Makes the data, or the rest of it if an earlier run was cut off.
///
/// # Errors
/// If the file cannot be written or has something else in it, or the weights cannot be read.
pub fn datagen(plan: &DatagenPlan) -> Result<(), DatagenError> {
    let weights = Weights::named(&plan.eval_file, plan.header.variant)?;
    let mut writer = DataWriter::open(&plan.out, plan.header)?;
    let DataHeader { variant, nodes, seed } = plan.header;
    let self_play = SelfPlay { variant, nodes, seed, weights };
    let (next, done) = (AtomicU64::new(writer.blocks), AtomicBool::new(writer.positions >= plan.positions));
    let mut progress = Progress::new("positions", plan.positions);
    progress.skip(writer.positions);
    let (sender, blocks) = bounded::<(u64, Vec<TrainingPosition>)>(4);
    thread::scope(|scope| {
        for started in 0..plan.threads {
            let sender = sender.clone();
            let work = || {
                let sender = sender;
                while !done.load(Ordering::Relaxed) {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let games = block * GAMES_PER_BLOCK..(block + 1) * GAMES_PER_BLOCK;
                    let positions = games.flat_map(|game| self_play.game(game)).collect();
                    if sender.send((block, positions)).is_err() {
                        return;
                    }
                }
            };
            // Where the system starts no more threads, those that there are do the work.
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(_) => {}
                Err(_) if started > 0 => break,
                Err(error) => return Err(DatagenError::Thread(error)),
            }
        }
        drop(sender);
        // Blocks that came before their turn.
        let mut early = BTreeMap::new();
        let mut result = Ok(());
        for (block, positions) in blocks {
            early.insert(block, positions);
            while result.is_ok() && writer.positions < plan.positions {
                let Some(positions) = early.remove(&writer.blocks) else { break };
                result = writer.add(&positions);
            }
            progress.at(writer.positions, "");
            if result.is_err() || writer.positions >= plan.positions {
                break;
            }
        }
        done.store(true, Ordering::Relaxed);
        Ok(result?)
    })?;
    progress.finish(&format!("{} positions of {} games", writer.positions, writer.blocks * GAMES_PER_BLOCK));
    Ok(())
}
