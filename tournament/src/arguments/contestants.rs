//! The engines of a match: those given, or by default the `kroo` next to the referee against its player `evolved`.

use super::engine::EngineWords;
use super::key_values::WordError;
use crate::game::Limits;
use crate::plan::Contestant;
use ahash::AHashSet;
use clap::ArgMatches;
use std::env::consts::EXE_SUFFIX;
use std::fs::File;
use std::path::PathBuf;
use std::{env, io};

/// The program of both engines if none is given.
const OWN_ENGINE: &str = "kroo";
/// What is put after the name of an engine that is tuned: its values are moved up, and down.
const TWINS: [&str; 2] = ["plus", "minus"];
/// Characters of its name before that.
const LONGEST_TWIN: usize = 90;
/// Its names, and the further word of each.
const OWN_PLAYERS: [(&str, Option<&str>); 2] = [("kroo", None), ("evolved", Some("option.Player=evolved"))];
/// Its nodes for each move if there is no limit: a first match should be short, and the same on a busy machine.
const OWN_NODES: u64 = 20_000;

/// What is wrong with the engines.
#[derive(Debug, thiserror::Error)]
pub enum ContestantError {
    /// A word is not understood.
    #[error(transparent)]
    Word(#[from] WordError),
    /// There is only one engine.
    #[error(
        "one --engine is not enough: give two or more, or none for a match of the `kroo` next to the referee"
    )]
    OneEngine,
    /// Only one engine is tuned.
    #[error("{engines} times --engine: one engine is tuned, and plays itself")]
    TuningOfMany {
        /// How many there are.
        engines: usize,
    },
    /// Two engines have the same name.
    #[error("two engines have the name `{name}`: give each its own with name=")]
    SameName {
        /// The name.
        name: String,
    },
    /// No engine is given, and there is none next to the referee.
    #[error(
        "no --engine is given, and there is no {} to play: build it with `cargo build --release`, or name \
         the engines, --engine cmd=PATH --engine cmd=PATH", .path.display()
    )]
    NoOwnEngine {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file for an engine's standard error cannot be opened.
    #[error("--engine: `stderr={}`: {error}", .path.display())]
    Stderr {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// The engines of a command line, each with its own name.
pub fn contestants(matches: &ArgMatches) -> Result<Vec<Contestant>, ContestantError> {
    let each = each(matches)?;
    let engines = occurrences(matches, "engine");
    let contestants = match engines.len() {
        0 => own_engine(&each)?,
        1 => return Err(ContestantError::OneEngine),
        _ => given_engines(&engines, &each)?,
    };
    with_stderr(contestants)
}

/// The engines of a command line that are measured by themselves: one or more.
pub fn measured(matches: &ArgMatches) -> Result<Vec<Contestant>, ContestantError> {
    let each = EngineWords::parse("--each", &occurrences(matches, "each").concat())?;
    let engines = occurrences(matches, "engine");
    if !engines.is_empty() {
        return with_stderr(given_engines(&engines, &each)?);
    }
    let mut own = own_engine(&each)?;
    own.truncate(1);
    with_stderr(own)
}

/// The engine of a command line that is tuned, twice.
pub fn twins(matches: &ArgMatches) -> Result<Vec<Contestant>, ContestantError> {
    let each = each(matches)?;
    let contestant = match occurrences(matches, "engine").as_slice() {
        [] => own_engine(&each)?.swap_remove(0),
        [words] => EngineWords::parse("--engine", words)?.over(&each).contestant(Limits::MOVE_TIME)?,
        engines => return Err(ContestantError::TuningOfMany { engines: engines.len() }),
    };
    let name: String = contestant.engine.name.chars().take(LONGEST_TWIN).collect();
    let twin = |twin| {
        let mut contestant = contestant.clone();
        contestant.engine.name = format!("{name} {twin}");
        contestant
    };
    with_stderr(TWINS.map(twin).to_vec())
}

/// The words for all engines.
fn each(matches: &ArgMatches) -> Result<EngineWords, ContestantError> {
    let each = EngineWords::parse("--each", &occurrences(matches, "each").concat())?;
    Ok(if matches.get_flag("sandbox") { each.in_sandbox() } else { each })
}

/// The same, once the files for their standard error are there.
fn with_stderr(contestants: Vec<Contestant>) -> Result<Vec<Contestant>, ContestantError> {
    for path in contestants.iter().filter_map(|contestant| contestant.engine.stderr.as_ref()) {
        let opened = File::options().create(true).append(true).open(path);
        opened.map_err(|error| ContestantError::Stderr { path: path.clone(), error })?;
    }
    Ok(contestants)
}

/// The words after each occurrence of an option.
fn occurrences(matches: &ArgMatches, name: &str) -> Vec<Vec<String>> {
    let occurrences = matches.get_occurrences::<String>(name).into_iter().flatten();
    occurrences.map(|words| words.cloned().collect()).collect()
}

/// The engine next to the referee, once for each of its two players.
fn own_engine(each: &EngineWords) -> Result<Vec<Contestant>, ContestantError> {
    let path = env::current_exe().unwrap_or_default().with_file_name(format!("{OWN_ENGINE}{EXE_SUFFIX}"));
    if !path.is_file() {
        return Err(ContestantError::NoOwnEngine { path });
    }
    let playing = |(name, player): (&str, Option<&str>)| {
        let mut words = vec![format!("cmd={}", path.display()), format!("name={name}")];
        words.extend(player.map(str::to_owned));
        EngineWords::parse("--engine", &words)?.over(each).with_nodes(OWN_NODES).contestant(Limits::MOVE_TIME)
    };
    Ok(OWN_PLAYERS.into_iter().map(playing).collect::<Result<_, _>>()?)
}

/// The engines given. One without a name is called after its program, with a number if another engine has that name.
fn given_engines(engines: &[Vec<String>], each: &EngineWords) -> Result<Vec<Contestant>, ContestantError> {
    let (mut contestants, mut unnamed, mut taken) = (Vec::new(), Vec::new(), AHashSet::new());
    for words in engines {
        let words = EngineWords::parse("--engine", words)?.over(each);
        let named = words.has_name();
        let contestant = words.contestant(Limits::MOVE_TIME)?;
        let name = contestant.engine.name.clone();
        if !named {
            unnamed.push(contestants.len());
        } else if !taken.insert(name.clone()) {
            return Err(ContestantError::SameName { name });
        }
        contestants.push(contestant);
    }
    for engine in unnamed {
        let name = &mut contestants[engine].engine.name;
        let stem = name.clone();
        for number in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            *name = format!("{stem} {number}");
        }
    }
    Ok(contestants)
}
