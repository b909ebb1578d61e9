//! The files of the levels in a folder: plain ones and packed ones.

use super::error::EndgameFileError;
use super::file::{Header, LevelFile, is_packed, level_path, packed_path};
use super::level::{Codes, EndgameLevel};
use super::packed_values::PackedValues;
use crate::game::Variant;
use std::path::{Path, PathBuf};

/// The file of a level in a folder, if there is one: the plain one, which is quicker to read, or the packed one.
#[must_use]
pub fn find_level(folder: &Path, variant: Variant, seeds: u8) -> Option<PathBuf> {
    let paths = [level_path(folder, variant, seeds), packed_path(folder, variant, seeds)];
    paths.into_iter().find(|path| path.exists())
}

/// The level of a file, opened by its header; its values are checked when they are first read.
pub(super) fn open_level(file: &LevelFile, path: &Path) -> Result<EndgameLevel, EndgameFileError> {
    if !is_packed(path) {
        return file.plain_level(path);
    }
    let (Header { thresholds, rare, .. }, values) = PackedValues::open(file, path)?;
    Ok(EndgameLevel { codes: Codes::Packed(Box::new(values)), thresholds, rare })
}

/// The level of a file, checked.
pub(super) fn check_level(
    file: &LevelFile,
    path: &Path,
    threads: usize,
) -> Result<EndgameLevel, EndgameFileError> {
    let level = open_level(file, path)?;
    level.check_all(threads).map(|()| level)
}
