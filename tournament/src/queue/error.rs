//! Errors of a queue, and of messages on it.

use crate::failure::Failure;
#[cfg(feature = "queue")]
use {super::address::QueueAddress, super::options::WorkerOptions, std::fmt::Display};

/// Why a queue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// The broker cannot be reached, or has lost written data. It may be better later.
    #[error(transparent)]
    Passing(Failure),
    /// This machine does not fit the match.
    #[error("this machine cannot play the match: {0}")]
    Unfit(String),
    /// The system cannot do something necessary.
    #[error("{0}")]
    System(String),
    /// Anything else.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl QueueError {
    #[cfg(not(feature = "queue"))]
    /// This program cannot use queues.
    pub fn not_built() -> QueueError {
        let build = "build it with `cargo build --release -p kroo-referee --features queue`";
        Failure::at("this referee was built without queues", build).into()
    }

    /// Whether it may be better later.
    pub fn is_passing(&self) -> bool {
        matches!(self, QueueError::Passing(_))
    }
}

#[cfg(feature = "queue")]
impl QueueError {
    /// An error at an address, not to be solved by waiting.
    pub(super) fn at(address: &QueueAddress, problem: impl Display) -> QueueError {
        Failure::at(address, problem).into()
    }

    /// Another referee coordinates this queue.
    pub(super) fn taken(address: &QueueAddress, holder: &str) -> QueueError {
        let holder = kroo::printable::name(holder);
        let advice = "give this one another name, as in redis://HOST#NAME";
        QueueError::at(address, format!("another referee has this queue: {holder}; {advice}"))
    }

    /// The job there is refused.
    pub(super) fn of_job(address: &QueueAddress, problem: &Failure) -> QueueError {
        QueueError::at(address, format!("the match there is refused: {problem}"))
    }

    /// Nothing has come in time.
    pub(super) fn waited(options: &WorkerOptions, what: &str) -> QueueError {
        let seconds = options.wait.as_secs();
        QueueError::at(&options.queue.address, format!("gave up after {seconds} s (--wait): {what}"))
    }

    /// The coordinator has refused the worker.
    pub(super) fn thrown_out(why: &str) -> QueueError {
        Failure::at("the coordinator has refused this worker", kroo::printable::name(why)).into()
    }
}

#[cfg(feature = "queue")]
pub(super) fn unreadable(error: impl Display) -> Failure {
    Failure::at("it cannot be read", error)
}

#[cfg(feature = "queue")]
pub(super) fn no_field(name: &str) -> Failure {
    Failure::new(format!("it has no field `{name}`"))
}

/// It has no games, or too many.
#[cfg(feature = "queue")]
pub(super) fn wrong_games(found: usize, most: usize) -> Failure {
    Failure::new(format!("it has {found} games, expected 1 to {most}"))
}

#[cfg(feature = "queue")]
pub(super) fn wrong_game(number: u64, problem: impl Display) -> Failure {
    Failure::at(format!("game {number}"), problem)
}
