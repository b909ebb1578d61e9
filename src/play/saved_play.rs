//! How a game is played, in the tags of its document: who plays, the limits of the engine and of the game, and the clocks.
//!
//! Names say nothing about who plays: people change them.

use super::Settled;
use super::clock::Clocks;
use super::command::read_seconds;
use super::game_loop::GameLoop;
use super::opponent::{DEFAULT_TIME, OpponentSettings};
use super::sides::{HumanSides, SIDES};
use crate::game::{MOVE_LIMIT, Side, Variant};
use crate::level::Strength;
use crate::ogn::GameRecord;
use crate::roster::PlayerName;
use std::time::Duration;

/// The tags that say who plays each side.
pub(super) const PLAYERS: [&str; 2] = ["SouthPlayer", "NorthPlayer"];
/// The value of such a tag for a person; that of an engine is its [description](OpponentSettings::description).
const PERSON: &str = "person";
pub(super) const NAMES: [&str; 2] = ["South", "North"];
const TIME_CONTROL: &str = "TimeControl";
const CLOCK: &str = "Clock";
const MOVE_LIMIT_TAG: &str = "MoveLimit";

/// The name of a player until a person gives another.
fn usual_name(player: &str) -> &str {
    if player == PERSON { "a person" } else { player }
}

impl GameLoop {
    /// Writes players and clocks into the document, and names that no person has changed.
    pub(super) fn describe(&mut self) {
        let engine = self.opponent.settings.description();
        for side in Side::BOTH {
            let (tag, name) = (PLAYERS[side.index()], NAMES[side.index()]);
            let player = if self.humans.includes(side) { PERSON } else { &engine };
            let known = self.record.tag(name).unwrap_or("?");
            if known == "?" || self.record.tag(tag).is_some_and(|old| known == usual_name(old)) {
                self.record.set_tag(name, usual_name(player));
            }
            self.record.set_tag(tag, player);
        }
        set_or_remove(&mut self.record, CLOCK, self.clocks.map(|clocks| clocks.tag()));
        self.describe_limits();
    }

    pub(super) fn describe_limits(&mut self) {
        let OpponentSettings { time, nodes, engine } = &self.opponent.settings;
        let nodes = nodes.map(|nodes| format!(" nodes={nodes}")).unwrap_or_default();
        let limits = format!("st={}{nodes}", time.as_secs_f64());
        if self.record.tag(PLAYERS[0]).is_some() {
            let limits = (self.humans != HumanSides::Both).then_some(limits);
            set_or_remove(&mut self.record, TIME_CONTROL, limits);
        }
        let moves = engine.move_limit;
        set_or_remove(&mut self.record, MOVE_LIMIT_TAG, (moves != MOVE_LIMIT).then(|| moves.to_string()));
    }
}

pub(super) fn set_or_remove(record: &mut GameRecord, tag: &str, value: Option<String>) {
    match value {
        Some(value) => record.set_tag(tag, &value),
        None => record.remove_tag(tag),
    }
}

/// The recorded players and limits of a saved game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SavedPlay {
    pub humans: Option<HumanSides>,
    /// The opponent, with its strength if it was the engine.
    pub opponent: Option<(PlayerName, Option<Strength>)>,
    /// The opponent's limits for each move: time and nodes.
    pub limits: Option<(Duration, Option<u64>)>,
    /// The move limit, 0 for none.
    pub move_limit: Option<usize>,
    /// The clocks of people.
    pub clocks: Option<Clocks>,
}

impl SavedPlay {
    /// Reads a document. One that does not say who played has no opponent and no limit for it.
    pub fn of(record: &GameRecord) -> SavedPlay {
        let moves = record.game.moves().len();
        // A game that went on beyond the usual limit had another one.
        let beyond = || (moves > MOVE_LIMIT && record.result() == "*").then_some(0);
        let limit = record.tag(MOVE_LIMIT_TAG).and_then(|limit| limit.parse().ok());
        let move_limit = limit.filter(|limit| *limit <= 1_000_000).or_else(beyond);
        let unknown = SavedPlay { move_limit, ..SavedPlay::default() };
        let players = PLAYERS.map(|tag| record.tag(tag).unwrap_or_default());
        let are_people = players.map(|player| player == PERSON);
        let sides =
            |(_, humans): &&(&str, HumanSides)| Side::BOTH.map(|side| humans.includes(side)) == are_people;
        let engine = players.into_iter().find(|player| *player != PERSON).map(OpponentSettings::described);
        if engine == Some(None) {
            return unknown;
        }
        SavedPlay {
            humans: SIDES.iter().find(sides).map(|(_, humans)| *humans),
            opponent: engine.flatten(),
            limits: record.tag(TIME_CONTROL).and_then(read_limits),
            move_limit: move_limit.or(Some(MOVE_LIMIT)),
            clocks: record.tag(CLOCK).and_then(Clocks::of_tag),
        }
    }

    /// Takes the opponent and the limits of the game, except those that flags have settled.
    pub fn settle(&self, opponent: &mut OpponentSettings, settled: Settled) {
        if let Some((who, strength)) = self.opponent.filter(|_| !settled.opponent) {
            opponent.engine.player = who;
            opponent.engine.set_strength(strength.unwrap_or(opponent.engine.strength()));
        }
        if let Some(limits) = self.limits.filter(|_| !settled.limits) {
            (opponent.time, opponent.nodes) = limits;
        }
        if let Some(limit) = self.move_limit.filter(|_| !settled.move_limit) {
            opponent.engine.move_limit = limit;
        }
    }
}

/// Reads `st=1 nodes=100`.
fn read_limits(text: &str) -> Option<(Duration, Option<u64>)> {
    let (mut time, mut nodes) = (None, None);
    for word in text.split(' ') {
        match word.split_once('=')? {
            ("st", seconds) => time = read_seconds(seconds).ok(),
            ("nodes", count) => nodes = Some(count.parse().ok().filter(|&count: &u64| count > 0)?),
            _ => return None,
        }
    }
    Some((time?, nodes))
}

/// The flags of `kroo play` for the same game, without defaults.
pub(super) fn flags(variant: Variant, humans: HumanSides, opponent: &OpponentSettings) -> String {
    let mut flags = format!(" --variant {variant}");
    let engine = &opponent.engine;
    let mut add = |name: &str, value: &str| flags.push_str(&format!(" --{name} {value}"));
    match humans {
        HumanSides::One(Side::South) => {}
        HumanSides::One(Side::North) => add("side", "north"),
        HumanSides::Both => add("side", "both"),
        HumanSides::None => add("side", "none"),
    }
    if engine.player != PlayerName::Kroo {
        add("player", engine.player.name());
    } else if engine.strength() != Strength::FULL {
        let flag = if engine.limit_strength { "elo" } else { "level" };
        add(flag, &engine.strength().to_string());
    }
    if opponent.time != DEFAULT_TIME {
        add("time", &opponent.time.as_secs_f64().to_string());
    }
    if let Some(nodes) = opponent.nodes {
        add("nodes", &nodes.to_string());
    }
    if engine.move_limit != MOVE_LIMIT {
        add("movelimit", &engine.move_limit.to_string());
    }
    flags
}
