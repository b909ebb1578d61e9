//! Chooses the builder of a rule set's databases: one pass, iteration over a graph of moves, or value iteration. Builds those
//! that a process lacks, in memory.
//!
//! | rule set | builder | in memory | out of core | on many machines |
//! |---|---|---|---|---|
//! | no cycles | `acyclic.rs` | yes | | |
//! | cycles, the lead adds | `graph_iteration.rs` | yes | | |
//! | cycles, the lead decides | `value_iteration.rs` | yes | yes | yes |
//!
//! A rule set that none of them can build does not compile: see `way`. The package `kroo-endgames` has the last two columns.

use super::checkpoint::{Checkpoint, NoCheckpoint};
use super::lower_databases::LowerDatabases;
use super::move_tables::MoveTables;
use super::row_moves::RowMoves;
use super::{acyclic, graph_iteration, value_iteration};
use crate::endgames::building::watched::WatchedPool;
use crate::endgames::probe::database::Database;
use crate::endgames::probe::endgames::{Endgames, largest_database};
use crate::game::{Cycle, RuleOptions, Rules, Variant};
use crate::thread_pool::{Stopped, ThreadPool};
use crate::under;
use once_cell::sync::OnceCell;

/// Builds the databases of a rule set, each from those below it. The tables of moves are made once.
///
/// The rule set is a value here, which compiles the builders in this package only.
#[derive(Debug)]
pub struct DatabaseBuilder {
    variant: Variant,
    options: RuleOptions,
    /// The most seeds.
    most: u8,
    moves: OnceCell<MoveTables>,
    row_moves: OnceCell<RowMoves>,
}

/// The builder of a rule set.
enum Way {
    Acyclic,
    Graph,
    ValueIteration,
}

const fn way<R: Rules>() -> Way {
    match R::CYCLE {
        Cycle::Impossible => Way::Acyclic,
        Cycle::ScoreStands if R::LEAD_ADDS => Way::Graph,
        _ if R::LEAD_ADDS => panic!("`graph_iteration.rs` ends endless play with the present stores"),
        _ if R::COURSE.relay => panic!("`value_iteration.rs` reads from tables what one lap does"),
        _ => Way::ValueIteration,
    }
}

/// Whether values can be kept out of core, or shared by several processes.
pub const fn shares_values<R: Rules>() -> bool {
    matches!(way::<R>(), Way::ValueIteration)
}

/// Bytes of memory that building the `seeds`-seed database takes, without those below it.
pub fn memory_needed<R: Rules>(seeds: u8) -> u64 {
    match const { way::<R>() } {
        Way::Acyclic => acyclic::memory_needed::<R>(seeds),
        Way::Graph => graph_iteration::memory_needed(seeds),
        Way::ValueIteration => value_iteration::memory_needed::<R>(seeds),
    }
}

impl DatabaseBuilder {
    /// For the databases of up to `most` seeds.
    pub fn new(variant: Variant, most: u8) -> DatabaseBuilder {
        let options = RuleOptions::default();
        DatabaseBuilder { variant, options, most, moves: OnceCell::new(), row_moves: OnceCell::new() }
    }

    /// The same for games with these optional rules, where no position comes back.
    pub fn with_options(self, options: RuleOptions) -> DatabaseBuilder {
        DatabaseBuilder { options, ..self }
    }

    /// Builds the `seeds`-seed database in memory. Nothing is built on files that were cut off meanwhile.
    pub fn build(
        &self,
        seeds: u8,
        lower: LowerDatabases<'_>,
        pool: &mut WatchedPool<'_>,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<Database, Stopped> {
        if !lower.are_sound(pool.threads) {
            return Err(Stopped);
        }
        let threads = pool.threads;
        let database = under!(self.variant, R => self.build_under::<R>(seeds, lower, pool, checkpoint))?;
        if lower.are_sound(threads) { Ok(database) } else { Err(Stopped) }
    }

    fn build_under<R: Rules>(
        &self,
        seeds: u8,
        lower: LowerDatabases<'_>,
        pool: &mut WatchedPool<'_>,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<Database, Stopped> {
        match const { way::<R>() } {
            Way::Acyclic => {
                let moves = self.row_moves.get_or_init(|| RowMoves::new::<R>(self.most, self.options));
                acyclic::build_database::<R>(seeds, lower, moves, pool, checkpoint)
            }
            Way::Graph => graph_iteration::build_database::<R>(seeds, lower, pool, checkpoint),
            Way::ValueIteration => {
                value_iteration::build_database::<R>(seeds, lower, self.tables(), pool, checkpoint)
            }
        }
    }

    /// The moves as tables of rows, for sowings of one lap.
    pub fn tables(&self) -> &MoveTables {
        self.moves.get_or_init(|| under!(self.variant, R => MoveTables::new::<R>(self.most)))
    }
}

impl Endgames {
    /// Builds the databases up to `seeds` seeds that are missing, on one thread. Returns whether they are all there now; if
    /// not, it was stopped.
    pub fn build<R: Rules>(&self, seeds: u8, stop: &mut dyn FnMut() -> bool) -> bool {
        let threads = &ThreadPool::single();
        self.build_with::<R>(seeds, &mut WatchedPool { threads, watch: &mut |_| stop() })
    }

    /// Builds the databases up to `seeds` seeds that are missing or whose files proved damaged. Returns whether all exist now; if
    /// not, it was stopped.
    pub fn build_with<R: Rules>(&self, seeds: u8, pool: &mut WatchedPool<'_>) -> bool {
        let most = seeds.min(largest_database::<R>());
        let builder = DatabaseBuilder::new(R::VARIANT, most).with_options(self.options());
        (0..=most).all(|seeds| {
            let cell = &self.of::<R>()[usize::from(seeds)];
            if cell.is_sound() {
                return true;
            }
            let database = builder.build(seeds, self.lower::<R>(seeds), pool, &mut NoCheckpoint);
            let Ok(database) = database else { return false };
            // The work of the second to finish is lost, but neither has waited for the other.
            cell.set(database);
            true
        })
    }

    /// The databases below one.
    pub fn lower<R: Rules>(&self, seeds: u8) -> LowerDatabases<'_> {
        LowerDatabases { databases: &self.of::<R>()[..usize::from(seeds)] }
    }

    /// Counts the deadlines of boards with up to `seeds` seeds that are missing. Returns whether all are there now; if not, it
    /// was stopped, or positions cannot repeat.
    pub fn count_deadlines<R: Rules>(&self, seeds: u8, stop: &mut dyn FnMut() -> bool) -> bool {
        self.deadlines[R::VARIANT.index()].count::<R>(seeds, stop)
    }
}
