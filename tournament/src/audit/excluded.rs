//! The verdict without somebody's games.

use super::options::AuditOptions;
use crate::merge::{MergeError, MergeOptions, MergedJournals};
use crate::plan::{FinishedGame, MatchPlan};
use crate::played_by::{GroupBy, GroupCounts, GroupLine};
use crate::results::Tally;
use crate::run::MatchObserver;
use ahash::AHashSet;
use kroo::printable;

/// Why there is no audit.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// A journal cannot be used.
    #[error(transparent)]
    Journals(Box<MergeError>),
    /// The games do not say who has played them.
    #[error("these games were played on one machine, without a queue: there is nobody to tell apart")]
    Nobody,
    /// Somebody who has played nothing.
    #[error("--exclude {}: no such {} has played; there are {known}", printable::name(.name), .by.name())]
    Unknown {
        /// As given.
        name: String,
        /// What was looked for.
        by: GroupBy,
        /// Who has played.
        known: String,
    },
    /// Nothing would be left.
    #[error("--exclude: nothing would be left")]
    Everything,
}

impl From<MergeError> for AuditError {
    fn from(error: MergeError) -> AuditError {
        AuditError::Journals(Box::new(error))
    }
}

/// Who has played what, and the verdicts.
#[derive(Debug)]
pub struct Audit {
    /// What was played.
    pub plan: MatchPlan,
    /// Whose games are counted together.
    pub by: GroupBy,
    /// Who has played.
    pub lines: Vec<GroupLine>,
    /// The counts of all games.
    pub all: Tally,
    /// Who was left out.
    pub excluded: Vec<Excluded>,
    /// The counts without these games, if any are left out.
    pub rest: Option<Tally>,
}

/// Somebody whose games are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// Who it is.
    pub name: String,
    /// Whether the user has named it; otherwise it is an outlier.
    pub named: bool,
    /// How many games are left out: whole pairs.
    pub games: u64,
}

/// Looks through the journals of a match.
///
/// # Errors
/// If a journal cannot be read, or somebody is to be left out who has not played.
pub fn audit(options: &AuditOptions) -> Result<Audit, AuditError> {
    let journals = options.journals.clone();
    let merge = MergeOptions { journals, partial: true, games_out: None, json: None, html: None };
    let mut journals = MergedJournals::open(&merge)?;
    let mut counting = Counting(GroupCounts::new(options.by));
    let all = journals.replay(&mut counting)?;
    let lines = counting.0.lines();
    if lines.is_empty() {
        return Err(AuditError::Nobody);
    }
    let mut excluded = whom(options, &lines)?;
    let rest =
        if excluded.is_empty() { None } else { Some(without(&mut journals, options.by, &mut excluded)?) };
    Ok(Audit { plan: journals.plan().clone(), by: options.by, lines, all, excluded, rest })
}

/// Who is left out.
fn whom(options: &AuditOptions, lines: &[GroupLine]) -> Result<Vec<Excluded>, AuditError> {
    const SHOWN: usize = 20;
    if let Some(name) = options.exclude.iter().find(|name| !lines.iter().any(|line| line.name == **name)) {
        let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
        let more = if names.len() > SHOWN { ", ..." } else { "" };
        let known = names[..names.len().min(SHOWN)].join(", ") + more;
        return Err(AuditError::Unknown { name: name.clone(), by: options.by, known });
    }
    let excluded = lines.iter().filter_map(|line| {
        let named = options.exclude.contains(&line.name);
        let out = named || options.exclude_outliers && line.is_outlier();
        out.then(|| Excluded { name: line.name.clone(), named, games: 0 })
    });
    let excluded: Vec<Excluded> = excluded.collect();
    if excluded.len() == lines.len() {
        return Err(AuditError::Everything);
    }
    Ok(excluded)
}

/// Counts the games of all others. A pair is left out as a whole: half of one is no evidence.
fn without(
    journals: &mut MergedJournals,
    by: GroupBy,
    excluded: &mut [Excluded],
) -> Result<Tally, MergeError> {
    let mut pairs = AHashSet::new();
    journals.for_each(&mut |record| {
        pairs.extend(group_of(record, by, excluded).map(|_| record.scheduled.pair));
    })?;
    // The second game of a pair, if somebody else has played it, goes with the first.
    let mut last = 0;
    let mut is_out = |record: &FinishedGame| {
        if !pairs.contains(&record.scheduled.pair) {
            return false;
        }
        last = group_of(record, by, excluded).unwrap_or(last);
        excluded[last].games += 1;
        true
    };
    journals.replay_without(&mut is_out, &mut Counting(GroupCounts::new(by)))
}

fn group_of(record: &FinishedGame, by: GroupBy, excluded: &[Excluded]) -> Option<usize> {
    let name = by.group(record.played_by.as_ref()?);
    excluded.iter().position(|one| one.name == name)
}

/// Counts what is replayed.
struct Counting(GroupCounts);

impl MatchObserver for Counting {
    fn warning(&mut self, _: &str) {}
    fn failure(&mut self, _: &str) {}
    fn broken(&mut self, _: &str) {}
    fn resumed(&mut self, _: &Tally) {}
    fn finished(&mut self, _: &FinishedGame, _: &Tally) {}
    fn in_order(&mut self, record: &FinishedGame) {
        self.0.add(record);
    }
}
