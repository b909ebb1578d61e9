//! Which processors a thread may use (sched_setaffinity(2)). Where the system has no such call, there is no choice.

#[cfg(target_os = "linux")]
mod system {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// The processors that the calling thread may use.
    pub fn allowed() -> Vec<usize> {
        sched_getaffinity(None).as_ref().map(listed).unwrap_or_default()
    }

    /// The processors that a thread may use; `None` if it is gone.
    pub fn allowed_to(thread: Pid) -> Option<Vec<usize>> {
        sched_getaffinity(Some(thread)).as_ref().map(listed).ok()
    }

    /// Restricts a thread, and what it starts from now on, to these processors; `None` is the calling thread. Says whether
    /// that was done.
    pub fn pin(thread: Option<Pid>, processors: &[usize]) -> bool {
        let mut set = CpuSet::new();
        processors.iter().for_each(|&processor| set.set(processor));
        sched_setaffinity(thread, &set).is_ok()
    }

    /// The calling thread.
    pub fn this_thread() -> Option<Pid> {
        Some(rustix::thread::gettid())
    }

    fn listed(set: &CpuSet) -> Vec<usize> {
        (0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use rustix::process::Pid;

    pub fn allowed() -> Vec<usize> {
        Vec::new()
    }

    pub fn allowed_to(_: Pid) -> Option<Vec<usize>> {
        None
    }

    pub fn pin(_: Option<Pid>, _: &[usize]) -> bool {
        false
    }

    pub fn this_thread() -> Option<Pid> {
        None
    }
}

pub(super) use system::{allowed, allowed_to, pin, this_thread};
