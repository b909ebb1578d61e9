//! The reports of a run: CSV with one line per generation, JSON, and the best player's weights for `EvalFile`.

use crate::checkpoint::Run;
use crate::population::Generation;
use kroo::players::evolved::{EvolvedWeights, TERM_NAMES};
use serde::Serialize;
use std::fmt::Write;

/// The reported figures of a generation.
#[derive(Serialize)]
struct Row {
    generation: u32,
    best_points: i64,
    median_points: f64,
    least_points: i64,
    spread_points: f64,
    best_player: u64,
    best_born: u32,
    best_weights: [f64; 6],
    mean_weights: [f64; 6],
    spread_weights: [f64; 6],
    south_wins: u64,
    draws: u64,
    north_wins: u64,
    games_at_limit: u64,
    moves_a_game: f64,
}

impl Row {
    fn of(generation: &Generation) -> Row {
        let (best, points) = generation.best();
        let weights = generation.weights();
        let [south_wins, draws, north_wins] = generation.results;
        Row {
            generation: generation.generation,
            best_points: *points,
            median_points: generation.median(),
            least_points: generation.ranking.last().map_or(0, |&(_, points)| points),
            spread_points: generation.spread(),
            best_player: best.id,
            best_born: best.born,
            best_weights: best.weights,
            mean_weights: weights.map(|(mean, _)| mean),
            spread_weights: weights.map(|(_, spread)| spread),
            south_wins,
            draws,
            north_wins,
            games_at_limit: generation.at_limit,
            moves_a_game: generation.moves as f64 / (south_wins + draws + north_wins) as f64,
        }
    }
}

/// The CSV: a header, and one line per generation. Numbers have enough digits to be read again exactly.
pub fn csv(run: &Run) -> String {
    let weights = ["best", "mean", "spread"].map(|kind| TERM_NAMES.map(|name| format!("{kind}_{name}")));
    let weights = weights.concat().join(",");
    let mut text = format!(
        "generation,best_points,median_points,least_points,spread_points,best_player,best_born,{weights},\
         south_wins,draws,north_wins,games_at_limit,moves_a_game\n"
    );
    for row in run.generations.iter().map(Row::of) {
        let Row { generation, best_points, median_points, least_points, spread_points, .. } = row;
        let Row { best_player, best_born, south_wins, draws, north_wins, games_at_limit, .. } = row;
        let weights = [row.best_weights, row.mean_weights, row.spread_weights].concat();
        let weights = weights.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let _ = writeln!(
            text,
            "{generation},{best_points},{median_points},{least_points},{spread_points},{best_player},{best_born},\
             {weights},{south_wins},{draws},{north_wins},{games_at_limit},{}",
            row.moves_a_game
        );
    }
    text
}

/// The JSON of a run.
///
/// # Panics
/// Never: a run can be represented as JSON.
pub fn json(run: &Run) -> Vec<u8> {
    #[derive(Serialize)]
    struct Document<'a> {
        settings: &'a crate::settings::Settings,
        weight_names: [&'static str; 6],
        generations: Vec<Row>,
        last_ranking: Option<&'a Vec<(crate::population::Individual, i64)>>,
    }
    let document = Document {
        settings: &run.settings,
        weight_names: TERM_NAMES,
        generations: run.generations.iter().map(Row::of).collect(),
        last_ranking: run.generations.last().map(|generation| &generation.ranking),
    };
    let mut bytes = serde_json::to_vec_pretty(&document).expect("a run can be written as JSON");
    bytes.push(b'\n');
    bytes
}

/// The weights file of the last generation's best player; `None` before the first generation.
pub fn weights(run: &Run) -> Option<String> {
    let last = run.generations.last()?;
    let (best, points) = last.best();
    let settings = &run.settings;
    let weights = EvolvedWeights { terms: best.weights, variant: settings.rules().ok() };
    let from = format!(
        "the best of {} players in generation {} of a run with seed {}, depth {}: {points} points",
        settings.population, last.generation, settings.seed, settings.depth
    );
    Some(weights.to_text(&[from, format!("player {}, born in generation {}", best.id, best.born)]))
}
