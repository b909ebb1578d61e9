//! A match that is being watched: the counts, and the part of them that each listener has.

use super::board_data::BoardsData;
use super::worker_data::WorkersData;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Results, Summary};
use crate::output::html::{GameData, Report, ReportData, about, tables};
use crate::plan::MatchPlan;
use crate::run::{LiveBoards, LiveWorkers};
use serde::Serialize;
use serde_json::json;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{mem, process};

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
    arrivals: Mutex<Arrivals>,
    /// Only listeners wait for it: tables are made under this lock. Locked before `arrivals`.
    results: Mutex<LiveResults>,
    /// Notified when the match has ended, and after that whenever a listener has been written to or has left.
    changed: Condvar,
    /// How long the end waits for listeners that take nothing.
    pub parting: Duration,
}

/// The data that the match hands over. Nothing is computed under its lock.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// Games that are not counted yet.
    games: Vec<Arc<GameRecord>>,
    pub listeners: usize,
    /// Listeners that something is being written to, and pieces that were taken or refused.
    writing: usize,
    taken: u64,
    is_over: bool,
}

/// The counts.
#[derive(Debug)]
pub struct LiveResults {
    pub tally: Results,
    report: Report,
    /// The last games.
    pub recent: VecDeque<Arc<GameRecord>>,
    /// The last tables, their number of games, and their time.
    tables: Option<(Arc<str>, u64, Instant)>,
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
        let (tally, report) = (Results::new(plan), Report::new(plan));
        let recent = VecDeque::new();
        let results = LiveResults { tally, report, recent, tables: None, end: None, farewell: None };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", process::id(), now.as_nanos());
        let (workers, results) = (Arc::default(), Mutex::new(results));
        let arrivals = Mutex::default();
        let (plan, changed, parting) = (plan.clone(), Condvar::new(), PARTING);
        LiveMatch { plan, run, boards, workers, arrivals, results, changed, parting }
    }

    pub fn arrivals(&self) -> MutexGuard<'_, Arrivals> {
        self.arrivals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The results of all games that have arrived.
    pub fn results(&self) -> MutexGuard<'_, LiveResults> {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        self.count_arrivals(&mut results);
        results
    }

    fn count_arrivals(&self, results: &mut LiveResults) {
        let games = mem::take(&mut self.arrivals().games);
        for record in games {
            results.add(record, &self.plan);
        }
    }

    /// The boards, for the threads that play.
    pub fn boards(&self) -> &Arc<LiveBoards> {
        &self.boards
    }

    /// The workers of a queue.
    pub fn workers(&self) -> &Arc<LiveWorkers> {
        &self.workers
    }

    /// Takes in a game. It is counted at once, unless tables are being made: then with those that follow.
    pub fn add(&self, record: &GameRecord) {
        self.arrivals().games.push(Arc::new(record.clone()));
        match self.results.try_lock() {
            Ok(mut results) => self.count_arrivals(&mut results),
            Err(TryLockError::Poisoned(results)) => self.count_arrivals(&mut results.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
    }

    /// Ends the match, and waits until all listeners have its end, or the others read nothing.
    pub fn end(&self, summary: Summary) {
        let mut results = self.results();
        results.end = Some(summary);
        // Tables from before the end do not say how it ended.
        results.tables = None;
        drop(results);
        let mut arrivals = self.arrivals();
        arrivals.is_over = true;
        self.changed.notify_all();
        let mut left = self.parting * PARTINGS;
        loop {
            let busy = |arrivals: &mut Arrivals| arrivals.writing < arrivals.listeners;
            arrivals = self.changed.wait_while(arrivals, busy).unwrap_or_else(PoisonError::into_inner);
            if arrivals.listeners == 0 {
                return;
            }
            let (taken, began) = (arrivals.taken, Instant::now());
            let silent = |arrivals: &mut Arrivals| arrivals.taken == taken;
            let waited = self.changed.wait_timeout_while(arrivals, self.parting.min(left), silent);
            let (next, silence) = waited.unwrap_or_else(PoisonError::into_inner);
            if silence.timed_out() {
                return;
            }
            (arrivals, left) = (next, left.saturating_sub(began.elapsed()));
        }
    }

    /// Another listener, if there is room.
    pub fn listener(&self) -> Option<Listener<'_>> {
        let mut arrivals = self.arrivals();
        if arrivals.listeners >= MAX_LISTENERS {
            return None;
        }
        arrivals.listeners += 1;
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
        let (results, games, end) = self.results().news(told, &self.plan)?;
        if let Some(results) = results {
            text.push_str(&results);
        }
        add_games(&mut text, &games, &self.plan)?;
        told.anything = true;
        Ok((text, end))
    }

    /// Wakes the end if it waits for listeners.
    fn tell_end(&self, arrivals: &Arrivals) {
        if arrivals.is_over {
            self.changed.notify_all();
        }
    }

    /// Waits until there may be news; not at all after the end.
    fn pause(&self) {
        let arrivals = self.arrivals();
        if !arrivals.is_over {
            // Whether it was woken or not, it looks.
            let _woken = self.changed.wait_timeout(arrivals, LOOK_EVERY);
        }
    }
}

