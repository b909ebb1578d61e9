//! A match that is being watched, and the part of it that each listener has. The counts are those of the ledger.

use super::board_data::BoardsData;
use super::worker_data::WorkersData;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Results, Summary};
use crate::output::html::{GameData, Report, ReportData, about, tables};
use crate::plan::MatchPlan;
use crate::run::{LiveBoards, LiveWorkers};
use serde::Serialize;
use serde_json::json;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Most listeners.
pub const MAX_LISTENERS: usize = 32;
/// Games that are kept for listeners: some ten megabytes at most.
pub const KEPT_GAMES: usize = 300;
/// Most games that a listener gets at once while the match runs. At the end it gets all that are kept.
const GAMES_AT_ONCE: u64 = 50;
/// How often a listener's thread looks.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How often tables are made.
const TABLES_EVERY: Duration = Duration::from_secs(1);
/// How often a listener that hears nothing is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long the end of the match waits while no listener takes anything, and how many such waits there are at most. Time in
/// which something is written to a listener does not count.
const PARTING: Duration = Duration::from_secs(1);
const PARTINGS: u32 = 10;
/// Bytes that are written at once. A listener that takes them is still there.
pub const PIECE: usize = 1 << 14;

/// The match, for the collector and the threads of all listeners.
#[derive(Debug)]
pub struct LiveMatch {
    pub plan: MatchPlan,
    /// The identity of this run.
    run: String,
    boards: Arc<LiveBoards>,
    workers: Arc<LiveWorkers>,
    audience: Mutex<Audience>,
    /// Tables are made without this lock. Locked before `audience`.
    results: Mutex<LiveResults>,
    /// Notified when the match has ended, and after that whenever a listener has been written to or has left.
    changed: Condvar,
    /// How long the end waits for listeners that take nothing.
    pub parting: Duration,
}

/// Those who listen.
#[derive(Debug, Default)]
pub struct Audience {
    pub listeners: usize,
    /// Listeners that something is being written to, and pieces that were taken or refused.
    writing: usize,
    taken: u64,
    is_over: bool,
}

/// The results of the finished games.
#[derive(Debug)]
pub struct LiveResults {
    /// The counts of the ledger, until it has newer ones.
    counts: Weak<Results>,
    /// How many games are in them.
    pub games: u64,
    report: Report,
    /// The last games.
    pub recent: VecDeque<Arc<GameRecord>>,
    /// The last tables, and their number of games.
    tables: Option<(Arc<str>, u64)>,
    /// When tables were begun last.
    begun: Option<Instant>,
    /// The results, once the match is over.
    end: Option<Summary>,
    /// The last events, the same for all listeners.
    farewell: Option<Arc<str>>,
}

/// A listener, as long as it is there.
pub struct Listener<'a>(&'a LiveMatch);

/// A piece that is being written, until it is taken or refused.
struct Piece<'a>(&'a LiveMatch);

/// The state that a listener has received.
#[derive(Default)]
pub struct Told {
    anything: bool,
    boards: Option<BoardsData>,
    workers: Option<WorkersData>,
    pub tables: Option<u64>,
    pub games: u64,
}

/// The engines and the plan.
#[derive(Serialize)]
struct MatchData<'a> {
    run: &'a str,
    #[serde(flatten)]
    report: ReportData<'a>,
}

