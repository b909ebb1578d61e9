//! Signals that ask the program to stop: Ctrl-C, and the request of the system or of another program to end.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::thread;

/// A signal that asks the program to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM: the program is asked to end.
    Terminate,
}

/// The signals, as the system numbers them.
const SIGNALS: [(i32, StopSignal); 2] = [(SIGINT, StopSignal::Interrupt), (SIGTERM, StopSignal::Terminate)];

/// From now on the signals do not end the program. On a thread of its own, a function is called for each one that comes,
/// until it returns false.
///
/// # Errors
/// If the signals cannot be caught, or the system starts no thread.
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

/// From now on the signals do not end the program. On a thread of its own, a function is called for each one that comes,
/// until it returns false. No thread can wait for a signal here, so it is looked for from time to time.
///
/// # Errors
/// If the signals cannot be caught, or the system starts no thread.
#[cfg(not(unix))]
pub fn each(mut act: impl FnMut(StopSignal) -> bool + Send + 'static) -> io::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// Less than a person notices.
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
