//! Speed of endgame builds by database, and the cost of a probe.
//!
//! `cargo bench -p bench --bench endgame -- awari 15 2` builds the databases of up to 15 seeds on two threads; the default is
//! every rule set up to 12 seeds on one thread.
//! `cargo bench -p bench --bench endgame -- probes awari 17 endgames` measures probes of up to 17 seeds
//! (`probes.rs`) with the files in the folder `endgames`; without a folder it builds the databases.

mod probes;
mod processor_time;

use kroo::endgames::{BuildStatus, Endgames, ThreadPool, WatchedPool, board_count};
use kroo::game::{Rules, Variant, Visitor};
use std::path::Path;
use std::time::Instant;

struct Build {
    seeds: u8,
    threads: usize,
}

impl Visitor for Build {
    type Output = ();

    #[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
    fn visit<R: Rules>(self) {
        let (endgames, threads) = (Endgames::new(), ThreadPool::new(self.threads));
        println!("{}, {} threads", R::VARIANT, self.threads);
        println!("seeds      boards  iterations  evaluations a board  seconds  boards a second and core");
        let begin = Instant::now();
        let mut all = 0;
        for seeds in 0..=self.seeds {
            let (start, mut iterations, mut evaluations) = (Instant::now(), 0, 0);
            let watch = &mut |status: BuildStatus| {
                (iterations, evaluations) = (status.iteration, status.evaluations);
                false
            };
            assert!(endgames.build_with::<R>(seeds, &mut WatchedPool { threads: &threads, watch }));
            let seconds = start.elapsed().as_secs_f64();
            all += board_count(seeds);
            let rate = board_count(seeds) as f64 / seconds / self.threads as f64;
            let evaluations = evaluations as f64 / board_count(seeds) as f64;
            println!(
                "{seeds:5} {:11} {iterations:10} {evaluations:19.1} {seconds:8.3} {rate:12.0}",
                board_count(seeds)
            );
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!("  all {all:11} {:39.3} {:12.0}", seconds, all as f64 / seconds / self.threads as f64);
    }
}

fn main() {
    bench::go_to_the_user();
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let probes = words.first().is_some_and(|word| word == "probes");
    words.drain(..usize::from(probes));
    let number = |index: usize, otherwise: u8| {
        words.get(index).map_or(otherwise, |word| word.parse().expect("a number"))
    };
    if probes {
        let variant: Variant = words.first().map_or("awari", |word| word).parse().expect("a rule set");
        let folder = words.get(2).map(Path::new);
        variant.visit(probes::Probes { seeds: number(1, 13), folder });
        return;
    }
    let build = || Build { seeds: number(1, 12), threads: usize::from(number(2, 1)) };
    match words.first() {
        Some(name) => name.parse::<Variant>().expect("a rule set").visit(build()),
        None => Variant::ALL.iter().for_each(|variant| variant.visit(build())),
    }
}
