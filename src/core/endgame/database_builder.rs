//! The builders of databases behind one: in one pass, over a graph of moves, or by value iteration, as the rules allow.
//!
//! | rule set | builder | on one machine | out of core | on many machines |
//! |---|---|---|---|---|
//! | no position comes back | `acyclic.rs` | yes | | |
//! | play can go round, a sowing is a relay | `graph_iteration.rs` | yes | | |
//! | play can go round, a sowing is one lap | `value_iteration.rs` | yes | `value_iteration/out_of_core.rs` | `distributed/` |

use super::checkpoint::Checkpoint;
use super::database::Database;
use super::error::EndgameFileError;
use super::indexing::plain_bytes;
use super::lower_databases::LowerDatabases;
use super::move_tables::MoveTables;
use super::row_moves::RowMoves;
use super::thread_pool::{Stopped, ThreadPool};
use super::{acyclic, graph_iteration, value_iteration};
use crate::game::{Cycle, Rules};
use once_cell::sync::OnceCell;
use std::marker::PhantomData;
use std::path::Path;

/// Builds the databases of a rule set, each from those below it. The tables of moves are made once.
#[derive(Debug)]
pub struct DatabaseBuilder<R> {
    /// The most seeds.
    most: u8,
    moves: OnceCell<MoveTables>,
    row_moves: OnceCell<RowMoves>,
    rules: PhantomData<R>,
}

/// Which way a database is built.
enum Way {
    Acyclic,
    Graph,
    ValueIteration,
}

impl<R: Rules> DatabaseBuilder<R> {
    const WAY: Way = match R::CYCLE {
        Cycle::Impossible => Way::Acyclic,
        _ if R::LEAD_ADDS => Way::Graph,
        _ => Way::ValueIteration,
    };

    /// Whether values can be kept out of core, or shared by several processes.
    pub const SHARES_VALUES: bool = matches!(Self::WAY, Way::ValueIteration);

    /// For the databases of up to `most` seeds.
    pub fn up_to(most: u8) -> DatabaseBuilder<R> {
        DatabaseBuilder { most, moves: OnceCell::new(), row_moves: OnceCell::new(), rules: PhantomData }
    }

    /// Builds the `seeds`-seed database in memory. Nothing is built on files that were cut off meanwhile.
    pub fn build(
        &self,
        seeds: u8,
        lower: LowerDatabases<'_>,
        pool: &mut ThreadPool<'_>,
        checkpoint: &mut Checkpoint,
    ) -> Result<Database, Stopped> {
        if !lower.are_sound(pool.threads) {
            return Err(Stopped);
        }
        let built = match Self::WAY {
            Way::Acyclic => {
                let moves = self.row_moves.get_or_init(|| RowMoves::new::<R>(self.most));
                acyclic::build_database::<R>(seeds, lower, moves, pool, checkpoint)
            }
            Way::Graph => graph_iteration::build_database::<R>(seeds, lower, pool, checkpoint),
            Way::ValueIteration => {
                value_iteration::build_database::<R>(seeds, lower, self.tables(), pool, checkpoint)
            }
        };
        built.and_then(|database| if lower.are_sound(pool.threads) { Ok(database) } else { Err(Stopped) })
    }

    /// Builds the `seeds`-seed database in `memory` bytes, most of its values in the checkpoint, and writes its file. The
    /// outer error is that of a file.
    pub(super) fn build_file(
        &self,
        seeds: u8,
        lower: LowerDatabases<'_>,
        pool: &mut ThreadPool<'_>,
        checkpoint: &mut Checkpoint,
        (memory, path): (u64, &Path),
    ) -> Result<Result<(), Stopped>, EndgameFileError> {
        use value_iteration::OutOfCoreError::{File, Stopped as Ended};
        if !lower.are_sound(pool.threads) {
            return Ok(Err(Stopped));
        }
        let tables = self.tables();
        match value_iteration::build_file::<R>(seeds, lower, tables, pool, checkpoint, (memory, path)) {
            Ok(()) => Ok(Ok(())),
            Err(Ended) => Ok(Err(Stopped)),
            Err(File(error)) => Err(error),
        }
    }

    /// The moves as tables of rows, for sowings of one lap.
    pub(super) fn tables(&self) -> &MoveTables {
        self.moves.get_or_init(|| MoveTables::new::<R>(self.most))
    }

    /// Bytes of memory that building the `seeds`-seed database takes, without those below it.
    pub(super) fn memory_needed(seeds: u8) -> u64 {
        match Self::WAY {
            Way::Acyclic => acyclic::memory_needed::<R>(seeds),
            Way::Graph => graph_iteration::memory_needed(seeds),
            Way::ValueIteration => value_iteration::memory_needed::<R>(seeds),
        }
    }

    /// Bytes of memory that it takes with most of the values on the disk, if they can be kept there.
    pub(super) fn least_memory(seeds: u8) -> u64 {
        let needed = Self::memory_needed(seeds);
        if Self::SHARES_VALUES { needed.min(value_iteration::least_memory::<R>(seeds)) } else { needed }
    }

    /// Bytes of the values in the checkpoint.
    pub(super) fn checkpoint_bytes(seeds: u8) -> u64 {
        if Self::SHARES_VALUES {
            value_iteration::checkpoint_bytes::<R>(seeds)
        } else {
            plain_bytes::<R>(seeds)
        }
    }

    /// Bytes on the disk besides the checkpoint where most of the values are kept on the disk.
    pub(super) fn scratch_bytes(seeds: u8) -> u64 {
        value_iteration::scratch_bytes::<R>(seeds)
    }
}
