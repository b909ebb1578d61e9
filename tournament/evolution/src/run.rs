//! The experiment from its first generation to its last, or from where it was.

use crate::checkpoint::{CheckpointError, Fault, Run};
use crate::games::{Known, generation};
use crate::population::{first, next};
use crate::settings::Settings;
use crate::{picture, report};
use kroo::files::{WriteError, remove_abandoned, replace};
use kroo::progress::Progress;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Between two times that the reports of a run in progress are written anew.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The folder cannot be used.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Another process is at it.
    #[error("{}: another `evolve` works in this folder; wait for it, or give another --out", .0.display())]
    Locked(PathBuf),
}

/// Names of a run's files in its folder.
pub mod files {
    /// Where the run stands.
    pub const CHECKPOINT: &str = "checkpoint";
    /// A line a generation.
    pub const CSV: &str = "run.csv";
    /// Everything.
    pub const JSON: &str = "run.json";
    /// The picture.
    pub const SVG: &str = "run.svg";
    /// The best player's weights.
    pub const WEIGHTS: &str = "best.weights";
    /// What a process locks while it works here.
    pub const LOCK: &str = ".lock";
}

/// Runs the experiment to its end in a folder, from where it was.
///
/// # Errors
/// If a file cannot be read or written, or if the folder has another run.
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
    // What cannot be taken away is in nobody's way.
    let _ = remove_abandoned(&path);
    let mut run = match Run::read(&path)? {
        Some(run) => {
            continued(run, settings).map_err(|fault| CheckpointError::Fault { path: path.clone(), fault })?
        }
        None => Run { settings: settings.clone(), generations: Vec::new() },
    };
    let played = run.generations.len() as u64;
    let games = settings.games();
    let mut progress = Progress::new("games", games * u64::from(settings.generations));
    progress.skip(games * played);
    let progress = Mutex::new(progress);
    let say = |text: &str| progress.lock().expect("nobody panics with the bar in hand").line(text);
    if played > 0 {
        say(&format!("goes on after generation {played}"));
    }
    let variant = settings.rules().expect("the settings were checked");
    let mut known = Known::default();
    let mut reported = Instant::now();
    while run.generations.len() < settings.generations as usize {
        let number = run.generations.len() as u32 + 1;
        let players = run.generations.last().map_or_else(|| first(settings), |before| next(settings, before));
        let done = Mutex::new(games * u64::from(number - 1));
        let tell = |times: u64| {
            let mut done = done.lock().expect("nobody panics with the number in hand");
            *done += times;
            progress
                .lock()
                .expect("nobody panics with the bar in hand")
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
    progress.into_inner().expect("nobody panics with the bar in hand").finish(&text);
    Ok(run)
}

/// A run that was begun before, with the number of generations that is wanted now.
fn continued(run: Run, settings: &Settings) -> Result<Run, Fault> {
    run.continues(settings)?;
    let (found, wanted) = (run.generations.len(), settings.generations);
    if found > wanted as usize {
        let (name, wanted) = ("generations".to_owned(), wanted.to_string());
        return Err(Fault::Other { name, found: format!("{found} (played already)"), wanted });
    }
    Ok(Run { settings: settings.clone(), ..run })
}

/// Writes everything that can be made of a run so far.
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
