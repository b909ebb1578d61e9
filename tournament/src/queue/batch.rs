//! Batches of games, as the queue carries them. Everything is checked as it is read: anybody may have written it.

use super::error::MessageError;
use crate::plan::{MAX_ROUNDS, MatchPlan};
use crate::schedule::{Opening, Pairing, ScheduledGame, letters};
use crate::tuning::Settings;
use kroo::game::{Move, Position};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The longest batch, in bytes. An opening has a byte for each move.
pub(super) const MAX_BATCH: usize = 4 << 20;

/// Some games, in the order of the schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    games: Vec<BatchGame>,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BatchGame {
    /// Its number in the schedule, from 1. The number of its pair follows from that.
    number: u64,
    /// The round, from 1.
    round: u64,
    /// The engine that is South in the pair's first game, and the other one, by their places in the list.
    engines: [usize; 2],
    /// The position that the opening starts from, if that is not the rule set's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// The moves of the opening, one letter each.
    opening: String,
    /// The values that the engines are given, by their places in the list, in a tuning run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    settings: Option<Settings>,
}

impl Batch {
    /// A batch of these games.
    pub fn of(games: &[ScheduledGame]) -> Batch {
        let game = |scheduled: &ScheduledGame| {
            let opening = scheduled.opening.game();
            let start = opening.start();
            BatchGame {
                number: scheduled.number,
                round: scheduled.pairing.round,
                engines: [scheduled.pairing.first, scheduled.pairing.second],
                start: (*start != Position::start(start.variant())).then(|| start.to_string()),
                opening: letters(opening.moves()),
                settings: scheduled.settings.as_deref().cloned(),
            }
        };
        Batch { games: games.iter().map(game).collect() }
    }

    /// As text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values can be written as JSON")
    }

    /// Reads a batch.
    ///
    /// # Errors
    /// If it is too long, or no batch.
    pub fn parse(bytes: &[u8]) -> Result<Batch, MessageError> {
        if bytes.len() > MAX_BATCH {
            return Err(MessageError::Long { found: bytes.len(), most: MAX_BATCH });
        }
        serde_json::from_slice(bytes).map_err(|error| MessageError::Syntax(error.to_string()))
    }

    /// The numbers of its games.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.games.iter().map(|game| game.number)
    }

    /// Its games.
    ///
    /// # Errors
    /// If there are none or more than `most`, or one is no game of this plan.
    pub fn scheduled(&self, plan: &MatchPlan, most: usize) -> Result<Vec<ScheduledGame>, MessageError> {
        if self.games.is_empty() || self.games.len() > most {
            return Err(MessageError::Games { found: self.games.len(), most });
        }
        let game = |game: &BatchGame| {
            game.scheduled(plan).map_err(|problem| MessageError::Game { number: game.number, problem })
        };
        self.games.iter().map(game).collect()
    }
}

impl BatchGame {
    fn scheduled(&self, plan: &MatchPlan) -> Result<ScheduledGame, String> {
        let [first, second] = self.engines;
        let engines = plan.contestants.len();
        let pair = self.number.checked_sub(1).ok_or("games are numbered from 1")? / 2;
        if first >= engines || second >= engines || first == second {
            return Err(format!("engines {first} and {second}: expected two of {engines}, counted from 0"));
        }
        if !(1..=MAX_ROUNDS).contains(&self.round) {
            return Err(format!("round {}: expected a number from 1 to {MAX_ROUNDS}", self.round));
        }
        let start = match &self.start {
            Some(text) => {
                Position::parse(plan.variant, text).map_err(|error| format!("its start: {error}"))?
            }
            None => Position::start(plan.variant),
        };
        let moves = self.opening.chars().map(|letter| {
            Move::from_letter(letter).ok_or(crate::schedule::OpeningError::NotAMove { found: letter })
        });
        let opening =
            Opening::played(start, moves).and_then(|opening| opening.within(plan.adjudication.max_moves));
        let opening = Arc::new(opening.map_err(|error| format!("its opening: {error}"))?);
        match (&plan.tuning, &self.settings) {
            (Some(tuning), Some(settings)) => tuning.check_settings(settings)?,
            (None, None) => {}
            (Some(_), None) => return Err("it has no settings, but parameters are tuned".to_owned()),
            (None, Some(_)) => return Err("it has settings, but nothing is tuned".to_owned()),
        }
        let players = if self.number % 2 == 1 { [first, second] } else { [second, first] };
        let pairing = Pairing { round: self.round, first, second };
        let settings = self.settings.clone().map(Arc::new);
        Ok(ScheduledGame { number: self.number, pair, pairing, players, opening, settings })
    }
}