/// Tables as an event, or all events of the end; games that have no event yet; and whether the match is over.
type News = (Option<Arc<str>>, Vec<Arc<GameRecord>>, bool);

impl LiveResults {
    fn add(&mut self, record: Arc<GameRecord>, plan: &MatchPlan) {
        self.tally.add(&record);
        self.report.add(&record, &self.tally, plan);
        self.recent.push_back(record);
        if self.recent.len() > KEPT_GAMES {
            self.recent.pop_front();
        }
    }

    /// Results that a listener has not received. The games come together with the tables that count them.
    fn news(&mut self, told: &mut Told, plan: &MatchPlan) -> serde_json::Result<News> {
        let counted = self.tally.games;
        if self.end.is_some() {
            (told.tables, told.games) = (Some(counted), counted);
            return Ok((Some(self.farewell(plan)?), Vec::new(), true));
        }
        if told.tables == Some(counted) {
            return Ok((None, Vec::new(), false));
        }
        let (tables, made_of) = self.tables(plan)?;
        if told.tables == Some(made_of) {
            return Ok((None, Vec::new(), false));
        }
        let news =
            if told.tables.is_none() { GAMES_AT_ONCE } else { (counted - told.games).min(GAMES_AT_ONCE) };
        let first = self.recent.len().saturating_sub(news as usize);
        (told.tables, told.games) = (Some(made_of), counted);
        Ok((Some(tables), self.recent.range(first..).cloned().collect(), false))
    }

    /// The last events: tables, all games that are kept, and the end.
    fn farewell(&mut self, plan: &MatchPlan) -> serde_json::Result<Arc<str>> {
        if let Some(text) = &self.farewell {
            return Ok(Arc::clone(text));
        }
        let mut text = self.tables(plan)?.0.to_string();
        add_games(&mut text, self.recent.make_contiguous(), plan)?;
        event(&mut text, "end", &json!({}))?;
        let text: Arc<str> = text.into();
        self.farewell = Some(Arc::clone(&text));
        Ok(text)
    }

    /// The tables as an event, made anew if they are old, and of how many games they are.
    fn tables(&mut self, plan: &MatchPlan) -> serde_json::Result<(Arc<str>, u64)> {
        if let Some((text, games, made)) = &self.tables
            && (*games == self.tally.games || made.elapsed() < TABLES_EVERY)
        {
            return Ok((Arc::clone(text), *games));
        }
        let games = self.tally.games;
        let summary = match &self.end {
            Some(summary) => Cow::Borrowed(summary),
            None => Cow::Owned(Summary::new(plan, &self.tally, false)),
        };
        let summary = &*summary;
        let data = TablesData {
            about: about(summary, plan),
            games,
            planned: plan.games(),
            standings: tables::standings(summary, plan),
            cards: self.report.cards(summary, plan),
        };
        let mut text = String::new();
        event(&mut text, "tables", &data)?;
        let text: Arc<str> = text.into();
        self.tables = Some((Arc::clone(&text), games, Instant::now()));
        Ok((text, games))
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
        let mut arrivals = live.arrivals();
        arrivals.writing += 1;
        live.tell_end(&arrivals);
        Piece(live)
    }
}

impl Drop for Piece<'_> {
    fn drop(&mut self) {
        let mut arrivals = self.0.arrivals();
        (arrivals.writing, arrivals.taken) = (arrivals.writing - 1, arrivals.taken + 1);
        self.0.tell_end(&arrivals);
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        let mut arrivals = self.0.arrivals();
        arrivals.listeners -= 1;
        self.0.tell_end(&arrivals);
    }
}

/// Appends games as an event, if there are any.
fn add_games(text: &mut String, games: &[Arc<GameRecord>], plan: &MatchPlan) -> serde_json::Result<()> {
    if games.is_empty() {
        return Ok(());
    }
    let games: Vec<GameData<'_>> = games.iter().map(|record| GameData { record, plan }).collect();
    event(text, "games", &games)
}

/// Appends an event. JSON has no line ends, so nothing in it can begin another one.
fn event(text: &mut String, name: &str, data: &impl Serialize) -> serde_json::Result<()> {
    let data = serde_json::to_string(data)?;
    text.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    Ok(())
}
