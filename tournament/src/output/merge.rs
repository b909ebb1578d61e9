//! Joining the journals of the parts of a tournament into one result: `referee merge`.
//!
//! All journals must belong to one tournament, each to another part. First only the places of their entries are collected, a few
//! bytes for each game. Then the games are read in the order of the schedule, whichever journal has them, and written to the
//! same outputs as those of a match. So a tournament played in parts leaves the same files as one played at once.
//!

use crate::failure::Failure;
use crate::output::OutputFiles;
use crate::plan::MatchPlan;
use crate::record::{Difference, GameRecord, JournalReader};
use crate::results::Summary;
use crate::run::{MatchObserver, Unobserved, drive};
use crate::schedule::{NextGame, Openings, Schedule, Shard};
use clap::Args;
use kroo::printable;
use kroo::printable::{agreeing, counted};
use std::path::{Path, PathBuf};

/// The most missing parts that are named; the others are counted.
const NAMED: usize = 10;

const AFTER: &str = "\
The journals come from `referee --shard K/N --journal FILE`, one for each part. A single journal of a whole tournament is
allowed, too: its results are shown again.

Exit status: 0, and with an SPRT that of the whole match: 0 if H1 was accepted, 10 if it was rejected (H0 accepted), 11 if the
test is undecided, 12 if an engine has lost all its games by faults; 1 after an error, for instance if a part or a game is
missing or is there twice.";

/// Options of `referee merge`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(after_help = AFTER)]
pub struct MergeOptions {
    /// The journals, in any order
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,
    /// Show the results so far, even if parts or games are missing
    #[arg(long)]
    pub partial: bool,
    #[command(flatten)]
    pub outputs: OutputFiles,
}

/// Journals that fit together.
#[derive(Debug)]
pub struct MergedJournals {
    plan: MatchPlan,
    journals: Vec<JournalReader>,
    /// The number of each game, its journal, and its offset there.
    games: Vec<(u64, usize, u64)>,
    schedule: Schedule,
    missing: Vec<String>,
    gaps: Vec<String>,
}

