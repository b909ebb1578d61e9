//! The engines of a match: those given, or by default the `kroo` next to the referee against its player `evolved`.

use super::engine::EngineWords;
use super::match_arguments::Engines;
use crate::failure::Failure;
use crate::plan::Contestant;
use ahash::AHashSet;
use std::env;
use std::env::consts::EXE_SUFFIX;

/// The program of both engines if none is given.
const OWN_ENGINE: &str = "kroo";
/// Suffixes to the name of an engine that is tuned: its values are moved up, and down.
const TWINS: [&str; 2] = ["plus", "minus"];
/// Characters of its name before that.
const LONGEST_TWIN: usize = 90;
/// Its names, and the further word of each.
const OWN_PLAYERS: [(&str, Option<&str>); 2] = [("kroo", None), ("evolved", Some("option.Player=evolved"))];
/// Its nodes for each move by default: a first match should be short, and the same on a busy machine.
const OWN_NODES: &str = "20000";

pub(super) fn each(words: &[String], sandbox: bool) -> Result<EngineWords, Failure> {
    let mut each = EngineWords::parse("--each", words, &EngineWords::default())?;
    if sandbox {
        each.set("sandbox", "on").map_err(Failure::new)?;
    }
    Ok(each)
}

/// The engines of a match, each with its own name.
pub(super) fn contestants(engines: &Engines, each: &EngineWords) -> Result<Vec<Contestant>, Failure> {
    match engines.0.len() {
        0 => own_engine(each),
        1 => Err(Failure::new(
            "one --engine is not enough: give two or more, or none for a match of the `kroo` next to the referee",
        )),
        _ => given_engines(&engines.0, each),
    }
}

/// The engine that is tuned, twice.
pub(super) fn twins(engines: &Engines, each: &EngineWords) -> Result<Vec<Contestant>, Failure> {
    let contestant = match engines.0.as_slice() {
        [] => own_engine(each)?.swap_remove(0),
        [words] => EngineWords::parse("--engine", words, each)?.contestant()?,
        many => {
            let times = many.len();
            return Err(Failure::new(format!(
                "{times} times --engine: one engine is tuned, and plays itself"
            )));
        }
    };
    let name: String = contestant.engine.name.chars().take(LONGEST_TWIN).collect();
    let twin = |twin| {
        let mut contestant = contestant.clone();
        contestant.engine.name = format!("{name} {twin}");
        contestant
    };
    Ok(TWINS.map(twin).to_vec())
}

/// The engine next to the referee, once for each of its two players.
fn own_engine(each: &EngineWords) -> Result<Vec<Contestant>, Failure> {
    let path = env::current_exe().unwrap_or_default().with_file_name(format!("{OWN_ENGINE}{EXE_SUFFIX}"));
    if !path.is_file() {
        return Err(Failure::new(format!(
            "no --engine is given, and there is no {} to play: build it with `cargo build --release`, or name the engines, \
             --engine cmd=PATH --engine cmd=PATH",
            path.display()
        )));
    }
    let playing = |(name, player): (&str, Option<&str>)| {
        let mut words = vec![format!("cmd={}", path.display()), format!("name={name}")];
        words.extend(player.map(str::to_owned));
        let mut words = EngineWords::parse("--engine", &words, each)?;
        if !words.has_limit() {
            words.set("nodes", OWN_NODES).map_err(Failure::new)?;
        }
        words.contestant()
    };
    OWN_PLAYERS.into_iter().map(playing).collect()
}

/// The engines given. One without a name is called after its program, with a number if another engine has that name.
fn given_engines(engines: &[Vec<String>], each: &EngineWords) -> Result<Vec<Contestant>, Failure> {
    let (mut contestants, mut unnamed, mut taken) = (Vec::new(), Vec::new(), AHashSet::new());
    for words in engines {
        let words = EngineWords::parse("--engine", words, each)?;
        let named = words.is_named();
        let contestant = words.contestant()?;
        let name = contestant.engine.name.clone();
        if !named {
            unnamed.push(contestants.len());
        } else if !taken.insert(name.clone()) {
            return Err(Failure::new(format!(
                "two engines have the name `{name}`: give each its own with name="
            )));
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
