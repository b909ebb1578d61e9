//! Everything as JSON: what was to be played, each game, and the results.
//!
//! The document grows in a temporary file next to its place, game by game, and is moved there when it is complete. So there is
//! never half a document, and never a whole one in memory.

mod file;
mod game;
mod parts;
mod tuning;

pub(super) use file::BEGINNING;
pub use file::JsonFile;
pub use parts::SprtStatusJson;
pub(super) use tuning::write_tuning;
