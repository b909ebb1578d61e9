//! The first line of a journal, which identifies its tournament.

use crate::engine::ProgramContent;
use crate::failure::Failure;
use crate::plan::MatchPlan;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of the format that is written. No other one is read.
pub const VERSION: u32 = 3;

/// The last second of the year 9999, after 1970: no date is later.
pub(super) const LAST_SECOND: u64 = 253_402_300_799;

/// The first line of a journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JournalHeader {
    /// The version of the format.
    #[serde(rename = "kroo-journal")]
    pub version: u32,
    pub plan: MatchPlan,
    /// A checksum of the openings, whatever their file is called.
    pub openings: u32,
    /// When the tournament began, in seconds since 1970.
    pub began: u64,
    /// The engines' executables, where they could be read.
    pub programs: Vec<Option<ProgramContent>>,
    /// The command line that began the match, or last lengthened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<RecordedCommand>,
}

/// A command line and its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedCommand {
    /// The folder to which relative paths belong.
    pub folder: String,
    /// The options, each with its words, without the journal itself.
    pub options: Vec<Vec<String>>,
}

/// A setting that differs between two headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place in the header, such as `plan.contestants.1.limits.depth`.
    pub place: String,
    /// The value in the first header.
    pub one: String,
    /// The value in the other header.
    pub other: String,
}

impl JournalHeader {
    pub fn new(plan: &MatchPlan, openings: u32) -> JournalHeader {
        let began = plan.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let engines = plan.contestants.iter();
        let programs = engines.map(|contestant| contestant.engine.content().cloned()).collect();
        JournalHeader { version: VERSION, plan: plan.clone(), openings, began, programs, command: None }
    }

    /// The same tournament with the rounds of another header, if it has more rounds and they can be added: a tuning run is
    /// planned for its number of iterations.
    pub fn with_rounds_of(&self, longer: &JournalHeader) -> Option<JournalHeader> {
        let rounds = longer.plan.rounds;
        (rounds > self.plan.rounds && self.plan.tuning.is_none()).then(|| JournalHeader {
            plan: MatchPlan { rounds, ..self.plan.clone() },
            command: longer.command.clone(),
            ..self.clone()
        })
    }

    /// Whether it is the header of a tournament that can be played: that of a file from elsewhere may say anything.
    pub fn check(&self) -> Result<(), Failure> {
        if self.began > LAST_SECOND {
            let began = self.began;
            return Err(Failure::new(format!(
                "it began {began} seconds after 1970, which is later than the year 9999"
            )));
        }
        self.plan.check()?;
        let (found, expected) = (self.programs.len(), self.plan.contestants.len());
        if found != expected {
            return Err(Failure::new(format!(
                "the contents of {found} executables, expected those of {expected}"
            )));
        }
        for (engine, content) in (1..).zip(&self.programs) {
            let place = format!("the content of the executable of engine {engine}");
            let checked = content.as_ref().map_or(Ok(()), ProgramContent::check);
            checked.map_err(|problem| Failure::at(place, problem))?;
        }
        Ok(())
    }

    /// When the tournament began.
    pub fn began(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.began)
    }

    /// The first engine, by its place in the list, whose executable differs between two tournaments.
    pub fn changed_program(&self, other: &JournalHeader) -> Option<usize> {
        let mut both = self.programs.iter().zip(&other.programs);
        both.position(|(one, other)| one.is_some() && other.is_some() && one != other)
    }

    /// The first difference between two tournaments. When they began does not matter; which part of them is played
    /// matters only if `parts` says so. Of an executable the content matters, and not its path.
    pub fn difference(&self, other: &JournalHeader, parts: bool) -> Option<Difference> {
        if let Some(engine) = self.changed_program(other) {
            let [one, other] = [self, other]
                .map(|header| header.programs[engine].as_ref().map(ToString::to_string).unwrap_or_default());
            return Some(Difference { place: format!("programs.{engine}"), one, other });
        }
        let engines = self.programs.len().min(other.programs.len());
        let is_same = |engine: usize| {
            self.programs[engine].is_some() && self.programs[engine] == other.programs[engine]
        };
        let value = |header: &JournalHeader| {
            let mut value = serde_json::to_value(header).unwrap_or_default();
            value["plan"] = header.plan.identity();
            value["began"].take();
            if let Some(object) = value.as_object_mut() {
                object.remove("programs");
                object.remove("command");
            }
            for engine in (0..engines).filter(|&engine| is_same(engine)) {
                value["plan"]["contestants"][engine]["engine"]["command"].take();
            }
            if !parts {
                value["plan"]["shard"]["part"].take();
            }
            value
        };
        let (one, other) = (value(self), value(other));
        // A setting is a better explanation than a checksum.
        difference(&one["plan"], &other["plan"], "plan".to_owned())
            .or_else(|| difference(&one, &other, String::new()))
    }
}

fn difference(one: &Value, other: &Value, place: String) -> Option<Difference> {
    let below = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (one, other) {
        (Value::Object(first), Value::Object(second)) => {
            let absent = first.keys().find(|key| !second.contains_key(*key));
            let added = second.keys().find(|key| !first.contains_key(*key));
            let both = || first.iter().filter_map(|(key, value)| Some((key, value, second.get(key)?)));
            let in_both = both().find_map(|(key, one, other)| difference(one, other, below(key)));
            in_both.or_else(|| {
                let key = absent.or(added)?;
                let there = |object: &serde_json::Map<String, Value>| {
                    if object.contains_key(key) { "given".to_owned() } else { "not given".to_owned() }
                };
                Some(Difference { place: below(key), one: there(first), other: there(second) })
            })
        }
        (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
            let mut both = first.iter().zip(second).enumerate();
            both.find_map(|(index, (one, other))| difference(one, other, below(&index.to_string())))
        }
        _ if one == other => None,
        _ => Some(Difference { place, one: shown(one), other: shown(other) }),
    }
}

/// A setting in a message. Lists are only counted.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("{} of them", list.len()),
        Value::Null => "nothing".to_owned(),
        _ => value.to_string(),
    }
}
