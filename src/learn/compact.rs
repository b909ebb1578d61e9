//! Summaries and compaction of lesson files.

use super::LearnError;
use super::file::{HEADER, LOCK_TIMEOUT, LearnFile, LearnUpdate, lock};
use super::line::{LearnedGame, Lesson};
use crate::files;
use crate::game::Variant;
use ahash::AHashMap;
use std::path::Path;

/// The content of a lesson file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Lines with lessons.
    pub lines: usize,
    /// Games that `classic1978` remembers, as South and as North.
    pub classic: [u64; 2],
    /// Games that `kroo` remembers, by rule set.
    pub kroo: Vec<(Variant, u64)>,
    /// A last line truncated by a crash.
    pub torn: Option<String>,
}

/// Summarises a file without changing it.
///
/// # Errors
/// If it cannot be read, or is no lesson file.
pub fn summary(path: &Path) -> Result<Summary, LearnError> {
    let LearnUpdate { games, torn, .. } = LearnFile::read(path)?;
    let (mut classic, mut kroo) = ([0; 2], AHashMap::new());
    for LearnedGame { lesson, times } in &games {
        match lesson {
            Lesson::Classic1978 { side, .. } => classic[side.index()] += u64::from(*times),
            Lesson::Kroo { start, .. } => *kroo.entry(start.variant()).or_insert(0) += u64::from(*times),
        }
    }
    let count = |&variant: &Variant| kroo.get(&variant).map(|&count| (variant, count));
    let kroo = Variant::ALL.iter().filter_map(count).collect();
    Ok(Summary { lines: games.len(), classic, kroo, torn })
}

/// Merges equal lessons and drops comments; returns the number of lessons before and after.
///
/// # Errors
/// If the file cannot be read or written, or is no lesson file; it is unchanged.
pub fn compact(path: &Path) -> Result<(usize, usize), LearnError> {
    // The lock keeps other writers out until the new file is in place.
    let handle = lock(path, false, LOCK_TIMEOUT)?;
    let LearnUpdate { games, .. } = LearnFile::read_locked(path, &handle)?;
    let merged = merged(&games);
    let text: String = merged.iter().map(|game| format!("{game}\n")).collect();
    files::replace(path, format!("{HEADER}\n{text}").as_bytes())?;
    drop(handle);
    Ok((games.len(), merged.len()))
}

/// Equal lessons merged, in the order in which they first occur.
fn merged(games: &[LearnedGame]) -> Vec<LearnedGame> {
    let mut places: AHashMap<String, usize> = AHashMap::new();
    let mut merged: Vec<LearnedGame> = Vec::new();
    for game in games {
        let key = LearnedGame::once(game.lesson.clone()).to_string();
        let place = *places.entry(key).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(known) => known.times = known.times.saturating_add(game.times),
            None => merged.push(game.clone()),
        }
    }
    merged
}