/// Everything but the games and the boards.
#[derive(Serialize)]
struct TablesData {
    about: String,
    /// Games that are counted, and that were planned.
    games: u64,
    planned: u64,
    standings: String,
    cards: String,
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
            end: None,
            farewell: None,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", process::id(), now.as_nanos());
        let (workers, results) = (Arc::default(), Mutex::new(results));
        let audience = Mutex::default();
        let (plan, changed, parting) = (plan.clone(), Condvar::new(), PARTING);
        LiveMatch { plan, run, boards, workers, audience, results, changed, parting }
    }

    pub fn audience(&self) -> MutexGuard<'_, Audience> {
        self.audience.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The results of the finished games.
    pub fn results(&self) -> MutexGuard<'_, LiveResults> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The boards, for the threads that play.
    pub fn boards(&self) -> &Arc<LiveBoards> {
        &self.boards
    }

    /// The workers of a queue.
    pub fn workers(&self) -> &Arc<LiveWorkers> {
        &self.workers
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
    fn make_tables(&self) -> serde_json::Result<()> {
        let (counts, report) = {
            let mut results = self.results();
            let is_new = results.tables.as_ref().is_some_and(|(_, games)| *games == results.games);
            let is_young = results.begun.is_some_and(|begun| begun.elapsed() < TABLES_EVERY);
            if results.end.is_some() || is_new || is_young {
                return Ok(());
            }
            let counts = match results.games {
                0 => Some(Arc::new(Results::new(&self.plan))),
                _ => results.counts.upgrade(),
            };
            // Otherwise the ledger has newer ones already, which are about to come.
            let Some(counts) = counts else { return Ok(()) };
            results.begun = Some(Instant::now());
            (counts, results.report.clone())
        };
        let summary = Summary::new(&self.plan, &counts, false);
        drop(counts);
        let text = tables_event(&summary, &report, &self.plan)?;
        let mut results = self.results();
        // Another listener may have been faster.
        if results.tables.as_ref().is_none_or(|(_, games)| *games < summary.score.games) {
            results.tables = Some((text, summary.score.games));
        }
        Ok(())
    }

    /// Ends the match, and waits until all listeners have its end, or the others read nothing.
    pub fn end(&self, summary: Summary) {
        let mut results = self.results();
        results.end = Some(summary);
        drop(results);
        let mut audience = self.audience();
        audience.is_over = true;
        self.changed.notify_all();
        let mut left = self.parting * PARTINGS;
        loop {
            let busy = |audience: &mut Audience| audience.writing < audience.listeners;
            audience = self.changed.wait_while(audience, busy).unwrap_or_else(PoisonError::into_inner);
            if audience.listeners == 0 {
                return;
            }
            let (taken, began) = (audience.taken, Instant::now());
            let silent = |audience: &mut Audience| audience.taken == taken;
            let waited = self.changed.wait_timeout_while(audience, self.parting.min(left), silent);
            let (next, silence) = waited.unwrap_or_else(PoisonError::into_inner);
            if silence.timed_out() {
                return;
            }
            (audience, left) = (next, left.saturating_sub(began.elapsed()));
        }
    }

    /// Another listener, if there is room.
    pub fn listener(&self) -> Option<Listener<'_>> {
        let mut audience = self.audience();
        if audience.listeners >= MAX_LISTENERS {
            return None;
        }
        audience.listeners += 1;
        Some(Listener(self))
    }

    /// Events that a listener has not received yet, and whether they are the last.
    pub fn news(&self, told: &mut Told) -> serde_json::Result<(String, bool)> {
        let mut text = String::new();
        if !told.anything {
            event(&mut text, "match", &MatchData { run: &self.run, report: ReportData::new(&self.plan) })?;
        }
        let boards = BoardsData::new(&self.boards.snapshots());
        if told.boards.as_ref() != Some(&boards) {
            event(&mut text, "boards", &boards)?;
            told.boards = Some(boards);
        }
        let workers = self.workers.get().map(WorkersData::new);
        if let Some(workers) = workers.filter(|workers| told.workers.as_ref() != Some(workers)) {
            event(&mut text, "workers", &workers)?;
            told.workers = Some(workers);
        }
        self.make_tables()?;
        let (results, games, end) = self.results().news(told, &self.plan)?;
        if let Some(results) = results {
            text.push_str(&results);
        }
        add_games(&mut text, &games, &self.plan)?;
        told.anything = true;
        Ok((text, end))
    }

    /// Wakes the end if it waits for listeners.
    fn tell_end(&self, audience: &Audience) {
        if audience.is_over {
            self.changed.notify_all();
        }
    }

    /// Waits until there may be news; not at all after the end.
    fn pause(&self) {
        let audience = self.audience();
        if !audience.is_over {
            // Whether it was woken or not, it looks.
            let _woken = self.changed.wait_timeout(audience, LOOK_EVERY);
        }
    }
}

