//! The settings of the experiment. The defaults are the paper's.

use kroo::game::Variant;
use kroo::players::evolved::{DEPTH, MAX_WEIGHT};
use serde::{Deserialize, Serialize};

/// Everything a run's result depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The rule set, by name.
    pub variant: String,
    /// The random seed.
    pub seed: u64,
    /// Number of players in a generation.
    pub population: usize,
    /// Number of best players that survive; their children fill the next generation.
    pub survivors: usize,
    /// Number of generations.
    pub generations: u32,
    /// Search depth of the players, in plies.
    pub depth: u8,
    /// Number of games between each two players, with alternating sides.
    pub games_per_pairing: u32,
    /// Points for a win, a draw and a loss.
    pub points: [i64; 3],
    /// Moves of both sides together after which the stores decide.
    pub max_moves: u32,
    /// The first weights are uniform between this and its negative.
    pub range: f64,
    /// The standard deviation of a mutation.
    pub mutation: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            variant: Variant::Awari.name().to_owned(),
            seed: 1,
            population: 20,
            survivors: 5,
            generations: 250,
            depth: DEPTH,
            games_per_pairing: 2,
            points: [3, 1, 0],
            max_moves: 250,
            range: 1.0,
            mutation: 1.0,
        }
    }
}

/// A setting out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {found}: it takes {allowed}")]
pub struct SettingsError {
    /// The setting, by its option.
    pub name: &'static str,
    /// Its value.
    pub found: String,
    /// Its allowed values.
    pub allowed: String,
}

/// Ranges of the integer settings.
pub mod bounds {
    use std::ops::RangeInclusive;

    /// Number of players in a generation.
    pub const POPULATION: RangeInclusive<u64> = 2..=1000;
    /// Number of generations.
    pub const GENERATIONS: RangeInclusive<u64> = 1..=100_000;
    /// Search depth in plies.
    pub const DEPTH: RangeInclusive<u64> = 1..=20;
    /// Number of games between two players.
    pub const GAMES_PER_PAIRING: RangeInclusive<u64> = 1..=100;
    /// Points for a result.
    pub const POINTS: RangeInclusive<i64> = -1000..=1000;
    /// Moves of a game.
    pub const MAX_MOVES: RangeInclusive<u64> = 1..=100_000;
}

impl Settings {
    /// The rule set.
    ///
    /// # Errors
    /// If no rule set has that name.
    pub fn rules(&self) -> Result<Variant, SettingsError> {
        let parsed = self.variant.parse().ok().filter(|variant: &Variant| variant.options().are_usual());
        parsed.ok_or_else(|| SettingsError {
            name: "variant",
            found: self.variant.clone(),
            allowed: kroo::game::names().join(", "),
        })
    }

    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// The first one out of range.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.rules()?;
        let whole = |name, found: u64, bounds: std::ops::RangeInclusive<u64>| {
            let allowed = || format!("{} to {}", bounds.start(), bounds.end());
            if bounds.contains(&found) {
                Ok(())
            } else {
                Err(SettingsError { name, found: found.to_string(), allowed: allowed() })
            }
        };
        whole("population", self.population as u64, bounds::POPULATION)?;
        whole("survivors", self.survivors as u64, 1..=self.population as u64)?;
        whole("generations", self.generations.into(), bounds::GENERATIONS)?;
        whole("depth", self.depth.into(), bounds::DEPTH)?;
        whole("games-per-pairing", self.games_per_pairing.into(), bounds::GAMES_PER_PAIRING)?;
        whole("max-moves", self.max_moves.into(), bounds::MAX_MOVES)?;
        for (name, found) in ["win", "draw", "loss"].into_iter().zip(self.points) {
            if !bounds::POINTS.contains(&found) {
                let allowed = format!("{} to {}", bounds::POINTS.start(), bounds::POINTS.end());
                return Err(SettingsError { name, found: found.to_string(), allowed });
            }
        }
        for (name, found) in [("range", self.range), ("mutation", self.mutation)] {
            if !(0.0..=MAX_WEIGHT / 1000.0).contains(&found) {
                let allowed = format!("0 to {}", MAX_WEIGHT / 1000.0);
                return Err(SettingsError { name, found: found.to_string(), allowed });
            }
        }
        Ok(())
    }

    /// Number of games in a generation.
    pub fn games(&self) -> u64 {
        let players = self.population as u64;
        players * (players - 1) / 2 * u64::from(self.games_per_pairing)
    }
}
