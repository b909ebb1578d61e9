//! `kroo datagen`: plays games on several threads, and writes their positions in the order of the games.

use super::data::{DataError, DataHeader, DataWriter, GAMES_PER_BLOCK, TrainingPosition};
use super::self_play::{Labels, SelfPlay};
use crate::endgames::{EndgameFileError, Endgames};
use crate::evaluate::{EvalFileError, Weights};
use crate::files::shown;
use crate::game::Variant;
use crate::printable::counted;
use crate::progress::Progress;
use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Training data to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatagenPlan {
    pub header: DataHeader,
    /// The file ends with the block that reaches this number of positions.
    pub positions: u64,
    pub threads: usize,
    pub out: PathBuf,
    /// The folder of endgame files for labels; empty for none.
    pub endgames: PathBuf,
    /// The weight file of the searches; empty for the compiled-in weights.
    pub eval_file: String,
}

/// Why data cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("EvalFile: {0}")]
    Weights(#[from] EvalFileError),
    #[error(transparent)]
    Endgames(#[from] EndgameFileError),
    #[error("{} has no endgames of {variant} up to {}: `kroo endgame build` makes them", shown(.folder), counted((*.wanted).into(), "seed"))]
    NoEndgames { folder: PathBuf, variant: Variant, wanted: u8 },
    #[error("the system starts no thread: {0}")]
    Thread(io::Error),
}

/// Makes the data, or the rest of it after an interrupted run.
pub fn datagen(plan: &DatagenPlan) -> Result<(), DatagenError> {
    let weights = Weights::named(&plan.eval_file, plan.header.variant)?;
    let labels = label_files(plan)?;
    let mut writer = DataWriter::open(&plan.out, plan.header, &weights)?;
    let DataHeader { variant, nodes, seed, .. } = plan.header;
    let self_play = SelfPlay { variant, nodes, seed, weights, labels };
    let (next, done) = (AtomicU64::new(writer.blocks()), AtomicBool::new(writer.positions >= plan.positions));
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
            // If the system starts no more threads, the existing ones do the work.
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(_) => {}
                Err(_) if started > 0 => break,
                Err(error) => return Err(DatagenError::Thread(error)),
            }
        }
        drop(sender);
        // Blocks that arrived before their turn.
        let mut early = BTreeMap::new();
        let mut result = Ok(());
        for (block, positions) in blocks {
            early.insert(block, positions);
            while result.is_ok() && writer.positions < plan.positions {
                let Some(positions) = early.remove(&writer.blocks()) else { break };
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
    let [positions, games] = [(writer.positions, "position"), (writer.blocks() * GAMES_PER_BLOCK, "game")]
        .map(|(count, unit)| counted(count, unit));
    progress.finish(&format!("{positions} of {games}"));
    Ok(())
}

/// The endgame files for labels, if requested.
fn label_files(plan: &DatagenPlan) -> Result<Option<Labels>, DatagenError> {
    let seeds = plan.header.endgame_seeds;
    if seeds == 0 {
        return Ok(None);
    }
    let (variant, folder) = (plan.header.variant, &plan.endgames);
    let labels = Labels { endgames: Arc::new(Endgames::new()), seeds };
    if labels.endgames.open_headers_of(variant, folder, seeds)? != Some(seeds) {
        return Err(DatagenError::NoEndgames { folder: folder.clone(), variant, wanted: seeds });
    }
    Ok(Some(labels))
}
