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
    #[must_use]
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.base + control.increment,
            overdrawn: Duration::ZERO,
            moves_to_go: control.moves,
        }
    }

    /// The time left.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.left
    }

    /// How far the clock is below zero. That is taken off the margin, and paid back by the next time that is added: there is
    /// one margin for the whole game, not one for each move.
    #[must_use]
    pub fn overdrawn(&self) -> Duration {
        self.overdrawn
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
        clock.spend(8 * second);
        assert_eq!((clock.left(), clock.moves_to_go()), (11 * second, Some(2)));
    }

    #[test]
    fn what_was_used_of_the_margin_is_paid_back() {
        let millis = Duration::from_millis;
        let mut clock = Clock::new("2/0.2+0.01".parse().expect("a time control"));
        clock.spend(millis(240));
        assert_eq!((clock.left(), clock.overdrawn()), (millis(0), millis(20)));
        clock.spend(millis(5));
        // Both 10 ms and 200 ms are added, and 25 ms are owed.
        assert_eq!((clock.left(), clock.overdrawn()), (millis(185), millis(0)));
        let mut sudden = Clock::new("0.2".parse().expect("a time control"));
        sudden.spend(millis(210));
        sudden.spend(millis(30));
        assert_eq!((sudden.left(), sudden.overdrawn()), (millis(0), millis(40)));
    }
}
