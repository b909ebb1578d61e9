//! The cost of a probe with warm endgames: in memory, with all pages mapped, but in the processor's caches only by the probes
//! themselves.
//!
//! It prints the figure for random boards of the largest database, of which nearly each misses all caches. In a search more are
//! in the caches: compare the processor time of searches.

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