impl MergedJournals {
    /// Looks through the journals.
    ///
    /// # Errors
    /// If one cannot be read or is an output too, if they do not fit together, or if anything is missing and a partial result was
    /// not asked for.
    pub fn open(options: &MergeOptions) -> Result<MergedJournals, Failure> {
        for journal in &options.journals {
            options.outputs.check([("a journal", journal)])?;
        }
        let open = |path: &PathBuf| {
            let empty = || Failure::at(path.display(), "the journal is empty: nothing has been played");
            JournalReader::open(path)?.ok_or_else(empty)
        };
        let journals = options.journals.iter().map(open).collect::<Result<Vec<JournalReader>, _>>()?;
        assert_compatible(&journals)?;
        let Some(first) = journals.first() else { return Err(missing(&[])) };
        let plan = MatchPlan { shard: Shard::WHOLE, ..first.header().plan.clone() };
        let schedule = Schedule::new(plan.pairings(), Shard::WHOLE, Openings::start(plan.variant));
        let mut merged = MergedJournals {
            plan,
            journals,
            games: Vec::new(),
            schedule,
            missing: Vec::new(),
            gaps: Vec::new(),
        };
        merged.find_games()?;
        merged.find_missing();
        if merged.plan.sprt.is_some() {
            merged.find_missing_of_test()?;
        }
        if merged.missing.is_empty() || options.partial { Ok(merged) } else { Err(missing(&merged.missing)) }
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

    /// Warns an observer of what of the journals is not there, passes it all games in their order, and counts them.
    ///
    /// # Errors
    /// If a journal cannot be read, or has a line that is not a game.
    pub fn replay(&mut self, observer: &mut dyn MatchObserver) -> Result<Summary, Failure> {
        let (plan, champion) = (self.plan.clone(), self.schedule.champion());
        self.gaps.iter().for_each(|gap| observer.warning(gap));
        let journals = &mut self.journals;
        let games = self.games.iter().map(|&(_, journal, offset)| {
            let reader = &mut journals[journal];
            if reader.offset() != offset {
                reader.seek(offset)?;
            }
            reader.next_game()
        });
        let mut summary = drive(&plan, games.filter_map(Result::transpose), champion, observer)?;
        summary.interrupted = self.is_partial();
        Ok(summary)
    }

    /// Finds the games, and hands their results to a schedule that needs them.
    fn find_games(&mut self) -> Result<(), Failure> {
        // The `id name` of each engine, and its journal.
        let mut id_names: Vec<Option<(String, PathBuf)>> = vec![None; self.plan.contestants.len()];
        for (journal, reader) in self.journals.iter_mut().enumerate() {
            let mut offset = reader.offset();
            while let Some(record) = reader.next_game()? {
                self.games.push((record.scheduled.number, journal, offset));
                offset = reader.offset();
                assert_same_engines(&self.plan, &record, reader.path(), &mut id_names)?;
                if self.plan.event.needs_results() {
                    self.schedule.finished(record.scheduled.pair, record.result_of_first());
                }
            }
            self.gaps.extend(reader.gaps("their games do not count", "it does not count"));
        }
        self.games.sort_unstable();
        let twice = self.games.windows(2).find(|two| two[0].0 == two[1].0);
        match twice {
            Some(two) => Err(self.journals[two[1].1].duplicate(two[0].0)),
            None => Ok(()),
        }
    }

    /// Notes the parts and games that the journals lack.
    fn find_missing(&mut self) {
        let parts: Vec<Shard> = self.journals.iter().map(|reader| reader.header().plan.shard).collect();
        let of = parts.first().map_or(1, |shard| shard.of);
        let absent = (1..=of).map(|part| Shard { part, of }).filter(|shard| !parts.contains(shard));
        self.missing = absent.take(NAMED).map(|shard| format!("part {shard} is missing")).collect();
        let more = (of as usize - parts.len()).saturating_sub(NAMED);
        if more > 0 {
            self.missing.push(format!("{more} more parts of {of} are missing"));
        }
        if self.plan.sprt.is_some() {
            return;
        }
        if self.plan.event.needs_results() {
            self.find_missing_in_schedule();
            return;
        }
        // Each journal has games of its own part only, each of them once: so they need only be counted.
        let pairs = self.plan.event.pairs(self.plan.contestants.len(), self.plan.rounds, self.plan.pairs);
        let mut found = vec![0; parts.len()];
        self.games.iter().for_each(|&(_, journal, _)| found[journal] += 1);
        for ((shard, reader), found) in parts.iter().zip(&self.journals).zip(found) {
            let lacking = (2 * shard.pairs_of(pairs)).saturating_sub(found);
            if lacking > 0 {
                self.missing.push(lack(lacking, *shard, reader.path()));
            }
        }
    }

    /// The same for an SPRT: it sees the games in the order of the schedule, up to the first that is missing. Those after that
    /// one do not count, and are not missed if the test is decided before.
    fn find_missing_of_test(&mut self) -> Result<(), Failure> {
        let there = (1..).zip(&self.games).take_while(|(number, game)| *number == game.0).count();
        let absent = there as u64 + 1;
        self.games.truncate(there);
        if self.replay(&mut Unobserved)?.is_over() {
            self.missing.clear();
        } else if there as u64 != self.plan.games() {
            let of = self.journals.first().map_or(1, |journal| journal.header().plan.shard.of);
            let who = match of {
                1 => "which has not been played yet: the match was interrupted, and --resume plays it".to_owned(),
                _ => format!("which part {} has not played yet", Shard { part: (absent - 1) / 2 % of + 1, of }),
            };
            self.missing.push(format!("the test is not decided by the {there} games before game {absent}, {who}"));
        }
        Ok(())
    }

    /// The same where results decide what is played: such an event has one part. Games that the schedule cannot know yet
    /// are not looked for.
    fn find_missing_in_schedule(&mut self) {
        let mut found = self.games.iter().map(|game| game.0).peekable();
        let mut lacking = 0;
        let unfinished = loop {
            match self.schedule.step() {
                NextGame::Play(scheduled) => {
                    if found.next_if_eq(&scheduled.number).is_none() {
                        lacking += 1;
                    }
                }
                NextGame::Wait => break true,
                NextGame::End => break false,
            }
        };
        if let Some(reader) = self.journals.first().filter(|_| lacking > 0) {
            self.missing.push(lack(lacking, Shard::WHOLE, reader.path()));
        }
        if unfinished && self.missing.is_empty() {
            self.missing.push("further rounds are to be played: --resume plays them".to_owned());
        }
    }
}

/// The engines of a game must be those that other journals know under the same names.
fn assert_same_engines(
    plan: &MatchPlan,
    record: &GameRecord,
    journal: &Path,
    id_names: &mut [Option<(String, PathBuf)>],
) -> Result<(), Failure> {
    for (&engine, name) in record.scheduled.players.iter().zip(&record.played.id_names) {
        let Some(name) = name else { continue };
        let known = &mut id_names[engine];
        match known {
            Some((before, one)) if before != name && one != journal => {
                let [before, name] = [before, name].map(|name| printable::name(name));
                let engine = plan.name(engine);
                return Err(Failure::new(format!(
                    "{} and {} are journals of different engines: {engine} calls itself `{before}` in the one and `{name}` in \
                     the other",
                    one.display(),
                    journal.display()
                )));
            }
            Some(_) => {}
            None => *known = Some((name.clone(), journal.to_path_buf())),
        }
    }
    Ok(())
}

fn lack(games: u64, shard: Shard, journal: &Path) -> String {
    format!(
        "{} of part {shard} {} missing in {}: --resume plays {}",
        counted(games, "game"),
        agreeing(games, "is", "are"),
        journal.display(),
        agreeing(games, "it", "them")
    )
}

/// All journals must belong to one tournament, and to different parts of it.
fn assert_compatible(journals: &[JournalReader]) -> Result<(), Failure> {
    for (place, other) in journals.iter().enumerate() {
        for one in &journals[..place] {
            let both = || format!("{} and {}", one.path().display(), other.path().display());
            if let Some(Difference { place, one, other }) = one.header().difference(other.header(), false) {
                return Err(Failure::new(format!(
                    "{} are journals of different tournaments: {place} is {one} in the one and {other} in the other",
                    both()
                )));
            }
            let shard = one.header().plan.shard;
            if shard == other.header().plan.shard {
                return Err(Failure::new(format!(
                    "{} are both of part {shard}: give each part once",
                    both()
                )));
            }
        }
    }
    Ok(())
}

/// Parts or games are missing.
fn missing(what: &[String]) -> Failure {
    let what = what.join("; ");
    Failure::new(format!("not everything has been played ({what}); --partial joins what there is"))
}
