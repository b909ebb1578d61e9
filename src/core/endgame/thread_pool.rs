//! Work that several threads share, and that can be stopped.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The progress of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuildStatus {
    /// The database that is being built, by its seeds.
    pub seeds: u8,
    /// Iterations over it so far, this one included; 0 before the first.
    pub iteration: u32,
    /// The part of this iteration that is done, from 0 to 1.
    pub fraction: f64,
    /// Evaluations of boards in the iterations before this one.
    pub evaluations: u64,
}

/// The threads of a build, and the function that watches them.
pub struct ThreadPool<'a> {
    /// Threads to work with, the calling one included.
    pub threads: usize,
    /// Called often, on the calling thread. Stops the build if it returns true.
    pub watch: &'a mut dyn FnMut(BuildStatus) -> bool,
}

/// Work was stopped on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl ThreadPool<'_> {
    /// Does the tasks with the numbers below `tasks`, in no fixed order. Each thread takes the next one when it is free.
    pub fn run(
        &mut self,
        status: BuildStatus,
        tasks: usize,
        task: impl Fn(usize) + Sync,
    ) -> Result<(), Stopped> {
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            (index < tasks && !stopped.load(Ordering::Relaxed)).then_some(index)
        };
        thread::scope(|scope| {
            let help = || {
                while let Some(index) = take() {
                    task(index);
                }
            };
            // If the system starts no more threads, those that there are do the work.
            let start = |_: &usize| thread::Builder::new().spawn_scoped(scope, help).is_ok();
            let _ = (1..self.threads.min(tasks)).take_while(start).count();
            while let Some(index) = take() {
                task(index);
                if (self.watch)(BuildStatus { fraction: (index + 1) as f64 / tasks as f64, ..status }) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        });
        if stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}
