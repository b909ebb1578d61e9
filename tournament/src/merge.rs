//! The journals of the parts of a tournament, joined into the one result: `referee merge`.
//!
//! All must be of one tournament, each of another part. First only the places of their records are gathered, a few
//! bytes a game; then the games are read in the order of the schedule, whichever journal has them, and given to the
//! same outputs that a match has. So a tournament played in parts leaves what it would have left if played at once.

use crate::journal::{Difference, JournalError, JournalReader};
use crate::plan::MatchPlan;
use crate::run::Observer;
use crate::schedule::{NextGame, Openings, Schedule, Shard};
use crate::tally::Tally;
use ahash::AHashMap;
use std::path::PathBuf;

/// What is to be joined, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeOptions {
    /// The journals.
    pub journals: Vec<PathBuf>,
    /// Whether games may be missing.
    pub partial: bool,
    /// The file for the games.
    pub games_out: Option<PathBuf>,
    /// The file for everything as JSON.
    pub json: Option<PathBuf>,
    /// The file for the report for people.
    pub html: Option<PathBuf>,
}

/// Why journals cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One of them cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// One that has no header yet.
    #[error("{}: the journal is empty: nothing has been played", .path.display())]
    Empty {
        /// The journal.
        path: PathBuf,
    },
    /// Two tournaments.
    #[error(
        "{} and {} are journals of different tournaments: {} is {} in the one and {} in the other",
        .one.display(), .other.display(), .difference.place, .difference.one, .difference.other
    )]
    Different {
        /// The first journal.
        one: PathBuf,
        /// The other.
        other: PathBuf,
        /// The first setting that is not the same.
        difference: Box<Difference>,
    },
    /// One part twice.
    #[error("{} and {} are both of part {shard}: give each part once", .one.display(), .other.display())]
    Double {
        /// The first journal.
        one: PathBuf,
        /// The other.
        other: PathBuf,
        /// The part.
        shard: Shard,
    },
    /// Not everything is there.
    #[error("not everything has been played ({}); --partial joins what there is", .0.join("; "))]
    Missing(Vec<String>),
}

/// Journals that fit together.
#[derive(Debug)]
pub struct MergedJournals {
    plan: MatchPlan,
    journals: Vec<JournalReader>,
    /// The number of each game, which journal has it, and where.
    games: Vec<(u64, usize, u64)>,
    schedule: Schedule,
    missing: Vec<String>,
}

impl MergedJournals {
    /// Looks through the journals.
    ///
    /// # Errors
    /// If one cannot be read or they do not fit together; and, unless it is a partial result that is wanted, if
    /// anything is missing.
    pub fn open(order: &MergeOptions) -> Result<MergedJournals, MergeError> {
        let open =
            |path: &PathBuf| JournalReader::open(path)?.ok_or(MergeError::Empty { path: path.clone() });
        let journals = order.journals.iter().map(open).collect::<Result<Vec<JournalReader>, _>>()?;
        fit(&journals)?;
        let Some(first) = journals.first() else { return Err(MergeError::Missing(Vec::new())) };
        let plan = MatchPlan { shard: Shard::WHOLE, ..first.header().plan.clone() };
        let schedule = Schedule::new(plan.schedule(), Shard::WHOLE, Openings::start(plan.variant));
        let mut merged = MergedJournals { plan, journals, games: Vec::new(), schedule, missing: Vec::new() };
        merged.look_through()?;
        merged.compare();
        if merged.missing.is_empty() || order.partial {
            Ok(merged)
        } else {
            Err(MergeError::Missing(merged.missing))
        }
    }

    /// The whole tournament.
    #[must_use]
    pub fn plan(&self) -> &MatchPlan {
        &self.plan
    }

    /// Whether games are missing.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.missing.is_empty()
    }

    /// Tells all games in their order, and says what they come to.
    ///
    /// # Errors
    /// If a journal cannot be read, or holds what is no game.
    pub fn tell(&mut self, observer: &mut dyn Observer) -> Result<Tally, MergeError> {
        let mut tally = Tally::new(self.plan.contestants.len());
        for &(_, journal, offset) in &self.games {
            let reader = &mut self.journals[journal];
            if reader.offset() != offset {
                reader.seek(offset)?;
            }
            let Some(record) = reader.game()? else { continue };
            tally.add(&record);
            observer.in_order(&record);
            // As in the match itself, nothing counts after a verdict.
            if tally.trial(&self.plan).is_some_and(|trial| trial.is_decided()) {
                break;
            }
        }
        tally.champion = self.schedule.champion();
        Ok(tally)
    }

    /// Notes where the games are, and who has won where that matters.
    fn look_through(&mut self) -> Result<(), MergeError> {
        for (journal, reader) in self.journals.iter_mut().enumerate() {
            let mut offset = reader.offset();
            while let Some(record) = reader.record()? {
                self.games.push((record.number, journal, offset));
                offset = reader.offset();
                if self.plan.event.takes_results() {
                    let side = usize::from(record.players[0] != record.first);
                    let margin = i32::from(record.stores[side]) - i32::from(record.stores[1 - side]);
                    let points = record.result.outcome().half_points(kroo::game::Side::BOTH[side]);
                    self.schedule.finished(record.pair, points, margin);
                }
            }
        }
        self.games.sort_unstable();
        let twice = self.games.windows(2).find(|two| two[0].0 == two[1].0);
        match twice {
            Some(two) => Err(self.journals[two[1].1].twice(two[0].0).into()),
            None => Ok(()),
        }
    }

    /// What the schedule has and the journals have not.
    fn compare(&mut self) {
        let parts: Vec<Shard> = self.journals.iter().map(|reader| reader.header().plan.shard).collect();
        let of = parts.first().map_or(1, |shard| shard.of);
        let absent = (1..=of).map(|part| Shard { part, of }).filter(|shard| !parts.contains(shard));
        self.missing = absent.map(|shard| format!("part {shard} is missing")).collect();
        if self.plan.sprt.is_some() {
            return;
        }
        let mut found = self.games.iter().map(|game| game.0).peekable();
        let mut lacking: AHashMap<u64, u64> = AHashMap::new();
        let unfinished = loop {
            match self.schedule.step() {
                NextGame::Play(scheduled) => {
                    if found.next_if_eq(&scheduled.number).is_none() {
                        *lacking.entry(scheduled.pair % of + 1).or_default() += 1;
                    }
                }
                NextGame::Wait => break true,
                NextGame::End => break false,
            }
        };
        for (shard, reader) in parts.iter().zip(&self.journals) {
            if let Some(games) = lacking.get(&shard.part) {
                let path = reader.path().display();
                self.missing.push(format!(
                    "{games} games of part {shard} are missing in {path}: --resume plays them"
                ));
            }
        }
        if unfinished && self.missing.is_empty() {
            self.missing.push("further rounds are to be played: --resume plays them".to_owned());
        }
    }
}

/// Whether all are of one tournament, and of different parts of it.
fn fit(journals: &[JournalReader]) -> Result<(), MergeError> {
    for (place, other) in journals.iter().enumerate() {
        for one in &journals[..place] {
            let paths = || (one.path().to_path_buf(), other.path().to_path_buf());
            if let Some(difference) = one.header().difference(other.header(), false) {
                let ((one, other), difference) = (paths(), Box::new(difference));
                return Err(MergeError::Different { one, other, difference });
            }
            let shard = one.header().plan.shard;
            if shard == other.header().plan.shard {
                let (one, other) = paths();
                return Err(MergeError::Double { one, other, shard });
            }
        }
    }
    Ok(())
}
