//! The arguments of `referee worker`.

use super::error::ArgumentError;
use super::match_options::{address, insecure_arg};
use super::syntax::{flag_arg, number, number_arg, path_arg, text, text_arg};
use crate::queue::{EngineMaxima, FETCH_LIMIT, FetchOptions, OnSignal, WorkerOptions};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;
use std::time::Duration;

/// The command's name.
pub(super) const NAME: &str = "worker";

const AFTER: &str = "\
URL is redis://[USER@]HOST[:PORT][/DATABASE][#NAME]; NAME is that of the queue [default: match]. The password is that of the
environment variable KROO_QUEUE_PASSWORD, or of the file that KROO_QUEUE_PASSWORD_FILE names. With rediss:// the connection is
encrypted (TLS), and the broker must show a certificate of an authority that the system knows, or one in the file (PEM) that
KROO_QUEUE_CA names.

With a USER of its own a worker's results name it, and a coordinator refuses that user and not only a process.

A worker learns from the queue what is played. It starts only executables whose content (SHA-256) is that of the coordinator's:
it looks for them where the coordinator has them, and in --engines. With --fetch it takes those that are missing from the queue,
if the coordinator has --offer-engines, and keeps them in a folder of its own (`kroo/engines` in $XDG_CACHE_HOME or ~/.cache), where
everything may be deleted at any time.

A coordinator decides which of the executables are started, and with which arguments; with --fetch it can be any program at
all. So engines run in a sandbox: no network, no other processes, and only the system's programs and libraries, their own program
and --allow-file to read. A job's folder (dir=) is ignored, and its environment variables are, unless --allow-env names them.
With --no-sandbox an engine can do whatever the user of this worker can.

The first SIGINT, SIGTERM or SIGHUP has the worker leave (see --on-signal); a second one ends it at once. What it leaves or loses
is played by others.

Exit status: 0 when the match is over, or the worker has left after finishing its games; 12 if this machine cannot play it, for
instance because an executable is missing; 1 after another error; 128 + N if signal N has stopped it.";

/// The grammar.
pub(super) fn command() -> Command {
    Command::new(NAME)
        .about("Play games for `referee --queue URL`")
        .after_help(AFTER)
        .arg(Arg::new("url").value_name("URL").required(true).help("Where the queue is"))
        .arg(number_arg("concurrency", 1..=1_024, "1", "How many games are played at the same time"))
        .arg(path_arg("engines", "FOLDER", "A folder with the engines' executables, whatever they are called there"))
        .arg(
            text_arg(
                "fetch",
                "FOLDER",
                "Fetch executables that this machine has not got from the queue, and keep them in this folder, or among the \
                 user's caches",
            )
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(""),
        )
        .arg(
            number_arg("fetch-limit", FETCH_LIMIT, "256", "How much is fetched for a match at most, in MiB")
                .value_name("MIB"),
        )
        .arg(path_arg("endgame", "FOLDER", "The folder with the endgame files, if games are ended by them"))
        .arg(flag_arg("no-sandbox", "Run engines with all rights of this user: trust whoever writes jobs"))
        .arg(
            text_arg("allow-env", "NAME", "Pass this variable on to engines whose job asks for it")
                .action(ArgAction::Append),
        )
        .arg(
            path_arg("allow-file", "PATH", "Let engines read this file or folder in their sandbox")
                .action(ArgAction::Append),
        )
        .arg(number_arg("max-memory", 8..=1 << 30, "1048576", "Most memory of an engine's process").value_name("MIB"))
        .arg(number_arg("max-processes", 1..=1 << 20, "64", "Most processes of an engine"))
        .arg(number_arg("max-files", 16..=1 << 20, "1024", "Most open files of an engine's process"))
        .arg(number_arg("max-filesize", 1..=1 << 20, "1024", "Longest file of an engine").value_name("MIB"))
        .arg(
            text_arg(
                "on-signal",
                "WHAT",
                "What the first signal does: give the games in play back (give-back), or finish their batches (finish)",
            )
            .value_parser(["give-back", "finish"])
            .default_value("give-back"),
        )
        .arg(
            number_arg(
                "wait",
                0..=31_536_000,
                "600",
                "How long to wait for the broker, a match or a coordinator that is not there, in seconds",
            )
            .value_name("SECONDS"),
        )
        .arg(insecure_arg())
}

/// What the arguments mean.
pub(super) fn options(matches: &ArgMatches) -> Result<WorkerOptions, ArgumentError> {
    let path = |name| matches.get_one::<PathBuf>(name).cloned();
    Ok(WorkerOptions {
        address: address(text(matches, "url").unwrap_or_default(), matches.get_flag("insecure"))?,
        concurrency: number(matches, "concurrency") as usize,
        engines: path("engines"),
        fetch: text(matches, "fetch").map(|folder| FetchOptions {
            folder: (!folder.is_empty()).then(|| PathBuf::from(folder)),
            limit: number(matches, "fetch-limit") << 20,
        }),
        endgame: path("endgame"),
        sandbox: !matches.get_flag("no-sandbox"),
        variables: matches.get_many::<String>("allow-env").into_iter().flatten().cloned().collect(),
        bound: matches.get_many::<PathBuf>("allow-file").into_iter().flatten().cloned().collect(),
        most: EngineMaxima {
            memory: number(matches, "max-memory"),
            processes: number(matches, "max-processes"),
            files: number(matches, "max-files"),
            file_mib: number(matches, "max-filesize"),
        },
        on_signal: match text(matches, "on-signal") {
            Some("finish") => OnSignal::Finish,
            _ => OnSignal::GiveBack,
        },
        wait: Duration::from_secs(number(matches, "wait")),
    })
}
