//! A match that is being watched, without a browser.

use kroo::game::{Game, Position, Variant};
use kroo_referee::ledger::record::GameRecord;
use kroo_referee::ledger::results::{Results, Summary};
use kroo_referee::output::watch::live::{KEPT_GAMES, Listener, LiveMatch, MAX_LISTENERS, PIECE, Told};
use kroo_referee::plan::MatchPlan;
use kroo_referee::run::LiveBoards;
use kroo_referee::schedule::Opening;
use serde_json::json;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

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
    crate::plans::plan(&["one", "two"], &json!("round_robin"))
}

fn record(number: u64) -> GameRecord {
    crate::plans::record(
        number,
        [0, 1],
        &Opening::new(Game::new(Position::start(Variant::Awari))).expect("not over"),
    )
}

/// A match and its counts, as the ledger has them.
struct Watched(LiveMatch, Arc<Results>);

impl Watched {
    fn new() -> Watched {
        let plan = plan();
        let counts = Arc::new(Results::new(&plan));
        Watched(LiveMatch::new(&plan, Arc::new(LiveBoards::new(1))), counts)
    }

    fn play(&mut self, numbers: impl IntoIterator<Item = u64>) {
        for number in numbers {
            let record = record(number);
            Arc::make_mut(&mut self.1).add(&record);
            self.0.add(&record, &self.1);
        }
    }
}

fn ended(live: &LiveMatch, counts: &Results, interrupted: bool) -> Summary {
    Summary::new(&live.plan, counts, interrupted)
}

/// The page borrows the counts only while it makes tables; then they are copied for the next game.
#[test]
fn games_do_not_wait_for_tables() {
    let mut watched = Watched::new();
    watched.play(1..=2);
    let borrowed = Arc::clone(&watched.1);
    watched.play(3..=4);
    assert_eq!((borrowed.games, watched.1.games, watched.0.results().games), (2, 4, 4));
    let (text, _) = watched.0.news(&mut Told::default()).expect("JSON");
    assert!(text.contains("\"games\":4,\"planned\""), "{text}");
    assert_eq!(Arc::strong_count(&watched.1), 1, "the page holds no counts");
}

/// Where the ledger has newer counts than the page has been told, the page waits for those.
#[test]
fn counts_that_are_old_make_no_tables() {
    let mut watched = Watched::new();
    watched.play(1..=1);
    Arc::make_mut(&mut watched.1).add(&record(2));
    let (text, _) = watched.0.news(&mut Told::default()).expect("JSON");
    assert!(!text.contains("event: tables"), "{text}");
    watched.0.add(&record(2), &watched.1);
    let (text, _) = watched.0.news(&mut Told::default()).expect("JSON");
    assert!(text.contains("\"games\":2,\"planned\""), "{text}");
}

#[test]
fn a_listener_that_takes_nothing_holds_nobody_up() {
    let mut watched = Watched::new();
    watched.0.parting = Duration::ZERO;
    let Watched(live, mut counts) = watched;
    let (asked, waits) = channel();
    let (go_on, gone_on) = channel();
    thread::scope(|scope| {
        let listener = live.listener().expect("there is room");
        let telling = scope.spawn(move || listener.tell(&mut Stuck(asked, gone_on)));
        waits.recv().expect("it is told something");
        // It holds that and does not take it. The match goes on.
        for number in 1..=1000 {
            let record = record(number);
            Arc::make_mut(&mut counts).add(&record);
            live.add(&record, &counts);
        }
        live.end(ended(&live, &counts, false));
        assert_eq!(live.audience().listeners, 1);
        drop(go_on);
        telling.join().expect("no panic").expect_err("it went away");
    });
    assert_eq!(live.audience().listeners, 0);
    assert_eq!(live.results().recent.len(), KEPT_GAMES);
}

#[test]
fn the_end_waits_for_all_that_take_something() {
    let mut watched = Watched::new();
    watched.0.parting = Duration::from_secs(3600);
    watched.play(1..=KEPT_GAMES as u64);
    let Watched(live, counts) = &watched;
    let ((asked, waits), (go_on, gone_on)) = (channel(), channel());
    let pieces = thread::scope(|scope| {
        let listener = live.listener().expect("there is room");
        let telling = scope.spawn(move || listener.tell(&mut Stuck(asked, gone_on)));
        waits.recv().expect("it is told something");
        let ending = scope.spawn(|| {
            live.end(ended(live, counts, false));
            live.audience().listeners
        });
        // It takes one piece at a time, until no more comes.
        let mut pieces = 1;
        loop {
            go_on.send(()).expect("it waits");
            match waits.recv() {
                Ok(()) => pieces += 1,
                Err(_) => break,
            }
        }
        assert_eq!(ending.join().expect("no panic"), 0, "the end was not told in time");
        telling.join().expect("no panic").expect("it is told everything");
        pieces
    });
    let (all, _) = live.news(&mut Told::default()).expect("JSON");
    assert!(all.len() > 2 * PIECE && pieces > 2, "{} bytes, {pieces} pieces", all.len());
}

/// The time that the referee takes to make the last events does not count.
#[test]
fn the_end_waits_for_what_is_not_written_yet() {
    let mut watched = Watched::new();
    watched.0.parting = Duration::ZERO;
    let Watched(live, counts) = &watched;
    thread::scope(|scope| {
        let listener = live.listener().expect("there is room");
        let ending = scope.spawn(|| {
            live.end(ended(live, counts, false));
            live.audience().listeners
        });
        while !live.news(&mut Told::default()).expect("JSON").1 {
            thread::yield_now();
        }
        drop(listener);
        assert_eq!(ending.join().expect("no panic"), 0);
    });
}

#[test]
fn there_is_room_for_so_many_listeners_and_each_is_told_what_is_new() {
    let mut watched = Watched::new();
    let live = &watched.0;
    let all: Vec<Listener<'_>> = (0..MAX_LISTENERS).map_while(|_| live.listener()).collect();
    assert_eq!((all.len(), live.listener().is_none()), (MAX_LISTENERS, true));
    drop(all);
    watched.play([1]);
    let mut told = Told::default();
    let names = |watched: &Watched, told: &mut Told| -> Vec<String> {
        let (text, _) = watched.0.news(told).expect("JSON");
        text.lines().filter_map(|line| line.strip_prefix("event: ")).map(str::to_owned).collect()
    };
    assert_eq!(names(&watched, &mut told), ["match", "boards", "tables", "games"]);
    assert!(names(&watched, &mut told).is_empty());
    watched.play([2]);
    // Tables are not made twice in a second, and games come with them; at the end everything comes.
    assert!(names(&watched, &mut told).is_empty());
    watched.0.end(ended(&watched.0, &watched.1, true));
    assert_eq!(names(&watched, &mut told), ["tables", "games", "end"]);
    assert_eq!((told.tables, told.games), (Some(2), 2));
}
