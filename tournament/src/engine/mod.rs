//! Engines as processes: how they are started, spoken to, waited for and ended.
//!
//! From the outside in: [`Engine`] speaks the protocol; its `Pipes` write and read lines with a deadline on everything;
//! its `Process` is the leader of a process group, killed as a whole; the [`Supervisor`] kills the groups if the referee
//! itself is killed. An engine is never trusted: not to answer, not to read, not to stop writing, not to end.

mod handshake;
mod line_buffer;
mod options;
mod pipes;
mod ponder;
mod process;
mod process_tree;
mod spec;
mod stop;
mod supervisor;
mod talk;
mod wire;

pub use pipes::PipeError;
pub use spec::EngineSpec;
pub use stop::{Stop, Stopped};
pub use supervisor::{GUARD_FLAG, Supervisor, stand_guard};
pub use talk::{Engine, EngineError, MoveDeadline, SearchResult};
pub use wire::{Said, TranscriptLine, Wire};
