//! The games of a match by who has played them, and whose results are not those of the others.
//!
//! The pairs of each group (a machine, a worker, or all machines with the same processor) are compared with those of the others
//! by a chi-square test, its faults by an exact one ([`crate::statistics`]).

mod count;
mod group;
mod table;

pub use count::{GroupCounts, GroupLine};
pub use group::GroupBy;
pub use table::{remarks, rows, table};