/// Tables as an event, or all events of the end; games that have no event yet; and whether the match is over.
type News = (Option<Arc<str>>, Vec<Arc<GameRecord>>, bool);

impl LiveResults {
    /// Results that a listener has not received. The games come together with the tables that count them.
    fn news(&mut self, told: &mut Told, plan: &MatchPlan) -> serde_json::Result<News> {
        let counted = self.games;
        if let Some(end) = self.end.take() {
            (told.tables, told.games) = (Some(counted), counted);
            let farewell = self.farewell(&end, plan);
            self.end = Some(end);
            return Ok((Some(farewell?), Vec::new(), true));
        }
        let Some((tables, made_of)) = self.tables.clone().filter(|(_, games)| told.tables != Some(*games))
        else {
            return Ok((None, Vec::new(), false));
        };
        let news =
            if told.tables.is_none() { GAMES_AT_ONCE } else { (counted - told.games).min(GAMES_AT_ONCE) };
        let first = self.recent.len().saturating_sub(news as usize);
        (told.tables, told.games) = (Some(made_of), counted);
        Ok((Some(tables), self.recent.range(first..).cloned().collect(), false))
    }

    /// The last events: tables, all games that are kept, and the end.
    fn farewell(&mut self, end: &Summary, plan: &MatchPlan) -> serde_json::Result<Arc<str>> {
        if let Some(text) = &self.farewell {
            return Ok(Arc::clone(text));
        }
        let mut text = tables_event(end, &self.report, plan)?.to_string();
        add_games(&mut text, self.recent.make_contiguous(), plan)?;
        event(&mut text, "end", &json!({}))?;
        let text: Arc<str> = text.into();
        self.farewell = Some(Arc::clone(&text));
        Ok(text)
    }
}

impl Listener<'_> {
    /// Tells the listener everything until the match ends.
    ///
    /// # Errors
    /// If it goes away, or takes nothing for too long.
    pub fn tell(self, stream: &mut dyn Write) -> io::Result<()> {
        let (mut told, mut written) = (Told::default(), Instant::now());
        loop {
            let (mut text, last) = self.0.news(&mut told)?;
            if text.is_empty() && written.elapsed() >= HEARTBEAT {
                text.push_str(":\n\n");
            }
            if !text.is_empty() {
                for bytes in text.as_bytes().chunks(PIECE) {
                    let piece = Piece::begin(self.0);
                    stream.write_all(bytes)?;
                    drop(piece);
                }
                written = Instant::now();
            }
            if last {
                return Ok(());
            }
            self.0.pause();
        }
    }
}

impl Piece<'_> {
    fn begin(live: &LiveMatch) -> Piece<'_> {
        let mut audience = live.audience();
        audience.writing += 1;
        live.tell_end(&audience);
        Piece(live)
    }
}

impl Drop for Piece<'_> {
    fn drop(&mut self) {
        let mut audience = self.0.audience();
        (audience.writing, audience.taken) = (audience.writing - 1, audience.taken + 1);
        self.0.tell_end(&audience);
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        let mut audience = self.0.audience();
        audience.listeners -= 1;
        self.0.tell_end(&audience);
    }
}

/// The tables as an event.
fn tables_event(summary: &Summary, report: &Report, plan: &MatchPlan) -> serde_json::Result<Arc<str>> {
    let data = TablesData {
        about: about(summary, plan),
        games: summary.score.games,
        planned: plan.games(),
        standings: tables::standings(summary, plan),
        cards: report.cards(summary, plan),
    };
    let mut text = String::new();
    event(&mut text, "tables", &data)?;
    Ok(text.into())
}

/// Appends games as an event, if there are any.
fn add_games(text: &mut String, games: &[Arc<GameRecord>], plan: &MatchPlan) -> serde_json::Result<()> {
    if games.is_empty() {
        return Ok(());
    }
    let games: Vec<GameData> = games.iter().map(|record| GameData::of(record, plan)).collect();
    event(text, "games", &games)
}

/// Appends an event. JSON has no line ends, so nothing in it can begin another one.
fn event(text: &mut String, name: &str, data: &impl Serialize) -> serde_json::Result<()> {
    let data = serde_json::to_string(data)?;
    text.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    Ok(())
}
