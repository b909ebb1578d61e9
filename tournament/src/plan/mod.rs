//! The plan of a match.
//!
//! Uses: `engine`, `failure`, `game`, `schedule`, `statistics`, `tuning`. Begin with [`MatchPlan`]; `bounds.rs`
//! checks it.

mod bounds;

pub use bounds::{MAX_ENGINES, MAX_MOVES, MAX_PAIRS, MAX_REPETITION, MAX_ROUNDS, name_problem};

use crate::engine::{EngineSpec, MatchTerms};
use crate::game::{AdjudicationRules, Limits, MoveLimitResult};
use crate::schedule::{Event, Pairings, ScheduledGame, Shard};
use crate::statistics::Sprt;
use crate::tuning::{Settings, Spsa, TuningPlan};
use kroo::files::are_one;
use kroo::game::{Side, Variant, names, split_mix};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::time::SystemTime;

/// An engine with its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contestant {
    pub engine: EngineSpec,
    pub limits: Limits,
}

impl Contestant {
    /// Whether it is the same program as another one, with the same arguments, options and limits: they then play alike under any
    /// name, in any folder.
    pub fn is_same_player(&self, other: &Contestant) -> bool {
        let (one, two) = (&self.engine, &other.engine);
        let same_file = match (one.program(), two.program()) {
            (Some(one), Some(two)) => are_one(&one, &two),
            _ => one.command == two.command,
        };
        let options = |spec: &EngineSpec| {
            let lower = |(name, value): &(String, String)| (name.to_ascii_lowercase(), value.clone());
            let mut options: Vec<_> = spec.options.iter().map(lower).collect();
            options.sort_unstable();
            options
        };
        // An argument may name a file in the folder that the engine runs in.
        let file = |spec: &EngineSpec, text: &str| spec.dir.clone().unwrap_or_default().join(text);
        let same_argument = |(one_text, two_text): (&String, &String)| {
            let files = [file(one, one_text), file(two, two_text)];
            one_text == two_text && (are_one(&files[0], &files[1]) || !files.iter().any(|path| path.exists()))
        };
        same_file
            && one.args.len() == two.args.len()
            && one.args.iter().zip(&two.args).all(same_argument)
            && options(one) == options(two)
            && one.confinement.variables == two.confinement.variables
            && self.limits == other.limits
    }
}

/// How many engine failures to tolerate before aborting the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tolerance {
    /// How many games in a row an engine may lose because it does not start, dies or does not answer; `None`: any number.
    pub max_faults: Option<u64>,
    /// Whether an option that an engine does not take is only a warning.
    pub lenient: bool,
}

impl Tolerance {
    /// The default of [`Tolerance::max_faults`].
    pub const MAX_FAULTS: u64 = 3;
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { max_faults: Some(Tolerance::MAX_FAULTS), lenient: false }
    }
}

/// A match, or a tournament, as requested. The header of a journal and the job of a queue hold it, and [`MatchPlan::check`]
/// restricts both to possible command lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchPlan {
    /// The engines.
    pub contestants: Vec<Contestant>,
    /// The rule set.
    #[serde(serialize_with = "variant_name", deserialize_with = "variant_named")]
    pub variant: Variant,
    /// The kind of event.
    pub event: Event,
    /// How many rounds. A knockout has as many as it needs.
    pub rounds: u64,
    /// Pairs of games at each pairing.
    pub pairs: u64,
    /// The random seed.
    pub seed: u64,
    /// Where the openings come from, in words.
    pub openings: String,
    /// Which games are adjudicated, and how.
    pub adjudication: AdjudicationRules,
    /// The SPRT that ends a match of two engines as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// The tuned parameters of a tuning run: the engine plays against itself, and a round is an iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<TuningPlan>,
    /// Which part of it is played here.
    pub shard: Shard,
    /// How many games are played at once: each process has its own number.
    #[serde(skip)]
    pub concurrency: usize,
    /// Whether the engines of a game and the thread that referees it share one processor.
    #[serde(default)]
    pub affinity: bool,
    /// How many engine failures to tolerate.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// When it began, perhaps in an earlier run; the header of a journal says so, too.
    #[serde(skip, default = "SystemTime::now")]
    pub began: SystemTime,
}

fn variant_name<S: Serializer>(variant: &Variant, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(variant.name())
}

fn variant_named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

impl MatchPlan {
    /// The identity of a match: two plans with the same games, whatever their use of the machine.
    pub fn identity(&self) -> Value {
        let mut plan = serde_json::to_value(self).unwrap_or_default();
        let leave_out = |value: &mut Value, keys: &[&str]| {
            let object = value.as_object_mut().into_iter();
            object.for_each(|object| keys.iter().for_each(|key| _ = object.remove(*key)));
        };
        leave_out(&mut plan, &["affinity", "tolerance"]);
        for contestant in plan["contestants"].as_array_mut().into_iter().flatten() {
            leave_out(&mut contestant["engine"], &["confinement", "quit"]);
        }
        plan
    }

