//! Warnings about engines, and engines that die again and again.

use super::record::GameRecord;
use crate::plan::MatchPlan;
use ahash::AHashSet;
use kroo::game::Side;
use kroo::printable::counted;

/// The warnings that were given, each once.
#[derive(Debug)]
pub struct Warnings<'a> {
    plan: &'a MatchPlan,
    given: AHashSet<(usize, String)>,
    /// How many games in a row each engine has lost because it did not start, died or gave no answer.
    dead: Vec<u64>,
}

impl<'a> Warnings<'a> {
    /// None yet.
    pub fn new(plan: &'a MatchPlan) -> Warnings<'a> {
        Warnings { plan, given: AHashSet::new(), dead: vec![0; plan.contestants.len()] }
    }

    /// Warns about an engine, unless the same was said before.
    pub fn once(&mut self, engine: usize, text: &str, warn: &mut dyn FnMut(&str)) {
        if self.given.insert((engine, text.to_owned())) {
            warn(&format!("{}: {text}", self.plan.name(engine)));
        }
    }

    /// Looks at a game that was just played. Returns why it breaks the match, if it does.
    pub fn look(&mut self, record: &GameRecord, warn: &mut dyn FnMut(&str)) -> Option<String> {
        self.look_for_contradictions(record, warn);
        self.dead_engine(record)
    }

    /// Warns of an engine whose search info is impossible; once of each kind.
    fn look_for_contradictions(&mut self, record: &GameRecord, warn: &mut dyn FnMut(&str)) {
        const KINDS: [&str; 2] = [
            "a line does not begin with the move that was played",
            "a result that it called proven was not the result of the game",
        ];
        for side in Side::BOTH {
            let engine = record.scheduled.players[side.index()];
            for (kind, number) in KINDS.into_iter().zip(record.played.contradictions(side)) {
                if let Some(number) = number
                    && self.given.insert((engine, kind.to_owned()))
                {
                    let (name, game) = (self.plan.name(engine), record.scheduled.number);
                    warn(&format!("{name}: {kind}, first in game {game} at move {number}"));
                }
            }
        }
    }

    /// Why an engine breaks the match: it has died in too many games in a row. Games of the journal are left out, since the
    /// engine may have been mended meanwhile.
    fn dead_engine(&mut self, record: &GameRecord) -> Option<String> {
        let most = self.plan.tolerance.max_faults?;
        let played = &record.played;
        let mut broken = None;
        for side in Side::BOTH {
            let engine = record.scheduled.players[side.index()];
            let died = played.is_fault_of(side) && played.termination.is_death();
            self.dead[engine] = if died { self.dead[engine] + 1 } else { 0 };
            if self.dead[engine] >= most && broken.is_none() {
                let (name, count) = (self.plan.name(engine), self.dead[engine]);
                let reason = played.reason(self.plan.names(&record.scheduled));
                broken = Some(format!(
                    "{name} has died in {} in a row, the last time by {reason}",
                    counted(count, "game")
                ));
            }
        }
        broken
    }
}
