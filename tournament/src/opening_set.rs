//! Sets of nearly level openings: `referee openings`.
//!
//! Random moves lead to positions, a search scores them, and those whose score is within a window are kept, none twice. The
//! moves depend on a random seed only, and each search has a node limit and its own transposition table, so the same command
//! makes the same file everywhere. This is the only place of the package that uses the engine's search: it chooses where games
//! begin, and has no say in any game.
//!
//! Until the set is complete, it is in a file beside its place (`NAME.partial`), which is replaced with each new opening.
//! Whatever interrupts the work, the same command goes on from there.

use crate::failure::Failure;
use crate::schedule::{LARGEST_FILE, Opening, Openings};
use ahash::AHashSet;
use clap::builder::RangedU64ValueParser;
use clap::{Args, value_parser};
use kroo::files::{self, WriteError, replace, why};
use kroo::game::{Variant, names};
use kroo::printable::{agreeing, counted};
use kroo::progress::Progress;
use kroo::search::{Observer, Report, Request, SearchMemory, search};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The size of a search's transposition table, in MiB.
const TABLE_MIB: usize = 1;
/// After so many repeated positions in a row, no others are left.
const MAX_REPEATS: u32 = 5_000;
/// The beginning of the line with the number of positions tried.
const TRIED: &str = "# tried: ";

const AFTER: &str = "\
The same command always makes the same file. After an interruption, give the same command again: it goes on where it was.

Exit status: 0; 1 after an error; 128 + N if signal N has stopped it.";

/// Options of `referee openings`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = AFTER)]
pub struct OpeningSetOptions {
    /// The rule set.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "awari",
        help = format!("The rule set: {}", names().join(", "))
    )]
    pub variant: Variant,
    /// How many openings to make
    #[arg(
        long,
        value_name = "N",
        default_value = "200",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000)
    )]
    pub count: usize,
    /// How many random moves each opening has
    #[arg(long, value_name = "N", default_value = "8", value_parser = value_parser!(u32).range(1..=200))]
    pub plies: u32,
    /// How many nodes each search has
    #[arg(
        long,
        value_name = "N",
        default_value = "20000",
        value_parser = value_parser!(u64).range(1..=1_000_000_000_000)
    )]
    pub nodes: u64,
    /// How far from level the score of an opening may be, in hundredths of a seed
    #[arg(long, value_name = "N", default_value = "100", value_parser = value_parser!(u32).range(0..=4_800))]
    pub window: u32,
    /// The random seed of the moves
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Why a set could not be made.
#[derive(Debug, thiserror::Error)]
pub enum OpeningSetError {
    /// Games are over before so many moves.
    #[error(transparent)]
    Openings(#[from] Failure),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file cannot be read.
    #[error("{}: {}", .file.display(), why(.file, .error))]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is no memory for a search.
    #[error("no memory for a transposition table of {TABLE_MIB} MiB")]
    Memory,
    /// No other positions are left.
    #[error(
        "only {found} of the {tried} openings of {plies} {} {} that level: try more --plies, a larger --window or a \
         smaller --count",
        agreeing((*.plies).into(), "ply", "plies"), agreeing(*.found as u64, "is", "are")
    )]
    TooFew {
        /// How many there are.
        found: usize,
        /// Random moves.
        plies: u32,
        /// How many positions were tried.
        tried: u64,
    },
    /// It was interrupted.
    #[error("interrupted with {found} of {count} openings; the same command goes on from there")]
    Interrupted {
        /// How many there are.
        found: usize,
        /// How many were wanted.
        count: usize,
    },
}

/// A set that is being made.
struct OpeningSet<'a> {
    options: &'a OpeningSetOptions,
    head: String,
    /// Its lines: moves, and their score.
    lines: Vec<String>,
    tried: u64,
}

