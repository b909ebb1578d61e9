//! The one stream of game records: everything that counts games or shows them gets them from here.

use super::event::MatchObserver;
use super::warnings::Warnings;
use crate::failure::Failure;
use crate::plan::MatchPlan;
use crate::record::GameRecord;
use crate::results::{MatchEnd, Summary, Tally};
use crate::schedule::Champion;
use std::collections::BTreeMap;
use std::mem;

/// Why a knockout without a winner has no verdict.
const NO_WINNER: &str = "no engine has come through by a game, so the knockout has no winner";

/// Passes recorded games, which come in the order of the schedule, to an observer, up to the end of the match. Returns the
/// results; `champion` is the end of a knockout that is over.
///
/// # Errors
/// The first error of the source.
pub fn drive(
    plan: &MatchPlan,
    games: impl IntoIterator<Item = Result<GameRecord, Failure>>,
    champion: Option<Champion>,
    observer: &mut dyn MatchObserver,
) -> Result<Summary, Failure> {
    let mut stream = GameStream::new(plan, observer);
    for (place, game) in (0..).zip(games) {
        stream.take(place, game?, false);
        if stream.is_over() {
            break;
        }
    }
    Ok(stream.finish(champion, false))
}

/// Orders games, counts them, passes them on, and ends the match.
pub(super) struct GameStream<'a> {
    pub plan: &'a MatchPlan,
    pub observer: &'a mut dyn MatchObserver,
    pub tally: Tally,
    pub warnings: Warnings<'a>,
    /// The place of the game that is next in order.
    pub next: u64,
    /// Games that wait for one before them, by their places, and whether each has just been played.
    waiting: BTreeMap<u64, (GameRecord, bool)>,
    /// Whether the SPRT has ended the match.
    ended: bool,
}

impl<'a> GameStream<'a> {
    pub fn new(plan: &'a MatchPlan, observer: &'a mut dyn MatchObserver) -> GameStream<'a> {
        GameStream {
            plan,
            observer,
            tally: Tally::new(plan),
            warnings: Warnings::new(plan),
            next: 0,
            waiting: BTreeMap::new(),
            ended: false,
        }
    }

    /// Whether no more games count.
    pub fn is_over(&self) -> bool {
        self.ended || self.tally.broken.is_some()
    }

    /// Ends a match without a verdict, because of an engine.
    pub fn break_match(&mut self, why: String) {
        if self.tally.broken.is_none() {
            self.observer.broken(&why);
            self.tally.broken = Some(why);
        }
    }

    /// Takes in the game at a place. `new`: it was just played. An SPRT counts the games in order, so that its decision does
    /// not depend on the number of workers.
    pub fn take(&mut self, place: u64, record: GameRecord, new: bool) {
        if self.plan.sprt.is_none() {
            self.count(&record, new);
        }
        self.waiting.insert(place, (record, new));
        while !self.is_over()
            && let Some((record, new)) = self.waiting.remove(&self.next)
        {
            self.pass_on(&record, new);
            self.next += 1;
        }
    }

    fn count(&mut self, record: &GameRecord, new: bool) {
        self.tally.add(record);
        if new {
            self.observer.finished(record, &self.tally);
        }
    }

    /// Passes on a game whose turn has come.
    fn pass_on(&mut self, record: &GameRecord, new: bool) {
        if self.plan.sprt.is_some() {
            self.count(record, new);
        }
        self.observer.in_order(record);
        if new && let Some(why) = self.warnings.look(record, &self.tally, self.observer) {
            self.break_match(why);
        }
        match self.tally.end(self.plan).filter(|_| !self.is_over()) {
            Some(MatchEnd::Broken(why)) => self.break_match(why),
            Some(MatchEnd::Decided | MatchEnd::Exhausted) => self.ended = true,
            None => {}
        }
    }

    /// The results. After a stop some games may be missing; those that waited for them are passed on all the same. With an SPRT
    /// they are not: it decides by the games up to the first that is missing.
    pub fn finish(mut self, champion: Option<Champion>, stopped: bool) -> Summary {
        if self.plan.sprt.is_none() {
            for (record, new) in mem::take(&mut self.waiting).into_values() {
                self.pass_on(&record, new);
            }
        }
        match champion {
            // One that has had nothing but byes has won nothing.
            Some(Champion::Engine(engine)) if self.tally.engines[engine].games() > 0 => {
                self.tally.champion = Some(engine);
            }
            Some(_) => self.break_match(NO_WINNER.to_owned()),
            None => {}
        }
        Summary::new(self.plan, &self.tally, stopped && !self.ended)
    }
}
