//! Ends of a program that a test chooses: before each change of a file there is a step here.
//!
//! In builds with debug assertions `KROO_TEST_STEPS=N` kills the process before step N + 1. No other build looks.

/// A file is about to be changed.
#[inline]
pub fn step() {
    #[cfg(all(debug_assertions, not(target_family = "wasm")))]
    limited::step();
}

#[cfg(all(debug_assertions, not(target_family = "wasm")))]
mod limited {
    use once_cell::sync::Lazy;
    use std::sync::atomic::{AtomicI64, Ordering};

    /// The steps that are left.
    static LEFT: Lazy<Option<AtomicI64>> =
        Lazy::new(|| Some(AtomicI64::new(std::env::var("KROO_TEST_STEPS").ok()?.parse().ok()?)));

    pub fn step() {
        if let Some(left) = &*LEFT
            && left.fetch_sub(1, Ordering::SeqCst) <= 0
        {
            kill();
        }
    }

    /// Ends the process without a destructor, as the system does when it kills one.
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
