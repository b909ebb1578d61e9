//! The words after `--engine` and `--each`: `cmd=./kroo st=0.1 option.Hash=64`.

use super::key_values::{KeyValues, switch};
use crate::engine::{Confinement, EngineSpec};
use crate::failure::Failure;
use crate::game::{Limits, seconds_of};
use crate::plan::{Contestant, name_problem};
use kroo::files::{is_null, is_special};
use kroo::printable;
use kroo::protocol::{Dialect, MAX_DEPTH};
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The keys of these words.
const KEYS: [&str; 24] = [
    "cmd",
    "args",
    "dir",
    "name",
    "stderr",
    "protocol",
    "option.NAME",
    "st",
    "tc",
    "nodes",
    "depth",
    "ponder",
    "timemargin",
    "watchdog",
    "startup",
    "quit",
    "restart",
    "env.NAME",
    "memory",
    "processes",
    "files",
    "filesize",
    "stderrlimit",
    "sandbox",
];
/// Options that say which game is played: the referee sets them, by these options of its own.
const OWN_OPTIONS: [(&str, &str); 5] = [
    ("UCI_Variant", "--variant"),
    ("Seeds", "--variant"),
    ("EmptyCapture", "--variant"),
    ("RemainingSeeds", "--variant"),
    ("MoveLimit", "--max-moves"),
];
/// Characters of a program's name that become its name in the results: a number may follow.
const LONGEST_STEM: usize = 80;
/// The shortest time that the protocol can express.
const MILLISECOND: Duration = Duration::from_millis(1);

/// The least memory of an engine, in MiB, and the fewest files. With less, programs do not even start.
const MIN_MEMORY: u64 = 8;
const MIN_FILES: u64 = 16;

/// What the words say. Nothing has its default yet, so that one engine's words can be put over those for all engines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineWords {
    cmd: Option<String>,
    args: Option<Vec<String>>,
    dir: Option<PathBuf>,
    name: Option<String>,
    stderr: Option<PathBuf>,
    protocol: Option<Dialect>,
    options: Vec<(String, String)>,
    limits: LimitWords,
    startup: Option<Duration>,
    quit: Option<Duration>,
    restart: Option<bool>,
    confinement: ConfinementWords,
}

/// What the engine is given of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ConfinementWords {
    variables: Vec<(String, Option<String>)>,
    memory: Option<u64>,
    processes: Option<u64>,
    files: Option<u64>,
    file_mib: Option<u64>,
    bound: Option<Vec<PathBuf>>,
    stderr_kib: Option<u64>,
    sandbox: Option<bool>,
}

/// The limits among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LimitWords {
    limits: Limits,
    margin: Option<Duration>,
    watchdog: Option<Duration>,
    ponder: Option<bool>,
}

impl EngineWords {
    /// Reads the words after an option.
    ///
    /// # Errors
    /// The first word that is not understood.
    pub fn parse(flag: &'static str, words: &[String]) -> Result<EngineWords, Failure> {
        EngineWords::parse_some(flag, words, &KEYS)
    }

