//! Numbers of results without their games.

use crate::failure::Failure;
use crate::statistics::{Estimate, Sprt, SprtStatus};

/// The results of an engine against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultNumbers {
    /// Games lost, drawn and won.
    Games([u64; 3]),
    /// Pairs of games that brought 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
}

impl ResultNumbers {
    /// The difference in strength that they show.
    #[must_use]
    pub fn estimate(self) -> Option<Estimate> {
        match self {
            ResultNumbers::Games([losses, draws, wins]) => Estimate::of_games(losses, draws, wins),
            ResultNumbers::Pairs(pairs) => Estimate::of_pairs(pairs),
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(self) -> u64 {
        match self {
            ResultNumbers::Games(games) => games.iter().sum(),
            ResultNumbers::Pairs(pairs) => 2 * pairs.iter().sum::<u64>(),
        }
    }

    /// The points of the first engine.
    #[must_use]
    pub fn points(self) -> f64 {
        let half_points = |counts: &[u64]| {
            counts.iter().zip(0_u32..).map(|(&count, half)| count as f64 * f64::from(half) / 2.0).sum()
        };
        match self {
            ResultNumbers::Games(games) => half_points(&games),
            ResultNumbers::Pairs(pairs) => half_points(&pairs),
        }
    }

    /// The pairs; none if only single games are known.
    #[must_use]
    pub fn pairs(self) -> [u64; 5] {
        match self {
            ResultNumbers::Games(_) => [0; 5],
            ResultNumbers::Pairs(pairs) => pairs,
        }
    }

    /// The share of drawn games, or of pairs that brought each engine one point. `None` without results.
    #[must_use]
    pub fn draw_ratio(self) -> Option<f64> {
        let (draws, all) = match self {
            ResultNumbers::Games(games) => (games[1], games.iter().sum::<u64>()),
            ResultNumbers::Pairs(pairs) => (pairs[2], pairs.iter().sum()),
        };
        (all > 0).then(|| draws as f64 / all as f64)
    }

    /// The state of a test.
    pub fn sprt(self, sprt: &Sprt) -> Result<SprtStatus, Failure> {
        match self {
            ResultNumbers::Games(games) => Ok(sprt.status_at(sprt.llr_of_games(games))),
            ResultNumbers::Pairs(pairs) => {
                sprt.llr_of_pairs(pairs).map(|llr| sprt.status_at(llr)).ok_or_else(|| {
                    let problem = "counts single games, which --ptnml does not tell: give --wdl";
                    Failure::new(format!("--sprt: model={} {problem}", sprt.model.name()))
                })
            }
        }
    }
}
