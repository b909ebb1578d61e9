//! What a plan may ask for. The command line and the header of a journal, which anybody may have written, are held to the
//! same bounds: whatever is within them can be counted, paired and joined in the memory of an ordinary machine.

use super::MatchPlan;
use crate::schedule::{Event, Shard};
use crate::statistics::{Sprt, SprtError};
use crate::tuning::TuningError;
use kroo::endgame::MAX_SEEDS;
use kroo::printable;
use std::path::PathBuf;

/// The most engines of an event.
pub const MAX_ENGINES: usize = 1_000;
/// The most rounds.
pub const MAX_ROUNDS: u64 = 1_000_000_000;
/// The most pairs of games at each pairing.
pub const MAX_PAIRS: u64 = 1_000_000;
/// The most moves of a game.
pub const MAX_MOVES: usize = 1_000_000;
/// The most occurrences of a position, before a game is a draw.
pub const MAX_REPETITION: u64 = 1_000;
/// The most pairs of games of an event.
const MAX_ALL_PAIRS: u128 = 1_000_000_000_000;
/// The most pairs of games of one round of an event that is paired by its results: they are drawn together.
const MAX_ROUND_PAIRS: u64 = 10_000_000;
/// The most characters of the words that say where the openings come from: a path and what is done with it.
const MAX_SOURCE: usize = 10_000;

