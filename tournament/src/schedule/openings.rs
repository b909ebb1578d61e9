//! Where openings come from.

use super::opening::Opening;
use super::random::RandomOpenings;
use crate::failure::Failure;
use kroo::files::{self, BYTE_ORDER_MARK};
use kroo::game::{Game, Move, Position, Variant, shuffle};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

/// The largest file that openings are read from, in bytes: some hundred thousand games.
pub const LARGEST_FILE: u64 = 256 << 20;

/// An endless supply of openings.
#[derive(Clone, Debug)]
pub enum Openings {
    /// A list, used in order and then again from its beginning.
    Listed {
        /// The list, which is not empty.
        list: Vec<Opening>,
        /// The place of the next one.
        next: usize,
    },
    /// Random moves.
    Random(RandomOpenings),
}

impl Openings {
    /// Only the start position.
    pub fn start(variant: Variant) -> Openings {
        let start =
            Opening::new(Game::new(Position::start(variant))).expect("a game is not over at its start");
        Openings::Listed { list: vec![start], next: 0 }
    }

    /// Random moves from the start position; without any, the start position itself.
    pub fn random(variant: Variant, plies: u32, seed: u64) -> Result<Openings, Failure> {
        if plies == 0 {
            return Ok(Openings::start(variant));
        }
        let openings = RandomOpenings::new(variant, plies, seed);
        openings.map(Openings::Random).ok_or_else(|| {
            Failure::new(format!("no game of {variant} goes on after {plies} random moves: choose fewer"))
        })
    }

    /// The lines of a file of openings, or of parameters, with their numbers. Text after a `#` is a comment.
    pub fn lines(file: &Path) -> Result<Vec<(usize, String)>, Failure> {
        let failed = |error| Failure::at(file.display(), error);
        let mut bytes = Vec::new();
        files::open_at_most(file, LARGEST_FILE)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim().to_owned());
        Ok((1..).zip(lines).filter(|(_, line)| !line.is_empty()).collect())
    }

    /// Openings that were found at these lines of a file; the function reads each of them.
    ///
    /// # Errors
    /// The first that is not an opening, or leaves no move to play under the move limit; or that the file has none.
    pub fn read<T>(
        file: &Path,
        found: &[(usize, T)],
        max_moves: usize,
        opening: impl Fn(&T) -> Result<Opening, Failure>,
    ) -> Result<Openings, Failure> {
        let one = |(line, text): &(usize, T)| {
            let read = opening(text).and_then(|opening| opening.within(max_moves));
            read.map_err(|error| Failure::at(format!("{}:{line}", file.display()), error))
        };
        let list = found.iter().map(one).collect::<Result<Vec<Opening>, _>>()?;
        if list.is_empty() {
            return Err(Failure::at(file.display(), "no opening in this file"));
        }
        Ok(Openings::Listed { list, next: 0 })
    }

    /// The same openings, shuffled by a random seed. Random openings stay as they are.
    #[must_use]
    pub fn shuffled(mut self, mut seed: u64) -> Openings {
        if let Openings::Listed { list, .. } = &mut self {
            shuffle(list, &mut seed);
        }
        self
    }

    /// The same openings, beginning with another one, counted from 0. After the last of a list comes the first.
    #[must_use]
    pub fn starting_at(mut self, start: u64) -> Openings {
        match &mut self {
            Openings::Listed { list, next } => *next = (start % list.len() as u64) as usize,
            Openings::Random(random) => (0..start).for_each(|_| drop(random.next_opening())),
        }
        self
    }

    /// How many different openings there are; `None` for random moves that lead to too many to be counted.
    pub fn distinct(&self) -> Option<u64> {
        match self {
            Openings::Listed { list, .. } => {
                Some(list.iter().map(line).collect::<BTreeSet<String>>().len() as u64)
            }
            Openings::Random(random) => random.distinct(),
        }
    }

    /// A checksum (CRC-32) of the openings and their order.
    pub fn digest(&self) -> u32 {
        let text = match self {
            Openings::Listed { list, next } => {
                format!("{next}\n{}", list.iter().map(line).collect::<String>())
            }
            Openings::Random(random) => random.description(),
        };
        crc32fast::hash(text.as_bytes())
    }

    pub fn next_opening(&mut self) -> Opening {
        match self {
            Openings::Listed { list, next } => {
                let opening = list[*next].clone();
                *next = (*next + 1) % list.len();
                opening
            }
            Openings::Random(random) => random.next_opening(),
        }
    }
}

/// An opening on a line.
fn line(opening: &Opening) -> String {
    format!("{} {}\n", opening.game().start(), letters(opening.game().moves()))
}

/// Moves as journals, documents and queues write them: a letter each.
pub fn letters(moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.letter()).collect()
}
