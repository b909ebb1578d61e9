//! What is to be played, and what has been.

use crate::engine::Spec;
use crate::game::{Limits, Played};
use crate::schedule::{Fixture, round_robin_games};
use crate::statistics::Sprt;
use kroo::game::{Side, Variant};
use std::time::SystemTime;

/// An engine with its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The engine.
    pub engine: Spec,
    /// How long it may think.
    pub limits: Limits,
}

/// A match, or a tournament.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who plays. Two make a match; more play a round robin.
    pub contestants: Vec<Contestant>,
    /// By which rules.
    pub variant: Variant,
    /// How many rounds.
    pub rounds: u64,
    /// Where the openings come from, for people.
    pub openings: String,
    /// After so many moves of either side the stores decide.
    pub max_moves: usize,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The test that ends a match of two as soon as it is decided.
    pub sprt: Option<Sprt>,
}

impl Plan {
    /// How many games that makes.
    #[must_use]
    pub fn games(&self) -> u64 {
        round_robin_games(self.contestants.len(), self.rounds)
    }

    /// An engine's name.
    #[must_use]
    pub fn name(&self, engine: usize) -> &str {
        &self.contestants[engine].engine.name
    }

    /// The names of a game's engines, South's first.
    #[must_use]
    pub fn names(&self, fixture: &Fixture) -> [&str; 2] {
        fixture.players.map(|engine| self.name(engine))
    }

    /// The limits of all engines in few words: once if they are the same.
    #[must_use]
    pub fn limits(&self) -> String {
        joined_limits(self.contestants.iter().map(|contestant| &contestant.limits))
    }

    /// The limits of a game's engines, South's first: once if they are the same.
    #[must_use]
    pub fn limits_of(&self, fixture: &Fixture) -> String {
        joined_limits(
            Side::BOTH.map(|side| &self.contestants[fixture.players[side.index()]].limits).into_iter(),
        )
    }
}

fn joined_limits<'a>(limits: impl Iterator<Item = &'a Limits>) -> String {
    let mut texts: Vec<String> = limits.map(Limits::to_string).collect();
    if texts.iter().all(|text| *text == texts[0]) {
        texts.truncate(1);
    }
    texts.join(" vs ")
}

/// A game of the plan that has been played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Which one.
    pub fixture: Fixture,
    /// When it began.
    pub date: SystemTime,
    /// What became of it.
    pub played: Played,
}
