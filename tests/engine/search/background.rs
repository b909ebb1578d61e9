//! Tests of `src/plan/background.rs`.

use kroo::endgames::Endgames;
use kroo::game::{Game, Oware, Position, Variant};
use kroo::plan::background::*;
use kroo::plan::endgame_files::{EndgameFiles, built};
use kroo::protocol::{Limits, Settings};
use kroo::search::{Observer, Report, Request, SearchMemory, TablebasePolicy, search};
use kroo::time::Instant;
use std::env;
use std::sync::Arc;
use std::time::Duration;
use support::client::NO_DATA;
use support::programs::ignored_test;
use support::scene::await_that;

/// An observer that may build endgames during a search.
struct Builder {
    builds: bool,
    hits: Vec<u64>,
}

/// The iteration at which the endgames are built.
const ITERATIONS: usize = 4;

impl Observer for Builder {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn iteration(&mut self, report: &Report) -> bool {
        self.hits.push(report.tablebase_hits);
        if self.builds && self.hits.len() == ITERATIONS {
            // As the background work does, but without its time limit.
            assert!(Endgames::shared().build::<Oware>(9, &mut || false));
        }
        false
    }
}

/// Set for a test with a process of its own; `--ignored` alone runs it with others.
const ALONE: &str = "KROO_TEST_ALONE";

/// Runs a test below in a process of its own, because all searches of a process share their endgames, and without user files.
fn alone(name: &str) {
    let mut command = ignored_test(&format!("search::background::alone_{name}"));
    let output = command.env("XDG_DATA_HOME", NO_DATA).env(ALONE, "1").output().expect("a process");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn a_search_uses_them_as_soon_as_they_are_there() {
    alone("use");
}

#[test]
#[ignore = "a process of another test"]
fn alone_use() {
    if env::var_os(ALONE).is_none() {
        return;
    }
    let fen = "2-0-1-2-0-1-1-0-2-0-1-2-18-18-S";
    let game = Game::new(Position::parse(Variant::Oware, fen).expect("a position"));
    let hits = |builds| {
        let mut builder = Builder { builds, hits: Vec::new() };
        let limits = Limits { movetime: Some(1000), ..Limits::default() };
        let request = Request { tablebase: policy(&limits), depth: 9, ..Request::new(&game) };
        let last = search(&request, &SearchMemory::new(1).expect("memory"), &mut builder);
        assert!(last.nodes < 100_000, "a search that pays for endgames with its own nodes: {}", last.nodes);
        builder.hits
    };
    let without = hits(false);
    assert!(Endgames::shared().built::<Oware>() < Some(9));
    let with = hits(true);
    assert!(Endgames::shared().built::<Oware>() >= Some(9));
    assert_eq!(with[..ITERATIONS], without[..ITERATIONS]);
    let gained = |hits: &[u64]| hits[ITERATIONS] - hits[ITERATIONS - 1];
    assert!(gained(&with) > gained(&without), "{with:?}, {without:?}");
}

/// The endgames that a search requests.
#[derive(Default)]
struct Wishes(Vec<u8>);

impl Observer for Wishes {
    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }

    fn wants_endgames(&mut self, seeds: u8) {
        self.0.push(seeds);
    }
}

/// The policy of a session without files but with background work.
fn policy(limits: &Limits) -> TablebasePolicy {
    let files = EndgameFiles::open(&Settings::default()).expect("none are named");
    let (policy, endgames) = files.policy(limits, true);
    assert!(Arc::ptr_eq(&endgames, Endgames::shared()), "these tests run without files in the user's folder");
    policy
}

#[test]
fn the_processor_is_given_away_when_a_search_is_about_to_end() {
    let growth = Growth::default();
    assert!(growth.gives_way(), "another program may be thinking");
    growth.set_searching(true);
    assert!(!growth.gives_way(), "its end is unknown");
    growth.set_end(Some(Instant::now() + Duration::from_secs(1000)));
    assert!(!growth.gives_way());
    growth.set_end(Some(Instant::now() + GIVE_WAY / 2));
    assert!(growth.gives_way());
}

#[test]
fn work_goes_on_in_the_head_start_and_during_searches() {
    let growth = Growth::default();
    let (over, lasts) = (Instant::now(), Instant::now() + Duration::from_secs(1000));
    assert_eq!((growth.due(0, over), growth.due(0, lasts)), (None, None), "nothing is wanted");
    growth.want(3);
    assert_eq!((growth.due(0, over), growth.due(0, lasts)), (None, Some(4)), "no search runs");
    growth.set_searching(true);
    growth.want(2);
    assert_eq!((growth.due(3, over), growth.due(4, over)), (Some(4), None));
    growth.set_searching(false);
    assert_eq!(growth.due(3, over), None, "the search is over");
}

/// Waits until this many databases are built. The background work may get little of a busy processor.
fn await_built(seeds: u8) {
    let is_built = || built(Endgames::shared(), Variant::Ayoayo) >= Some(seeds);
    assert!(await_that(is_built), "{seeds} seeds");
}

#[test]
fn what_a_search_for_a_time_asks_for_is_built_beside_searches_only() {
    alone("wishes");
}

#[test]
#[ignore = "a process of another test"]
fn alone_wishes() {
    if env::var_os(ALONE).is_none() {
        return;
    }
    let game = Game::new(Position::start(Variant::Ayoayo));
    let mut wishes = Wishes::default();
    let policy = policy(&Limits { movetime: Some(1000), ..Limits::default() });
    let request = Request { tablebase: policy, nodes: 60_000, ..Request::new(&game) };
    let last = search(&request, &SearchMemory::new(1).expect("memory"), &mut wishes);
    assert!(last.depth > 1 && wishes.0.is_sorted() && wishes.0.last() >= Some(&4), "{:?}", wishes.0);
    assert_eq!(built(Endgames::shared(), Variant::Ayoayo), None, "it builds nothing itself");
    let settings = Settings { variant: Variant::Ayoayo, endgame_seeds: 3, ..Settings::default() };
    let background = BackgroundEndgames::start(&settings, Endgames::shared()).expect("a thread");
    let growth = background.growth();
    // A busy machine may give it nothing of its head start.
    growth.set_searching(true);
    await_built(3);
    growth.want(5);
    await_built(5);
}
