//! The bounds of a plan, the same for the command line, the header of a journal and the job of a queue, which may be forged:
//! whatever is within them can be counted, paired and joined in the memory of an ordinary machine.

use super::MatchPlan;
use crate::failure::Failure;
use crate::schedule::{Event, Shard};
use kroo::endgames::MAX_SEEDS;
use kroo::printable;

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
/// The most characters of the words for the origin of openings: a path and its treatment.
const MAX_SOURCE: usize = 10_000;

impl MatchPlan {
    /// Whether it can be played, and its results be joined.
    pub fn check(&self) -> Result<(), Failure> {
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
            return Err(Failure::new(format!(
                "{all} pairs of games in all, expected at most {MAX_ALL_PAIRS}: fewer rounds, pairs or engines"
            )));
        }
        let in_a_round = self.event.pairs(engines, 1, self.pairs);
        if self.event.needs_results() && in_a_round > MAX_ROUND_PAIRS {
            return Err(Failure::new(format!(
                "{in_a_round} pairs of games in a round, expected at most {MAX_ROUND_PAIRS}: fewer pairs or engines"
            )));
        }
        if self.openings.chars().nth(MAX_SOURCE).is_some() {
            return Err(Failure::new(format!(
                "the source of the openings has more than {MAX_SOURCE} characters"
            )));
        }
        self.check_names()?;
        for (engine, contestant) in (1..).zip(&self.contestants) {
            let place = format!("engine {engine}");
            let paths = [Some(&contestant.engine.command), contestant.engine.dir.as_ref()];
            if let Some(path) = paths.into_iter().flatten().find(|path| path.to_str().is_none()) {
                let problem = "this path is not UTF-8: rename its folders, or move it";
                return Err(Failure::at(format!("{place}: {}", path.display()), problem));
            }
            let times = [contestant.engine.startup, contestant.engine.quit];
            let limits = contestant.limits.check(&times);
            limits.map_err(|problem| Failure::at(format!("the limits of {place}"), problem))?;
            contestant.engine.check().map_err(|problem| Failure::at(&place, problem))?;
        }
        self.check_parts()
    }

    fn check_adjudication(&self) -> Result<(), Failure> {
        let rules = &self.adjudication;
        if let Some(repetition) = rules.repetition {
            number("repetition", repetition.into(), 2, MAX_REPETITION)?;
        }
        let resign = rules.resign.map(|rule| ("resign", rule.moves, rule.score));
        let draw = rules.draw.map(|rule| ("draw", rule.moves, rule.score));
        for (rule, moves, score) in resign.into_iter().chain(draw) {
            if moves == 0 || !(0..=100 * i32::from(MAX_SEEDS)).contains(&score) {
                let expected = "expected at least 1 move, and a score from 0 to 4800";
                return Err(Failure::at(rule, format!("{moves} moves with a score of {score}, {expected}")));
            }
        }
        let from = rules.draw.map_or(0, |rule| rule.from as u64);
        number("draw from", from, 0, u32::MAX.into())?;
        number("endgame", rules.endgame.unwrap_or(0).into(), 0, MAX_SEEDS.into())
    }

    fn check_names(&self) -> Result<(), Failure> {
        let names = self.all_names();
        for (place, &name) in names.iter().enumerate() {
            let problem = match () {
                () if names[..place].contains(&name) => "two engines have it",
                () => match name_problem(name) {
                    Some(problem) => problem,
                    None => continue,
                },
            };
            let (engine, name) = (place + 1, printable::name(name));
            return Err(Failure::at(format!("the name of engine {engine}, `{name}`"), problem));
        }
        Ok(())
    }

    fn check_parts(&self) -> Result<(), Failure> {
        if !self.shard.is_valid() {
            return Err(Failure::at(format!("part {}", self.shard), Shard::EXPECTED));
        }
        if self.shard != Shard::WHOLE && self.needs_results() {
            return Err(Failure::new(format!(
                "part {} of an event in which what is played depends on the results of all parts",
                self.shard
            )));
        }
        if let Some(tuning) = &self.tuning {
            tuning.check(self.rounds).map_err(|error| Failure::at("tuning", error))?;
            let is_match = self.event == Event::RoundRobin && self.contestants.len() == 2;
            if !is_match || self.sprt.is_some() {
                return Err(Failure::new("tuning is a match of two engines, without an SPRT"));
            }
        }
        let Some(sprt) = self.sprt else { return Ok(()) };
        if self.contestants.len() > 2 {
            let engines = self.contestants.len();
            return Err(Failure::new(format!("an SPRT of {engines} engines: a test is a match of two")));
        }
        if self.event.needs_results() {
            let event = self.event;
            return Err(Failure::new(format!(
                "an SPRT of a {event} event: a test is a match, a round robin or a gauntlet of two engines"
            )));
        }
        sprt.check().map_err(|problem| Failure::at("the SPRT", problem))
    }
}

/// Why a text cannot be the name of an engine, which appears in lines, in tags and on a terminal.
pub fn name_problem(name: &str) -> Option<&'static str> {
    if name.contains(char::is_control) {
        return Some("a name has no control characters");
    }
    if name.contains(printable::is_control) {
        return Some("a name has no marks that turn the order of the text after them");
    }
    if name.trim().is_empty() {
        return Some("a name has at least one letter");
    }
    name.chars().nth(printable::MAX_NAME).is_some().then_some("a name has at most 100 characters")
}

fn number(what: &'static str, found: u64, least: u64, most: u64) -> Result<(), Failure> {
    let fits = (least..=most).contains(&found);
    let problem = || Failure::at(what, format!("{found}, expected a number from {least} to {most}"));
    if fits { Ok(()) } else { Err(problem()) }
}
