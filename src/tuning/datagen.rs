//! `kroo datagen`: plays games on all threads, and writes their positions in the order of the games' numbers.

use super::play::Player;
use super::records::{DataError, GAMES_A_BLOCK, Header, Record, Writer};
use crate::evaluate::{EvalFileError, Weights};
use crate::progress::Progress;
use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// What to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatagenPlan {
    /// How the data is made.
    pub header: Header,
    /// The file ends with the block that brings it to so many positions.
    pub positions: u64,
    /// Threads that play.
    pub threads: usize,
    /// The file.
    pub out: PathBuf,
    /// What the searches evaluate with: a file of weights, or nothing for those compiled in.
    pub eval_file: String,
}

/// Why there is no data.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file cannot be written, or holds something else.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The weights cannot be read.
    #[error("EvalFile: {0}")]
    Weights(#[from] EvalFileError),
}

/// Makes the data, or what a run before has left to do.
///
/// # Errors
/// If the file cannot be written or holds something else, or the weights cannot be read.
pub fn datagen(plan: &DatagenPlan) -> Result<(), DatagenError> {
    let weights = Weights::named(&plan.eval_file, plan.header.variant)?;
    let mut writer = Writer::open(&plan.out, plan.header)?;
    let Header { variant, nodes, seed } = plan.header;
    let player = Player { variant, nodes, seed, weights };
    let (next, done) = (AtomicU64::new(writer.blocks), AtomicBool::new(writer.records >= plan.positions));
    let mut progress = Progress::new("positions", plan.positions);
    progress.skip(writer.records);
    let (sender, blocks) = bounded::<(u64, Vec<Record>)>(4);
    thread::scope(|scope| {
        for _ in 0..plan.threads {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !done.load(Ordering::Relaxed) {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let first = block * GAMES_A_BLOCK;
                    let records = (first..first + GAMES_A_BLOCK).flat_map(|game| player.game(game)).collect();
                    if sender.send((block, records)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Blocks that came before their turn.
        let mut early = BTreeMap::new();
        let mut result = Ok(());
        for (block, records) in blocks {
            early.insert(block, records);
            while result.is_ok() && writer.records < plan.positions {
                let Some(records) = early.remove(&writer.blocks) else { break };
                result = writer.add(&records);
            }
            progress.at(writer.records, "");
            if result.is_err() || writer.records >= plan.positions {
                break;
            }
        }
        done.store(true, Ordering::Relaxed);
        result
    })?;
    progress.finish(&format!("{} positions of {} games", writer.records, writer.blocks * GAMES_A_BLOCK));
    Ok(())
}
