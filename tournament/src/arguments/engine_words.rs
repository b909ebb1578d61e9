//! The words after `--engine` and `--each`: `cmd=./kroo st=0.1 option.Hash=64`.

use crate::engine::EngineSpec;
use crate::game::{Limits, seconds_of};
use crate::plan::Contestant;
use ahash::AHashSet;
use kroo::protocol::MAX_DEPTH;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The words that there are.
const WORDS: &str = "cmd, args, dir, name, stderr, option.NAME, st, tc, nodes, depth, ponder, timemargin, watchdog, startup and restart";
/// The shortest time that the protocol can tell.
const MILLISECOND: Duration = Duration::from_millis(1);

/// A word that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{flag}: {problem}")]
pub struct WordError {
    /// The option that the word follows.
    pub flag: &'static str,
    /// What is wrong, and what is allowed.
    pub problem: String,
}

/// What the words say, before one engine's are put on top of everybody's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineWords {
    cmd: Option<String>,
    args: Option<Vec<String>>,
    dir: Option<PathBuf>,
    name: Option<String>,
    stderr: Option<PathBuf>,
    options: Vec<(String, String)>,
    limits: LimitWords,
    startup: Option<Duration>,
    restart: Option<bool>,
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
    /// Reads the words that follow an option.
    ///
    /// # Errors
    /// The first word that is not understood, or given twice.
    pub fn parse(flag: &'static str, words: &[String]) -> Result<EngineWords, WordError> {
        let fail = |problem| WordError { flag, problem };
        let mut read = EngineWords::default();
        let mut seen = AHashSet::new();
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| fail(format!("`{word}` has no `=`; the words are {WORDS}")))?;
            if !seen.insert(key.to_lowercase()) {
                return Err(fail(format!("`{key}` is given twice")));
            }
            read.set(key, value).map_err(|problem| fail(format!("`{word}`: {problem}")))?;
        }
        if read.limits.limits.clock.is_some() && read.limits.limits.move_time.is_some() {
            return Err(fail(
                "`tc` and `st` exclude each other: a clock, or a time for each move".to_owned(),
            ));
        }
        Ok(read)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        if let Some(option) = key.strip_prefix("option.") {
            if option.is_empty() {
                return Err("an option has a name: option.NAME=VALUE".to_owned());
            }
            self.options.push((option.to_owned(), value.to_owned()));
            return Ok(());
        }
        let limits = &mut self.limits;
        match key {
            "cmd" => self.cmd = Some(some_text(value)?),
            "args" => self.args = Some(split_arguments(value)?),
            "dir" => self.dir = Some(folder(value)?),
            "name" => self.name = Some(engine_name(value)?),
            "stderr" => self.stderr = Some(PathBuf::from(some_text(value)?)),
            "tc" => limits.limits.clock = Some(value.parse().map_err(|error| format!("{error}"))?),
            "st" => limits.limits.move_time = Some(seconds(value, MILLISECOND)?),
            "nodes" => limits.limits.nodes = Some(nodes(value)?),
            "depth" => limits.limits.depth = Some(depth(value)?),
            "timemargin" => {
                let milliseconds = value.parse::<u32>();
                let margin = milliseconds.map_err(|_| "expected a whole number of milliseconds")?;
                limits.margin = Some(Duration::from_millis(margin.into()));
            }
            "ponder" => limits.ponder = Some(switch(value)?),
            "watchdog" => limits.watchdog = Some(seconds(value, MILLISECOND)?),
            "startup" => self.startup = Some(seconds(value, MILLISECOND)?),
            "restart" => self.restart = Some(switch(value)?),
            _ => return Err(format!("unknown word; the words are {WORDS}")),
        }
        Ok(())
    }

    /// These words on top of those that hold for everybody.
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
            options,
            limits: self.limits.over(each.limits),
            startup: self.startup.or(each.startup),
            restart: self.restart.or(each.restart),
        }
    }

    /// Whether a name is among them.
    pub fn has_name(&self) -> bool {
        self.name.is_some()
    }

    /// What is to play, if nothing says how long, for `unlimited` a move.
    ///
    /// # Errors
    /// If there is no command.
    pub fn contestant(self, unlimited: Duration) -> Result<Contestant, WordError> {
        let missing = || WordError { flag: "--engine", problem: "`cmd=PATH` is missing".to_owned() };
        let cmd = self.cmd.ok_or_else(missing)?;
        let stem = Path::new(&cmd).file_stem().unwrap_or(cmd.as_ref()).to_string_lossy().into_owned();
        let mut options = self.options;
        if self.limits.ponder == Some(true)
            && !options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Ponder"))
        {
            options.push(("Ponder".to_owned(), "true".to_owned()));
        }
        let engine = EngineSpec {
            name: self.name.unwrap_or(stem),
            command: program(&cmd, self.dir.as_deref()),
            args: self.args.unwrap_or_default(),
            dir: self.dir,
            stderr: self.stderr,
            options,
            startup: self.startup.unwrap_or(EngineSpec::STARTUP),
            restart: self.restart.unwrap_or(false),
        };
        Ok(Contestant { engine, limits: self.limits.resolve(unlimited) })
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

    fn resolve(self, unlimited: Duration) -> Limits {
        let mut limits = self.limits;
        limits.margin = self.margin.unwrap_or(Limits::MARGIN);
        limits.watchdog = self.watchdog.unwrap_or(Limits::WATCHDOG);
        limits.ponder = self.ponder.unwrap_or(false);
        let none = limits.clock.is_none() && limits.move_time.is_none();
        if none && limits.nodes.is_none() && limits.depth.is_none() {
            limits.move_time = Some(unlimited);
        }
        limits
    }
}

/// `on` or `off`.
pub(super) fn switch(value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected `on` or `off`".to_owned()),
    }
}

fn some_text(value: &str) -> Result<String, String> {
    if value.is_empty() { Err("nothing follows the `=`".to_owned()) } else { Ok(value.to_owned()) }
}

/// A name that fits in a line of text and in a tag of a game file.
fn engine_name(value: &str) -> Result<String, String> {
    if value.contains(|c: char| c.is_control()) {
        return Err("a name has no control characters".to_owned());
    }
    some_text(value.trim())
}

fn folder(value: &str) -> Result<PathBuf, String> {
    let path = absolute(value);
    if path.is_dir() { Ok(path) } else { Err("no such folder".to_owned()) }
}

fn seconds(value: &str, least: Duration) -> Result<Duration, String> {
    let problem = || format!("expected a number of seconds of at least {}, such as 0.1", least.as_secs_f64());
    seconds_of(value).filter(|&time| time >= least).ok_or_else(problem)
}

fn nodes(value: &str) -> Result<u64, String> {
    let number = value.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

fn depth(value: &str) -> Result<u32, String> {
    let number = value.parse().ok().filter(|number| (1..=MAX_DEPTH).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_DEPTH}"))
}

/// A path that holds in any folder.
fn absolute(path: &str) -> PathBuf {
    env::current_dir().map_or_else(|_| PathBuf::from(path), |dir| dir.join(path))
}

/// The program: a file here, else one in the engine's folder, else a bare name to be looked for in `PATH`.
fn program(cmd: &str, dir: Option<&Path>) -> PathBuf {
    let places = [Some(absolute(cmd)), dir.map(|dir| dir.join(cmd))];
    if let Some(found) = places.into_iter().flatten().find(|place| place.is_file()) {
        return found;
    }
    if Path::new(cmd).components().count() == 1 { PathBuf::from(cmd) } else { absolute(cmd) }
}

/// Arguments separated by blanks; quotes, double or single, keep blanks together.
fn split_arguments(value: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in value.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}
