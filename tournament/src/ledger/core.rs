//! The ledger: all finished games of a match, and the one owner of their order.

use super::record::{GameRecord, Journal, JournalReader};
use super::results::{MatchEnd, Results, Summary};
use super::scheduler::Scheduler;
use super::warnings::Warnings;
use crate::failure::Failure;
use crate::plan::MatchPlan;
use crate::schedule::Champion;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::Arc;

/// Why a knockout without a winner has no verdict.
const NO_WINNER: &str = "no engine has come through by a game, so the knockout has no winner";

/// The finished games of a match. They come in any order; what follows from them is a function of the games before the first
/// that is missing: the counts, the SPRT, the pairings of the next round, the winner.
pub struct Ledger<'a> {
    plan: &'a MatchPlan,
    scheduler: &'a Scheduler,
    /// Where games are written before they count.
    journal: Option<Journal>,
    /// The place of the first game that is missing.
    next: u64,
    /// Games behind a gap by their places, and whether each has just been played.
    ahead: BTreeMap<u64, (GameRecord, bool)>,
    /// The counts of the games before `next`. An observer may look at them while more games are counted.
    tally: Arc<Results>,
    warnings: Warnings<'a>,
    /// Whether the results have ended the match.
    is_final: bool,
    /// The place of the first game that is missing and will not come.
    gap: Option<u64>,
}

