//! The executable `evolve`.

use kroo::printable;
use kroo::progress::Progress;
use kroo_evolution::arguments::{Request, parse};
use kroo_evolution::run::evolve;
use kroo_evolution::tables::{count, tables};
use std::process::ExitCode;
use std::sync::Mutex;

fn main() -> ExitCode {
    match work() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed.
            let _ = printable::to_stderr(&format!("evolve: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn work() -> anyhow::Result<()> {
    match parse(std::env::args_os())? {
        Request::Evolve { settings, out, threads } => {
            evolve(&settings, &out, threads)?;
        }
        Request::Tables(plan, threads) => {
            let progress = Mutex::new((0, Progress::new("games", count(&plan))));
            let played = || {
                let mut progress = progress.lock().expect("no thread panics while it holds the lock");
                progress.0 += 1;
                let (done, bar) = &mut *progress;
                bar.at(*done, "");
            };
            let text = tables(&plan, threads, &played);
            progress.into_inner().expect("no thread panics while it holds the lock").1.finish("all games");
            printable::to_stdout(text.trim_end())?;
        }
        Request::Show(text) => printable::to_stdout(text.trim_end())?,
    }
    Ok(())
}
