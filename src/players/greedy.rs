//! The opponent of the JavaScript tutorial: it looks through its whole turn, bonus moves and all, and takes the one that
//! leaves most in its store. Of equal turns the first one tried wins, from its left. Its score is that store.
//!
//! The tutorial writes the game of 1978; the same thought plays the others, of which most have no bonus moves. What the
//! rules hand out when the turn ends the game is in the store as well.

use super::candidates::{Candidate, asked_for, tell};
use super::turns::{Turns, after};
use super::{Player, Turn};
use crate::search::{Observer, Report};

/// Fills its store.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player for Greedy {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let position = *turn.game.position();
        let side = position.side();
        let mut turns =
            Turns::new(side, |end| i64::from(end.store(side)), turn.request.nodes, &mut *observer);
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut chosen = 0;
        for mv in asked_for(turn) {
            let next = after(&position, mv);
            let worth = turns.rest(&next).worth;
            let line = [vec![mv], turns.line(next, &mut |_| 0)].concat();
            candidates.push(Candidate { line, worth });
            if worth > candidates[chosen].worth {
                chosen = candidates.len() - 1;
            }
        }
        let nodes = turns.nodes();
        tell(turn, candidates, chosen, nodes, observer)
    }
}
