//! A match that is being watched, without a browser.

use kroo::game::{Game, Position, Variant};
use kroo_referee::ledger::record::GameRecord;
use kroo_referee::ledger::results::Summary;
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

fn ended(live: &LiveMatch, interrupted: bool) -> Summary {
    Summary::new(&live.plan, &live.results().tally, interrupted)
}

#[test]
fn games_do_not_wait_for_tables() {
    let live = LiveMatch::new(&plan(), Arc::new(LiveBoards::new(1)));
    let tables = live.results();
    (1..=3).for_each(|number| live.add(&record(number)));
    assert_eq!(tables.tally.games, 0);
    drop(tables);
    assert_eq!(live.results().tally.games, 3);
}

#[test]
fn a_listener_that_takes_nothing_holds_nobody_up() {
    let mut live = LiveMatch::new(&plan(), Arc::new(LiveBoards::new(1)));
    live.parting = Duration::ZERO;
    let live = live;
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
        live.end(ended(&live, false));
        assert_eq!(live.arrivals().listeners, 1);
        drop(go_on);
        telling.join().expect("no panic").expect_err("it went away");
    });
    assert_eq!(live.arrivals().listeners, 0);
    assert_eq!(live.results().recent.len(), KEPT_GAMES);
}

#[test]
fn the_end_waits_for_all_that_take_something() {
    let mut live = LiveMatch::new(&plan(), Arc::new(LiveBoards::new(1)));
    live.parting = Duration::from_secs(3600);
    (1..=KEPT_GAMES as u64).for_each(|number| live.add(&record(number)));
    let (live, (asked, waits), (go_on, gone_on)) = (&live, channel(), channel());
    let pieces = thread::scope(|scope| {
        let listener = live.listener().expect("there is room");
        let telling = scope.spawn(move || listener.tell(&mut Stuck(asked, gone_on)));
        waits.recv().expect("it is told something");
        let ending = scope.spawn(|| {
            live.end(ended(live, false));
            live.arrivals().listeners
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
    let mut live = LiveMatch::new(&plan(), Arc::new(LiveBoards::new(1)));
    live.parting = Duration::ZERO;
    let live = &live;
    thread::scope(|scope| {
        let listener = live.listener().expect("there is room");
        let ending = scope.spawn(|| {
            live.end(ended(live, false));
            live.arrivals().listeners
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
