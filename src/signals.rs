//! Signals that ask the program to stop: Ctrl-C and SIGTERM.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::thread;

/// A signal that asks the program to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    Interrupt,
    Terminate,
}

/// The signals by the system's numbers.
const SIGNALS: [(i32, StopSignal); 2] = [(SIGINT, StopSignal::Interrupt), (SIGTERM, StopSignal::Terminate)];

/// Catches the signals, which then no longer end the program. A new thread calls the function for each one until it returns
/// false.
#[cfg(unix)]
pub fn each(mut act: impl FnMut(StopSignal) -> bool + Send + 'static) -> io::Result<()> {
    let mut caught = signal_hook::iterator::Signals::new(SIGNALS.map(|(number, _)| number))?;
    thread::Builder::new().spawn(move || {
        for number in caught.forever() {
            let known = SIGNALS.iter().find(|&&(known, _)| known == number);
            if known.is_some_and(|&(_, signal)| !act(signal)) {
                return;
            }
        }
    })?;
    Ok(())
}

/// Catches the signals, which then no longer end the program. A new thread calls the function for each one until it returns
/// false. It polls, because a thread cannot wait for a signal on this system.
#[cfg(not(unix))]
pub fn each(mut act: impl FnMut(StopSignal) -> bool + Send + 'static) -> io::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// Polling interval, too short to notice.
    const PAUSE: Duration = Duration::from_millis(20);
    let come = SIGNALS.map(|(_, signal)| (signal, Arc::new(AtomicBool::new(false))));
    for ((number, _), (_, flag)) in SIGNALS.iter().zip(&come) {
        signal_hook::flag::register(*number, Arc::clone(flag))?;
    }
    thread::Builder::new().spawn(move || {
        loop {
            for (signal, flag) in &come {
                if flag.swap(false, Ordering::Relaxed) && !act(*signal) {
                    return;
                }
            }
            thread::sleep(PAUSE);
        }
    })?;
    Ok(())
}