    /// The same, with some of the keys only.
    ///
    /// # Errors
    /// The first word that is not understood.
    pub fn parse_some(flag: &'static str, words: &[String], keys: &[&str]) -> Result<EngineWords, Failure> {
        let words = KeyValues::read(flag, words, keys)?;
        let mut read = EngineWords::default();
        for (key, value) in words.iter() {
            read.set(key, value).map_err(|problem| words.error(format!("`{key}={value}`: {problem}")))?;
        }
        if read.limits.limits.clock.is_some() && read.limits.limits.move_time.is_some() {
            return Err(words.error("`tc` and `st` exclude each other: a clock, or a time for each move"));
        }
        Ok(read)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let limits = &mut self.limits;
        match key {
            "cmd" => self.cmd = Some(some_text(value)?),
            "args" => self.args = Some(arguments(value)?),
            "dir" => self.dir = Some(folder(value)?),
            "name" => self.name = Some(engine_name(value)?),
            "stderr" => self.stderr = Some(file(value)?),
            "protocol" => self.protocol = Some(value.parse()?),
            "tc" => limits.limits.clock = Some(value.parse().map_err(|error| format!("{error}"))?),
            "st" => limits.limits.move_time = Some(seconds(value)?),
            "nodes" => limits.limits.nodes = Some(nodes(value)?),
            "depth" => limits.limits.depth = Some(depth(value)?),
            "timemargin" => {
                let milliseconds = value.parse::<u32>();
                let margin = milliseconds.map_err(|_| "expected a whole number of milliseconds")?;
                limits.margin = Some(Duration::from_millis(margin.into()));
            }
            "ponder" => limits.ponder = Some(switch(value)?),
            "watchdog" => limits.watchdog = Some(seconds(value)?),
            "startup" => self.startup = Some(seconds(value)?),
            "quit" => self.quit = Some(seconds(value)?),
            "restart" => self.restart = Some(switch(value)?),
            "memory" => self.confinement.memory = Some(at_least(value, MIN_MEMORY)?),
            "processes" => self.confinement.processes = Some(at_least(value, 1)?),
            "files" if value.contains('/') => self.confinement.bound = Some(bound_files(value)?),
            "files" => {
                let number = at_least(value, MIN_FILES);
                let hint = |problem| format!("{problem}, or paths with a `/`, separated by `:`");
                self.confinement.files = Some(number.map_err(hint)?);
            }
            "filesize" => self.confinement.file_mib = Some(at_least(value, 1)?),
            "stderrlimit" => self.confinement.stderr_kib = Some(at_least(value, 1)?),
            "sandbox" => self.confinement.sandbox = Some(switch(value)?),
            _ if key.starts_with("env.") => {
                let name = key.strip_prefix("env.").unwrap_or_default().to_owned();
                if name.is_empty() {
                    return Err("a variable has a name: env.NAME=VALUE".to_owned());
                }
                // Nothing after the `=` passes the referee's own value on.
                self.confinement
                    .variables
                    .push((name, Some(value.to_owned()).filter(|value| !value.is_empty())));
            }
            _ => match key.strip_prefix("option.") {
                Some("") | None => return Err("an option has a name: option.NAME=VALUE".to_owned()),
                Some(option) => {
                    if let Some((name, flag)) = OWN_OPTIONS.iter().find(|(name, _)| is_named(option, name)) {
                        return Err(format!(
                            "the referee sets {name} for all engines, so that they play by its rules: use {flag}"
                        ));
                    }
                    self.options.push((option.to_owned(), value.to_owned()));
                }
            },
        }
        Ok(())
    }

