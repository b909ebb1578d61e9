//! A run of the experiment, from its first generation or its checkpoint to the last.

pub use crate::checkpoint::RunError;
use crate::checkpoint::{Run, other};
use crate::games::{Known, generation};
use crate::population::{first, next};
use crate::settings::Settings;
use crate::{picture, report};
use kroo::files::{remove_abandoned, replace};
use kroo::progress::Progress;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two updates of the reports.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// Names of a run's files.
pub mod files {
    /// The state.
    pub const CHECKPOINT: &str = "checkpoint";
    /// One line per generation.
    pub const CSV: &str = "run.csv";
    /// All figures.
    pub const JSON: &str = "run.json";
    /// The plot.
    pub const SVG: &str = "run.svg";
    /// The best player's weights.
    pub const WEIGHTS: &str = "best.weights";
    /// The lock of the running process.
    pub const LOCK: &str = ".lock";
}

/// Runs the experiment in a folder to its end, from its checkpoint, if any.
///
/// # Errors
/// If a file cannot be read or written, or the folder has another run.
pub fn evolve(settings: &Settings, folder: &Path, threads: usize) -> Result<Run, RunError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| RunError::Io { path, error }
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    let path = folder.join(files::LOCK);
    let lock = File::options().create(true).append(true).open(&path).map_err(io(&path))?;
    if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Err(RunError::Locked(folder.to_owned()));
    }
    let path = folder.join(files::CHECKPOINT);
    // A temporary file that cannot be removed does no harm.
    let _ = remove_abandoned(&path);
    let mut run = match Run::read(&path)? {
        Some(run) => {
            continued(run, settings).map_err(|fault| RunError::Checkpoint { path: path.clone(), fault })?
        }
        None => Run { settings: settings.clone(), generations: Vec::new() },
    };
    let played = run.generations.len() as u64;
    let games = settings.games();
    let mut progress = Progress::new("games", games * u64::from(settings.generations));
    progress.skip(games * played);
    let progress = Mutex::new(progress);
    let say = |text: &str| progress.lock().expect("no thread panics while it holds the lock").line(text);
    if played > 0 {
        say(&format!("continuing after generation {played}"));
    }
    let variant = settings.rules().expect("the settings were checked");
    let mut known = Known::default();
    let mut reported = Instant::now();
    while run.generations.len() < settings.generations as usize {
        let number = run.generations.len() as u32 + 1;
        let players = run.generations.last().map_or_else(|| first(settings), |before| next(settings, before));
        let done = Mutex::new(games * u64::from(number - 1));
        let tell = |times: u64| {
            let mut done = done.lock().expect("no thread panics while it holds the lock");
            *done += times;
            progress
                .lock()
                .expect("no thread panics while it holds the lock")
                .at(*done, &format!("generation {number}"));
        };
        run.generations.push(generation(settings, variant, (number, &players), threads, &mut known, &tell));
        run.write(&path)?;
        if reported.elapsed() > REPORT_EVERY {
            write_reports(&run, folder)?;
            reported = Instant::now();
        }
    }
    write_reports(&run, folder)?;
    let text = format!("{} generations", run.generations.len());
    progress.into_inner().expect("no thread panics while it holds the lock").finish(&text);
    Ok(run)
}

/// The run of the checkpoint, with the requested number of generations.
fn continued(run: Run, settings: &Settings) -> Result<Run, String> {
    run.continues(settings)?;
    let (found, wanted) = (run.generations.len(), settings.generations);
    if found > wanted as usize {
        return Err(other("generations", &format!("{found} (already played)"), &wanted.to_string()));
    }
    Ok(Run { settings: settings.clone(), ..run })
}

/// Writes all reports of the complete generations.
fn write_reports(run: &Run, folder: &Path) -> Result<(), RunError> {
    let put = |name: &str, bytes: &[u8]| replace(&folder.join(name), bytes);
    put(files::CSV, report::csv(run).as_bytes())?;
    put(files::JSON, &report::json(run))?;
    put(files::SVG, picture::svg(run).as_bytes())?;
    if let Some(text) = report::weights(run) {
        put(files::WEIGHTS, text.as_bytes())?;
    }
    Ok(())
}
