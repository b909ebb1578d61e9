//! What is audited.

use crate::played_by::GroupBy;
use std::path::PathBuf;

/// What `referee audit` is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditOptions {
    /// The journals of a match, or of its parts.
    pub journals: Vec<PathBuf>,
    /// Whose games are counted together.
    pub by: GroupBy,
    /// Whose games are left out.
    pub exclude: Vec<String>,
    /// Whether the games of outliers are left out, too.
    pub exclude_outliers: bool,
    /// Whether it is printed as JSON.
    pub json: bool,
}