impl<'a> Ledger<'a> {
    /// A ledger without games. The scheduler hands out those that it lacks.
    pub fn new(plan: &'a MatchPlan, scheduler: &'a Scheduler) -> Ledger<'a> {
        Ledger {
            plan,
            scheduler,
            journal: None,
            next: 0,
            ahead: BTreeMap::new(),
            tally: Arc::new(Results::new(plan)),
            warnings: Warnings::new(plan),
            is_final: false,
            gap: None,
        }
    }

    /// Takes in the games that a journal holds, and writes the next ones there.
    ///
    /// # Errors
    /// If the journal cannot be read, or has games that are not those of the schedule.
    pub fn open(
        &mut self,
        mut journal: Journal,
        reader: Option<JournalReader>,
        observer: &mut dyn MatchObserver,
    ) -> Result<(), Failure> {
        if let Some(mut reader) = reader {
            while self.read(&mut reader, observer)?.is_some() {}
            for gap in reader.gaps("their games are played again", "it is dropped") {
                observer.warning(&gap);
            }
            journal.continue_after(&reader)?;
            self.scheduler.skip(self.ahead.keys().copied());
            observer.resumed(self);
        }
        self.journal = Some(journal);
        Ok(())
    }

    /// Takes in the next game of a journal. Returns the engines that have named themselves; `None` at the end.
    ///
    /// # Errors
    /// If the journal cannot be read, has the game twice, or the schedule has another one.
    pub(super) fn read(
        &mut self,
        reader: &mut JournalReader,
        observer: &mut dyn MatchObserver,
    ) -> Result<Option<Vec<(usize, String)>>, Failure> {
        let Some(record) = reader.next_game()? else { return Ok(None) };
        let (number, names) = (record.scheduled.number, record.id_names());
        if !self.is_over() {
            if self.has(&record) {
                return Err(reader.duplicate(number));
            }
            self.take(record, false, observer).map_err(|problem| reader.failure(problem))?;
        }
        Ok(Some(names))
    }

    /// Takes in games that were just played: writes them to the journal, and counts those that no other is missing for. A game
    /// that is there already is dropped. After the end of the match no game counts, because more games could overturn a
    /// decision: the lines of later games are removed again.
    pub fn commit(
        &mut self,
        finished: Vec<GameRecord>,
        observer: &mut dyn MatchObserver,
    ) -> Result<(), Failure> {
        let mut numbers = BTreeSet::new();
        let mut fresh = finished;
        fresh.retain(|record| !self.has(record) && numbers.insert(record.scheduled.number));
        if fresh.is_empty() || self.is_over() {
            return Ok(());
        }
        let ends = match &mut self.journal {
            None => Vec::new(),
            Some(journal) => journal.append(&fresh)?,
        };
        let (all, mut counted) = (fresh.len(), 0);
        for record in fresh {
            if !self.is_over() {
                self.take(record, true, observer).map_err(Failure::new)?;
                counted += 1;
            }
        }
        match (&mut self.journal, ends.get(counted.max(1) - 1)) {
            (Some(journal), Some(&end)) if counted < all => journal.take_back(end),
            _ => Ok(()),
        }
    }

    /// The games up to a place will not come, but for those that are there; those behind them do.
    pub(super) fn pass_over(&mut self, to: u64, observer: &mut dyn MatchObserver) {
        self.gap.get_or_insert(self.next);
        self.next = self.ahead.first_key_value().map_or(to, |(&place, _)| place.min(to));
        // Without the schedule no game is another one than it should be.
        let _ = self.advance(observer);
    }

    /// Ends a match without a verdict, because of an engine.
    pub fn break_match(&mut self, why: String, observer: &mut dyn MatchObserver) {
        if self.tally.broken.is_none() {
            observer.broken(&why);
            self.counts().broken = Some(why);
        }
    }

    /// Warns about an engine, unless the same was said before.
    pub fn warn(&mut self, engine: usize, text: &str, observer: &mut dyn MatchObserver) {
        self.warnings.once(engine, text, &mut |text| observer.warning(text));
    }

    /// Whether no more games count.
    pub fn is_over(&self) -> bool {
        self.is_final || self.tally.broken.is_some()
    }

    /// Whether no more games are to be played.
    pub fn is_complete(&self) -> bool {
        self.is_final || self.gap.is_none() && self.ahead.is_empty() && self.scheduler.is_at_end()
    }

    /// The place of the game that is due.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// How many games there are before the first that is missing.
    pub fn without_gap(&self) -> u64 {
        self.gap.unwrap_or(self.next)
    }

    /// How many games can be shown.
    pub fn games(&self) -> u64 {
        let ahead = if self.plan.sprt.is_some() { 0 } else { self.ahead.len() as u64 };
        self.tally.games + ahead
    }

    /// The counts with the games behind a gap, to be shown; an SPRT does not see them.
    pub fn preview(&self) -> Cow<'_, Results> {
        if self.plan.sprt.is_some() || self.ahead.is_empty() {
            return Cow::Borrowed(&self.tally);
        }
        let mut tally = Results::clone(&self.tally);
        self.ahead.values().for_each(|(record, _)| tally.add(record));
        Cow::Owned(tally)
    }

    /// How many missing games could be played now, if pairings depend on results.
    pub(super) fn missing(&self) -> u64 {
        self.scheduler.skip(self.ahead.keys().copied());
        self.scheduler.playable()
    }

    /// The results. The games behind a gap are shown, and without an SPRT they count.
    pub fn close(mut self, observer: &mut dyn MatchObserver) -> Summary {
        let interrupted = !self.is_complete();
        if !self.is_final {
            for (record, new) in mem::take(&mut self.ahead).into_values() {
                self.behind_gap(&record, new, observer);
            }
        }
        Summary::new(self.plan, &self.tally, interrupted)
    }

    fn has(&self, record: &GameRecord) -> bool {
        let place = self.plan.shard.place(record.scheduled.number);
        place < self.next || self.ahead.contains_key(&place)
    }

    /// Takes in a game that is safe. `new`: it was just played.
    fn take(
        &mut self,
        record: GameRecord,
        new: bool,
        observer: &mut dyn MatchObserver,
    ) -> Result<(), String> {
        let place = self.plan.shard.place(record.scheduled.number);
        self.ahead.insert(place, (record, new));
        if new && self.plan.sprt.is_none() {
            observer.finished(&self.ahead[&place].0, self);
        }
        self.advance(observer)
    }

    /// Counts the games that follow without a gap, if they are those of the schedule: they go to the results, the schedule, and
    /// the observer.
    fn advance(&mut self, observer: &mut dyn MatchObserver) -> Result<(), String> {
        while !self.is_over()
            && let Some((record, new)) = self.ahead.remove(&self.next)
        {
            self.next += 1;
            if self.gap.is_some() {
                self.behind_gap(&record, new, observer);
                continue;
            }
            let champion = self.scheduler.finished(&record)?;
            self.counts().add(&record);
            // One that has had nothing but byes has won nothing.
            let won = |engine: &usize| self.tally.engines[*engine].games() > 0;
            let winner = champion.map(|champion| match champion {
                Champion::Engine(engine) => Some(engine).filter(won),
                Champion::None => None,
            });
            self.counts().champion = winner.flatten();
            if new && self.plan.sprt.is_some() {
                observer.finished(&record, self);
            }
            self.show(&record, new, observer);
            if winner == Some(None) {
                self.break_match(NO_WINNER.to_owned(), observer);
            }
        }
        Ok(())
    }

    /// The counts, to be changed: they are copied if somebody looks at them just now.
    fn counts(&mut self) -> &mut Results {
        Arc::make_mut(&mut self.tally)
    }

    /// Takes in a game behind one that will not come. A test does not see it.
    fn behind_gap(&mut self, record: &GameRecord, new: bool, observer: &mut dyn MatchObserver) {
        if self.plan.sprt.is_some() {
            self.counts().uncounted += 1;
            observer.behind_gap(record);
        } else {
            self.counts().add(record);
            self.show(record, new, observer);
        }
    }

    /// Shows a game that counts, and ends the match if that is due.
    fn show(&mut self, record: &GameRecord, new: bool, observer: &mut dyn MatchObserver) {
        observer.in_order(record, &self.tally);
        if new && let Some(why) = self.warnings.look(record, &mut |text| observer.warning(text)) {
            self.break_match(why, observer);
        }
        if let Some(end) = self.tally.end(self.plan).filter(|_| !self.is_over()) {
            self.is_final = true;
            if let MatchEnd::Broken(why) = end {
                self.break_match(why, observer);
            }
        }
    }
}

/// A consumer of finished games. A game comes to [`MatchObserver::finished`] when it has been played, and to
/// [`MatchObserver::in_order`] when all games before it have come there.
pub trait MatchObserver {
    /// Something that a user should know and that is no result.
    fn warning(&mut self, _text: &str) {}

    /// Something went wrong with the match itself, which is stopped.
    fn failure(&mut self, _text: &str) {}

    /// The match is stopped because of an engine that does not work, and has no verdict.
    fn broken(&mut self, _text: &str) {}

    /// The games of the journal have been read. They are in the ledger, and those in order have come.
    fn resumed(&mut self, _ledger: &Ledger<'_>) {}

    /// A game has just been played. It is in the ledger.
    fn finished(&mut self, _record: &GameRecord, _ledger: &Ledger<'_>) {}

    /// Every game comes once, in the order of the schedule. It is in the counts. Who holds them has the next game wait for a copy.
    fn in_order(&mut self, _record: &GameRecord, _tally: &Arc<Results>) {}

    /// At the end: a game that does not count, because a game before it is missing that a test needs. These come in the order of
    /// the schedule, too, after all that count.
    fn behind_gap(&mut self, _record: &GameRecord) {}
}

/// For ledgers without an observer.
impl MatchObserver for () {}
