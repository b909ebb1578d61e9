//! The threads of long work: builds, packing, checks and training share tasks that can be stopped.
//!
//! A pool is started once and kept through the whole work, since value iteration shares thousands of sweeps and training
//! thousands of steps, most of them shorter than starting a thread. The calling thread works as well, and it alone asks whether
//! to stop, after each of its tasks. With one thread there is no pool, so the background builder keeps its low priority.
//! WebAssembly has the calling thread only.
//!
//! Tasks follow the data, never the number of threads: the processor time is the same with any number of them.

#[cfg(not(target_family = "wasm"))]
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
#[cfg(not(target_family = "wasm"))]
use std::thread;

/// Work was stopped on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The threads of a build, a check or a training.
#[derive(Debug, Default)]
pub struct ThreadPool {
    /// Those besides the calling one, if there are any.
    #[cfg(not(target_family = "wasm"))]
    helpers: Option<rayon::ThreadPool>,
}

impl ThreadPool {
    /// A pool of `threads` threads, the calling one included, but not more than the system has processors. If the system starts
    /// fewer, those do the work.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(threads: usize) -> ThreadPool {
        let threads = threads.min(thread::available_parallelism().map_or(1, NonZero::get));
        let start = |&helpers: &usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(helpers);
            pool.thread_name(|number| format!("builder {number}")).build().ok()
        };
        let fewer = std::iter::successors(threads.checked_sub(1), |helpers| Some(helpers / 2));
        ThreadPool { helpers: fewer.take_while(|&helpers| helpers > 0).find_map(|helpers| start(&helpers)) }
    }

    /// The calling thread.
    #[cfg(target_family = "wasm")]
    pub fn new(_: usize) -> ThreadPool {
        ThreadPool::single()
    }

    pub fn on_all_processors() -> ThreadPool {
        ThreadPool::new(usize::MAX)
    }

    /// The calling thread.
    pub fn single() -> ThreadPool {
        ThreadPool::default()
    }

    /// Does the tasks with the numbers below `tasks`, in no fixed order: each thread takes the next one when it is free. Calls
    /// `stop` with the part that is done, once at least if there are tasks, and on the calling thread; no task begins after it has returned true.
    pub fn run(
        &self,
        tasks: usize,
        task: impl Fn(usize) + Sync,
        mut stop: impl FnMut(f64) -> bool,
    ) -> Result<(), Stopped> {
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            (index < tasks && !stopped.load(Ordering::Relaxed)).then_some(index)
        };
        let help = || {
            while let Some(index) = take() {
                task(index);
            }
        };
        let mut asked = tasks == 0;
        self.with_helpers(tasks.saturating_sub(1), help, || {
            while let Some(index) = take() {
                task(index);
                asked = true;
                if stop((index + 1) as f64 / tasks as f64) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        });
        // The others may have been quicker with all tasks.
        if !asked && stop(1.0) {
            return Err(Stopped);
        }
        if stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Calls `help` on at most this number of other threads, and `work` on this one.
    #[cfg(not(target_family = "wasm"))]
    fn with_helpers(&self, most: usize, help: impl Fn() + Sync, work: impl FnOnce()) {
        match &self.helpers {
            Some(pool) if most > 0 => pool.in_place_scope(|scope| {
                for _ in 0..most.min(pool.current_num_threads()) {
                    scope.spawn(|_| help());
                }
                work();
            }),
            _ => work(),
        }
    }

    #[cfg(target_family = "wasm")]
    fn with_helpers(&self, _: usize, _: impl Fn() + Sync, work: impl FnOnce()) {
        work();
    }

    /// The results of the tasks with the numbers below `tasks`, in their order.
    pub fn map<T: Send>(&self, tasks: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let made: Vec<Mutex<Option<T>>> = (0..tasks).map(|_| Mutex::new(None)).collect();
        let make = |index: usize| {
            let one = task(index);
            *made[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(one);
        };
        let done = self.run(tasks, make, |_| false);
        done.expect("it is never stopped");
        let made = made.into_iter().map(|made| made.into_inner().unwrap_or_else(PoisonError::into_inner));
        made.map(|made| made.expect("every task was done")).collect()
    }

    /// The results of a function on parts, each given to it once, in their order.
    pub fn map_each<P: Send, T: Send>(&self, parts: Vec<P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
        let parts: Vec<Mutex<Option<P>>> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
        self.map(parts.len(), |number| {
            let part = parts[number].lock().unwrap_or_else(PoisonError::into_inner).take();
            work(part.expect("each task is done once"))
        })
    }

    /// Whether all tasks hold, each with its number; after one that does not, no more begin.
    pub fn all(&self, tasks: usize, holds: impl Fn(usize) -> bool + Sync) -> bool {
        let failed = AtomicBool::new(false);
        let task = |number: usize| {
            if !failed.load(Ordering::Relaxed) && !holds(number) {
                failed.store(true, Ordering::Relaxed);
            }
        };
        let _ = self.run(tasks, task, |_| failed.load(Ordering::Relaxed));
        !failed.load(Ordering::Relaxed)
    }
}
