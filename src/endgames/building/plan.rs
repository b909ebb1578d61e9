//! The plan of a build, and why one ends early.

use kroo_core::endgames::{EndgameFileError, MAX_SEEDS, find_database};
use kroo_core::files::shown;
use kroo_core::game::{Rules, Variant};
use kroo_core::printable::{counted, gib};
use std::path::PathBuf;

/// The rule set, the size, the folder and the limits of a build.
#[derive(Clone, Debug, PartialEq)]
pub struct EndgamePlan {
    pub variant: Variant,
    /// The largest database.
    pub seeds: u8,
    /// The folder of the files; the build makes it if it does not exist.
    pub folder: PathBuf,
    pub threads: usize,
    /// The memory limit in bytes; `None` for the memory that the system has available.
    pub memory: Option<u64>,
}

impl EndgamePlan {
    /// The databases that have no file yet.
    pub(crate) fn missing<R: Rules>(&self) -> Missing {
        let has_no_file = |seeds: &u8| find_database(&self.folder, R::VARIANT, *seeds).is_none();
        Missing((0..=self.seeds).filter(has_no_file).fold(0, |bits, seeds| bits | 1 << seeds))
    }
}

/// Databases without files, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Missing(pub u64);

impl Missing {
    /// Their seeds, in order.
    pub fn seeds(self) -> impl Iterator<Item = u8> {
        (0..=MAX_SEEDS).filter(move |&seeds| self.contains(seeds))
    }

    /// The seeds of the largest one.
    pub fn largest(self) -> Option<u8> {
        self.0.checked_ilog2().map(|seeds| seeds as u8)
    }

    /// Whether the `seeds`-seed database is one of them.
    pub fn contains(self, seeds: u8) -> bool {
        self.0 >> seeds & 1 == 1
    }
}

/// Why a build ended early.
#[derive(Debug, thiserror::Error)]
pub enum EndgameBuildError {
    #[error(transparent)]
    File(#[from] EndgameFileError),
    #[error(
        "another build is at work in {}{}: wait for it, or build elsewhere with --out",
        shown(.folder), .holder.as_ref().map(|holder| format!(" ({holder})")).unwrap_or_default()
    )]
    Busy {
        folder: PathBuf,
        /// The name and process of the other program, if known.
        holder: Option<String>,
    },
    #[error(
        "{variant} with {} takes at least {} of memory for its largest database, and {} are {}: {}{}",
        counted((*.seeds).into(), "seed"), gib(*.needed), gib(*.there), if *.told { "allowed by --memory" } else { "available" },
        .fits.map_or_else(String::new, |fits| format!("build up to {}, or ", counted(fits.into(), "seed"))),
        if *.told { "allow more" } else { "say with --memory how much may be used all the same" }
    )]
    Memory {
        variant: Variant,
        seeds: u8,
        /// Bytes it takes.
        needed: u64,
        /// Bytes that are free.
        /// Bytes there are.
        there: u64,
        /// Whether the user named it.
        told: bool,
        /// The largest database that it is enough for, if it is for any.
        fits: Option<u8>,
    },
    #[error(
        "the files take {} more on the disk, and {} are free in {}: make room, or build elsewhere with --out",
        gib(*.needed), gib(*.there), shown(.folder)
    )]
    Disk { folder: PathBuf, needed: u64, there: u64 },
    #[error("{variant} is worked out up to {}, not {seeds}", counted((*.most).into(), "seed"))]
    TooLarge { variant: Variant, seeds: u8, most: u8 },
    #[error(
        "stopped with {} on the disk; the same command continues{}",
        .databases.map_or("no database".to_owned(), |seeds| format!("the databases up to {}", counted(seeds.into(), "seed"))),
        .lost.as_ref().map_or(String::new(), |error| format!(", but the checkpoint of the next database is lost: {error}"))
    )]
    Stopped { databases: Option<u8>, lost: Option<EndgameFileError> },
}
