//! The tutorial ends with two challenges: not to play the same game every time, and not to leave seeds where they can be
//! taken. This is the greedy player with both answered. From what a turn leaves in its store it takes off the most
//! that one legal move of the other side puts into the other store; and among equal turns it draws lots.
//! Its score is that difference.

use super::candidates::{Candidate, asked_for, tell};
use super::turns::{Turns, after};
use super::{Lots, Player, Turn};
use crate::game::{Position, Side};
use crate::search::{Observer, Report};

/// Fills its store and looks at the answer.
#[derive(Clone, Debug)]
pub struct Careful {
    lots: Lots,
}

impl Careful {
    /// One whose generator begins at a seed.
    #[must_use]
    pub fn new(seed: u64) -> Careful {
        Careful { lots: Lots::new(seed) }
    }
}

impl Player for Careful {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let position = *turn.game.position();
        let side = position.side();
        let mut turns = Turns::new(side, |end| worth(end, side), turn.request.nodes, &mut *observer);
        let mut pick = |ways: &[u64]| drawn(&mut self.lots, ways);
        let moves = asked_for(turn);
        let rests: Vec<_> = moves.iter().map(|&mv| turns.rest(&after(&position, mv))).collect();
        let best = rests.iter().map(|rest| rest.worth).max().expect("there is a move");
        let ways: Vec<u64> =
            rests.iter().map(|rest| if rest.worth == best { rest.ways } else { 0 }).collect();
        let chosen = pick(&ways);
        let candidates = moves.iter().zip(&rests).enumerate().map(|(index, (&mv, rest))| {
            // Lots are drawn for what is played, not for the lines beside it.
            let next = after(&position, mv);
            let on = if index == chosen { turns.line(next, &mut pick) } else { turns.line(next, &mut |_| 0) };
            Candidate { line: [vec![mv], on].concat(), worth: rest.worth }
        });
        let candidates = candidates.collect();
        let nodes = turns.nodes();
        tell(turn, candidates, chosen, nodes, observer)
    }

    fn draw_from(&mut self, seed: u64) {
        self.lots = Lots::new(seed);
    }
}

/// What the end of a turn is worth to the side whose turn it was.
fn worth(end: &Position, side: Side) -> i64 {
    let store = i64::from(end.store(side));
    if end.side() == side {
        return store;
    }
    let other = end.side();
    let gain = |mv| i64::from(after(end, mv).store(other)) - i64::from(end.store(other));
    store - end.moves().into_iter().map(gain).max().unwrap_or(0)
}

/// One of several, each as likely as it has ways.
fn drawn(lots: &mut Lots, ways: &[u64]) -> usize {
    let all: u64 = ways.iter().fold(0, |all, &ways| all.saturating_add(ways));
    let mut lot = lots.below(all);
    for (index, &ways) in ways.iter().enumerate() {
        if lot < ways {
            return index;
        }
        lot -= ways;
    }
    unreachable!("the lot is below the sum")
}
