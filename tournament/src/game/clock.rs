//! An engine's clock.

use super::limits::TimeControl;
use std::time::Duration;

/// The time that a side has left. It belongs to the side, not to the parity of the ply: a side may move twice in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    /// How far it is below zero: time of the margin that has been used.
    overdrawn: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    /// A clock before the first move: the time and one increment.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.base + control.increment,
            overdrawn: Duration::ZERO,
            moves_to_go: control.moves,
        }
    }

    /// The time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// How far the clock is below zero. That is taken off the margin, and paid back by the next time that is added: there is
    /// one margin for the whole game, not one for each move.
    pub fn overdrawn(&self) -> Duration {
        self.overdrawn
    }

    /// The time that each move adds.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the time is added again.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes off the time that a move has used.
    pub fn spend(&mut self, used: Duration) {
        self.overdrawn += used.saturating_sub(self.left);
        self.left = self.left.saturating_sub(used);
        self.add(self.control.increment);
        self.moves_to_go = self.moves_to_go.map(|moves| moves - 1);
        if self.moves_to_go == Some(0) {
            self.add(self.control.base);
            self.moves_to_go = self.control.moves;
        }
    }

    fn add(&mut self, time: Duration) {
        let paid_back = time.min(self.overdrawn);
        self.overdrawn -= paid_back;
        self.left += time - paid_back;
    }
}
