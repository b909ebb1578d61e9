//! Failure points for tests: each change of a file is preceded by a step.
//!
//! In builds with debug assertions, `KROO_TEST_STEPS=N` kills the process before step N + 1. Other builds ignore it.

/// Precedes each change of a file.
#[inline]
pub fn step() {
    #[cfg(all(debug_assertions, not(target_family = "wasm")))]
    limited::step();
}

#[cfg(all(debug_assertions, not(target_family = "wasm")))]
mod limited {
    use once_cell::sync::Lazy;
    use std::sync::atomic::{AtomicI64, Ordering};

    static LEFT: Lazy<Option<AtomicI64>> =
        Lazy::new(|| Some(AtomicI64::new(std::env::var("KROO_TEST_STEPS").ok()?.parse().ok()?)));

    pub fn step() {
        if let Some(left) = &*LEFT
            && left.fetch_sub(1, Ordering::SeqCst) <= 0
        {
            kill();
        }
    }

    /// Ends the process without running destructors, like a kill by the system.
    #[cfg(unix)]
    fn kill() {
        use rustix::process::{Signal, getpid, kill_process};
        let _ = kill_process(getpid(), Signal::KILL);
        std::process::abort();
    }

    #[cfg(not(unix))]
    fn kill() {
        std::process::abort();
    }
}
