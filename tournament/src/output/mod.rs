//! What a match leaves behind: lines on the screen, a game file, and JSON.
//!
//! Nothing is lost in silence: a file that cannot be written is reported once, at once, and makes the exit status that
//! of an error; the match goes on.

mod date;
mod document;
mod html;
mod json;
mod live_view;
mod ogn;
mod outputs;
mod screen;
mod table;
mod text;

pub use html::HtmlFile;
pub use json::{JsonFile, SprtStatusJson, StrengthJson};
pub use ogn::game_text;
pub use outputs::{GameFileMode, OutputError, Outputs};
pub use text::{strength, verdict};
