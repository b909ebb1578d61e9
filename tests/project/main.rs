//! Tests of the repository: imports between modules, documents, packages.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod documents;
mod packages;
mod promises;
mod referee;
mod tidiness;
