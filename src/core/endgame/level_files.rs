//! The files of the levels in a folder: plain ones and packed ones.

use super::error::EndgameFileError;
use super::file::{FileKind, Header, LevelFile, is_packed, level_path, packed_path};
use super::indexing::MAX_SEEDS;
use super::level::EndgameLevel;
use super::packed_values::PackedValues;
use super::storage::Storage;
use crate::files::shown;
use crate::game::Variant;
use crate::printable::counted;
use std::fmt;
use std::path::{Path, PathBuf};

/// The file of a level in a folder, if there is one: the plain one, which is quicker to read, or the packed one.
#[must_use]
pub fn find_level(folder: &Path, variant: Variant, seeds: u8) -> Option<PathBuf> {
    let paths = [level_path(folder, variant, seeds), packed_path(folder, variant, seeds)];
    paths.into_iter().find(|path| path.exists())
}

/// Writes the file of a level.
pub fn write_level(
    level: &EndgameLevel,
    path: &Path,
    variant: Variant,
    seeds: u8,
) -> Result<(), EndgameFileError> {
    let (thresholds, rare) = (level.thresholds.clone(), level.rare.clone());
    let header =
        Header { kind: FileKind::Level, variant, seeds, bytes: level.values.len(), thresholds, rare };
    header.write(path, &mut |from, block| {
        level.values.copy(from, block);
        Ok(())
    })
}

/// The level of a file, opened by its header; its values are checked when they are first read.
pub fn open_level(file: &LevelFile, path: &Path) -> Result<EndgameLevel, EndgameFileError> {
    if !is_packed(path) {
        let (Header { thresholds, rare, .. }, values) = file.map(path)?;
        return Ok(EndgameLevel { values: Storage::Plain(values), thresholds, rare });
    }
    let (Header { thresholds, rare, .. }, values) = PackedValues::open(file, path)?;
    Ok(EndgameLevel { values: Storage::Packed(Box::new(values)), thresholds, rare })
}

/// The level of a file, checked.
pub fn check_level(file: &LevelFile, path: &Path, threads: usize) -> Result<EndgameLevel, EndgameFileError> {
    let level = open_level(file, path)?;
    level.check_all(threads).map(|()| level)
}

/// A gap in the files of a rule set. A level builds on all those below it, so files above a gap are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    folder: PathBuf,
    variant: Variant,
    /// The first level without a file, by its seeds.
    missing: u8,
    /// The levels above it that have files; there is one at least.
    ignored: Vec<u8>,
}

impl Gap {
    /// The gap in the files of a rule set in a folder, if there is one.
    #[must_use]
    pub fn find(folder: &Path, variant: Variant) -> Option<Gap> {
        let has_file = |seeds: &u8| find_level(folder, variant, *seeds).is_some();
        let missing = (0..=MAX_SEEDS).find(|seeds| !has_file(seeds))?;
        let ignored: Vec<u8> = (missing + 1..=MAX_SEEDS).filter(has_file).collect();
        (!ignored.is_empty()).then(|| Gap { folder: folder.to_owned(), variant, missing, ignored })
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gap { folder, variant, missing, ignored } = self;
        let seeds = counted((*missing).into(), "seed");
        let runs = ignored.chunk_by(|one, next| one + 1 == *next);
        let runs: Vec<String> = runs
            .map(|run| match run {
                [first, .., last] => format!("{first} to {last}"),
                one => one.iter().map(u8::to_string).collect(),
            })
            .collect();
        let most = ignored.iter().max().expect("there is one");
        let (files, are) = if ignored.len() == 1 { ("file", "is") } else { ("files", "are") };
        write!(
            f,
            "there is no file of {variant} for {seeds} in {}, so the {files} for {} {are} ignored: `kroo endgame build \
             --variant {variant} --seeds {most} --out {}` closes the gap",
            shown(folder),
            runs.join(", "),
            folder.display().to_string().escape_debug()
        )
    }
}
