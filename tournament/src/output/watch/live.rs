//! A match that is being watched: what has been counted, and what each listener has been told of it.

use super::board_data::BoardsData;
use super::worker_data::WorkersData;
use crate::output::html::{GameData, Report, ReportData};
use crate::plan::{FinishedGame, MatchPlan};
use crate::run::{LiveBoards, LiveWorkers};
use serde::Serialize;
use serde_json::json;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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
    results: Mutex<Results>,
    /// The match has ended, or a listener has left.
    changed: Condvar,
}

/// What has been counted, and who listens.
struct Results {
    report: Report,
    /// The last games.
    recent: VecDeque<Arc<FinishedGame>>,
    /// What was made last, of how many games, and when.
    tables: Option<(Arc<str>, u64, Instant)>,
    listeners: usize,
    /// How the match has ended, if it has.
    end: Option<End>,
}

#[derive(Clone, Copy)]
struct End {
    interrupted: bool,
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
        let results = Results {
            report: Report::new(plan),
            recent: VecDeque::new(),
            tables: None,
            listeners: 0,
            end: None,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", process::id(), now.as_nanos());
        let (workers, results) = (Arc::default(), Mutex::new(results));
        LiveMatch { plan: plan.clone(), run, boards, workers, results, changed: Condvar::new() }
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The boards, for those who play.
    pub fn boards(&self) -> &Arc<LiveBoards> {
        &self.boards
    }

    /// The workers of a queue, for whoever sees them.
    pub fn workers(&self) -> &Arc<LiveWorkers> {
        &self.workers
    }

    /// Counts a game.
    pub fn add(&self, record: &FinishedGame) {
        let record = Arc::new(record.clone());
        let mut results = self.results();
        results.report.add(&record, &self.plan);
        results.recent.push_back(record);
        if results.recent.len() > KEPT_GAMES {
            results.recent.pop_front();
        }
    }

    /// Ends the match, and gives the listeners a moment to be told.
    pub fn end(&self, broken: Option<&String>, interrupted: bool) {
        let deadline = Instant::now() + PARTING;
        let mut results = self.results();
        results.report.set_broken(broken);
        results.end = Some(End { interrupted });
        // What was made before the end does not say how it ended.
        results.tables = None;
        self.changed.notify_all();
        while results.listeners > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            results = self.changed.wait_timeout(results, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Another listener, if there is room.
    pub fn listener(&self) -> Option<Listener<'_>> {
        let mut results = self.results();
        if results.listeners >= MAX_LISTENERS {
            return None;
        }
        results.listeners += 1;
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
        if end.is_some() {
            event(&mut text, "end", &json!({}))?;
        }
        told.anything = true;
        Ok((text, end.is_some()))
    }

    /// Waits until there may be news; not at all after the end.
    fn pause(&self) {
        let results = self.results();
        if results.end.is_none() {
            // Whether it was woken or not, it looks.
            let _woken = self.changed.wait_timeout(results, LOOK_EVERY);
        }
    }
}

/// Tables as an event, games, and how the match has ended.
type News = (Option<Arc<str>>, Vec<Arc<FinishedGame>>, Option<End>);

impl Results {
    /// What a listener has not been told of the results. The games come together with the tables that count them.
    fn news(&mut self, told: &mut Told, plan: &MatchPlan) -> serde_json::Result<News> {
        let end = self.end;
        let counted = self.report.games();
        if end.is_none() && told.tables == Some(counted) {
            return Ok((None, Vec::new(), None));
        }
        let (tables, made_of) = self.tables(plan)?;
        if end.is_none() && told.tables == Some(made_of) {
            return Ok((None, Vec::new(), None));
        }
        let most = if end.is_some() { KEPT_GAMES as u64 } else { GAMES_AT_ONCE };
        let news =
            if end.is_some() || told.tables.is_none() { most } else { (counted - told.games).min(most) };
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
        let data = TablesData {
            about: self.report.about(plan, self.end.is_some_and(|end| end.interrupted)),
            games,
            planned: plan.games(),
            standings: self.report.standings(plan),
            cards: self.report.cards(plan),
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
        self.0.results().listeners -= 1;
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

    fn record(number: u64) -> FinishedGame {
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
        FinishedGame { scheduled, date: SystemTime::now(), played, played_by: None }
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
            live.end(None, false);
            assert!(began.elapsed() >= PARTING, "it has had its moment");
            assert_eq!(live.results().listeners, 1);
            drop(go_on);
            telling.join().expect("no panic").expect_err("it went away");
        });
        assert_eq!(live.results().listeners, 0);
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
        live.end(None, true);
        assert_eq!(names(&mut told), ["tables", "games", "end"]);
        assert_eq!((told.tables, told.games), (Some(2), 2));
    }
}
