//! A match that is being watched. The counts are those of the ledger.

use super::snapshots::{BoardsData, WorkersData};
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Results, Summary};
use crate::output::html::{GameData, Report, ReportData, about, tables};
use crate::plan::MatchPlan;
use crate::run::{LiveBoards, LiveWorkers};
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{process, thread};

/// Games that are kept for pages: about a megabyte.
pub const KEPT_GAMES: usize = 300;
/// Most games of an answer while the match runs. After its end a page gets all that are kept.
const GAMES_AT_ONCE: usize = 50;
/// How often tables are made.
const TABLES_EVERY: Duration = Duration::from_secs(1);
/// How long the end waits for pages, if one has asked as lately as that. An open page asks once a second.
const PARTING: Duration = Duration::from_secs(2);

/// The match, for the collector and the page.
#[derive(Debug)]
pub struct LiveMatch {
    plan: MatchPlan,
    /// The identity of this run.
    run: String,
    /// The boards, for the threads that play.
    pub boards: Arc<LiveBoards>,
    /// The workers of a queue.
    pub workers: Arc<LiveWorkers>,
    /// Tables are made without this lock, which a finished game needs.
    results: Mutex<LiveResults>,
}

/// The results of the finished games.
#[derive(Debug)]
struct LiveResults {
    /// The counts of the ledger, until it has newer ones.
    counts: Weak<Results>,
    /// How many games are in them.
    games: u64,
    report: Report,
    /// The last games.
    recent: VecDeque<Arc<GameRecord>>,
    /// The last tables, and when they were begun.
    tables: Option<Arc<TablesData>>,
    begun: Option<Instant>,
    /// When a page has asked last.
    asked: Option<Instant>,
    is_over: bool,
}

/// Everything but the games and the boards.
#[derive(Debug, Serialize)]
struct TablesData {
    about: String,
    /// Games that are counted, and that were planned.
    games: u64,
    planned: u64,
    standings: String,
    cards: String,
}

/// The state of the match, for the page.
#[derive(Serialize)]
struct Now<'a> {
    run: &'a str,
    #[serde(flatten)]
    report: ReportData<'a>,
    boards: BoardsData,
    workers: Option<WorkersData>,
    tables: Option<&'a TablesData>,
    games: Vec<GameData>,
    /// How many games there are: the page tells this when it asks again.
    told: u64,
    is_over: bool,
}

impl TablesData {
    fn new(summary: &Summary, report: &Report, plan: &MatchPlan) -> Arc<TablesData> {
        Arc::new(TablesData {
            about: about(summary, plan),
            games: summary.score.games,
            planned: plan.games(),
            standings: tables::standings(summary, plan),
            cards: report.cards(summary, plan),
        })
    }
}

impl LiveMatch {
    pub fn new(plan: &MatchPlan, boards: Arc<LiveBoards>) -> LiveMatch {
        let results = LiveResults {
            counts: Weak::new(),
            games: 0,
            report: Report::new(plan),
            recent: VecDeque::new(),
            tables: None,
            begun: None,
            asked: None,
            is_over: false,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", process::id(), now.as_nanos());
        let (plan, results) = (plan.clone(), Mutex::new(results));
        LiveMatch { plan, run, boards, workers: Arc::default(), results }
    }

    fn results(&self) -> MutexGuard<'_, LiveResults> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a game, which is in the counts.
    pub fn add(&self, record: &GameRecord, counts: &Arc<Results>) {
        let mut results = self.results();
        results.report.add(record, counts, &self.plan);
        results.recent.push_back(Arc::new(record.clone()));
        if results.recent.len() > KEPT_GAMES {
            results.recent.pop_front();
        }
        (results.counts, results.games) = (Arc::downgrade(counts), counts.games);
    }

    /// Makes tables, if those that there are have become old.
    fn make_tables(&self) {
        let (counts, report) = {
            let mut results = self.results();
            let is_new = results.tables.as_ref().is_some_and(|tables| tables.games == results.games);
            let is_young = results.begun.is_some_and(|begun| begun.elapsed() < TABLES_EVERY);
            if results.is_over || is_new || is_young {
                return;
            }
            let counts = match results.games {
                0 => Some(Arc::new(Results::new(&self.plan))),
                _ => results.counts.upgrade(),
            };
            // Otherwise the ledger has newer ones already, which are about to come.
            let Some(counts) = counts else { return };
            results.begun = Some(Instant::now());
            (counts, results.report.clone())
        };
        let summary = Summary::new(&self.plan, &counts, false);
        drop(counts);
        let tables = TablesData::new(&summary, &report, &self.plan);
        let mut results = self.results();
        // Another page may have been faster, or the end.
        if !results.is_over && results.tables.as_ref().is_none_or(|known| known.games < tables.games) {
            results.tables = Some(tables);
        }
    }

    /// The state of the match as JSON, for a page that has the first `told` games.
    pub fn now(&self, told: u64) -> serde_json::Result<String> {
        self.make_tables();
        let mut results = self.results();
        results.asked = Some(Instant::now());
        let most = if results.is_over { KEPT_GAMES } else { GAMES_AT_ONCE };
        let new = results.games.saturating_sub(told).min(most as u64) as usize;
        let first = results.recent.len().saturating_sub(new);
        let games: Vec<_> = results.recent.range(first..).cloned().collect();
        let (tables, told, is_over) = (results.tables.clone(), results.games, results.is_over);
        drop(results);
        serde_json::to_string(&Now {
            run: &self.run,
            report: ReportData::new(&self.plan),
            boards: BoardsData::new(&self.boards.snapshots()),
            workers: self.workers.get().map(WorkersData::new),
            tables: tables.as_deref(),
            games: games.iter().map(|record| GameData::of(record, &self.plan)).collect(),
            told,
            is_over,
        })
    }

    /// Ends the match, and lets pages ask one last time.
    pub fn end(&self, summary: &Summary) {
        let mut results = self.results();
        results.tables = Some(TablesData::new(summary, &results.report, &self.plan));
        results.is_over = true;
        let is_watched = results.asked.is_some_and(|asked| asked.elapsed() < PARTING);
        drop(results);
        if is_watched {
            thread::sleep(PARTING);
        }
    }
}
