//! What was learned from games that were not won: a text file that outlives the engine.
//!
//! A line is a lesson, and a lesson is never changed: whoever learns something adds a line. So several engines can
//! share a file. Each adds whole lines under an exclusive lock of the file and has them on the disk before it goes on; each
//! reads what others have added when a game or a move begins.
//!
//! ```text
//! kroo learn 1
//! classic1978 N 10-13 BfFcCEdF.
//! kroo kalah S startpos CFaB… 3 200 x3.
//! ```
//!
//! - `classic1978 N 10-13 BfFcCEdF.`: as North that player did not win the game of these moves, which ended with 10 seeds in South's
//!   store and 13 in North's.
//! - `kroo kalah S startpos CFaB… 3 200.`: as South the engine did not win the game of `kalah` that went from the start (or a
//!   position in its place) with these moves. It is put down to the third, which is thought 200 hundredths of a seed less
//!   of from now on.
//! - `x3` says that it happened so often: compacting a file leaves one line of equal ones.
//! - A line that begins with `#` is for people, and so are empty lines.
//!
//! **Crashes.** A line ends with a full stop, which stands nowhere else, and then with LF. So a last line that was cut off
//! is known for what it is: it is left out, and whoever writes next takes it away. A file that begins otherwise, or has a
//! line that is no lesson, belongs to somebody else: it is refused, and never written to.
//!
//! **Compacting** writes another file and puts it in the place of the old one, in one step and under its lock; who had
//! the old one open finds out and reads the new one.

mod compact;
mod error;
mod file;
mod line;

pub use compact::{Summary, compact, summary};
pub use error::LearnError;
pub use file::{LearnFile, News};
pub use line::{Lesson, Record};
