//! A build that is watched: its progress, and a function that may stop it.

use crate::thread_pool::{Stopped, ThreadPool};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuildStatus {
    /// The database that is being built, by its seeds.
    pub seeds: u8,
    /// The number of the iteration over it, from 1; 0 before the first.
    pub iteration: u32,
    /// The part of this iteration that is done, from 0 to 1.
    pub fraction: f64,
    /// Evaluations of boards in the iterations before this one.
    pub evaluations: u64,
}

/// A pool, and the function that watches its work.
pub struct WatchedPool<'a> {
    pub threads: &'a ThreadPool,
    /// Called often, on the calling thread. Stops the build if it returns true.
    pub watch: &'a mut dyn FnMut(BuildStatus) -> bool,
}

impl WatchedPool<'_> {
    /// [`ThreadPool::run`], watched with a status whose fraction is the completed part.
    pub fn run(
        &mut self,
        status: BuildStatus,
        tasks: usize,
        task: impl Fn(usize) + Sync,
    ) -> Result<(), Stopped> {
        self.threads.run(tasks, task, |fraction| (self.watch)(BuildStatus { fraction, ..status }))
    }
}
