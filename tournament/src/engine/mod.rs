//! Engines as processes: how they are started, talked to, waited for and killed.
//!
//! From the inside out: an `EngineProcess` leads its own process group, below a shim that keeps all its descendants together. The
//! [`Supervisor`] kills everything that an engine leaves behind, even if the referee itself is killed. `Pipes` write bytes and
//! read lines, always with a deadline. A [`Connection`] is a process with its pipes; it interprets nothing, and
//! [`Connection::answer`] is the only wait for an engine: it owns the deadline of a [`Question`]. [`Engine`] uses it to speak the
//! protocol in a match, as fast as possible, and judges whether a move is late (`uci.rs`). `referee check` uses it to examine
//! every line.
//!
//! An engine is never trusted: not to answer, not to read, not to stop writing, not to exit.
//!
//! Uses: nothing else here. Begin with `uci.rs`, where a late move is judged, and `process.rs`, where a process begins and ends.

#[doc(hidden)]
pub mod answer;
mod cleanup;
mod confinement;
mod connection;
#[doc(hidden)]
pub mod control_group;
#[doc(hidden)]
pub mod conversation;
mod error;
mod filter;
mod folders;
mod handshake;
#[doc(hidden)]
pub mod layout;
#[doc(hidden)]
pub mod line_buffer;
mod opened;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod pipes;
#[doc(hidden)]
pub mod proc_fs;
mod process;
#[doc(hidden)]
pub mod process_tree;
mod program;
mod sandbox;
mod shim;
mod spec;
#[doc(hidden)]
pub mod stop;
mod supervisor;
mod uci;

pub use cleanup::{CLEANUP_FLAG, clean_up_after};
pub use confinement::Confinement;
pub use connection::{Connection, Question};
pub use control_group::control_groups;
pub use conversation::{ConversationLog, LastWords, SpokenLine};
pub use error::EngineError;
pub use folders::check_folders;
pub(crate) use handshake::complaint;
pub use handshake::{GameTerms, Introduction, MatchTerms};
pub use line_buffer::Line;
pub use opened::{NotOpened, Opened};
pub(crate) use options::rules_to_set;
pub use pipes::{PipeError, ReceivedLine};
pub use proc_fs::Scheduled;
pub use process::EngineEnd;
pub use program::{ContentHash, ProgramContent, content_of, has_content};
#[doc(hidden)]
pub use sandbox::missing_option;
pub use sandbox::try_sandbox;
pub use shim::{SHIM_FLAG, be_shim};
pub use spec::EngineSpec;
pub(crate) use stop::locked;
pub use stop::{Stop, Stopped};
pub use supervisor::Supervisor;
pub use uci::{Engine, MoveDeadline, SearchResult, position_of};
