//! Tests of `src/core/search/probing.rs`.

use kroo::endgames::{Endgames, ThreadPool};
use kroo::game::{Awari, Game, Kalah, Position, RuleOptions, Rules};
use kroo::search::solver::table_share;
use kroo::search::thread::{SearchThread, Shared};
use kroo::search::{Observer, Report, Request, SearchMemory, TablebasePolicy};

/// Counts the calls of the observer.
#[derive(Default)]
struct Asked(u64);

impl Observer for Asked {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.0 += 1;
        false
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

const SEEDS: u8 = 6;

/// Endgames in files, not shared with other searches.
fn in_files<R: Rules>() -> &'static Endgames {
    let folder = tempfile::tempdir().expect("a folder");
    let built = Endgames::new();
    assert!(built.build::<R>(SEEDS, &mut || false));
    (0..=SEEDS)
        .for_each(|seeds| kroo::endgame_files::save::<R>(&built, folder.path(), seeds).expect("a file"));
    let endgames = Box::leak(Box::new(Endgames::new()));
    assert_eq!(endgames.open::<R>(folder.path(), SEEDS, &ThreadPool::single()).expect("files"), Some(SEEDS));
    endgames
}

fn asked_and_hits<R: Rules>(fen: &str) -> (u64, u64) {
    let position = Position::parse(R::VARIANT, fen).expect("a position");
    let tablebase = TablebasePolicy::UpTo(SEEDS);
    let request = Request { tablebase, nodes: 30_000, ..Request::new(&Game::new(position)) };
    let (table, mut asked) = (SearchMemory::new(1).expect("memory"), Asked::default());
    table.transpositions.divide::<R>(table_share::<R>(), RuleOptions::default());
    let shared = Shared { endgames: in_files::<R>(), ..Shared::new(&request, &table, None) };
    let last = SearchThread::<R>::new(shared, &mut asked).iterate();
    (asked.0, last.tablebase_hits)
}

/// With a disk that takes 10 ms for each probe, a move may be late by a few probes.
#[test]
fn the_clock_is_looked_at_after_a_few_probes_of_files() {
    let (asked, hits) = asked_and_hits::<Awari>("1-1-2-0-0-1-0-1-1-1-1-1-19-19-S");
    assert!(hits > 100 && asked >= hits / 2, "{asked} looks at the clock, {hits} hits");
    // Most of this is proven by the solver.
    let (asked, hits) = asked_and_hits::<Kalah>("3-1-2-0-1-1-0-2-1-3-1-1-16-16-S");
    assert!(hits > 100 && asked >= hits / 5, "{asked} looks at the clock, {hits} hits");
}
