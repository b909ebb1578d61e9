//! What a file holds, and making it shorter.

use super::file::{HEADER, locked};
use super::{LearnError, LearnFile, Lesson, News, Record};
use crate::files;
use crate::game::Variant;
use ahash::AHashMap;
use std::path::Path;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Lines with lessons.
    pub lines: usize,
    /// Games that `classic1978` keeps, as South and as North.
    pub classic: [u64; 2],
    /// Games that `kroo` remembers, by rule set.
    pub kroo: Vec<(Variant, u64)>,
    /// A last line that was cut off.
    pub torn: Option<String>,
}

/// Says what a file holds. It is only read.
///
/// # Errors
/// If it cannot be read, or holds something else.
pub fn summary(path: &Path) -> Result<Summary, LearnError> {
    let News { records, torn, .. } = LearnFile::read(path)?;
    let (mut classic, mut kroo) = ([0; 2], AHashMap::new());
    for Record { lesson, times } in &records {
        match lesson {
            Lesson::Game { side, .. } => classic[side.index()] += u64::from(*times),
            Lesson::Lost { start, .. } => *kroo.entry(start.variant()).or_insert(0) += u64::from(*times),
        }
    }
    let told = |&variant: &Variant| kroo.get(&variant).map(|&games| (variant, games));
    let kroo = Variant::ALL.iter().filter_map(told).collect();
    Ok(Summary { lines: records.len(), classic, kroo, torn })
}

/// Leaves one line of equal lessons, and nothing for people; returns the lines before and after.
///
/// # Errors
/// If the file cannot be read and written, or holds something else. Then it is as it was.
pub fn compact(path: &Path) -> Result<(usize, usize), LearnError> {
    // Nobody else writes until the new file is in its place.
    let _lock = locked(path, false)?;
    let News { records, .. } = LearnFile::read(path)?;
    let merged = merged(&records);
    let text: String = merged.iter().map(|record| format!("{record}\n")).collect();
    files::replace(path, format!("{HEADER}\n{text}").as_bytes())?;
    Ok((records.len(), merged.len()))
}

/// Equal lessons together, in the order in which they first appear.
fn merged(records: &[Record]) -> Vec<Record> {
    let mut places: AHashMap<String, usize> = AHashMap::new();
    let mut merged: Vec<Record> = Vec::new();
    for record in records {
        let key = Record::once(record.lesson.clone()).to_string();
        let place = *places.entry(key).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(known) => known.times = known.times.saturating_add(record.times),
            None => merged.push(record.clone()),
        }
    }
    merged
}
