//! The referee: arguments in, a match played, results out.

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::{env, process, thread};
use tournament::arguments::{Order, Request, parse};
use tournament::engine::{Guardian, Stop, stand_guard, stop_switch};
use tournament::output::Outputs;
use tournament::run::run;

/// An error in the arguments, or with a file.
const FAILED: u8 = 1;
/// The status of a process that a signal has ended is this and the signal's number.
const SIGNALLED: i32 = 128;

fn main() -> ExitCode {
    match referee() {
        Ok(code) => code,
        Err(error) => {
            // If standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "referee: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn referee() -> anyhow::Result<ExitCode> {
    match parse(env::args_os())? {
        Request::Play(order) => play(*order),
        Request::Guard(mark) => {
            // It outlives whatever ends the referee.
            let _ignored = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
            stand_guard(&mark, io::stdin().lock());
            Ok(ExitCode::SUCCESS)
        }
        Request::Show(text) => {
            io::stdout().write_all(text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn play(order: Order) -> anyhow::Result<ExitCode> {
    let (stop, signal) = stop_on_signal()?;
    let program = env::current_exe().context("cannot find the referee's own program")?;
    let mut outputs = Outputs::open(&order.plan, order.games_out.as_deref(), order.json.as_deref())?;
    let guardian = Arc::new(Guardian::start(&program).context("cannot start the guardian")?);
    let tally = run(&order.plan, order.openings, &guardian, &stop, &mut outputs);
    drop(guardian);
    let complete = outputs.close(&tally, stop.is_set());
    Ok(match signal.load(Ordering::SeqCst) {
        0 if complete => ExitCode::SUCCESS,
        0 => ExitCode::from(FAILED),
        signal => ExitCode::from((SIGNALLED + signal) as u8),
    })
}

/// A stop that the first signal sets, and where that signal's number will stand. The second signal ends the referee.
fn stop_on_signal() -> anyhow::Result<(Stop, Arc<AtomicI32>)> {
    let (stopper, stop) = stop_switch()?;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let received = Arc::new(AtomicI32::new(0));
    let number = Arc::clone(&received);
    thread::spawn(move || {
        let mut signals = signals.forever();
        if let Some(signal) = signals.next() {
            number.store(signal, Ordering::SeqCst);
            drop(stopper);
        }
        if let Some(signal) = signals.next() {
            process::exit(SIGNALLED + signal);
        }
    });
    Ok((stop, received))
}
