//! `referee check ENGINE`: does an engine keep the protocol?
//!
//! Each check talks to a process of its own, so one that hangs or dies spoils no other check. Each goes as far as the engine
//! lets it, and all faults are reported, with the lines that led to them. The referee's own board and clock judge what the
//! engine answers. A fault breaks the protocol or loses games; a remark is only worth knowing.
//!
//! Uses: `engine`, `plan`. Begin with `run.rs`, which lists the checks; `session.rs` is the
//! conversation that each of them has, and `trials.rs` has the tables.

mod board;
mod exits;
mod finding;
mod games;
mod handshake;
mod options;
mod report;
mod rules;
mod run;
mod session;
mod sides;
mod trials;

pub use finding::{CheckRun, Finding, FindingKind, Findings, RuleRow};
pub use options::CheckOptions;
pub use report::{json, latest, markdown, text};
#[doc(hidden)]
pub use rules::positions;
pub use run::{check, names};