    /// How many games are played here. A knockout may have more.
    pub fn games(&self) -> u64 {
        2 * self.shard.pairs_of(self.event.pairs(self.contestants.len(), self.rounds, self.pairs))
    }

    /// The pairings, from the beginning.
    pub fn pairings(&self) -> Pairings {
        match self.spsa() {
            Some(spsa) => Pairings::tuning(spsa, self.pairs),
            None => Pairings::new(self.event, self.contestants.len(), self.rounds, self.pairs, self.seed),
        }
    }

    /// How parameters are moved, if any are tuned.
    pub fn spsa(&self) -> Option<Spsa> {
        self.tuning.clone().map(|tuning| Spsa::new(tuning, self.rounds, self.seed))
    }

    /// Whether pairings depend on results.
    pub fn needs_results(&self) -> bool {
        self.event.needs_results() || self.tuning.is_some()
    }

    /// The games that a bye counts as won, if there are byes: a Swiss event has them with an odd number of engines.
    pub fn games_of_bye(&self) -> Option<u64> {
        let odd = !self.contestants.len().is_multiple_of(2);
        (self.event == Event::Swiss && odd).then_some(2 * self.pairs)
    }

    /// The options to set before a game for an engine, given by its place in the list: name and value.
    pub fn settings<'a>(&'a self, settings: Option<&'a Settings>, engine: usize) -> Vec<(&'a str, &'a str)> {
        let parameters = self.tuning.iter().flat_map(|tuning| &tuning.parameters);
        let values = settings.map_or(&[][..], |settings| settings.of(engine));
        parameters.zip(values).map(|(parameter, value)| (parameter.name.as_str(), value.as_str())).collect()
    }

    /// The random seed of an engine in a game: it follows from that of the match, the number of the game and the place of the
    /// engine in the list, wherever and whenever the game is played.
    pub fn seed_of(&self, scheduled: &ScheduledGame, engine: usize) -> u64 {
        let numbers = [scheduled.number, engine as u64];
        numbers.into_iter().fold(self.seed, |seed, number| split_mix(&mut (seed ^ number)))
    }

    /// The settings sent to all engines.
    pub fn terms(&self) -> MatchTerms {
        let by_stores = self.adjudication.at_limit == MoveLimitResult::Stores;
        let move_limit = if by_stores { self.adjudication.max_moves } else { 0 };
        MatchTerms { variant: self.variant, move_limit }
    }

    pub fn name(&self, engine: usize) -> &str {
        &self.contestants[engine].engine.name
    }

    /// The names of all engines.
    pub fn all_names(&self) -> Vec<&str> {
        self.contestants.iter().map(|contestant| contestant.engine.name.as_str()).collect()
    }

    /// The names of a game's engines, South's first.
    pub fn names(&self, scheduled: &ScheduledGame) -> [&str; 2] {
        scheduled.players.map(|engine| self.name(engine))
    }

    /// The limits of all engines in one line: once if they are the same.
    pub fn limits(&self) -> String {
        joined_limits(self.contestants.iter().map(|contestant| &contestant.limits))
    }

    /// The limits of a game's engines, South's first: once if they are the same.
    pub fn limits_of(&self, scheduled: &ScheduledGame) -> String {
        let limits = |side: Side| &self.contestants[scheduled.players[side.index()]].limits;
        joined_limits(Side::BOTH.map(limits).into_iter())
    }
}

/// As many engines as a line or a heading names.
pub const NAMED: usize = 8;

/// Names in one line: of more than [`NAMED`] the first few, and how many more there are.
pub fn joined_names(names: &[impl AsRef<str>], between: &str) -> String {
    let shown = if names.len() > NAMED { 3 } else { names.len() };
    let mut text = names[..shown].iter().map(AsRef::as_ref).collect::<Vec<_>>().join(between);
    if shown < names.len() {
        text.push_str(&format!("{between}{} more", names.len() - shown));
    }
    text
}

fn joined_limits<'a>(limits: impl Iterator<Item = &'a Limits>) -> String {
    let mut texts: Vec<String> = limits.map(Limits::to_string).collect();
    if texts.iter().all(|text| *text == texts[0]) {
        texts.truncate(1);
    }
    texts.join(" vs ")
}

/// The help of an option for the rule set.
pub fn variant_help(help: &str) -> String {
    format!("{help}: {}", names().join(", "))
}
