//! Players and generations.

use crate::rng::Rng;
use crate::settings::Settings;
use kroo::players::evolved::MAX_WEIGHT;
use serde::{Deserialize, Serialize};

/// A player of the experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Individual {
    /// Its number, counted from the first player of the run.
    pub id: u64,
    /// Its parent's number; `None` in the first generation.
    pub parent: Option<u64>,
    /// The generation of its birth, from 1.
    pub born: u32,
    /// Its weights of α2, α3, β2, β3, αs and βs.
    pub weights: [f64; 6],
}

/// A generation after its games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u32,
    /// Its players with their points, the best first.
    pub ranking: Vec<(Individual, i64)>,
    /// Number of games decided by the stores at the move limit.
    pub at_limit: u64,
    /// Number of moves in all games.
    pub moves: u64,
    /// Numbers of games won by South, drawn, and won by North.
    pub results: [u64; 3],
}

/// The first generation, with uniform random weights.
pub fn first(settings: &Settings) -> Vec<Individual> {
    let weights = |player| {
        let mut rng = Rng::new(settings.seed, 1, player);
        std::array::from_fn(|_| rng.within(settings.range))
    };
    let born = |player| Individual { id: player as u64, parent: None, born: 1, weights: weights(player) };
    (0..settings.population).map(born).collect()
}

/// The next generation: the best players in order of rank, and their children.
///
/// Survivors have equal numbers of children, with the remainder for the best ones.
pub fn next(settings: &Settings, before: &Generation) -> Vec<Individual> {
    let born = before.generation + 1;
    let mut players: Vec<Individual> =
        before.ranking.iter().take(settings.survivors).map(|(player, _)| player.clone()).collect();
    let children = settings.population - players.len();
    let first_id = settings.population as u64 + u64::from(before.generation - 1) * children as u64;
    let parents = players.len();
    let parent_of = |child: usize| {
        let (each, more) = (children / parents, children % parents);
        let generous = more * (each + 1);
        if child < generous { child / (each + 1) } else { more + (child - generous) / each }
    };
    for child in 0..children {
        let parent = &players[parent_of(child)];
        let mut rng = Rng::new(settings.seed, born, child);
        let weights = parent
            .weights
            .map(|weight| (weight + settings.mutation * rng.normal()).clamp(-MAX_WEIGHT, MAX_WEIGHT));
        let (id, parent) = (first_id + child as u64, Some(parent.id));
        players.push(Individual { id, parent, born, weights });
    }
    players
}

impl Generation {
    /// The best player and its points.
    ///
    /// # Panics
    /// If there is no player.
    pub fn best(&self) -> &(Individual, i64) {
        self.ranking.first().expect("a generation has players")
    }

    /// The median of the points.
    pub fn median(&self) -> f64 {
        let points = |index: usize| self.ranking[index].1 as f64;
        let many = self.ranking.len();
        (points((many - 1) / 2) + points(many / 2)) / 2.0
    }

    /// The standard deviation of the points.
    pub fn spread(&self) -> f64 {
        deviation(&self.ranking.iter().map(|&(_, points)| points as f64).collect::<Vec<_>>())
    }

    /// The mean of each weight over the players, and its standard deviation.
    pub fn weights(&self) -> [(f64, f64); 6] {
        std::array::from_fn(|term| {
            let weights: Vec<f64> = self.ranking.iter().map(|(player, _)| player.weights[term]).collect();
            (mean(&weights), deviation(&weights))
        })
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn deviation(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    (numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f64>() / numbers.len() as f64)
        .sqrt()
}