    /// These words over those that hold for all engines.
    #[must_use]
    pub fn over(self, each: &EngineWords) -> EngineWords {
        let each = each.clone();
        let mut options = each.options;
        options.retain(|(name, _)| !self.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)));
        options.extend(self.options);
        EngineWords {
            cmd: self.cmd.or(each.cmd),
            args: self.args.or(each.args),
            dir: self.dir.or(each.dir),
            name: self.name.or(each.name),
            stderr: self.stderr.or(each.stderr),
            protocol: self.protocol.or(each.protocol),
            options,
            limits: self.limits.over(each.limits),
            startup: self.startup.or(each.startup),
            quit: self.quit.or(each.quit),
            restart: self.restart.or(each.restart),
            confinement: self.confinement.over(each.confinement),
        }
    }

    /// The same words with this command.
    #[must_use]
    pub fn with_command(self, cmd: Option<&str>) -> EngineWords {
        EngineWords { cmd: cmd.map(str::to_owned), ..self }
    }

    /// The same words, with a limit of nodes if there is no limit at all.
    #[must_use]
    pub(super) fn with_nodes(mut self, nodes: u64) -> EngineWords {
        let limits = &mut self.limits.limits;
        if !limits.is_timed() && limits.nodes.is_none() && limits.depth.is_none() {
            limits.nodes = Some(nodes);
        }
        self
    }

    /// The same words for an engine in a sandbox.
    #[must_use]
    pub(super) fn in_sandbox(mut self) -> EngineWords {
        self.confinement.sandbox = Some(true);
        self
    }

    /// The same words in this protocol.
    #[must_use]
    pub fn in_protocol(self, protocol: Dialect) -> EngineWords {
        EngineWords { protocol: Some(protocol), ..self }
    }

    /// Whether there is a name among them.
    pub fn has_name(&self) -> bool {
        self.name.is_some()
    }

    /// The engine. `default_time` is its time for each move if there is no limit at all.
    ///
    /// # Errors
    /// If there is no command.
    pub fn contestant(self, default_time: Duration) -> Result<Contestant, Failure> {
        let missing = || Failure::at("--engine", "`cmd=PATH` is missing");
        let cmd = self.cmd.ok_or_else(missing)?;
        if self.protocol == Some(Dialect::Ugi) && self.limits.ponder == Some(true) {
            let problem = "an engine with `protocol=ugi` cannot ponder: leave `ponder=on` out";
            return Err(Failure::at("--engine", problem));
        }
        let stem = Path::new(&cmd).file_stem().unwrap_or(cmd.as_ref()).to_string_lossy();
        let stem: String = printable::line(&stem).chars().take(LONGEST_STEM).collect();
        let mut options = self.options;
        if self.limits.ponder == Some(true)
            && !options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Ponder"))
        {
            options.push(("Ponder".to_owned(), "true".to_owned()));
        }
        let engine = EngineSpec {
            name: self.name.unwrap_or(stem),
            command: program(&cmd, self.dir.as_deref()),
            content: None,
            args: self.args.unwrap_or_default(),
            dir: self.dir,
            stderr: self.stderr,
            protocol: self.protocol.unwrap_or_default(),
            confinement: self.confinement.resolve(),
            options,
            startup: self.startup.unwrap_or(EngineSpec::STARTUP),
            quit: self.quit.unwrap_or(EngineSpec::QUIT),
            restart: self.restart.unwrap_or(false),
        };
        Ok(Contestant { engine, limits: self.limits.resolve(default_time) })
    }
}

impl ConfinementWords {
    fn over(self, each: ConfinementWords) -> ConfinementWords {
        let mut variables = each.variables;
        variables.retain(|(name, _)| !self.variables.iter().any(|(own, _)| own == name));
        variables.extend(self.variables);
        ConfinementWords {
            variables,
            memory: self.memory.or(each.memory),
            processes: self.processes.or(each.processes),
            files: self.files.or(each.files),
            file_mib: self.file_mib.or(each.file_mib),
            bound: self.bound.or(each.bound),
            stderr_kib: self.stderr_kib.or(each.stderr_kib),
            sandbox: self.sandbox.or(each.sandbox),
        }
    }

    fn resolve(self) -> Confinement {
        Confinement {
            variables: self.variables,
            memory: self.memory,
            processes: self.processes.unwrap_or(Confinement::PROCESSES),
            files: self.files.unwrap_or(Confinement::FILES),
            file_mib: self.file_mib.unwrap_or(Confinement::FILE_MIB),
            bound: self.bound.unwrap_or_default(),
            stderr_kib: self.stderr_kib.unwrap_or(Confinement::STDERR_KIB),
            sandbox: self.sandbox.unwrap_or(false),
        }
    }
}

impl LimitWords {
    fn over(self, each: LimitWords) -> LimitWords {
        let (own, all) = (self.limits, each.limits);
        let timed = own.clock.is_some() || own.move_time.is_some();
        LimitWords {
            limits: Limits {
                clock: if timed { own.clock } else { all.clock },
                move_time: if timed { own.move_time } else { all.move_time },
                nodes: own.nodes.or(all.nodes),
                depth: own.depth.or(all.depth),
                ..own
            },
            margin: self.margin.or(each.margin),
            watchdog: self.watchdog.or(each.watchdog),
            ponder: self.ponder.or(each.ponder),
        }
    }

