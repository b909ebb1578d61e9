//! Errors of `referee test` and `referee history`.

use crate::failure::Failure;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// An error of the match.
pub type MatchError = Box<dyn std::error::Error + Send + Sync>;

/// Why a change is not tested, or a history not shown.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// A signal has come before the first game.
    #[error("interrupted; the same command begins again, with what was built until now")]
    Interrupted,
    /// Anything else.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl TestError {
    /// An error with this message.
    pub(super) fn new(message: impl Into<String>) -> TestError {
        Failure::new(message).into()
    }

    /// An error with a file or a stream.
    pub(super) fn at(place: impl Display) -> impl FnOnce(io::Error) -> TestError {
        move |error| Failure::at(place, error).into()
    }

    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> TestError {
        TestError::at(path.display().to_string())
    }
}
