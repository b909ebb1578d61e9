//! Exact values by plain minimax over the slow model of the rules, for games that cannot go on for ever and in which the seeds in
//! the stores decide nothing before the end.

use crate::naive::Naive;
use std::collections::HashMap;

/// What South still gains on North under best play of both, by the pits, the side to move, and whether its move is the second
/// of its turn.
#[derive(Default)]
pub struct Labels(HashMap<([u8; 12], usize, bool), i32>);

impl Labels {
    /// South's final lead from a position.
    pub fn lead(&mut self, game: &Naive) -> i32 {
        let lead = game.stores[0] as i32 - game.stores[1] as i32;
        if game.result.is_some() {
            return lead;
        }
        let key = (game.pits.map(|seeds| seeds as u8), game.side, game.second);
        if let Some(&known) = self.0.get(&key) {
            return lead + known;
        }
        let south = game.side == 0;
        let values = self.of_moves(game).into_iter().map(|(_, lead)| lead);
        let best = if south { values.max() } else { values.min() }.expect("an unfinished game has a move");
        self.0.insert(key, best - lead);
        best
    }

    /// South's final lead after each move, the pits from the mover's left.
    pub fn of_moves(&mut self, game: &Naive) -> Vec<(usize, i32)> {
        let after = |pit| {
            let mut next = game.clone();
            next.play(pit);
            (pit, next)
        };
        let nexts: Vec<(usize, Naive)> = game.legal().into_iter().map(after).collect();
        nexts.into_iter().map(|(pit, next)| (pit, self.lead(&next))).collect()
    }
}
