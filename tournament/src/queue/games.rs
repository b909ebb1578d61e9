//! Games on the queue: batches to be played, and results, which are lines of a journal. Both are checked when they are read: an
//! entry may be another program's.

use super::connection::StreamEntry;
use super::error::{unreadable, wrong_game, wrong_games};
use crate::failure::Failure;
use crate::ledger::record::{GameRecord, RecordError, ScheduledText};
use crate::plan::MatchPlan;
use crate::run::Context;
use crate::schedule::ScheduledGame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Some games, in the order of the schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    games: Vec<ScheduledText>,
}

impl Batch {
    /// A batch of these games.
    pub fn of(games: &[ScheduledGame]) -> Batch {
        Batch { games: games.iter().map(ScheduledText::of).collect() }
    }

    /// Reads a batch.
    pub fn parse(bytes: &[u8]) -> Result<Batch, Failure> {
        serde_json::from_slice(bytes).map_err(unreadable)
    }

    /// The numbers of its games.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.games.iter().map(|game| game.number)
    }

    /// Its games.
    ///
    /// # Errors
    /// If the batch is empty or has more than `most` games, or one is no game of this plan.
    pub fn scheduled(self, plan: &MatchPlan, most: usize) -> Result<Vec<ScheduledGame>, Failure> {
        if self.games.is_empty() || self.games.len() > most {
            return Err(wrong_games(self.games.len(), most));
        }
        let game = |game: ScheduledText| {
            let number = game.number;
            game.scheduled(plan).map_err(|problem| wrong_game(number, problem))
        };
        self.games.into_iter().map(game).collect()
    }
}

/// Games as the lines of a journal.
pub(super) fn lines_of<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Vec<u8> {
    games.into_iter().flat_map(GameRecord::to_line).collect()
}

/// The games of a result for a job.
pub(super) fn games_of(
    result: &StreamEntry,
    job: &str,
    plan: &MatchPlan,
    most: usize,
) -> Result<Vec<GameRecord>, Failure> {
    if result.text("job") != Some(job) {
        return Err(Failure::at("job", "it is for another match"));
    }
    games_in(result.games()?, plan, most)
}

/// The games of the lines of a result.
pub fn games_in(text: &[u8], plan: &MatchPlan, most: usize) -> Result<Vec<GameRecord>, Failure> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() || lines.len() > most {
        return Err(wrong_games(lines.len(), most));
    }
    lines.into_iter().map(|line| game_of(line, plan)).collect()
}

fn game_of(line: &[u8], plan: &MatchPlan) -> Result<GameRecord, Failure> {
    GameRecord::from_line(line, plan).map_err(|error| match error {
        RecordError::Damaged(problem) => unreadable(problem),
        RecordError::NotOfPlan { number, problem } => wrong_game(number, problem),
    })
}

/// Whether a game is the open one of its number, and was played by the worker that has sent it.
pub(super) fn assert_fits(
    game: &GameRecord,
    worker: &str,
    open: &BTreeMap<u64, ScheduledGame>,
    context: &Context<'_>,
) -> Result<(), Failure> {
    let (found, number) = (&game.scheduled, game.scheduled.number);
    let refused = |problem: String| Err(wrong_game(number, problem));
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
    if game.worker.as_ref().is_none_or(|by| by.worker != worker) {
        return refused("it does not say which worker has played it".to_owned());
    }
    for (&engine, name) in found.players.iter().zip(&game.played.id_names) {
        if let Some(other) = context.identities.meet(engine, name.as_deref()) {
            return refused(format!("{}: {other}", context.plan.name(engine)));
        }
    }
    Ok(())
}
