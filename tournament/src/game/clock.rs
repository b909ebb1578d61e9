//! An engine's clock.

use super::limits::TimeControl;
use std::time::Duration;

/// The time that a side has left. It belongs to the side, not to the parity of the ply: a side may move twice in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    /// A clock before the first move: the time and one increment.
    #[must_use]
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, left: control.base + control.increment, moves_to_go: control.moves }
    }

    /// The time left.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.left
    }

    /// The time that each move adds.
    #[must_use]
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the time is added again.
    #[must_use]
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes off the time that a move has used.
    pub fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used) + self.control.increment;
        self.moves_to_go = self.moves_to_go.map(|moves| moves - 1);
        if self.moves_to_go == Some(0) {
            self.left += self.control.base;
            self.moves_to_go = self.control.moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_added_again_after_its_moves() {
        let mut clock = Clock::new("2/10+1".parse().expect("a time control"));
        let second = Duration::from_secs(1);
        assert_eq!((clock.left(), clock.moves_to_go()), (11 * second, Some(2)));
        clock.spend(4 * second);
        assert_eq!((clock.left(), clock.moves_to_go()), (8 * second, Some(1)));
        clock.spend(20 * second);
        assert_eq!((clock.left(), clock.moves_to_go()), (11 * second, Some(2)));
    }
}
