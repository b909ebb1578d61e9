//! The opponent of the JavaScript tutorial: it searches its whole turn, including bonus moves, and plays the one that leaves
//! most in its store. Of equal turns it plays the first, from its left. Its score is that store.
//!
//! The tutorial is about the game of 1978; the same rule plays the others, most of which have no bonus moves. Seeds that the
//! rules award when the turn ends the game count.

use super::candidates::{Candidate, report_choice, requested_moves};
use super::player::{Player, Turn};
use super::turn_search::{TurnSearch, after};
use crate::search::{Observer, Report};

/// Maximises its store.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player for Greedy {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let position = *turn.request.game.position();
        let side = position.side();
        let mut turns =
            TurnSearch::new(side, |end| i64::from(end.store(side)), turn.request.nodes, &mut *observer);
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut chosen = 0;
        for mv in requested_moves(turn) {
            let next = after(&position, mv);
            let value = turns.rest(&next).value;
            let line = [vec![mv], turns.line(next, &mut |_| 0)].concat();
            candidates.push(Candidate { line, value });
            if value > candidates[chosen].value {
                chosen = candidates.len() - 1;
            }
        }
        let nodes = turns.nodes();
        report_choice(turn, candidates, chosen, nodes, observer)
    }
}
