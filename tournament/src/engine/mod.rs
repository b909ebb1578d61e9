//! Engines as processes: how they are started, spoken to, waited for and ended.
//!
//! From the outside in: [`Engine`] speaks the protocol; its `Pipes` write and read lines with a deadline on everything;
//! its `Process` is the leader of a process group, killed as a whole; the [`Guardian`] kills the groups if the referee
//! itself is killed. An engine is never trusted: not to answer, not to read, not to stop writing, not to end.

mod family;
mod guardian;
mod handshake;
mod lines;
mod options;
mod pipes;
mod ponder;
mod process;
mod spec;
mod stop;
mod talk;
mod wire;

pub use guardian::{GUARD_FLAG, Guardian, stand_guard};
pub use pipes::Silence;
pub use spec::Spec;
pub use stop::{Stop, Stopped};
pub use talk::{Answer, Engine, Failure, Patience};
pub use wire::{Said, Spoken, Wire};
