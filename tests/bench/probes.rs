//! The cost of a probe with warm endgames: in memory, with all pages mapped, but in the processor's caches only by the probes
//! themselves.
//!
//! It prints two figures: for random boards of the largest database, of which nearly each misses all caches; and, which is the
//! relevant one, for the recorded probes of a search (`src/core/endgames/probe/probe_trace.rs`).

use crate::processor_time::on_processor;
use kroo::endgames::{Endgames, Indexing, ThreadPool, WatchedPool, board_count};
use kroo::game::{Board, Rules, Visitor, split_mix};
use rustix::time::ClockId;
use std::hint::black_box;
use std::path::Path;

/// Number of random boards.
const BOARDS: usize = 1 << 20;
/// Number of measurements after a first one that warms the caches; the least counts, because other programs only add time.
const TIMES: usize = 5;

pub struct Probes<'a> {
    pub seeds: u8,
    pub folder: Option<&'a Path>,
}

/// Processor time of this thread in nanoseconds.
fn nanoseconds() -> f64 {
    on_processor(ClockId::ThreadCPUTime) * 1e9
}

impl Visitor for Probes<'_> {
    type Output = ();

    #[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
    fn visit<R: Rules>(self) {
        let endgames = Endgames::shared();
        if let Some(folder) = self.folder {
            endgames.open::<R>(folder, self.seeds, &ThreadPool::new(2)).expect("files of endgames");
        }
        assert!(endgames.build_with::<R>(
            self.seeds,
            &mut WatchedPool { threads: &ThreadPool::new(2), watch: &mut |_| false }
        ));
        let each = at_random::<R>(endgames, self.seeds);
        println!("{}, {} seeds: {each:.1} ns a probe at random", R::VARIANT, self.seeds);
        #[cfg(feature = "probe-trace")]
        in_searches::search_all::<R>(self.seeds);
        #[cfg(not(feature = "probe-trace"))]
        println!("those of searches are measured with --features probe-trace");
    }
}

fn at_random<R: Rules>(endgames: &Endgames, seeds: u8) -> f64 {
    let mut random = 1;
    let store = (R::SEEDS - seeds) / 2;
    let any = |_| {
        let number = (split_mix(&mut random) % board_count(seeds) as u64) as usize;
        let Board { mover, other } = Indexing::get().unrank(seeds, number);
        Board { mover: mover.bank(store), other: other.bank(R::SEEDS - seeds - store) }
    };
    let boards: Vec<Board> = (0..BOARDS).map(any).collect();
    let nothing = black_box(0);
    let time = || {
        let begin = nanoseconds();
        let mut at = 0;
        while let Some(&board) = boards.get(at) {
            let bits = endgames.probe::<R>(board, seeds).map_or(0, |score| score.value.to_bits());
            // The next board depends on the answer.
            at += 1 + (usize::from(bits) & nothing);
        }
        (nanoseconds() - begin) / BOARDS as f64
    };
    (0..=TIMES).map(|_| time()).fold(f64::MAX, f64::min)
}

#[cfg(feature = "probe-trace")]
mod in_searches {
    use super::{TIMES, nanoseconds};
    use kroo::endgames::ProbeTrace;
    use kroo::game::{Game, Position, Rules};
    use kroo::search::{Request, SearchMemory, Silent, TablebasePolicy, search};

    /// Nodes of a search.
    const NODES: u64 = 200_000;
    /// Its table, in MiB.
    const HASH: usize = 16;

    #[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
    pub fn search_all<R: Rules>(seeds: u8) {
        let prefix = format!("{} ", R::VARIANT);
        let mut all = Cost::default();
        for line in include_str!("suite.txt").lines().filter(|line| line.starts_with(&prefix)) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let position = Position::parse(R::VARIANT, words[2]).expect("a position");
            if position.board().seeds() > seeds {
                let cost = searched(&Game::new(position), seeds);
                println!("  {} {}: {}", words[1], words[2], cost.shown());
                all.add(&cost);
            }
        }
        println!("  all: {}", all.shown());
    }

    /// The probes of a search, and its time in nanoseconds with and without them.
    #[derive(Default)]
    struct Cost {
        probes: usize,
        hits: u64,
        with: f64,
        without: f64,
    }

    impl Cost {
        fn add(&mut self, other: &Cost) {
            self.probes += other.probes;
            self.hits += other.hits;
            self.with += other.with;
            self.without += other.without;
        }

        fn shown(&self) -> String {
            let Cost { probes, hits, with, without } = *self;
            let a_probe = (with - without) / probes.max(1) as f64;
            let share = 100.0 * (with - without) / with;
            format!("{probes} probes, {hits} hits, {a_probe:.1} ns a probe, {share:.1} % of the search")
        }
    }

    fn searched(game: &Game, seeds: u8) -> Cost {
        let request = Request { nodes: NODES, tablebase: TablebasePolicy::UpTo(seeds), ..Request::new(game) };
        let time = |trace: ProbeTrace| {
            trace.begin();
            let table = SearchMemory::new(HASH).expect("memory");
            let begin = nanoseconds();
            let report = search(&request, &table, &mut Silent);
            (nanoseconds() - begin, report)
        };
        let (_, first) = time(ProbeTrace::Record);
        let probes = ProbeTrace::Off.begin();
        let (mut with, mut without) = (f64::MAX, f64::MAX);
        for _ in 0..TIMES {
            for (trace, least) in
                [(ProbeTrace::ReplayBeside, &mut with), (ProbeTrace::ReplayInstead, &mut without)]
            {
                let (took, report) = time(trace);
                assert_eq!(
                    (report.nodes, report.tablebase_hits),
                    (first.nodes, first.tablebase_hits),
                    "not the same search"
                );
                *least = least.min(took);
            }
        }
        ProbeTrace::Off.begin();
        Cost { probes, hits: first.tablebase_hits, with, without }
    }
}
