//! The greedy player with both challenges of the tutorial solved: not to play the same game every time, and not to leave seeds
//! to be taken. From the seeds that a turn leaves in its store, it subtracts the most that one legal move of the other side
//! banks; among equal turns it chooses at random. Its score is that difference.

use super::candidates::{Candidate, report_choice, requested_moves};
use super::player::{Player, Turn};
use super::turn_search::{TurnSearch, after};
use crate::game::{Position, Rng, Side};
use crate::search::{Observer, Report};

/// Maximises its store less the best answer.
#[derive(Clone, Debug)]
pub struct Careful {
    rng: Rng,
}

impl Careful {
    /// A player with a random seed.
    pub fn new(seed: u64) -> Careful {
        Careful { rng: Rng::new(seed) }
    }
}

impl Player for Careful {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let position = *turn.request.game.position();
        let side = position.side();
        let mut turns = TurnSearch::new(side, |end| value(end, side), turn.request.nodes, &mut *observer);
        let mut pick = |counts: &[u64]| random_choice(&mut self.rng, counts);
        let moves = requested_moves(turn);
        let rests: Vec<_> = moves.iter().map(|&mv| turns.rest(&after(&position, mv))).collect();
        let best = rests.iter().map(|rest| rest.value).max().expect("there is a move");
        let counts: Vec<u64> =
            rests.iter().map(|rest| if rest.value == best { rest.count } else { 0 }).collect();
        let chosen = pick(&counts);
        let candidates = moves.iter().zip(&rests).enumerate().map(|(index, (&mv, rest))| {
            // Only the played turn is random, not the other reported lines.
            let next = after(&position, mv);
            let on = if index == chosen { turns.line(next, &mut pick) } else { turns.line(next, &mut |_| 0) };
            Candidate { line: [vec![mv], on].concat(), value: rest.value }
        });
        let candidates = candidates.collect();
        let nodes = turns.nodes();
        report_choice(turn, candidates, chosen, nodes, observer)
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

/// The value of a turn's last position for the side that played it.
fn value(end: &Position, side: Side) -> i64 {
    let store = i64::from(end.store(side));
    if end.side() == side {
        return store;
    }
    let other = end.side();
    let gain = |mv| i64::from(after(end, mv).store(other)) - i64::from(end.store(other));
    store - end.moves().into_iter().map(gain).max().unwrap_or(0)
}

/// A random index, with probabilities proportional to the counts.
fn random_choice(rng: &mut Rng, counts: &[u64]) -> usize {
    let all: u64 = counts.iter().fold(0, |all, &count| all.saturating_add(count));
    let mut number = rng.below(all);
    for (index, &count) in counts.iter().enumerate() {
        if number < count {
            return index;
        }
        number -= count;
    }
    unreachable!("the number is below the sum")
}
