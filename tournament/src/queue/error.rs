//! What can go wrong with a queue.

use super::address::QueueAddress;

/// Why a message in a queue is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It has no end.
    #[error("it has {found} bytes, expected at most {most}")]
    Long {
        /// Its bytes.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// It is not what it should be.
    #[error("it cannot be read: {0}")]
    Syntax(String),
    /// It has a field too few, or one of another kind.
    #[error("it has no field `{0}`")]
    Field(&'static str),
    /// It has no games, or too many.
    #[error("it has {found} games, expected 1 to {most}")]
    Games {
        /// How many there are.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// A game is none of this match.
    #[error("game {number}: {problem}")]
    Game {
        /// The game's number.
        number: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A value is out of bounds.
    #[error("{what}: {problem}")]
    Value {
        /// Which value.
        what: String,
        /// What is wrong with it, and what is allowed.
        problem: String,
    },
    /// It has a version that is not known.
    #[error(
        "it has version {found}, but this referee reads version {known}: use the same referee everywhere"
    )]
    Version {
        /// Its version.
        found: u64,
        /// The known one.
        known: u64,
    },
}

/// Why a queue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// This program cannot use queues.
    #[error(
        "this referee was built without queues: build it with `cargo build --release -p kroo-referee --features queue`"
    )]
    NotBuilt,
    /// The broker is not there. It may come back.
    #[error("{address}: the broker cannot be reached: {problem}")]
    Lost {
        /// Where it should be.
        address: QueueAddress,
        /// What the system says.
        problem: String,
    },
    /// The broker does not show that it is the one that was named.
    #[error(
        "{address}: the broker's certificate is refused: {problem}; its authority must be known: {advice}"
    )]
    Untrusted {
        /// Where it is.
        address: QueueAddress,
        /// What is wrong with its certificate.
        problem: String,
        /// Which authorities are known.
        advice: String,
    },
    /// The broker has lost what was written to it.
    #[error("{address}: the broker does not know the queue any more: {problem}")]
    Forgotten {
        /// Where it is.
        address: QueueAddress,
        /// What it says.
        problem: String,
    },
    /// The broker refuses, or says what no broker says.
    #[error("{address}: the broker says: {problem}")]
    Refused {
        /// Where it is.
        address: QueueAddress,
        /// What it says.
        problem: String,
    },
    /// What is written there is not a match.
    #[error("{address}: the match there is refused: {problem}")]
    Job {
        /// Where it is.
        address: QueueAddress,
        /// What is wrong with it.
        problem: MessageError,
    },
    /// Another referee coordinates this queue.
    #[error(
        "{address}: another referee has this queue: {holder}; give this one another name, as in redis://HOST#NAME"
    )]
    Taken {
        /// Where it is.
        address: QueueAddress,
        /// Who has it.
        holder: String,
    },
    /// The worker does not fit the match.
    #[error("this machine cannot play the match: {0}")]
    Unfit(String),
    /// Nothing has come.
    #[error("{address}: waited {seconds} s for nothing (see --wait): {what}")]
    Waited {
        /// Where it was waited for.
        address: QueueAddress,
        /// What was waited for.
        what: String,
        /// How long.
        seconds: u64,
    },
    /// The coordinator has thrown the worker out.
    #[error("the coordinator has refused this worker: {0}")]
    ThrownOut(String),
    /// The system does not do what is needed.
    #[error("{0}")]
    System(String),
}

impl QueueError {
    /// Another referee coordinates this queue.
    #[cfg(feature = "queue")]
    pub(super) fn taken(address: &QueueAddress, holder: &str) -> QueueError {
        QueueError::Taken { address: address.clone(), holder: kroo::printable::name(holder).into_owned() }
    }

    /// Whether it may be better later.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, QueueError::Lost { .. } | QueueError::Forgotten { .. })
    }
}
