//! The sums of an engine's games.

use super::counted::CountedGame;
use crate::game::{Outcome, Overruns};
use kroo::game::Side;
use serde::{Serialize, Serializer};
use serde_json::json;

/// One engine's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games of byes, which count as won and were not played.
    pub bye_games: u64,
    /// Games with known stores at the end.
    pub seed_games: u64,
    /// Seeds in its store at the end, summed over these games.
    pub seeds: u64,
    /// Seeds in its opponents' stores at the end, summed over these games.
    pub seeds_against: u64,
    /// The time it has used, in microseconds.
    pub micros: u64,
    /// The moves it has made.
    pub moves: u64,
    /// Those of them that used the margin.
    pub overruns: Overruns,
}

impl Totals {
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points: 1 a win, ½ a draw; a bye is won.
    pub fn points(&self) -> f64 {
        self.played_points() + self.bye_games as f64
    }

    /// The share of the possible points of the games that were played, from 0 to 1.
    pub fn score(&self) -> f64 {
        share(self.played_points(), self.games())
    }

    fn played_points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Its seeds in a game, on average.
    pub fn average_seeds(&self) -> f64 {
        share(self.seeds as f64, self.seed_games)
    }

    /// Its seeds minus its opponent's in a game, on average.
    pub fn average_margin(&self) -> f64 {
        share(self.seeds as f64 - self.seeds_against as f64, self.seed_games)
    }

    pub(super) fn add(&mut self, game: &CountedGame<'_>, side: Side) {
        match game.outcome {
            Outcome::Draw => self.draws += 1,
            Outcome::Win(winner) if winner == side => self.wins += 1,
            Outcome::Win(_) => self.losses += 1,
            Outcome::Void => return,
        }
        if let Some(stores) = game.stores {
            self.seed_games += 1;
            self.seeds += u64::from(stores[side.index()]);
            self.seeds_against += u64::from(stores[side.other().index()]);
        }
        if let Some(played) = game.played {
            self.micros = self.micros.saturating_add(played.time[side.index()].as_micros() as u64);
            self.moves += played.moves_of(side);
            self.overruns = self.overruns.with(played.overruns[side.index()]);
        }
    }
}

impl Serialize for Totals {
    /// The form for documents, without the values that game files lack.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "games": self.games(),
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "points": self.points(),
            "bye_games": self.bye_games,
            "score": self.score(),
            "average_seeds": self.average_seeds(),
            "average_margin": self.average_margin(),
        })
        .serialize(serializer)
    }
}

/// A share of a whole; 0 if the whole is 0.
pub(super) fn share(part: f64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}
