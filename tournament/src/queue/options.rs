//! The options of the command line that say something about a queue.

use super::address::{QueueAddress, URL};
use crate::failure::Failure;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Args, Command, ValueEnum, value_parser};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The pairs of games of a batch.
pub const BATCH: RangeInclusive<u64> = 1..=1_000;
/// The seconds of a lease.
pub const LEASE: RangeInclusive<u64> = 1..=86_400;
/// How many MiB of executables a worker may fetch.
pub const FETCH_LIMIT: RangeInclusive<u64> = 1..=1 << 20;

const STATUS_AFTER: &str = "\
URL is that of `referee --queue URL` and `referee worker URL`.

A worker is `there` if it has given a sign of life within the lease, else `silent`: other workers play its games.

Exit status: 0, or 1 after an error.";

const WORKER_AFTER: &str = "\
URL is redis://[USER@]HOST[:PORT][/DATABASE][#NAME]; NAME is that of the queue [default: match]. The password is that of the \
environment variable KROO_QUEUE_PASSWORD, or of the file that KROO_QUEUE_PASSWORD_FILE names. With rediss:// the connection is \
encrypted (TLS), and the broker must show a certificate of an authority that the system knows, or one in the file (PEM) that \
KROO_QUEUE_CA names.

A worker reads the match from the queue. It starts only executables whose content (SHA-256) is that of the coordinator's: it looks \
for them where the coordinator has them, and in --engines. With --fetch it takes missing ones from the queue, if the coordinator \
has --offer-engines, and keeps them in `kroo/engines` in $XDG_CACHE_HOME or ~/.cache, where you may delete them at any time.

The coordinator chooses the executables and their arguments; with --fetch it can send any program. So engines run in a sandbox: no \
network, no other processes, and only the system's programs and libraries, their own program and --allow-file to read. The sandbox \
ignores a job's folder (dir=), and its environment variables unless --allow-env names them. With --no-sandbox an engine has all \
rights of this worker's user.

At the first SIGINT, SIGTERM or SIGHUP the worker leaves (see --on-signal); a second one ends it at once. Other workers play its \
unfinished games.

Exit status: 0 when the match is over, or the worker has left after finishing its games; 12 if this machine cannot play it, for \
instance because an executable is missing; 1 after another error; 128 + N if signal N has stopped it.";

const QUEUE_HELP: &str = "Have the games played by workers: write them into the queue redis://[USER@]HOST[:PORT][#NAME], from \
    which `referee worker URL` takes them on any number of machines";

/// Reads an address. Its message does not repeat the word, which may have a password.
#[derive(Clone, Debug)]
struct AddressParser;

impl TypedValueParser for AddressParser {
    type Value = QueueAddress;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<QueueAddress, clap::Error> {
        let refused =
            |error: Failure| clap::Error::raw(ErrorKind::ValueValidation, format!("{URL}: {error}\n"));
        value.to_string_lossy().parse().map_err(refused)
    }
}

/// The queue of a match, and how its games are given to workers.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(next_help_heading = "Workers")]
pub struct QueueOptions {
    /// Where the queue is.
    #[arg(id = "queue", long, value_name = "URL", required = false, value_parser = AddressParser, help = QUEUE_HELP)]
    pub address: QueueAddress,
    /// Pairs of games that a worker takes at once from the queue
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = RangedU64ValueParser::<u64>::new().range(BATCH),
        requires = "queue"
    )]
    pub batch: u64,
    /// After N seconds without a sign of life of a worker its games are given to another one
    #[arg(
        long,
        value_name = "N",
        default_value = "60",
        value_parser = RangedU64ValueParser::<u64>::new().range(LEASE).map(Duration::from_secs),
        requires = "queue"
    )]
    pub lease: Duration,
    /// Whether workers multiply the times of st and tc by how much slower they are than this machine, by the engine's bench
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "on",
        value_parser = PossibleValuesParser::new(["on", "off"]).map(|when| when == "on"),
        action = ArgAction::Set,
        requires = "queue"
    )]
    pub scale_clocks: bool,
    /// Put the engines' executables into the queue, for workers with --fetch that lack them
    #[arg(long, requires = "queue")]
    pub offer_engines: bool,
    /// Send password and jobs to another machine unencrypted (redis://): others can read and change them
    #[arg(long, requires = "queue")]
    pub insecure: bool,
}

