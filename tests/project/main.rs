//! The tests of the repository: which module uses which, documents, packages.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

mod documents;
mod packages;
mod referee;
mod tidiness;
