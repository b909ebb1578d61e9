//! The journals of the parts of a match, joined into one ledger: for `referee merge` and `referee audit`.
//!
//! All journals must belong to one match, each to another part. The games are read in the order of the schedule from all
//! journals, which keeps few in memory at once, and shown to an observer like those of a match. A match played in parts leaves
//! the same files as one played at once.

use super::core::{Ledger, MatchObserver};
use super::record::{Difference, JournalReader};
use super::results::Summary;
use super::scheduler::Scheduler;
use crate::failure::Failure;
use crate::plan::MatchPlan;
use crate::schedule::{Openings, Shard};
use kroo::printable::{self, agreeing, counted};
use std::path::{Path, PathBuf};

/// The most missing parts that are named; the others are counted.
const NAMED: usize = 10;

/// Journals that fit together.
#[derive(Debug)]
pub struct Journals {
    /// The whole match.
    pub plan: MatchPlan,
    readers: Vec<JournalReader>,
    /// The results of all their games.
    pub summary: Summary,
    /// The parts and games that they lack, in words.
    pub missing: Vec<String>,
    gaps: Vec<String>,
}

impl Journals {
    /// Reads the journals.
    pub fn open(paths: &[PathBuf]) -> Result<Journals, Failure> {
        let open = |path: &PathBuf| {
            let empty = || Failure::at(path.display(), "the journal is empty: nothing has been played");
            JournalReader::open(path)?.ok_or_else(empty)
        };
        let mut readers = paths.iter().map(open).collect::<Result<Vec<JournalReader>, _>>()?;
        assert_compatible(&readers)?;
        let first = readers.first().ok_or_else(|| Failure::new("no journal is given"))?;
        let plan = MatchPlan { shard: Shard::WHOLE, ..first.header().plan.clone() };
        let begins: Vec<u64> = readers.iter().map(JournalReader::offset).collect();
        let (summary, missing) = read(&plan, &mut readers, &mut ())?;
        let gaps = |reader: &JournalReader| reader.gaps("their games do not count", "it does not count");
        let gaps = readers.iter().flat_map(gaps).collect();
        for (reader, begin) in readers.iter_mut().zip(begins) {
            reader.seek(begin)?;
        }
        Ok(Journals { plan, readers, summary, missing, gaps })
    }

    /// Warns an observer of what of the journals is not there, and passes it all games in their order.
    pub fn replay(mut self, observer: &mut dyn MatchObserver) -> Result<Summary, Failure> {
        self.gaps.iter().for_each(|gap| observer.warning(gap));
        read(&self.plan, &mut self.readers, observer).map(|(summary, _)| summary)
    }
}

/// Reads the games of all journals. Returns the results, and what is missing.
fn read(
    plan: &MatchPlan,
    readers: &mut [JournalReader],
    observer: &mut dyn MatchObserver,
) -> Result<(Summary, Vec<String>), Failure> {
    let scheduler = Scheduler::new(plan, Openings::start(plan.variant));
    let mut ledger = Ledger::new(plan, &scheduler);
    let parts: Vec<Shard> = readers.iter().map(|reader| reader.header().plan.shard).collect();
    let (mut names, mut found) = (Names::new(plan), vec![0; parts.len()]);
    let mut open: Vec<usize> = (0..parts.len()).collect();
    while let Some(&any) = open.last() {
        let due = open.iter().copied().find(|&journal| parts[journal].has(ledger.next() / 2));
        let journal = due.unwrap_or(any);
        let named = match due {
            None if !ledger.is_over() && !plan.event.needs_results() && ledger.next() < plan.games() => {
                let place = |&journal: &usize| parts[journal].first_from(ledger.next());
                let to = open.iter().map(place).min().unwrap_or_default();
                ledger.pass_over(to, observer);
                continue;
            }
            _ => ledger.read(&mut readers[journal], observer)?,
        };
        match named {
            Some(named) => {
                found[journal] += 1;
                names.meet(named, readers[journal].path())?;
            }
            None => open.retain(|&other| other != journal),
        }
    }
    let missing = missing(&ledger, plan, readers, &found);
    Ok((ledger.close(observer), missing))
}

/// The parts and games that journals lack; `found` games are in each.
fn missing(ledger: &Ledger<'_>, plan: &MatchPlan, readers: &[JournalReader], found: &[u64]) -> Vec<String> {
    let parts: Vec<Shard> = readers.iter().map(|reader| reader.header().plan.shard).collect();
    let of = parts.first().map_or(1, |shard| shard.of);
    let absent = (1..=of).map(|part| Shard { part, of }).filter(|shard| !parts.contains(shard));
    let mut missing: Vec<String> =
        absent.take(NAMED).map(|shard| format!("part {shard} is missing")).collect();
    let more = (of as usize - parts.len()).saturating_sub(NAMED);
    if more > 0 {
        missing.push(format!("{more} more parts of {of} are missing"));
    }
    let next = ledger.without_gap();
    if plan.sprt.is_some() {
        // Games after the decision are not missed.
        if ledger.is_over() {
            return Vec::new();
        }
        if next < plan.games() {
            let who = match of {
                1 => "which has not been played yet: the match was interrupted, and --resume plays it"
                    .to_owned(),
                _ => format!("which part {} has not played yet", Shard { part: next / 2 % of + 1, of }),
            };
            let absent = next + 1;
            missing.push(format!("the test is not decided by the {next} games before game {absent}, {who}"));
        }
        return missing;
    }
    let pairs = plan.event.pairs(plan.contestants.len(), plan.rounds, plan.pairs);
    for ((shard, reader), &found) in parts.iter().zip(readers).zip(found) {
        // Each journal has games of its own part only, each of them once: so they need only be counted.
        let lacking = match plan.event.needs_results() {
            true => ledger.missing(),
            false => (2 * shard.pairs_of(pairs)).saturating_sub(found),
        };
        if lacking > 0 {
            missing.push(format!(
                "{} of part {shard} {} missing in {}: --resume plays {}",
                counted(lacking, "game"),
                agreeing(lacking, "is", "are"),
                reader.path().display(),
                agreeing(lacking, "it", "them")
            ));
        }
    }
    missing
}

/// The engines by their names of themselves, and the journal of each.
struct Names<'a>(&'a MatchPlan, Vec<Option<(String, PathBuf)>>);

impl<'a> Names<'a> {
    fn new(plan: &'a MatchPlan) -> Names<'a> {
        Names(plan, vec![None; plan.contestants.len()])
    }

    /// The engines of a game must be those that other journals know under the same names.
    fn meet(&mut self, named: Vec<(usize, String)>, journal: &Path) -> Result<(), Failure> {
        for (engine, name) in named {
            match &self.1[engine] {
                Some((before, one)) if *before != name && one != journal => {
                    let [before, name] = [before, &name].map(|name| printable::name(name));
                    return Err(Failure::new(format!(
                        "{} and {} are journals of different engines: {} calls itself `{before}` in the one and `{name}` in \
                         the other",
                        one.display(),
                        journal.display(),
                        self.0.name(engine)
                    )));
                }
                Some(_) => {}
                None => self.1[engine] = Some((name, journal.to_path_buf())),
            }
        }
        Ok(())
    }
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
