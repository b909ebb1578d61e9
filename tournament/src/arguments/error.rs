//! Other errors as failures of a command line.

use super::key_values::WordError;
use crate::failure::Failure;
use crate::plan::PlanError;
use crate::queue::AddressError;

impl Failure {
    /// The environment names no folder of the user for an option that is not given.
    #[must_use]
    pub fn no_folder(option: &str) -> Failure {
        Failure::at(option, "the environment names no folder of the user (HOME): give one")
    }
}

impl From<WordError> for Failure {
    fn from(error: WordError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl From<AddressError> for Failure {
    fn from(error: AddressError) -> Failure {
        Failure::at("the queue's URL", error)
    }
}