/// Makes a set and writes it. `stop` is called often.
///
/// # Errors
/// Why the set could not be made, or not yet.
pub fn make_opening_set(options: &OpeningSetOptions, stop: &dyn Fn() -> bool) -> Result<(), OpeningSetError> {
    let mut set = OpeningSet::resume(options)?;
    let mut openings = Openings::random(options.variant, options.plies, options.seed)?;
    let mut progress = Progress::new("openings", options.count as u64);
    progress.skip(set.lines.len() as u64);
    let (mut seen, mut fresh, mut repeats) = (AHashSet::new(), 0, 0);
    while set.lines.len() < options.count {
        let opening = openings.next_opening();
        if !seen.insert(opening.game().position().to_string()) {
            repeats += 1;
            if repeats > MAX_REPEATS {
                let found = set.lines.len();
                return Err(OpeningSetError::TooFew { found, plies: options.plies, tried: set.tried });
            }
            continue;
        }
        (fresh, repeats) = (fresh + 1, 0);
        // Those were tried before the interruption.
        if fresh <= set.tried {
            continue;
        }
        let Some(score) = score(&opening, options.nodes, stop)? else {
            set.save(&set.partial())?;
            return Err(OpeningSetError::Interrupted { found: set.lines.len(), count: options.count });
        };
        set.tried += 1;
        if let Some(score) = score.filter(|score| score.unsigned_abs() <= options.window) {
            set.lines.push(format!("{opening} # {:+.2}", f64::from(score) / 100.0));
            set.save(&set.partial())?;
            progress.at(set.lines.len() as u64, &format!("{} tried", counted(set.tried, "position")));
        }
    }
    progress.clear();
    set.save(&options.out)?;
    // The set is complete.
    let _ = fs::remove_file(set.partial());
    Ok(())
}

/// The score of an opening, in hundredths of a seed from the side to move; the inner `None` if its result is proven, the
/// outer one if the search was stopped.
fn score(
    opening: &Opening,
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Option<i32>>, OpeningSetError> {
    let table = SearchMemory::new(TABLE_MIB).map_err(|_| OpeningSetError::Memory)?;
    let mut observer = StopObserver { stop, stopped: false };
    let request = Request { nodes, ..Request::new(opening.game()) };
    let report = search(&request, &table, &mut observer);
    if observer.stopped {
        return Ok(None);
    }
    let proven = report.score.proven().is_some();
    Ok(Some((!proven).then(|| report.score.value.shown_centiseeds())))
}

/// Stops a search when the work is interrupted.
struct StopObserver<'a> {
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl Observer for StopObserver<'_> {
    fn stop(&mut self, _: u64) -> bool {
        self.stopped |= (self.stop)();
        self.stopped
    }

    fn iteration(&mut self, _: &Report) -> bool {
        self.stopped
    }
}

impl<'a> OpeningSet<'a> {
    /// The openings that the same command has found before, or none.
    fn resume(options: &'a OpeningSetOptions) -> Result<OpeningSet<'a>, OpeningSetError> {
        let head = format!(
            "# Openings of {}: {} random moves, at most {:.2} seeds from level after {} nodes.\n\
             # referee openings --variant {} --count {} --plies {} --nodes {} --window {} --seed {} --out {}\n",
            options.variant,
            options.plies,
            f64::from(options.window) / 100.0,
            options.nodes,
            options.variant,
            options.count,
            options.plies,
            options.nodes,
            options.window,
            options.seed,
            options.out.file_name().unwrap_or_default().to_string_lossy()
        );
        let mut set = OpeningSet { options, head, lines: Vec::new(), tried: 0 };
        let found = match files::open_at_most(&set.partial(), LARGEST_FILE).and_then(io::read_to_string) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(set),
            Err(error) => return Err(OpeningSetError::File { file: set.partial(), error }),
        };
        // A file with another head belongs to another command.
        if let Some(rest) = found.strip_prefix(&set.head) {
            set.tried = rest.lines().find_map(|line| line.strip_prefix(TRIED)?.parse().ok()).unwrap_or(0);
            let openings = rest.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            set.lines = openings.map(str::to_owned).collect();
        }
        Ok(set)
    }

    fn partial(&self) -> PathBuf {
        let mut name = self.options.out.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        self.options.out.with_file_name(name)
    }

    /// Writes the set so far. Either the whole file is replaced, or nothing is.
    fn save(&self, path: &Path) -> Result<(), OpeningSetError> {
        let mut text = format!("{}{TRIED}{}\n\n", self.head, self.tried);
        self.lines.iter().for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
        Ok(replace(path, text.as_bytes())?)
    }
}
