//! Batches of games, as the queue carries them. They are checked when they are read: the entry may be another program's.

use super::error::{unreadable, wrong_game, wrong_games};
use crate::failure::Failure;
use crate::ledger::record::ScheduledText;
use crate::plan::MatchPlan;
use crate::schedule::ScheduledGame;
use serde::{Deserialize, Serialize};

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

    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values can be written as JSON")
    }

    /// Reads a batch.
    ///
    /// # Errors
    /// If it is no batch.
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