/// The address of a queue, the first word of a command.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct QueueUrl {
    /// Where the queue is
    #[arg(value_name = "URL", value_parser = AddressParser)]
    pub address: QueueAddress,
    /// Send password and jobs to another machine unencrypted (redis://): others can read and change them
    #[arg(long)]
    pub insecure: bool,
}

/// Options of `referee status`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = STATUS_AFTER)]
pub struct StatusOptions {
    /// The queue.
    #[command(flatten)]
    pub queue: QueueUrl,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// How a worker treats its games when a signal tells it to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnSignal {
    /// It gives them back at once: another worker plays them from the beginning.
    GiveBack,
    /// It finishes the batches in play.
    Finish,
}

/// Options of `referee worker`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = WORKER_AFTER)]
pub struct WorkerOptions {
    /// The queue.
    #[command(flatten)]
    pub queue: QueueUrl,
    /// How many games are played at the same time
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_024)
    )]
    pub concurrency: usize,
    /// A folder with the engines' executables, whatever they are called there
    #[arg(long, value_name = "FOLDER")]
    pub engines: Option<PathBuf>,
    /// Fetch executables that this machine has not got from the queue, and keep them in this folder, or among the user's caches
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, require_equals = true)]
    pub fetch: Option<Option<PathBuf>>,
    /// How much is fetched for a match at most, in MiB
    #[arg(
        long,
        value_name = "MIB",
        default_value = "256",
        value_parser = RangedU64ValueParser::<u64>::new().range(FETCH_LIMIT).map(|mib| mib << 20)
    )]
    pub fetch_limit: u64,
    /// The folder with the endgame files, if games are ended by them
    #[arg(long, value_name = "FOLDER")]
    pub endgame: Option<PathBuf>,
    /// Run engines with all rights of this user: trust all authors of jobs
    #[arg(long)]
    pub no_sandbox: bool,
    /// Pass this variable on to engines whose job asks for it
    #[arg(id = "allow-env", long, value_name = "NAME")]
    pub variables: Vec<String>,
    /// Let engines read this file or folder in their sandbox
    #[arg(id = "allow-file", long, value_name = "PATH")]
    pub bound: Vec<PathBuf>,
    /// Most memory of an engine's process
    #[arg(
        long,
        value_name = "MIB",
        default_value = "1048576",
        value_parser = value_parser!(u64).range(8..=1 << 30)
    )]
    pub max_memory: u64,
    /// Most processes of an engine
    #[arg(
        long,
        value_name = "N",
        default_value = "64",
        value_parser = value_parser!(u64).range(1..=1 << 20)
    )]
    pub max_processes: u64,
    /// Most open files of an engine's process
    #[arg(
        long,
        value_name = "N",
        default_value = "1024",
        value_parser = value_parser!(u64).range(16..=1 << 20)
    )]
    pub max_files: u64,
    /// Longest file of an engine
    #[arg(
        long,
        value_name = "MIB",
        default_value = "1024",
        value_parser = value_parser!(u64).range(1..=1 << 20)
    )]
    pub max_filesize: u64,
    /// At the first signal, give the games in play back (give-back), or finish their batches (finish)
    #[arg(long, value_name = "WHAT", value_enum, default_value = "give-back", hide_possible_values = true)]
    pub on_signal: OnSignal,
    /// Seconds to wait for a missing broker, match or coordinator; 0 plays only what is there
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "600",
        value_parser = RangedU64ValueParser::<u64>::new().range(0..=31_536_000).map(Duration::from_secs)
    )]
    pub wait: Duration,
}
