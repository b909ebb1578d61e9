//! A player that chooses legal moves uniformly at random, like the first opponents in Davis and Kendall's tables. Its score is
//! always 0.

use super::candidates::{Candidate, report_choice, requested_moves};
use super::player::{Player, Turn};
use crate::game::Rng;
use crate::search::{Observer, Report};

/// Chooses a legal move at random.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed) }
    }
}

impl Player for Random {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let moves = requested_moves(turn);
        let chosen = self.rng.below(moves.len() as u64) as usize;
        let candidates = moves.into_iter().map(|mv| Candidate { line: vec![mv], value: 0 }).collect();
        report_choice(turn, candidates, chosen, 1, observer)
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
