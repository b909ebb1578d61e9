//! Game files that are written again from a journal.

use super::error::JournalError;
use super::reader::JournalReader;
use ahash::{AHashSet, RandomState};
use kroo::files;
use kroo::ogn::Reader;
use std::io::BufReader;
use std::path::Path;

/// The line of the first game of a file that a journal does not have. Nothing after a place that cannot be read is looked at: the
/// referee may have been ended while it was writing there.
///
/// # Errors
/// If the journal cannot be read, or has an entry of no game of its tournament.
pub fn foreign_game(games: &Path, journal: &Path) -> Result<Option<usize>, JournalError> {
    let Some(mut reader) = JournalReader::open(journal)? else { return Ok(None) };
    let Ok(file) = files::open(games) else { return Ok(None) };
    // Only fingerprints: eight bytes for each game.
    let hasher = RandomState::new();
    let mut known = AHashSet::new();
    while let Some(entry) = reader.next_entry()? {
        let plan = &reader.header().plan;
        let [Some(south), Some(north)] = entry.players.map(|player| plan.all_names().get(player).copied())
        else {
            continue;
        };
        known.insert(hasher.hash_one((south, north, entry.opening + &entry.moves)));
    }
    for game in Reader::new(BufReader::new(file)).map_while(Result::ok) {
        let player = |tag| game.tag(tag).unwrap_or_default();
        let moves: String = game.moves.iter().map(|text| text.mv.letter()).collect();
        // One without an end was being written.
        if game.last.is_some() && !known.contains(&hasher.hash_one((player("South"), player("North"), moves)))
        {
            return Ok(Some(game.begins.line));
        }
    }
    Ok(None)
}
