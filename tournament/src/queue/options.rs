//! What the command line says about a queue.

use super::address::QueueAddress;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The pairs of games of a batch.
pub const BATCH: RangeInclusive<u64> = 1..=1_000;
/// The seconds of a lease.
pub const LEASE: RangeInclusive<u64> = 1..=86_400;
/// How many MiB of executables a worker may be told to fetch.
pub const FETCH_LIMIT: RangeInclusive<u64> = 1..=1 << 20;
/// What `referee --queue` is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueOptions {
    /// Where the queue is.
    pub address: QueueAddress,
    /// How many pairs of games a batch has.
    pub batch: u64,
    /// After how long without a sign of life a worker's batch is given to another one.
    pub lease: Duration,
    /// Whether workers multiply the times of clocks by how much slower they are.
    pub scale_clocks: bool,
    /// Whether the executables are put into the queue, for workers that have not got them.
    pub offer_engines: bool,
}

/// What `referee status` is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusOptions {
    /// Where the queue is.
    pub address: QueueAddress,
    /// Whether it is told as JSON.
    pub json: bool,
}

/// What a worker does with its games when a signal tells it to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnSignal {
    /// It gives them back at once: another worker plays them from the beginning.
    GiveBack,
    /// It finishes the batches in play.
    Finish,
}

/// How a worker fetches executables from the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOptions {
    /// Where it keeps them; a folder among the user's caches if `None`.
    pub folder: Option<PathBuf>,
    /// How many bytes it fetches at most.
    pub limit: u64,
}

/// The most that a job may give an engine of a worker's machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineMaxima {
    /// MiB of memory of a process.
    pub memory: u64,
    /// Processes.
    pub processes: u64,
    /// Open files of a process.
    pub files: u64,
    /// MiB of the longest file.
    pub file_mib: u64,
}

/// What `referee worker` is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerOptions {
    /// Where the queue is.
    pub address: QueueAddress,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The folder with the engines' executables, besides where the coordinator has them.
    pub engines: Option<PathBuf>,
    /// How it fetches those that are missing, if it may.
    pub fetch: Option<FetchOptions>,
    /// The folder with the endgame files.
    pub endgame: Option<PathBuf>,
    /// Whether engines run in a sandbox.
    pub sandbox: bool,
    /// Environment variables that a job may pass on to its engines.
    pub variables: Vec<String>,
    /// Files and folders that engines may read in their sandbox.
    pub bound: Vec<PathBuf>,
    /// The most that a job may give an engine of this machine.
    pub most: EngineMaxima,
    /// What a signal does.
    pub on_signal: OnSignal,
    /// How long it waits for a broker, a match and games before it gives up.
    pub wait: Duration,
}
