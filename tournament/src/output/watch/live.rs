//! A match that is being watched: what has been counted, and what each listener has been told of it.

use super::board_data::BoardsData;
use super::worker_data::WorkersData;
use crate::output::html::{GameData, Report, ReportData, about, tables};
use crate::plan::{GameRecord, MatchPlan};
use crate::results::Summary;
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
const MAX_LISTENERS: usize = 32;
/// Games that are kept for listeners: some ten megabytes at most.
const KEPT_GAMES: usize = 300;
/// Most games that a listener is told at once while the match runs. At the end it gets all that are kept.
const GAMES_AT_ONCE: u64 = 50;
/// How often a listener's thread looks.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How often tables are made.
const TABLES_EVERY: Duration = Duration::from_secs(1);
/// How often a listener that hears nothing is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long the end of the match waits for listeners to be told.
const PARTING: Duration = Duration::from_secs(1);

/// The match, for the collector and the threads of all listeners.
pub(super) struct LiveMatch {
    plan: MatchPlan,
    /// What no other run of a referee has.
    run: String,
    boards: Arc<LiveBoards>,
    workers: Arc<LiveWorkers>,
    arrivals: Mutex<Arrivals>,
    /// Only listeners wait for it: tables are made under this lock. Locked before `arrivals`.
    results: Mutex<LiveResults>,
    /// The match has ended, or a listener has left.
    changed: Condvar,
}

/// What the match hands over. Nothing is computed under its lock.
#[derive(Default)]
struct Arrivals {
    /// Games that are not counted yet.
    games: Vec<Arc<GameRecord>>,
    listeners: usize,
    is_over: bool,
}

/// What has been counted.
struct LiveResults {
    report: Report,
    /// The last games.
    recent: VecDeque<Arc<GameRecord>>,
    /// What was made last, of how many games, and when.
    tables: Option<(Arc<str>, u64, Instant)>,
    /// The results, once the match is over.
    end: Option<Summary>,
}

/// A listener, as long as it is there.
pub(super) struct Listener<'a>(&'a LiveMatch);

/// What a listener has been told.
#[derive(Default)]
struct Told {
    anything: bool,
    boards: Option<BoardsData>,
    workers: Option<WorkersData>,
    tables: Option<u64>,
    games: u64,
}

