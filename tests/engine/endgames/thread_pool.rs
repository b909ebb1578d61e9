//! Tests of `src/core/thread_pool.rs`, and that the work of a build does not depend on its threads.

use kroo::endgames::{BuildStatus, Endgames, ThreadPool, WatchedPool};
use kroo::game::{Awari, Oware, Rules};
use kroo::thread_pool::Stopped;
use std::collections::HashSet;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{self, ThreadId};

/// The threads that have done the tasks of some runs.
fn workers(pool: &ThreadPool, runs: usize) -> HashSet<ThreadId> {
    let workers = Mutex::new(HashSet::new());
    for _ in 0..runs {
        let task = |_| {
            workers.lock().expect("no task panics").insert(thread::current().id());
        };
        assert_eq!(pool.run(64, task, |_| false), Ok(()));
    }
    workers.into_inner().expect("no task panics")
}

#[test]
fn one_thread_is_the_calling_one() {
    for pool in [ThreadPool::new(0), ThreadPool::new(1), ThreadPool::single()] {
        assert_eq!(workers(&pool, 3), HashSet::from([thread::current().id()]));
    }
}

#[test]
fn a_pool_keeps_its_threads_and_has_no_more_than_processors() {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    for threads in [2, 3, 1000] {
        let workers = workers(&ThreadPool::new(threads), 300);
        assert!(workers.len() <= threads.min(processors), "{threads}: {}", workers.len());
    }
}

#[test]
fn every_task_is_done_once() {
    for threads in [1, 2, 4] {
        let pool = ThreadPool::new(threads);
        for tasks in [0, 1, 2, 5, 1000] {
            let done: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
            let task = |index: usize| {
                done[index].fetch_add(1, Relaxed);
            };
            assert_eq!(pool.run(tasks, task, |_| false), Ok(()));
            assert!(done.iter().all(|done| done.load(Relaxed) == 1));
            assert!(pool.map(tasks, |index| index).into_iter().eq(0..tasks));
        }
    }
}

#[test]
fn the_calling_thread_is_asked_and_stops_the_work() {
    let caller = thread::current().id();
    for threads in [1, 2, 4] {
        let (pool, done, mut asked) = (ThreadPool::new(threads), AtomicUsize::new(0), 0);
        // Others wait for the stop, so that they cannot do all tasks before it.
        let stopped = AtomicUsize::new(0);
        let task = |_| {
            done.fetch_add(1, Relaxed);
            while thread::current().id() != caller && stopped.load(Relaxed) == 0 {
                thread::yield_now();
            }
        };
        let result = pool.run(1000, task, |fraction| {
            assert_eq!(thread::current().id(), caller);
            assert!((0.0..=1.0).contains(&fraction));
            asked += 1;
            let stop = asked == 3;
            stopped.store(usize::from(stop), Relaxed);
            stop
        });
        assert_eq!((result, asked), (Err(Stopped), 3));
        // Each other thread may have taken one task before the stop, and one while it was noted.
        assert!(done.load(Relaxed) <= 3 + 2 * threads, "{threads}: {}", done.load(Relaxed));
    }
}

#[test]
fn all_stops_at_the_first_that_does_not_hold() {
    for threads in [1, 3] {
        let pool = ThreadPool::new(threads);
        assert!(pool.all(100, |_| true) && pool.all(0, |_| false));
        assert!(!pool.all(100, |number| number != 70));
    }
    let asked = AtomicUsize::new(0);
    let holds = |_| {
        asked.fetch_add(1, Relaxed);
        false
    };
    assert!(!ThreadPool::single().all(100, holds));
    assert_eq!(asked.load(Relaxed), 1);
}

#[test]
fn a_panic_of_a_task_reaches_the_caller() {
    let pool = ThreadPool::new(3);
    let fails = |index: usize| assert_ne!(index, 500);
    let result = catch_unwind(AssertUnwindSafe(|| pool.run(1000, fails, |_| false)));
    assert!(result.is_err());
    assert_eq!(workers(&pool, 1).len().min(1), 1, "the pool still works");
}

/// The evaluations of boards in each iteration of a build.
fn evaluations<R: Rules>(seeds: u8, threads: usize) -> Vec<(u8, u32, u64)> {
    let mut found: Vec<(u8, u32, u64)> = Vec::new();
    let mut watch = |status: BuildStatus| {
        let now = (status.seeds, status.iteration, status.evaluations);
        if status.iteration > 0 && found.last() != Some(&now) {
            found.push(now);
        }
        false
    };
    let mut pool = WatchedPool { threads: &ThreadPool::new(threads), watch: &mut watch };
    assert!(Endgames::new().build_with::<R>(seeds, &mut pool));
    found.sort_unstable();
    found
}

fn work_is_the_same<R: Rules>(seeds: u8) {
    let of_one = evaluations::<R>(seeds, 1);
    let all = of_one.last().expect("there are iterations");
    for threads in [2, 16] {
        assert_eq!(evaluations::<R>(seeds, threads).last(), Some(all), "{}, {threads} threads", R::VARIANT);
    }
}

#[test]
fn boards_are_evaluated_as_often_with_any_number_of_threads() {
    work_is_the_same::<Awari>(11);
    work_is_the_same::<Oware>(11);
}
