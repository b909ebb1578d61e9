//! Results of batches, as the queue carries them: lines of a journal, held to all that a journal's lines are held to.

use super::connection::StreamEntry;
use super::error::MessageError;
use crate::journal::{JournalEntry, longest_line};
use crate::plan::{FinishedGame, MatchPlan};
use crate::schedule::ScheduledGame;
use std::collections::BTreeMap;

/// The longest result, in bytes.
const MAX_RESULT: u64 = 256 << 20;

/// Games as the lines of a journal.
pub(super) fn lines_of<'a>(games: impl IntoIterator<Item = &'a FinishedGame>) -> Vec<u8> {
    games.into_iter().flat_map(|game| JournalEntry::of(game).to_line()).collect()
}

/// The games of a result, each of which has been asked for.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn games_of(
    result: &StreamEntry,
    plan: &MatchPlan,
    most: usize,
) -> Result<Vec<FinishedGame>, MessageError> {
    let text = result.field("games").ok_or(MessageError::Field("games"))?;
    let line = longest_line(plan.adjudication.max_moves as u64);
    let longest = (line * most as u64).min(MAX_RESULT) as usize;
    if text.len() > longest {
        return Err(MessageError::Long { found: text.len(), most: longest });
    }
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() || lines.len() > most {
        return Err(MessageError::Games { found: lines.len(), most });
    }
    lines.into_iter().map(|line| game_of(line, plan)).collect()
}

fn game_of(line: &[u8], plan: &MatchPlan) -> Result<FinishedGame, MessageError> {
    let entry = JournalEntry::from_line(line).map_err(MessageError::Syntax)?;
    let number = entry.number;
    let checked = entry.check(plan).and_then(|()| entry.game(plan.variant, plan.contestants.len()));
    checked.map_err(|error| MessageError::Game { number, problem: error.to_string() })
}

/// Whether a game is the one that was asked for.
///
/// # Errors
/// What is another.
pub(super) fn assert_asked_for(
    game: &FinishedGame,
    open: &BTreeMap<u64, ScheduledGame>,
) -> Result<(), MessageError> {
    let (found, number) = (&game.scheduled, game.scheduled.number);
    let Some(asked) = open.get(&number) else { return Ok(()) };
    let problem = match () {
        () if found.pairing != asked.pairing => "it belongs to another pairing than was asked for",
        () if found.players != asked.players => "its engines have changed sides",
        () if found.opening != asked.opening => "it has another opening than was asked for",
        () => return Ok(()),
    };
    Err(MessageError::Game { number, problem: problem.to_owned() })
}