/// Who plays what.
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
        let results =
            LiveResults { report: Report::new(plan), recent: VecDeque::new(), tables: None, end: None };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", process::id(), now.as_nanos());
        let (workers, results) = (Arc::default(), Mutex::new(results));
        let arrivals = Mutex::default();
        LiveMatch { plan: plan.clone(), run, boards, workers, arrivals, results, changed: Condvar::new() }
    }

    fn arrivals(&self) -> MutexGuard<'_, Arrivals> {
        self.arrivals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The results of all games that have arrived.
    fn results(&self) -> MutexGuard<'_, LiveResults> {
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

    /// The boards, for those who play.
    pub fn boards(&self) -> &Arc<LiveBoards> {
        &self.boards
    }

    /// The workers of a queue, for whoever sees them.
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

    /// Ends the match, and gives the listeners a moment to be told.
    pub fn end(&self, summary: Summary) {
        let deadline = Instant::now() + PARTING;
        let mut results = self.results();
        results.end = Some(summary);
        // Tables from before the end do not say how it ended.
        results.tables = None;
        drop(results);
        let mut arrivals = self.arrivals();
        arrivals.is_over = true;
        self.changed.notify_all();
        while arrivals.listeners > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            arrivals = self.changed.wait_timeout(arrivals, left).unwrap_or_else(PoisonError::into_inner).0;
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

    /// What a listener has not been told yet, as events; and whether that is all there will be.
    fn news(&self, told: &mut Told) -> serde_json::Result<(String, bool)> {
        let mut text = String::new();
        if !told.anything {
            event(&mut text, "match", &MatchData { run: &self.run, report: ReportData::new(&self.plan) })?;
        }
        let boards = BoardsData::new(&self.boards.snapshots());
        if told.boards.as_ref() != Some(&boards) {
            event(&mut text, "boards", &boards)?;
            told.boards = Some(boards);
        }
        let workers = self.workers.snapshot().map(WorkersData::new);
        if let Some(workers) = workers.filter(|workers| told.workers.as_ref() != Some(workers)) {
            event(&mut text, "workers", &workers)?;
            told.workers = Some(workers);
        }
        let (tables, games, end) = self.results().news(told, &self.plan)?;
        if let Some(tables) = tables {
            text.push_str(&tables);
        }
        if !games.is_empty() {
            let games: Vec<GameData> = games.iter().map(|game| GameData::new(game, &self.plan)).collect();
            event(&mut text, "games", &games)?;
        }
        if end {
            event(&mut text, "end", &json!({}))?;
        }
        told.anything = true;
        Ok((text, end))
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

/// Tables as an event, games, and whether the match is over.
type News = (Option<Arc<str>>, Vec<Arc<GameRecord>>, bool);

impl LiveResults {
    fn add(&mut self, record: Arc<GameRecord>, plan: &MatchPlan) {
        self.report.add(&record, plan);
        self.recent.push_back(record);
        if self.recent.len() > KEPT_GAMES {
            self.recent.pop_front();
        }
    }

    /// What a listener has not been told of the results. The games come together with the tables that count them.
    fn news(&mut self, told: &mut Told, plan: &MatchPlan) -> serde_json::Result<News> {
        let end = self.end.is_some();
        let counted = self.report.games();
        if !end && told.tables == Some(counted) {
            return Ok((None, Vec::new(), false));
        }
        let (tables, made_of) = self.tables(plan)?;
        if !end && told.tables == Some(made_of) {
            return Ok((None, Vec::new(), false));
        }
        let most = if end { KEPT_GAMES as u64 } else { GAMES_AT_ONCE };
        let news = if end || told.tables.is_none() { most } else { (counted - told.games).min(most) };
        let first = self.recent.len().saturating_sub(news as usize);
        (told.tables, told.games) = (Some(made_of), counted);
        Ok((Some(tables), self.recent.range(first..).cloned().collect(), end))
    }

    /// The tables as an event, made anew if they are old, and of how many games they are.
    fn tables(&mut self, plan: &MatchPlan) -> serde_json::Result<(Arc<str>, u64)> {
        if let Some((text, games, made)) = &self.tables
            && (*games == self.report.games() || made.elapsed() < TABLES_EVERY)
        {
            return Ok((Arc::clone(text), *games));
        }
        let games = self.report.games();
        let summary = match &self.end {
            Some(summary) => Cow::Borrowed(summary),
            None => Cow::Owned(self.report.summary(plan)),
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
                stream.write_all(text.as_bytes())?;
                written = Instant::now();
            }
            if last {
                return Ok(());
            }
            self.0.pause();
        }
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        self.0.arrivals().listeners -= 1;
        self.0.changed.notify_all();
    }
}

/// Appends an event. JSON has no line ends, so nothing in it can begin another one.
fn event(text: &mut String, name: &str, data: &impl Serialize) -> serde_json::Result<()> {
    let data = serde_json::to_string(data)?;
    text.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PlayedGame;
    use crate::plan::Contestant;
    use crate::schedule::{Opening, Pairing, ScheduledGame};
    use kroo::game::{Game, Position, Variant};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;

    /// A listener that takes nothing until it is let go, and says when something was to be taken.
    struct Stuck(Sender<()>, Receiver<()>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(());
            match self.1.recv() {
                Ok(()) => Ok(bytes.len()),
                Err(_) => Err(io::ErrorKind::TimedOut.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn plan() -> MatchPlan {
        let engine = |name: &str| -> Contestant {
            let second = json!({"secs": 1, "nanos": 0});
            let limits = json!({"clock": null, "move_time": second, "nodes": null, "depth": null, "margin": second,
                "watchdog": second, "ponder": false});
            let engine = json!({"name": name, "command": "x", "args": [], "dir": null, "options": [], "startup": second,
                "restart": false});
            serde_json::from_value(json!({"engine": engine, "limits": limits})).expect("a contestant")
        };
        serde_json::from_value(json!({
            "contestants": [engine("one"), engine("two")], "variant": "awari", "event": "round_robin", "rounds": 1000,
            "pairs": 1, "seed": 1, "openings": "none", "sprt": null, "shard": {"part": 1, "of": 1},
            "conduct": {"max_moves": 250, "at_limit": "stores", "repetition": null, "resign": null, "draw": null},
        }))
        .expect("a plan")
    }

    fn record(number: u64) -> GameRecord {
        let game = Game::new(Position::start(Variant::Awari));
        let opening = Arc::new(Opening::new(game.clone()).expect("not over"));
        let pairing = Pairing { round: 1, first: 0, second: 1 };
        let scheduled = ScheduledGame {
            number,
            pair: (number - 1) / 2,
            pairing,
            players: [0, 1],
            opening: Arc::clone(&opening),
            settings: None,
        };
        let played = PlayedGame::not_started(&opening, [None, None]);
        GameRecord { scheduled, date: SystemTime::now(), played, worker: None }
    }

    fn ended(live: &LiveMatch, interrupted: bool) -> Summary {
        Summary { interrupted, ..live.results().report.summary(&live.plan) }
    }

    #[test]
    fn games_do_not_wait_for_tables() {
        let live = LiveMatch::new(&plan(), Arc::new(LiveBoards::new(1)));
        let tables = live.results();
        (1..=3).for_each(|number| live.add(&record(number)));
        assert_eq!(tables.report.games(), 0);
        drop(tables);
        assert_eq!(live.results().report.games(), 3);
    }

    #[test]
    fn a_listener_that_takes_nothing_holds_nobody_up() {
        let live = LiveMatch::new(&plan(), Arc::new(LiveBoards::new(1)));
        let (asked, waits) = channel();
        let (go_on, gone_on) = channel();
        thread::scope(|scope| {
            let listener = live.listener().expect("there is room");
            let telling = scope.spawn(move || listener.tell(&mut Stuck(asked, gone_on)));
            waits.recv().expect("it is told something");
            // It holds that and does not take it. The match goes on.
            for number in 1..=1000 {
                live.add(&record(number));
            }
            let began = Instant::now();
            live.end(ended(&live, false));
            assert!(began.elapsed() >= PARTING, "it has had its moment");
            assert_eq!(live.arrivals().listeners, 1);
            drop(go_on);
            telling.join().expect("no panic").expect_err("it went away");
        });
        assert_eq!(live.arrivals().listeners, 0);
        assert_eq!(live.results().recent.len(), KEPT_GAMES);
    }

    #[test]
    fn there_is_room_for_so_many_listeners_and_each_is_told_what_is_new() {
        let live = LiveMatch::new(&plan(), Arc::new(LiveBoards::new(1)));
        let all: Vec<Listener<'_>> = (0..MAX_LISTENERS).map_while(|_| live.listener()).collect();
        assert_eq!((all.len(), live.listener().is_none()), (MAX_LISTENERS, true));
        drop(all);
        live.add(&record(1));
        let mut told = Told::default();
        let names = |told: &mut Told| -> Vec<String> {
            let (text, _) = live.news(told).expect("JSON");
            text.lines().filter_map(|line| line.strip_prefix("event: ")).map(str::to_owned).collect()
        };
        assert_eq!(names(&mut told), ["match", "boards", "tables", "games"]);
        assert!(names(&mut told).is_empty());
        live.add(&record(2));
        // Tables are not made twice in a second, and games come with them; at the end everything comes.
        assert!(names(&mut told).is_empty());
        live.end(ended(&live, true));
        assert_eq!(names(&mut told), ["tables", "games", "end"]);
        assert_eq!((told.tables, told.games), (Some(2), 2));
    }
}