    fn resolve(self, default_time: Duration) -> Limits {
        let mut limits = self.limits;
        limits.margin = self.margin.unwrap_or(Limits::MARGIN);
        limits.watchdog = self.watchdog.unwrap_or(Limits::WATCHDOG);
        limits.ponder = self.ponder.unwrap_or(false);
        let untimed = limits.clock.is_none() && limits.move_time.is_none();
        if untimed && limits.nodes.is_none() && limits.depth.is_none() {
            limits.move_time = Some(default_time);
        }
        limits
    }
}

/// Whether an engine takes a name for that of an option: capitals and blanks around it do not matter.
pub(super) fn is_named(name: &str, option: &str) -> bool {
    name.trim().eq_ignore_ascii_case(option)
}

fn some_text(value: &str) -> Result<String, String> {
    if value.is_empty() { Err("nothing follows the `=`".to_owned()) } else { Ok(value.to_owned()) }
}

/// Splits arguments as a POSIX shell does.
fn arguments(value: &str) -> Result<Vec<String>, String> {
    shlex::split(value).ok_or_else(|| "a quote is not closed, or nothing follows a last `\\`".to_owned())
}

/// A name that fits into a line of text, and into a tag of a game file.
fn engine_name(value: &str) -> Result<String, String> {
    match name_problem(value) {
        Some(problem) if !value.trim().is_empty() => Err(problem.to_owned()),
        _ => some_text(value.trim()),
    }
}

/// A file to be written, which may not be there yet. A pipe would make the engine's shim wait for a reader.
fn file(value: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(some_text(value)?);
    if is_special(&path) && !is_null(&path) {
        return Err("it is a pipe or a device, not a file".to_owned());
    }
    Ok(path)
}

/// Files and folders that an engine may read in its sandbox.
fn bound_files(value: &str) -> Result<Vec<PathBuf>, String> {
    let file = |path: &str| {
        let path = absolute(path);
        if path.exists() { Ok(path) } else { Err(format!("there is no {}", path.display())) }
    };
    value.split(':').map(file).collect()
}

fn folder(value: &str) -> Result<PathBuf, String> {
    let path = absolute(value);
    if path.is_dir() { Ok(path) } else { Err("no such folder".to_owned()) }
}

fn seconds(value: &str) -> Result<Duration, String> {
    let least = MILLISECOND.as_secs_f64();
    let problem = || format!("expected a number of seconds of at least {least}, such as 0.1");
    seconds_of(value).filter(|&time| time >= MILLISECOND).ok_or_else(problem)
}

fn nodes(value: &str) -> Result<u64, String> {
    at_least(value, 1)
}

fn at_least(value: &str, least: u64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|&number| number >= least);
    number.ok_or_else(|| format!("expected a whole number of at least {least}"))
}

fn depth(value: &str) -> Result<u32, String> {
    let number = value.parse().ok().filter(|number| (1..=MAX_DEPTH).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_DEPTH}"))
}

/// A path that is valid in any folder.
fn absolute(path: &str) -> PathBuf {
    env::current_dir().map_or_else(|_| PathBuf::from(path), |dir| dir.join(path))
}

/// The program: a file in the engine's folder, else one relative to the current folder, else a name to look up in `PATH`.
fn program(cmd: &str, dir: Option<&Path>) -> PathBuf {
    let places = [dir.map(|dir| dir.join(cmd)), Some(absolute(cmd))];
    if let Some(found) = places.into_iter().flatten().find(|place| place.is_file()) {
        return found;
    }
    if Path::new(cmd).components().count() == 1 { PathBuf::from(cmd) } else { absolute(cmd) }
}
