//! Errors that are only shown.

use kroo::files::WriteError;
use kroo::files::records::RecordError;
use std::fmt::Display;

/// A failure: the place, such as an option or a file and its line, and what is wrong or allowed there. No caller tells its
/// kinds apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }

    pub fn at(place: impl Display, error: impl Display) -> Failure {
        Failure(format!("{place}: {error}"))
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        Failure::new(error.to_string())
    }
}
