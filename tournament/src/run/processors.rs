//! What the system is told of threads and processors. Where it has no such calls, there are no processors to choose from.

#[cfg(target_os = "linux")]
mod system {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::fs;

    /// The processors that the calling thread may use.
    pub fn allowed() -> Vec<usize> {
        sched_getaffinity(None).as_ref().map(listed).unwrap_or_default()
    }

    /// The processors that a thread may use; `None` if it is gone.
    pub fn allowed_to(thread: Pid) -> Option<Vec<usize>> {
        sched_getaffinity(Some(thread)).as_ref().map(listed).ok()
    }

    /// Keeps a thread, and what it starts from now on, on these processors; without a thread, the calling one. Says
    /// whether that was done.
    pub fn keep(thread: Option<Pid>, processors: &[usize]) -> bool {
        let mut set = CpuSet::new();
        processors.iter().for_each(|&processor| set.set(processor));
        sched_setaffinity(thread, &set).is_ok()
    }

    /// The calling thread.
    pub fn this_thread() -> Option<Pid> {
        Some(rustix::thread::gettid())
    }

    /// The threads of a process; those of one that is gone are none.
    pub fn threads_of(process: Pid) -> Vec<Pid> {
        let tasks = fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero()));
        let names = tasks.into_iter().flatten().flatten();
        names.filter_map(|task| task.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)).collect()
    }

    /// Whether a process is a single thread and has no children.
    pub fn is_alone(process: Pid) -> bool {
        let number = process.as_raw_nonzero();
        let children = fs::read(format!("/proc/{number}/task/{number}/children"));
        threads_of(process) == [process] && children.is_ok_and(|children| children.is_empty())
    }

    /// The processor that one of this process's threads was on last.
    pub fn last_of(thread: Pid) -> Option<usize> {
        let stat = fs::read_to_string(format!("/proc/self/task/{}/stat", thread.as_raw_nonzero())).ok()?;
        // The 39th field, counted behind the name, which may have blanks in it.
        stat.rsplit(") ").next()?.split(' ').nth(36)?.parse().ok()
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

    pub fn keep(_: Option<Pid>, _: &[usize]) -> bool {
        false
    }

    pub fn this_thread() -> Option<Pid> {
        None
    }

    pub fn threads_of(_: Pid) -> Vec<Pid> {
        Vec::new()
    }

    pub fn is_alone(_: Pid) -> bool {
        false
    }

    pub fn last_of(_: Pid) -> Option<usize> {
        None
    }
}

pub(super) use system::{allowed, allowed_to, is_alone, keep, last_of, this_thread, threads_of};
