//! The faults of messages on the queue.

use crate::failure::Failure;
use std::fmt::Display;

pub(super) fn unreadable(error: impl Display) -> Failure {
    Failure::at("it cannot be read", error)
}

pub(super) fn no_field(name: &str) -> Failure {
    Failure::new(format!("it has no field `{name}`"))
}

/// It has no games, or too many.
pub(super) fn wrong_games(found: usize, most: usize) -> Failure {
    Failure::new(format!("it has {found} games, expected 1 to {most}"))
}

pub(super) fn wrong_game(number: u64, problem: impl Display) -> Failure {
    Failure::at(format!("game {number}"), problem)
}
