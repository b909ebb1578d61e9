//! The report: one page for a web browser, which needs no other file. It replays the first games, up to 20 MB of them.
//!
//! Like the JSON document, the page grows in a temporary file next to its place, game by game, and is moved there when it is
//! complete. First come the games, as data for the replayer, each with its boards: the page knows no rules. Then come tables and
//! pictures, which can be read without a script.

mod game_data;
mod page;
mod parts;
#[doc(hidden)]
pub mod picture;
mod report;
#[doc(hidden)]
pub mod series;
pub(super) mod tables;
mod tuning;

pub(super) use game_data::{GameData, ReportData, captured, digits, fallen};
pub(super) use page::BEGINNING;
pub use page::HtmlFile;
pub(super) use parts::{REPLAYER, module, part, script, style};
pub(super) use report::about;
pub(super) use series::Report;
pub(super) use tuning::tuning_page;
