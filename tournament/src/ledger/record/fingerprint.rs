//! When two games are the same: a game that repeats another one move by move is no new evidence, and a game file that is
//! written again from a journal has no others.

use super::reader::JournalReader;
use crate::failure::Failure;
use crate::schedule::Event;
use ahash::{AHashMap, AHashSet, RandomState};
use kroo::files;
use kroo::game::Move;
use kroo::ogn::Reader;
use std::hash::Hash;
use std::io::BufReader;
use std::path::Path;

/// A number for a game that only the same game has: by its engines on their sides, its start and its moves. It may differ in
/// another version, and is never stored.
pub fn fingerprint(sides: impl Hash, start: impl Hash, moves: impl Iterator<Item = Move>) -> u64 {
    let moves: Vec<u8> = moves.map(|mv| mv.letter() as u8).collect();
    number_of((sides, start, moves))
}

/// A number for a value, the same for equal values.
pub fn number_of(value: impl Hash) -> u64 {
    RandomState::with_seeds(1, 2, 3, 4).hash_one(value)
}

/// The line of the first foreign game of a file: one neither in a journal nor missing there. A journal that was cut off may have
/// fewer games than its file. Nothing after an unreadable place is examined: the referee may have ended while writing there.
///
/// # Errors
/// If the journal cannot be read, or has a line that is not a game of its tournament.
pub fn foreign_game(games: &Path, journal: &Path) -> Result<Option<usize>, Failure> {
    let Some(mut reader) = JournalReader::open(journal)? else { return Ok(None) };
    let Ok(file) = files::open(games) else { return Ok(None) };
    let plan = reader.header().plan.clone();
    let names = plan.all_names();
    // A level tie of a knockout goes on.
    let most = if plan.event == Event::Knockout { u64::MAX } else { plan.pairs };
    // Only fingerprints: some bytes for each game.
    let (mut known, mut played) = (AHashSet::new(), AHashMap::<u64, u64>::new());
    while let Some(record) = reader.next_game()? {
        let [south, north] = plan.names(&record.scheduled);
        *played.entry(number_of((record.scheduled.pairing.round, south, north))).or_default() += 1;
        known.insert(fingerprint((south, north), (), record.played.game.moves().iter().copied()));
    }
    for game in Reader::new(BufReader::new(file)).map_while(Result::ok).filter(|game| game.last.is_some()) {
        let [south, north, round] = ["South", "North", "Round"].map(|tag| game.tag(tag).unwrap_or_default());
        if known.contains(&fingerprint((south, north), (), game.moves.iter().map(|text| text.mv))) {
            continue;
        }
        let count = round.parse::<u64>().ok().and_then(|round| played.get(&number_of((round, south, north))));
        let is_own = [south, north].iter().all(|name| names.contains(name));
        if !is_own || count.is_some_and(|&count| count >= most) {
            return Ok(Some(game.begins.line));
        }
    }
    Ok(None)
}
