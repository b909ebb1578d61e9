//! The player who knows nothing: a legal move, each as likely as any other (the first opponents of Davis and Kendall's
//! tables chose at random too). It has no opinion, so its score is always 0.

use super::candidates::{Candidate, asked_for, tell};
use super::{Lots, Player, Turn};
use crate::search::{Observer, Report};

/// Draws a legal move.
#[derive(Clone, Debug)]
pub struct Random {
    lots: Lots,
}

impl Random {
    /// One whose generator begins at a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { lots: Lots::new(seed) }
    }
}

impl Player for Random {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let moves = asked_for(turn);
        let chosen = self.lots.below(moves.len() as u64) as usize;
        let candidates = moves.into_iter().map(|mv| Candidate { line: vec![mv], worth: 0 }).collect();
        tell(turn, candidates, chosen, 1, observer)
    }

    fn draw_from(&mut self, seed: u64) {
        self.lots = Lots::new(seed);
    }
}
