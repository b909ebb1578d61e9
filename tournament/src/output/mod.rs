//! The outputs of a match: lines on the screen, a game file, a JSON document, a report and a live page.
//!
//! [`Outputs`] opens all of them, passes each game on, and closes them. CONTRIBUTING.md says how to add one.
//!
//! | file | output |
//! |---|---|
//! | `screen.rs`, `text.rs`, `table.rs` | the screen |
//! | `ogn.rs` | the game file |
//! | `json.rs` | the JSON document |
//! | `html/` | the report |
//! | `watch/` | the live page |
//! | `stats.rs` | `referee stats` |
//! | `journals.rs` | `referee merge` and `referee audit`: the same from journals |
//! | `tuning.rs`, `tuning_report.rs` | those of a tuning run |
//! | `document.rs` | a file that is complete or absent |
//!
//! A file that cannot be written is reported once, immediately, and makes the exit status that of an error; the match goes on.
//!
//! Uses: `failure`, `game`, `ledger`, `plan`, `run`, `schedule`, `statistics`, `tuning`. Begin with `outputs.rs`.
//! A new format is a file here and a field of `Outputs`.

mod document;
#[doc(hidden)]
pub mod html;
mod journals;
mod json;
mod ogn;
mod outputs;
mod screen;
mod stats;
mod table;
mod text;
mod tuning;
mod tuning_report;
#[doc(hidden)]
pub mod watch;

pub use html::HtmlFile;
pub use journals::{AuditOptions, MergeOptions, audit};
pub use json::{JsonFile, SprtJson};
pub use ogn::game_text;
pub use outputs::{GameFileMode, OutputFiles, Outputs};
pub use stats::{files_json, files_text, numbers_json, numbers_text};
pub use text::verdict;
