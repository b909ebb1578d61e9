//! Signals to the referee: the first one is a request, the second one ends it.

use crate::engine::Stop;
use crate::engine::proc_fs::ignores_signal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::{io, process, thread};

/// The exit status of a process that a signal has ended is this plus the number of the signal, as in a shell.
pub const SIGNALLED: i32 = 128;

/// A switch that the first signal sets, and the number of that signal. A second signal ends the referee immediately.
///
/// # Errors
/// If the system has no pipe or thread left.
pub fn stop_on_signal() -> io::Result<(Stop, Arc<AtomicI32>)> {
    let stop = Stop::new()?;
    let switch = stop.clone();
    Ok((stop, on_first_signal(move || switch.set())?))
}

/// Does something at the first signal, and hands over its number, which is 0 until then. A second signal ends the referee
/// immediately.
///
/// # Errors
/// If the system has no pipe or thread left.
pub fn on_first_signal(act: impl Fn() + Send + 'static) -> io::Result<Arc<AtomicI32>> {
    let hangup = (!ignores_signal(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let received = Arc::new(AtomicI32::new(0));
    let number = Arc::clone(&received);
    let watch = move || {
        for signal in signals.forever() {
            match signal {
                signal if number.load(Ordering::SeqCst) == 0 => {
                    number.store(signal, Ordering::SeqCst);
                    act();
                }
                signal => process::exit(SIGNALLED + signal),
            }
        }
    };
    thread::Builder::new().spawn(watch)?;
    Ok(received)
}
