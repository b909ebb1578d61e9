//! Limits of an engine's share of the machine.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::{env, fs};

/// The environment variables that every engine gets, besides those that begin with `LC_`.
const ALLOWED_VARIABLES: [&str; 8] = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR"];
/// The share of the machine's memory that a process may use by default.
const MEMORY_SHARE: (u64, u64) = (3, 4);
/// Threads of a process, on average, if it has as many processes as it may (chosen, not measured).
const THREADS: u64 = 64;

/// The most files that an engine may read in a sandbox: its shim is handed them all.
const MOST_READ: u64 = 100;
/// The most bytes of a path or an argument, and of all arguments, options and variables of an engine together.
const MAX_TEXT: usize = 64 << 10;
const MAX_TEXTS: usize = 1 << 20;

/// The environment and the limits of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Environment variables besides the usual ones: a name and a value, or a name to take with the referee's own value.
    pub variables: Vec<(String, Option<String>)>,
    /// Memory for the data of each process, in MiB; `None` is three quarters of the machine's.
    pub memory: Option<u64>,
    /// How many processes it may have at once.
    pub processes: u64,
    /// How many files each process may have open.
    pub files: u64,
    /// MiB of the longest file that it may write; in a sandbox as many as its program has at least.
    pub file_mib: u64,
    /// Files and folders that it may read in a sandbox, besides its program.
    pub bound: Vec<PathBuf>,
    /// KiB of its standard error that are kept from the beginning, and as many from the end.
    pub stderr_kib: u64,
    /// Whether it runs in a sandbox.
    pub sandbox: bool,
}

impl Default for Confinement {
    fn default() -> Confinement {
        Confinement {
            variables: Vec::new(),
            memory: None,
            processes: Confinement::PROCESSES,
            files: Confinement::FILES,
            file_mib: Confinement::FILE_MIB,
            bound: Vec::new(),
            stderr_kib: Confinement::STDERR_KIB,
            sandbox: false,
        }
    }
}

impl Confinement {
    /// Whether a process can have it.
    pub(super) fn check(&self) -> Result<(), String> {
        let Confinement { variables, memory, processes, files, file_mib, stderr_kib, .. } = self;
        let texts = variables.iter().flat_map(|(name, value)| [Some(name), value.as_ref()]);
        short_texts("the environment variables", texts.flatten().map(String::as_str))?;
        let set = |(name, _): &&(String, Option<String>)| name.is_empty() || name.contains('=');
        if variables.iter().find(set).is_some() {
            return Err("an environment variable has no name".to_owned());
        }
        for (what, found, least, most) in [
            ("read", self.bound.len() as u64, 0, MOST_READ),
            ("memory", memory.unwrap_or(1_000), 1, 1 << 30),
            ("processes", *processes, 1, 1 << 20),
            ("files", *files, 1, 1 << 20),
            ("filesize", *file_mib, 1, 1 << 40),
            ("stderrlimit", *stderr_kib, 0, 1 << 20),
        ] {
            if !(least..=most).contains(&found) {
                return Err(format!("{what}: {found}, expected a number from {least} to {most}"));
            }
        }
        Ok(())
    }

    /// The default of [`Confinement::processes`].
    pub const PROCESSES: u64 = 64;
    /// The default of [`Confinement::files`].
    pub const FILES: u64 = 1_024;
    /// The default of [`Confinement::file_mib`] (chosen, not measured).
    pub const FILE_MIB: u64 = 1_024;
    /// The default of [`Confinement::stderr_kib`].
    pub const STDERR_KIB: u64 = 1_024;

    /// The environment of an engine.
    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        let allowed = |name: &OsString| {
            let name = name.to_string_lossy();
            ALLOWED_VARIABLES.contains(&&*name)
                || name.starts_with("LC_")
                || self.variables.iter().any(|(own, value)| *own == name && value.is_none())
        };
        let inherited = env::vars_os().filter(|(name, _)| allowed(name));
        let set = self.variables.iter().filter_map(|(name, value)| {
            value.as_ref().map(|value| (OsString::from(name), OsString::from(value)))
        });
        inherited.chain(set).collect()
    }

    /// Memory in bytes; `None` where the system does not say how much there is.
    pub(super) fn memory_bytes(&self) -> Option<u64> {
        self.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)).or_else(default_memory)
    }

    /// How many processes it may have with all their threads.
    pub(super) fn tasks(&self) -> u64 {
        self.processes.saturating_mul(THREADS)
    }

    /// Sets the limits of this process, which the processes that it starts inherit. In a sandbox the program is a file of
    /// `program` bytes, which must be written there.
    pub(super) fn limit_this_process(&self, program: u64) {
        let copied = if self.sandbox { program } else { 0 };
        let limits = [
            (Resource::Data, self.memory_bytes()),
            (Resource::Nproc, all_tasks().map(|running| running.saturating_add(self.tasks()))),
            (Resource::Nofile, Some(self.files)),
            (Resource::Fsize, Some(self.file_mib.saturating_mul(1 << 20).max(copied))),
            (Resource::Core, Some(0)),
        ];
        for (resource, limit) in limits {
            let Some(limit) = limit else { continue };
            let limit = getrlimit(resource).maximum.map_or(limit, |maximum| limit.min(maximum));
            // A limit can always be lowered.
            let _ = setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
        }
    }
}

/// How many processes and threads there are. The limit of a user's processes counts all of the user's.
fn all_tasks() -> Option<u64> {
    // `0.20 0.18 0.12 1/80 11206`: one of 80 is running.
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').nth(3)?.split_once('/')?.1.parse().ok()
}

/// A share of the machine's memory, in bytes; `None` where the system does not say how much there is.
fn default_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    let (numerator, denominator) = MEMORY_SHARE;
    Some(kibibytes * 1024 / denominator * numerator)
}

/// Whether texts are short enough for a command line.
pub(super) fn short_texts<'a>(what: &str, texts: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut all = 0;
    for text in texts {
        all += text.len() + 1;
        if text.len() > MAX_TEXT || all > MAX_TEXTS {
            return Err(format!("{what} have more than {MAX_TEXT} bytes each or {MAX_TEXTS} together"));
        }
        if text.contains('\0') {
            return Err(format!("{what} have a zero byte"));
        }
    }
    Ok(())
}
