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

/// An engine as its words describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineWords {
    cmd: Option<String>,
    engine: EngineSpec,
    limits: Limits,
}

impl EngineWords {
    /// Reads the words after an option, over those that hold for all engines.
    pub fn parse(flag: &'static str, words: &[String], each: &EngineWords) -> Result<EngineWords, Failure> {
        EngineWords::parse_some(flag, words, &KEYS, each)
    }

    /// The same, with some of the keys only.
    pub fn parse_some(
        flag: &'static str,
        words: &[String],
        keys: &[&str],
        each: &EngineWords,
    ) -> Result<EngineWords, Failure> {
        let (words, mut read) = (KeyValues::read(flag, words, keys)?, each.clone());
        for (key, value) in words.iter() {
            let set = read.set(key, value);
            set.map_err(|problem| words.error(format!("`{key}={value}`: {problem}")))?;
        }
        if words.has("tc") && words.has("st") {
            return Err(words.error("`tc` and `st` exclude each other: a clock, or a time for each move"));
        }
        Ok(read)
    }

    /// Takes in a word.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let EngineWords { cmd, engine, limits } = self;
        let confinement = &mut engine.confinement;
        match key {
            "cmd" => *cmd = Some(some_text(value)?),
            "args" => engine.args = arguments(value)?,
            "dir" => engine.dir = Some(folder(value)?),
            "name" => engine.name = engine_name(value)?,
            "stderr" => engine.stderr = Some(file(value)?),
            "protocol" => engine.protocol = value.parse()?,
            "tc" => (limits.clock, limits.move_time) = (Some(value.parse()?), None),
            "st" => (limits.clock, limits.move_time) = (None, Some(seconds(value)?)),
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
            _ => return self.set_named(key, value),
        }
        Ok(())
    }

    /// Takes in a variable or an option. Capitals make no other option.
    fn set_named(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key.split_once('.') {
            Some(("env", "")) => Err("a variable has a name: env.NAME=VALUE".to_owned()),
            Some(("env", name)) => {
                // Nothing after the `=` passes the referee's own value on.
                let value = Some(value.to_owned()).filter(|value| !value.is_empty());
                let variables = &mut self.engine.confinement.variables;
                variables.retain(|(known, _)| known != name);
                variables.push((name.to_owned(), value));
                Ok(())
            }
            Some((_, "")) | None => Err("an option has a name: option.NAME=VALUE".to_owned()),
            Some((_, option)) => {
                let is_own = |(name, _): &&(&str, &str)| option.trim().eq_ignore_ascii_case(name);
                if let Some((name, flag)) = OWN_OPTIONS.iter().find(is_own) {
                    return Err(format!(
                        "the referee sets {name} for all engines, which play by its rules: use {flag}"
                    ));
                }
                self.engine.options.retain(|(known, _)| !known.eq_ignore_ascii_case(option));
                self.engine.options.push((option.to_owned(), value.to_owned()));
                Ok(())
            }
        }
    }

    /// Whether the engine has a name of its own.
    pub(super) fn is_named(&self) -> bool {
        !self.engine.name.is_empty()
    }

    /// Whether a limit is given.
    pub(super) fn has_limit(&self) -> bool {
        let Limits { clock, move_time, nodes, depth, .. } = &self.limits;
        clock.is_some() || move_time.is_some() || nodes.is_some() || depth.is_some()
    }

    /// The engine; without any limit, with the default time for each move.
    pub fn contestant(mut self) -> Result<Contestant, Failure> {
        if !self.has_limit() {
            self.limits.move_time = Some(Limits::MOVE_TIME);
        }
        let EngineWords { cmd, mut engine, limits } = self;
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
