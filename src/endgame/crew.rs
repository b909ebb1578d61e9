//! Work that several threads share, and that can be stopped.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// How far a build has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stage {
    /// The level in the making, by its seeds.
    pub seeds: u8,
    /// Passes over it so far.
    pub pass: u32,
    /// The part of this pass that is done, from 0 to 1.
    pub part: f64,
    /// Boards that were looked at in the passes before this one, each as often as it was.
    pub looks: u64,
}

/// Those who build, and who watches them.
pub struct Crew<'a> {
    /// Threads to work with.
    pub threads: usize,
    /// Asked often, on the thread that began: is it enough?
    pub watch: &'a mut dyn FnMut(Stage) -> bool,
}

/// Work was stopped on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

impl Crew<'_> {
    /// Does every task up to a number, in no fixed order.
    pub(super) fn share(
        &mut self,
        stage: Stage,
        tasks: usize,
        task: impl Fn(usize) + Sync,
    ) -> Result<(), Stopped> {
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            (index < tasks && !stopped.load(Ordering::Relaxed)).then_some(index)
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(tasks) {
                scope.spawn(|| {
                    while let Some(index) = take() {
                        task(index);
                    }
                });
            }
            while let Some(index) = take() {
                task(index);
                if (self.watch)(Stage { part: (index + 1) as f64 / tasks as f64, ..stage }) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        });
        if stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}
