//! Processor affinity: the engines of a game and the thread that referees it take turns, so one processor is enough for them.
//!
//! Most of the time of a move of engines that answer at once goes into waking up another processor, which is saved if all three
//! share one. Where the system has no such call (sched_setaffinity(2)), nothing is done.

/// The processors that the calling thread may use.
#[cfg(target_os = "linux")]
pub(super) fn allowed() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect()
}

/// Restricts the calling thread, and what it starts from now on, to these processors.
#[cfg(target_os = "linux")]
pub(super) fn pin(processors: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    processors.iter().for_each(|&processor| set.set(processor));
    let _ = sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn allowed() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_: &[usize]) {}

/// Pins the calling thread, and what it starts, to one of the processors that it may use: the one with this number, counted
/// round from 0.
pub(super) fn pin_to(number: usize) {
    let processors = allowed();
    if !processors.is_empty() {
        pin(&[processors[number % processors.len()]]);
    }
}
