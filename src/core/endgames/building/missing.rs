//! Builds the databases that a process lacks, in memory.

use super::checkpoint::NoCheckpoint;
use super::database_builder::DatabaseBuilder;
use super::lower_databases::LowerDatabases;
use crate::endgames::building::watched::WatchedPool;
use crate::endgames::probe::endgames::{Endgames, largest_database};
use crate::game::Rules;
use crate::thread_pool::ThreadPool;

impl Endgames {
    /// Builds the databases up to `seeds` seeds that are missing, on one thread. Returns whether they are all there now; if
    /// not, it was stopped.
    pub fn build<R: Rules>(&self, seeds: u8, stop: &mut dyn FnMut() -> bool) -> bool {
        let threads = &ThreadPool::single();
        self.build_with::<R>(seeds, &mut WatchedPool { threads, watch: &mut |_| stop() })
    }

    /// Builds the databases up to `seeds` seeds that are missing, or whose files proved damaged. Returns whether they are all
    /// there now; if not, it was stopped.
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
