//! Results of batches on the queue: lines of a journal, with the same checks.

use super::connection::StreamEntry;
use super::error::MessageError;
use super::machine::WorkerId;
use super::roster::Roster;
use crate::plan::MatchPlan;
use crate::record::{GameRecord, RecordError, longest_line};
use crate::run::Context;
use crate::schedule::ScheduledGame;
use std::collections::BTreeMap;

/// The longest result, in bytes.
const MAX_RESULT: u64 = 256 << 20;

/// Games as the lines of a journal.
pub(super) fn lines_of<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Vec<u8> {
    games.into_iter().flat_map(GameRecord::to_line).collect()
}

/// The longest result of `most` games, in bytes.
pub(super) fn longest_result(plan: &MatchPlan, most: usize) -> usize {
    let line = longest_line(plan.adjudication.max_moves as u64);
    (line * most as u64).min(MAX_RESULT) as usize
}

/// The games of a result for a job.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn games_of(
    result: &StreamEntry,
    job: &str,
    plan: &MatchPlan,
    most: usize,
) -> Result<Vec<GameRecord>, MessageError> {
    if let Some(found) = result.too_long {
        return Err(MessageError::Long { found, most: longest_result(plan, most) });
    }
    if result.text("job") != Some(job) {
        let problem = "it is for another match".to_owned();
        return Err(MessageError::Value { what: "job".to_owned(), problem });
    }
    games_in(result.field("games").ok_or(MessageError::Field("games"))?, plan, most)
}

/// The games of the lines of a result.
///
/// # Errors
/// The first thing that is wrong.
pub fn games_in(text: &[u8], plan: &MatchPlan, most: usize) -> Result<Vec<GameRecord>, MessageError> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() || lines.len() > most {
        return Err(MessageError::Games { found: lines.len(), most });
    }
    lines.into_iter().map(|line| game_of(line, plan)).collect()
}

fn game_of(line: &[u8], plan: &MatchPlan) -> Result<GameRecord, MessageError> {
    GameRecord::from_line(line, plan).map_err(|error| match error {
        RecordError::Damaged(problem) => MessageError::Syntax(problem),
        RecordError::NotOfPlan { number, problem } => MessageError::Game { number, problem },
    })
}

/// Whether a game is the open one of its number, and was played by the worker that has sent it.
///
/// # Errors
/// The first difference.
pub(super) fn assert_fits(
    game: &GameRecord,
    worker: &WorkerId,
    open: &BTreeMap<u64, ScheduledGame>,
    roster: &Roster,
    context: &Context<'_>,
) -> Result<(), MessageError> {
    let (found, number) = (&game.scheduled, game.scheduled.number);
    let refused = |problem: String| Err(MessageError::Game { number, problem });
    if let Some(asked) = open.get(&number) {
        let differences = [
            (found.pairing != asked.pairing, "it belongs to another pairing than was asked for"),
            (found.players != asked.players, "its engines have changed sides"),
            (found.opening != asked.opening, "it has another opening than was asked for"),
            (found.settings != asked.settings, "it was played with other settings than were asked for"),
        ];
        if let Some((_, problem)) = differences.into_iter().find(|(differs, _)| *differs) {
            return refused(problem.to_owned());
        }
    }
    match game.worker.as_ref().map(|by| by.worker.as_str()) {
        Some(name) if name == worker.name() && roster.allows(worker) => {}
        _ => return refused("it does not say which worker has played it, or that one is refused".to_owned()),
    }
    for (&engine, name) in found.players.iter().zip(&game.played.id_names) {
        if let Some(other) = context.identities.meet(engine, name.as_deref()) {
            return refused(format!("{}: {other}", context.plan.name(engine)));
        }
    }
    Ok(())
}
