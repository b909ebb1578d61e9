//! `referee test`.

use super::play::play;
use super::supervision::{end, require_sandbox, start_supervisor};
use kroo_referee::arguments::MatchArguments;
use kroo_referee::commit_test::{MatchError, TestError, TestOptions, run_test};
use kroo_referee::engine::{Stop, run_to_end};
use kroo_referee::signals::{SIGNALLED, on_first_signal};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A bench that takes longer is ended.
const BENCH_LIMIT: Duration = Duration::from_secs(600);

/// Tests a change of an engine: its matches are played as any other.
pub(super) fn test(options: &TestOptions) -> anyhow::Result<ExitCode> {
    // A match sets its switch when it is decided: each has its own.
    let playing = Arc::new(Mutex::new(Stop::new()?));
    let switch = Arc::clone(&playing);
    let signal = on_first_signal(move || switch.lock().unwrap_or_else(PoisonError::into_inner).set())?;
    let next_stop = || {
        let stop = Stop::new()?;
        *playing.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        if signal.load(Ordering::SeqCst) != 0 {
            // It has come between two matches.
            stop.set();
        }
        Ok::<_, io::Error>(stop)
    };
    let mut bench_one = |arguments: &MatchArguments, place: usize, errors: &Path| {
        let mut options = arguments.options()?;
        let mut spec = options.plan.contestants.swap_remove(place).engine;
        spec.identify();
        (spec.args, spec.stderr) = (vec!["bench".to_owned()], Some(errors.to_owned()));
        require_sandbox(spec.confinement.sandbox)?;
        let (stop, supervisor) = (next_stop()?, start_supervisor(None)?);
        let printed = run_to_end(&spec, &supervisor, &stop, BENCH_LIMIT);
        supervisor.clear();
        end(&supervisor);
        Ok::<_, MatchError>(printed?)
    };
    let mut play_one = |arguments: MatchArguments, lines: &Path| {
        let lines = File::options().create(true).append(true).open(lines)?;
        Ok::<_, MatchError>(play(arguments.options()?, Some(lines), &next_stop()?, &signal)?)
    };
    require_sandbox(options.sandbox())?;
    match run_test(options, &|| signal.load(Ordering::SeqCst) != 0, &mut bench_one, &mut play_one) {
        Err(error @ TestError::Interrupted) => {
            writeln!(io::stderr(), "referee: {error}")?;
            Ok(ExitCode::from((SIGNALLED + signal.load(Ordering::SeqCst)) as u8))
        }
        tested => Ok(ExitCode::from(tested?)),
    }
}
