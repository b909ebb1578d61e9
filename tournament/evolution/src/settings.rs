//! The settings of the experiment. The defaults are the paper's.

use clap::{Args, Command, FromArgMatches};
use kroo::game::Variant;
use kroo::players::evolved::{DEPTH, MAX_WEIGHT};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Everything a run's result depends on. The comment of a field is the help of its option.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The rule set, by name.
    #[arg(long, value_name = "NAME", default_value = "awari", help = variant_help())]
    pub variant: String,
    /// Random seed; the same seed gives the same run
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Number of players in a generation
    #[arg(long, value_name = "N", default_value = "20")]
    pub population: usize,
    /// Number of best players that survive; their children fill the next generation
    #[arg(long, value_name = "N", default_value = "5")]
    pub survivors: usize,
    /// Number of generations
    #[arg(long, value_name = "N", default_value = "250")]
    pub generations: u32,
    /// Search depth of the players, in plies
    #[arg(long, value_name = "N", default_value_t = DEPTH)]
    pub depth: u8,
    /// Number of games between each two players, with alternating sides
    #[arg(long, value_name = "N", default_value = "2")]
    pub games_per_pairing: u32,
    /// Points for a win, a draw and a loss.
    #[arg(skip = Settings::POINTS)]
    pub points: [i64; 3],
    /// Moves of both sides together after which the stores decide
    #[arg(long, value_name = "N", default_value = "250")]
    pub max_moves: u32,
    /// The first weights are uniform between -X and X
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true)]
    pub range: f64,
    /// Standard deviation of the mutation of a child's weights
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true)]
    pub mutation: f64,
}

/// The help of an option for the rule set.
pub(crate) fn variant_help() -> String {
    format!("Rule set: {}", kroo::game::names().join(", "))
}

impl Default for Settings {
    fn default() -> Settings {
        let matches = Settings::augment_args(Command::new("")).get_matches_from([""]);
        Settings::from_arg_matches(&matches).expect("each option has a default")
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

/// The points that a result may bring.
const POINTS: RangeInclusive<i64> = -1000..=1000;

impl Settings {
    /// The paper's points for a win, a draw and a loss.
    pub const POINTS: [i64; 3] = [3, 1, 0];

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
        let whole = |name, found: u64, bounds: RangeInclusive<u64>| {
            let allowed = || format!("{} to {}", bounds.start(), bounds.end());
            if bounds.contains(&found) {
                Ok(())
            } else {
                Err(SettingsError { name, found: found.to_string(), allowed: allowed() })
            }
        };
        whole("population", self.population as u64, 2..=1000)?;
        whole("survivors", self.survivors as u64, 1..=self.population as u64)?;
        whole("generations", self.generations.into(), 1..=100_000)?;
        whole("depth", self.depth.into(), 1..=20)?;
        whole("games-per-pairing", self.games_per_pairing.into(), 1..=100)?;
        whole("max-moves", self.max_moves.into(), 1..=100_000)?;
        for (name, found) in ["win", "draw", "loss"].into_iter().zip(self.points) {
            if !POINTS.contains(&found) {
                let allowed = format!("{} to {}", POINTS.start(), POINTS.end());
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
