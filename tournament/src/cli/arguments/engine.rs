//! The words after `--engine` and `--each`: `cmd=./kroo st=0.1 option.Hash=64`.

use super::key_values::{KeyValues, switch};
use crate::engine::EngineSpec;
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
const KEYS: [&str; 25] = [
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
    "read",
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

/// Words that describe an engine, each with a key of its own and a value that was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineWords(Vec<(String, String)>);

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
            Description::default().set(key, value).map_err(|problem| words.error(problem))?;
            read.0.push((key.to_owned(), value.to_owned()));
        }
        if read.has("tc") && read.has("st") {
            return Err(words.error("`tc` and `st` exclude each other: a clock, or a time for each move"));
        }
        Ok(read)
    }

    /// These words over those that hold for all engines.
    #[must_use]
    pub fn over(self, each: &EngineWords) -> EngineWords {
        let is_kept = |word: &&(String, String)| !self.0.iter().any(|own| setting(own) == setting(word));
        let mut all: Vec<(String, String)> = each.0.iter().filter(is_kept).cloned().collect();
        all.extend(self.0);
        EngineWords(all)
    }

    /// The same words with this one.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> EngineWords {
        EngineWords(vec![(key.to_owned(), value.to_owned())]).over(&self)
    }

    /// Whether a key is among them.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(found, _)| found == key)
    }

    /// Whether they limit a search.
    pub(super) fn has_limit(&self) -> bool {
        ["tc", "st", "nodes", "depth"].into_iter().any(|key| self.has(key))
    }

    /// The engine. `default_time` is its time for each move if there is no limit at all.
    ///
    /// # Errors
    /// If there is no command.
    pub fn contestant(self, default_time: Duration) -> Result<Contestant, Failure> {
        let mut described = Description::default();
        if !self.has_limit() {
            described.limits.move_time = Some(default_time);
        }
        for (key, value) in &self.0 {
            described.set(key, value).map_err(|problem| Failure::at("--engine", problem))?;
        }
        described.contestant()
    }
}

/// The setting of a word: of two words for one setting, one counts.
fn setting((key, _): &(String, String)) -> String {
    match key.as_str() {
        "st" | "tc" => "time".to_owned(),
        key if key.starts_with("option.") => key.to_ascii_lowercase(),
        key => key.to_owned(),
    }
}

/// An engine as its words describe it.
#[derive(Default)]
struct Description {
    cmd: Option<String>,
    engine: EngineSpec,
    limits: Limits,
}

impl Description {
    /// Takes in a word.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.take(key, value).map_err(|problem| format!("`{key}={value}`: {problem}"))
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), String> {
        let Description { cmd, engine, limits } = self;
        let confinement = &mut engine.confinement;
        match key {
            "cmd" => *cmd = Some(some_text(value)?),
            "args" => engine.args = arguments(value)?,
            "dir" => engine.dir = Some(folder(value)?),
            "name" => engine.name = engine_name(value)?,
            "stderr" => engine.stderr = Some(file(value)?),
            "protocol" => engine.protocol = value.parse()?,
            "tc" => limits.clock = Some(value.parse()?),
            "st" => limits.move_time = Some(seconds(value)?),
            "nodes" => limits.nodes = Some(at_least(value, 1)?),
            "depth" => limits.depth = Some(depth(value)?),
            "timemargin" => {
                let milliseconds = value.parse::<u32>();
                let margin = milliseconds.map_err(|_| "expected a whole number of milliseconds")?;
                limits.margin = Duration::from_millis(margin.into());
            }
            "ponder" => limits.ponder = switch(value)?,
            "watchdog" => limits.watchdog = seconds(value)?,
            "startup" => engine.startup = seconds(value)?,
            "quit" => engine.quit = seconds(value)?,
            "restart" => engine.restart = switch(value)?,
            "memory" => confinement.memory = Some(at_least(value, MIN_MEMORY)?),
            "processes" => confinement.processes = at_least(value, 1)?,
            "read" => confinement.bound = bound_files(value)?,
            "files" => confinement.files = at_least(value, MIN_FILES)?,
            "filesize" => confinement.file_mib = at_least(value, 1)?,
            "stderrlimit" => confinement.stderr_kib = at_least(value, 1)?,
            "sandbox" => confinement.sandbox = switch(value)?,
            _ => return self.take_named(key, value),
        }
        Ok(())
    }

    /// Takes in a variable or an option.
    fn take_named(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key.split_once('.') {
            Some(("env", "")) => Err("a variable has a name: env.NAME=VALUE".to_owned()),
            Some(("env", name)) => {
                // Nothing after the `=` passes the referee's own value on.
                let value = Some(value.to_owned()).filter(|value| !value.is_empty());
                self.engine.confinement.variables.push((name.to_owned(), value));
                Ok(())
            }
            Some((_, "")) | None => Err("an option has a name: option.NAME=VALUE".to_owned()),
            Some((_, option)) => {
                if let Some((name, flag)) = OWN_OPTIONS.iter().find(|(name, _)| is_named(option, name)) {
                    return Err(format!(
                        "the referee sets {name} for all engines, so that they play by its rules: use {flag}"
                    ));
                }
                self.engine.options.push((option.to_owned(), value.to_owned()));
                Ok(())
            }
        }
    }

    fn contestant(self) -> Result<Contestant, Failure> {
        let Description { cmd, mut engine, limits } = self;
        let cmd = cmd.ok_or_else(|| Failure::at("--engine", "`cmd=PATH` is missing"))?;
        if limits.ponder {
            if engine.protocol == Dialect::Ugi {
                let problem = "an engine with `protocol=ugi` cannot ponder: leave `ponder=on` out";
                return Err(Failure::at("--engine", problem));
            }
            if !engine.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Ponder")) {
                engine.options.push(("Ponder".to_owned(), "true".to_owned()));
            }
        }
        if engine.name.is_empty() {
            let stem = Path::new(&cmd).file_stem().unwrap_or(cmd.as_ref()).to_string_lossy();
            engine.name = printable::line(&stem).chars().take(LONGEST_STEM).collect();
        }
        engine.command = program(&cmd, engine.dir.as_deref());
        Ok(Contestant { engine, limits })
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
