//! What is wrong with a command line.

use super::key_values::WordError;
use crate::plan::PlanError;
use crate::queue::AddressError;
use crate::schedule::OpeningsError;
use std::fmt::Display;

/// What is wrong with a command line: the option or the file, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ArgumentError(String);

impl ArgumentError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> ArgumentError {
        ArgumentError(message.into())
    }

    /// An error of an option or a file.
    pub(super) fn at(place: impl Display, error: impl Display) -> ArgumentError {
        ArgumentError(format!("{place}: {error}"))
    }

    /// The environment names no folder of the user for an option that is not given.
    #[must_use]
    pub fn no_folder(option: &str) -> ArgumentError {
        ArgumentError::at(option, "the environment names no folder of the user (HOME): give one")
    }
}

impl From<WordError> for ArgumentError {
    fn from(error: WordError) -> ArgumentError {
        ArgumentError(error.to_string())
    }
}

impl From<PlanError> for ArgumentError {
    fn from(error: PlanError) -> ArgumentError {
        ArgumentError(error.to_string())
    }
}

impl From<OpeningsError> for ArgumentError {
    fn from(error: OpeningsError) -> ArgumentError {
        ArgumentError(error.to_string())
    }
}

impl From<AddressError> for ArgumentError {
    fn from(error: AddressError) -> ArgumentError {
        ArgumentError::at("the queue's URL", error)
    }
}
