//! Who has played what, and whether somebody's results differ from those of all others more than chance explains:
//! `referee audit`.
//!
//! Games are never dropped by themselves. What is to be left out is named by the user or, on request, by the test; then it
//! is said whose games they are and why, and the verdict is shown with and without them.

mod excluded;
mod options;
mod show;

pub use excluded::{Audit, AuditError, Excluded, audit};
pub use options::AuditOptions;
pub use show::{json, text};
