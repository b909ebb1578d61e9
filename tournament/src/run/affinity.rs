//! A processor for each game.
//!
//! The two engines of a game and the thread that referees it take turns, so one processor is enough for all three as
//! long as each engine has one thread, and none has to be woken up for the next move. Engines inherit it from the
//! thread that starts them.

/// Keeps the calling thread, and what it starts, on one of the processors that it may use: the one with this number,
/// from 0, around and around. Where that cannot be done, the thread goes where the system wants.
#[cfg(target_os = "linux")]
pub(super) fn stay_on_processor(number: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let processors: Vec<usize> =
        (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect();
    let mut own = CpuSet::new();
    own.set(processors[number % processors.len()]);
    let _ = sched_setaffinity(None, &own);
}

/// There is no such call.
#[cfg(not(target_os = "linux"))]
pub(super) fn stay_on_processor(_: usize) {}
