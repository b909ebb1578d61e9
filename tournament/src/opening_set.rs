//! Sets of openings that are worth playing: `referee openings`.
//!
//! Random moves lead to positions, a search says how level they are, and those within a window are kept, none twice.
//! The moves come from a seed and the searches are limited by nodes, each with a table of its own, so the same command
//! makes the same file everywhere. This is the one place of the package where the engine's search is used: it chooses
//! where games begin, and has no say in any game.
//!
//! What has been found stands in a file beside the place until the set is complete (`NAME.partial`), written anew with
//! each opening. Whatever ends the work, the same command goes on from there.

use crate::schedule::{Opening, Openings, OpeningsError};
use ahash::AHashSet;
use kroo::files::{WriteError, replace, why};
use kroo::game::Variant;
use kroo::progress::Progress;
use kroo::search::{Observer, Report, Request, Table, search};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The table of a search, in MiB.
const TABLE: usize = 1;
/// Positions in a row that have come before until it is taken that there are no others.
const REPEATS: u32 = 5_000;
/// What the line begins with that says how many positions have been tried.
const TRIED: &str = "# tried: ";

/// What is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSetOptions {
    /// The rule set.
    pub variant: Variant,
    /// How many openings.
    pub count: usize,
    /// Random moves from the start.
    pub plies: u32,
    /// Nodes of each search.
    pub nodes: u64,
    /// How far from level a position may be, in hundredths of a seed.
    pub window: u32,
    /// Where the random moves begin.
    pub seed: u64,
    /// The file.
    pub out: PathBuf,
}

/// Why there is no set.
#[derive(Debug, thiserror::Error)]
pub enum OpeningSetError {
    /// Games end before so many moves.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
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
    #[error("no memory for a table of {TABLE} MiB")]
    Memory,
    /// No other positions are left.
    #[error(
        "only {found} openings of {plies} plies are that level, of {tried} that there are: try more --plies or a \
         larger --window, or a smaller --count"
    )]
    TooFew {
        /// How many there are.
        found: usize,
        /// Random moves.
        plies: u32,
        /// Positions that were looked at.
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
struct Set<'a> {
    order: &'a OpeningSetOptions,
    head: String,
    /// Its lines: moves, and what they are worth.
    lines: Vec<String>,
    tried: u64,
}

/// Makes a set and writes it; `stop` is asked often.
///
/// # Errors
/// Why there is none, or not yet.
pub fn balance(order: &OpeningSetOptions, stop: &dyn Fn() -> bool) -> Result<(), OpeningSetError> {
    let mut set = Set::take_up(order)?;
    let mut openings = Openings::random(order.variant, order.plies, order.seed)?;
    let mut progress = Progress::new("openings", order.count as u64);
    progress.skip(set.lines.len() as u64);
    let (mut seen, mut dealt, mut repeats) = (AHashSet::new(), 0, 0);
    while set.lines.len() < order.count {
        let opening = openings.deal();
        if !seen.insert(opening.game().position().to_string()) {
            repeats += 1;
            if repeats > REPEATS {
                let found = set.lines.len();
                return Err(OpeningSetError::TooFew { found, plies: order.plies, tried: set.tried });
            }
            continue;
        }
        (dealt, repeats) = (dealt + 1, 0);
        if dealt <= set.tried {
            continue;
        }
        let Some(worth) = worth(&opening, order.nodes, stop)? else {
            set.save(&set.partial())?;
            return Err(OpeningSetError::Interrupted { found: set.lines.len(), count: order.count });
        };
        set.tried += 1;
        if worth.is_some_and(|worth| worth.unsigned_abs() <= order.window) {
            let worth = f64::from(worth.unwrap_or_default()) / 100.0;
            set.lines.push(format!("{opening} # {worth:+.2}"));
            set.save(&set.partial())?;
            progress.at(set.lines.len() as u64, &format!("{} positions tried", set.tried));
        }
    }
    progress.clear();
    set.save(&order.out)?;
    // The set is complete; what is left of the way there is only in the way.
    let _ = fs::remove_file(set.partial());
    Ok(())
}

/// What a search makes of a position, in hundredths of a seed for its side to move; nothing of one that is decided.
/// `None` if it was stopped.
fn worth(
    opening: &Opening,
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Option<i32>>, OpeningSetError> {
    let table = Table::new(TABLE).map_err(|_| OpeningSetError::Memory)?;
    let mut patience = Patience { stop, stopped: false };
    let request = Request { nodes, ..Request::new(opening.game()) };
    let report = search(&request, &table, &mut patience);
    if patience.stopped {
        return Ok(None);
    }
    let decided = report.score.proven().is_some();
    Ok(Some((!decided).then(|| report.score.value.centiseeds())))
}

/// Searches to the limit unless it is interrupted.
struct Patience<'a> {
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl Observer for Patience<'_> {
    fn stop(&mut self, _: u64) -> bool {
        self.stopped |= (self.stop)();
        self.stopped
    }

    fn iteration(&mut self, _: &Report) -> bool {
        self.stopped
    }
}

impl<'a> Set<'a> {
    /// What has been found before by the same command, or nothing yet.
    fn take_up(order: &'a OpeningSetOptions) -> Result<Set<'a>, OpeningSetError> {
        let head = format!(
            "# Openings of {}: {} random moves, at most {:.2} seeds from level after {} nodes.\n\
             # referee openings --variant {} --count {} --plies {} --nodes {} --window {} --seed {} --out {}\n",
            order.variant,
            order.plies,
            f64::from(order.window) / 100.0,
            order.nodes,
            order.variant,
            order.count,
            order.plies,
            order.nodes,
            order.window,
            order.seed,
            order.out.file_name().unwrap_or_default().to_string_lossy()
        );
        let mut set = Set { order, head, lines: Vec::new(), tried: 0 };
        let found = match fs::read_to_string(set.partial()) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(set),
            Err(error) => return Err(OpeningSetError::File { file: set.partial(), error }),
        };
        // Another command's work is not this one's.
        if let Some(rest) = found.strip_prefix(&set.head) {
            set.tried = rest.lines().find_map(|line| line.strip_prefix(TRIED)?.parse().ok()).unwrap_or(0);
            let openings = rest.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            set.lines = openings.map(str::to_owned).collect();
        }
        Ok(set)
    }

    fn partial(&self) -> PathBuf {
        let mut name = self.order.out.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        self.order.out.with_file_name(name)
    }

    /// Writes the set as it is, at once or not at all.
    fn save(&self, path: &Path) -> Result<(), OpeningSetError> {
        let mut text = format!("{}{TRIED}{}\n\n", self.head, self.tried);
        self.lines.iter().for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
        Ok(replace(path, text.as_bytes())?)
    }
}
