//! Signals to the referee: the first one is a request, the second one ends it, unless results would be lost.

use crate::engine::Stop;
use crate::engine::proc_fs::ignores_signal;
use kroo::stdio::let_go;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::{io, process, thread};

/// The exit status of a process ended by a signal is this plus the number of the signal, as in a shell.
pub const SIGNALLED: i32 = 128;

/// Results are not saved yet.
static IS_UNSAVED: AtomicBool = AtomicBool::new(false);

/// From now on a second signal ends the referee only if there are no results to be saved; a third one always does.
pub fn hold_results(unsaved: bool) {
    IS_UNSAVED.store(unsaved, Ordering::SeqCst);
}

/// A switch that the first signal sets, and the number of that signal. No output waits for its reader then.
pub fn stop_on_signal() -> io::Result<(Stop, Arc<AtomicI32>)> {
    let stop = Stop::new()?;
    let switch = stop.clone();
    let act = move || {
        let_go();
        switch.set();
    };
    Ok((stop, on_first_signal(act)?))
}

/// Does something at the first signal, and hands over its number, which is 0 until then. A second signal ends the referee
/// immediately, but see [`hold_results`].
pub fn on_first_signal(act: impl Fn() + Send + 'static) -> io::Result<Arc<AtomicI32>> {
    let hangup = (!ignores_signal(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let received = Arc::new(AtomicI32::new(0));
    let number = Arc::clone(&received);
    let watch = move || {
        let mut count = 0;
        for signal in signals.forever() {
            count += 1;
            match count {
                1 => {
                    number.store(signal, Ordering::SeqCst);
                    act();
                }
                2 if IS_UNSAVED.load(Ordering::SeqCst) => {}
                _ => process::exit(SIGNALLED + signal),
            }
        }
    };
    thread::Builder::new().spawn(watch)?;
    Ok(received)
}
