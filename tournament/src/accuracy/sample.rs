//! Positions from games.

use super::options::AccuracyOptions;
use ahash::AHashSet;
use kroo::files;
use kroo::game::{Game, Position, Rng};
use kroo::ogn::{OgnError, ReadError, Reader};
use std::io::{self, BufReader};
use std::path::PathBuf;

/// The largest game file, in bytes.
const LARGEST_FILE: u64 = 4 << 30;

/// Why there are no positions.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// A game file cannot be opened.
    #[error("{}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A game file cannot be read.
    #[error("{}: {error}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Where, and why.
        error: ReadError,
    },
    /// A game is not one by the rules.
    #[error("{}: {error}", .file.display())]
    Game {
        /// The file.
        file: PathBuf,
        /// Where, and why.
        error: OgnError,
    },
    /// No position will do.
    #[error("no position of these games has {least} to {most} seeds and two moves to choose from")]
    None {
        /// The fewest seeds.
        least: u8,
        /// The most seeds.
        most: u8,
    },
}

/// Different positions of the games of a rule set, with as many seeds as asked for and at least two moves, in an order that
/// depends on the random seed only.
///
/// # Errors
/// If a file cannot be read, or there is no such position.
pub fn sample(options: &AccuracyOptions) -> Result<Vec<Position>, SampleError> {
    let (mut found, mut seen) = (Vec::new(), AHashSet::new());
    for file in &options.games {
        let opened = files::open_at_most(file, LARGEST_FILE);
        let input = opened.map_err(|error| SampleError::File { file: file.clone(), error })?;
        for text in Reader::new(BufReader::new(input)) {
            let text = text.map_err(|error| SampleError::Read { file: file.clone(), error })?;
            let played = text.play().map_err(|error| SampleError::Game { file: file.clone(), error })?.game;
            let mut game = Game::new(*played.start());
            for &mv in played.moves() {
                let position = *game.position();
                if is_wanted(&position, options) && seen.insert(position.to_string()) {
                    found.push(position);
                }
                game.play(mv).expect("it was played once");
            }
        }
    }
    if found.is_empty() {
        let (least, most) = (*options.seeds.start(), *options.seeds.end());
        return Err(SampleError::None { least, most });
    }
    shuffle(&mut found, options.seed);
    found.truncate(options.positions);
    Ok(found)
}

fn is_wanted(position: &Position, options: &AccuracyOptions) -> bool {
    position.variant() == options.variant
        && options.seeds.contains(&position.board().seeds())
        && position.moves().len() > 1
}

/// Fisher and Yates's shuffle.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = Rng::new(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u64 + 1) as usize);
    }
}