/// Why a plan cannot be played or joined.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// A number is too small or too large.
    #[error("{what}: {found}, expected a number from {least} to {most}")]
    Number {
        /// Which number.
        what: &'static str,
        /// What it is.
        found: u64,
        /// The least it may be.
        least: u64,
        /// The most it may be.
        most: u64,
    },
    /// A rule that ends games by their scores holds for none, or for all.
    #[error(
        "{rule}: {moves} moves with a score of {score}, expected at least 1 move, and a score from 0 to 4800"
    )]
    Adjudication {
        /// Which rule.
        rule: &'static str,
        /// For how many moves.
        moves: u32,
        /// The score, in hundredths of a seed.
        score: i32,
    },
    /// There are more games than can be counted.
    #[error("{0} pairs of games in all, expected at most {MAX_ALL_PAIRS}: fewer rounds, pairs or engines")]
    Pairs(u128),
    /// A round of a Swiss event or a knockout has too many games.
    #[error("{0} pairs of games in a round, expected at most {MAX_ROUND_PAIRS}: fewer pairs or engines")]
    RoundPairs(u64),
    /// A name is none.
    #[error("the name of engine {engine}, `{}`: {problem}", printable::name(.name))]
    Name {
        /// Its place in the list, from 1.
        engine: usize,
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A path is not UTF-8: neither the command that starts an engine nor a journal can have it.
    #[error("engine {engine}: {}: this path is not UTF-8: rename its folders, or move it", .path.display())]
    Path {
        /// Its place in the list, from 1.
        engine: usize,
        /// The program, or the folder that it runs in.
        path: PathBuf,
    },
    /// An engine's limits are out of bounds.
    #[error("the limits of engine {engine}: {problem}")]
    Limits {
        /// Its place in the list, from 1.
        engine: usize,
        /// What is wrong, and what is allowed.
        problem: &'static str,
    },
    /// An engine cannot be started so.
    #[error("engine {engine}: {problem}")]
    Engine {
        /// Its place in the list, from 1.
        engine: usize,
        /// What is wrong, and what is allowed.
        problem: String,
    },
    /// The words about the openings have no end.
    #[error("the source of the openings has more than {MAX_SOURCE} characters")]
    Source,
    /// The part of the event is none.
    #[error("part {0}: expected K/N, the K-th of N parts, such as 1/8")]
    Shard(Shard),
    /// Only a part of what cannot be parted.
    #[error("part {0} of an event in which what is played depends on the results of all parts")]
    NoParts(Shard),
    /// A test of more than two engines.
    #[error("an SPRT of {0} engines: a test is a match of two")]
    SprtOfMany(usize),
    /// Something else than a match of an engine with itself, to tune it.
    #[error("tuning is a match of two engines, without an SPRT")]
    TuningOfMany,
    /// Nothing can be tuned so.
    #[error("tuning: {0}")]
    Tuning(Box<TuningError>),
    /// The test is none.
    #[error("the SPRT: {0}")]
    Sprt(#[from] SprtError),
}

impl MatchPlan {
    /// Whether it can be played, and its results be joined.
    ///
    /// # Errors
    /// The first thing that is out of bounds.
    pub fn check(&self) -> Result<(), PlanError> {
        let engines = self.contestants.len();
        number("engines", engines as u64, 2, MAX_ENGINES as u64)?;
        number("rounds", self.rounds, 1, MAX_ROUNDS)?;
        number("pairs", self.pairs, 1, MAX_PAIRS)?;
        number("max-moves", self.adjudication.max_moves as u64, 1, MAX_MOVES as u64)?;
        self.check_adjudication()?;
        if let Event::Gauntlet { gauntlet_seeds } = self.event {
            number("gauntlet-seeds", gauntlet_seeds as u64, 1, engines as u64 - 1)?;
        }
        let met = u128::from(self.event.pairs(engines, 1, 1));
        let all = met * u128::from(self.rounds) * u128::from(self.pairs);
        if all > MAX_ALL_PAIRS {
            return Err(PlanError::Pairs(all));
        }
        let in_a_round = self.event.pairs(engines, 1, self.pairs);
        if self.event.needs_results() && in_a_round > MAX_ROUND_PAIRS {
            return Err(PlanError::RoundPairs(in_a_round));
        }
        if self.openings.chars().nth(MAX_SOURCE).is_some() {
            return Err(PlanError::Source);
        }
        self.check_names()?;
        for (engine, contestant) in (1..).zip(&self.contestants) {
            let paths = [Some(&contestant.engine.command), contestant.engine.dir.as_ref()];
            if let Some(path) = paths.into_iter().flatten().find(|path| path.to_str().is_none()) {
                return Err(PlanError::Path { engine, path: path.clone() });
            }
            let times = [contestant.engine.startup, contestant.engine.quit];
            contestant.limits.check(&times).map_err(|problem| PlanError::Limits { engine, problem })?;
            contestant.engine.check().map_err(|problem| PlanError::Engine { engine, problem })?;
        }
        self.check_parts()
    }

    fn check_adjudication(&self) -> Result<(), PlanError> {
        let rules = &self.adjudication;
        if let Some(repetition) = rules.repetition {
            number("repetition", repetition.into(), 2, MAX_REPETITION)?;
        }
        let resign = rules.resign.map(|rule| ("resign", rule.moves, rule.score));
        let draw = rules.draw.map(|rule| ("draw", rule.moves, rule.score));
        for (rule, moves, score) in resign.into_iter().chain(draw) {
            if moves == 0 || !(0..=100 * i32::from(MAX_SEEDS)).contains(&score) {
                return Err(PlanError::Adjudication { rule, moves, score });
            }
        }
        let from = rules.draw.map_or(0, |rule| rule.from as u64);
        number("draw from", from, 0, u32::MAX.into())?;
        number("endgame", rules.endgame.unwrap_or(0).into(), 0, MAX_SEEDS.into())
    }

    fn check_names(&self) -> Result<(), PlanError> {
        let names = self.all_names();
        for (place, &name) in names.iter().enumerate() {
            let problem = match () {
                () if names[..place].contains(&name) => "two engines have it",
                () => match name_problem(name) {
                    Some(problem) => problem,
                    None => continue,
                },
            };
            return Err(PlanError::Name { engine: place + 1, name: name.to_owned(), problem });
        }
        Ok(())
    }

    fn check_parts(&self) -> Result<(), PlanError> {
        if !self.shard.is_valid() {
            return Err(PlanError::Shard(self.shard));
        }
        if self.shard != Shard::WHOLE && self.needs_results() {
            return Err(PlanError::NoParts(self.shard));
        }
        if let Some(tuning) = &self.tuning {
            tuning.check(self.rounds).map_err(|error| PlanError::Tuning(Box::new(error)))?;
            let is_match = self.event == Event::RoundRobin && self.contestants.len() == 2;
            if !is_match || self.sprt.is_some() {
                return Err(PlanError::TuningOfMany);
            }
        }
        let Some(sprt) = self.sprt else { return Ok(()) };
        if self.contestants.len() > 2 {
            return Err(PlanError::SprtOfMany(self.contestants.len()));
        }
        Sprt::new(sprt.elo0(), sprt.elo1(), sprt.alpha(), sprt.beta(), sprt.model())?;
        Ok(())
    }
}

/// What keeps a text from being the name of an engine, which stands in lines, in tags and on a terminal.
#[must_use]
pub fn name_problem(name: &str) -> Option<&'static str> {
    if name.contains(char::is_control) {
        return Some("a name has no control characters");
    }
    if name.contains(printable::is_order) {
        return Some("a name has no marks that turn the order of the text after them");
    }
    if name.trim().is_empty() {
        return Some("a name has at least one letter");
    }
    name.chars().nth(printable::MAX_NAME).is_some().then_some("a name has at most 100 characters")
}

fn number(what: &'static str, found: u64, least: u64, most: u64) -> Result<(), PlanError> {
    let fits = (least..=most).contains(&found);
    if fits { Ok(()) } else { Err(PlanError::Number { what, found, least, most }) }
}
