//! Distributed builds in one process give the files of one machine, whatever the number of ranks, the limits and the messages.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

use kroo::endgame_files::building::checkpoint::checkpoint_path;
use kroo::endgame_files::building::distributed::*;
use kroo::endgame_files::{EndgameBuildError, EndgamePlan, build};
use kroo::endgames::database_path;
use kroo::game::Variant;
use std::path::Path;
use std::{fs, thread};
use tempfile::TempDir;

fn plan(variant: Variant, seeds: u8, folder: &Path) -> EndgamePlan {
    EndgamePlan { variant, seeds, folder: folder.to_owned(), threads: 2, memory: Some(1 << 40) }
}

/// Small limits, so that a few thousand boards take many steps and batches.
const SMALL: Limits = Limits { threads: 2, ranks_here: 1, units: 40, requests: 120, batch: 50 };

/// Builds by all ranks, each a thread, and returns what each returned.
fn build_all<E: Exchange + Send>(
    ranks: Vec<E>,
    plan: &EndgamePlan,
    limits: &Limits,
    stop: impl Fn(usize, DistributedEvent<'_>) -> bool + Sync,
) -> Vec<Result<(), DistributedBuildError>> {
    let stop = &stop;
    thread::scope(|scope| {
        let start = |mut exchange: E| {
            scope.spawn(move || {
                let rank = exchange.rank();
                build_distributed(plan, limits, &mut exchange, &mut |event| stop(rank, event)).map(drop)
            })
        };
        let threads: Vec<_> = ranks.into_iter().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

fn of_one_machine(variant: Variant, seeds: u8) -> Vec<(String, Vec<u8>)> {
    let folder = TempDir::new().unwrap();
    build(&plan(variant, seeds, folder.path()), &mut |_| false).unwrap();
    files(folder.path())
}

#[test]
fn the_files_are_those_of_one_machine() {
    for (variant, seeds) in [(Variant::Awari, 8), (Variant::Oware, 8)] {
        let expected = of_one_machine(variant, seeds);
        for (size, limits) in [(1, SMALL), (2, SMALL), (7, Limits::with_threads(2))] {
            let folder = TempDir::new().unwrap();
            let plan = plan(variant, seeds, folder.path());
            let counted = |event: DistributedEvent<'_>| {
                let DistributedEvent::Written { traffic, .. } = event else { return false };
                let Traffic { remote, requests, replies, puts, .. } = traffic;
                // A reply has one or two bytes a board, and fills its last word.
                let right = (remote..=2 * remote + requests).contains(&replies);
                assert!(right && (size > 1 || (remote, puts) == (0, 0)), "{size} ranks: {traffic:?}");
                false
            };
            for result in build_all(LocalExchange::ranks(size), &plan, &limits, |_, event| counted(event)) {
                result.unwrap();
            }
            assert!(files(folder.path()) == expected, "{variant}, {size} ranks");
        }
    }
}

/// An exchange that delays, repeats and reorders messages.
struct Unreliable {
    exchange: LocalExchange,
    random: u64,
    late: Vec<Vec<u64>>,
    old: Vec<Vec<u64>>,
}

impl Unreliable {
    fn new(exchange: LocalExchange) -> Unreliable {
        let (size, random) = (exchange.size(), exchange.rank() as u64 + 1);
        Unreliable { exchange, random, late: vec![Vec::new(); size], old: vec![Vec::new(); size] }
    }

    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.random >> 33
    }
}

impl Exchange for Unreliable {
    fn rank(&self) -> usize {
        self.exchange.rank()
    }

    fn size(&self) -> usize {
        self.exchange.size()
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>, PeerLost> {
        self.exchange.all_to_all(messages)
    }

    fn put(&mut self, messages: Vec<Vec<u64>>, flush: bool) -> Result<Vec<Vec<u64>>, PeerLost> {
        let mut sent = vec![Vec::new(); self.size()];
        for (rank, message) in messages.into_iter().enumerate() {
            let waiting = std::mem::take(&mut self.late[rank]);
            for put in waiting.into_iter().rev().chain(message) {
                if !flush && self.random().is_multiple_of(2) {
                    self.late[rank].push(put);
                } else {
                    sent[rank].push(put);
                    self.old[rank].push(put);
                }
            }
            // Repeats messages of this or an earlier iteration.
            for _ in 0..self.old[rank].len().min(20) {
                let place = self.random() as usize % self.old[rank].len();
                sent[rank].push(self.old[rank][place]);
            }
        }
        self.exchange.put(sent, flush)
    }
}

#[test]
fn late_and_repeated_messages_do_no_harm() {
    for (variant, seeds) in [(Variant::Awari, 8), (Variant::Oware, 7)] {
        let expected = of_one_machine(variant, seeds);
        for size in [1, 2, 3] {
            // The last database only, because messages belong to one database.
            let folder = TempDir::new().unwrap();
            for (name, bytes) in &expected[..usize::from(seeds)] {
                fs::write(folder.path().join(name), bytes).unwrap();
            }
            let ranks = LocalExchange::ranks(size).into_iter().map(Unreliable::new).collect();
            for result in build_all(ranks, &plan(variant, seeds, folder.path()), &SMALL, |_, _| false) {
                result.unwrap();
            }
            assert!(files(folder.path()) == expected, "{variant}, {size} ranks");
        }
    }
}

fn is_stopped(result: &Result<(), DistributedBuildError>) -> bool {
    matches!(result, Err(DistributedBuildError::Build(EndgameBuildError::Stopped { lost: None, .. })))
}

#[test]
fn a_build_goes_on_with_another_number_of_ranks_and_on_one_machine() {
    for (variant, seeds) in [(Variant::Awari, 8), (Variant::Oware, 8)] {
        let expected = of_one_machine(variant, seeds);
        let folder = TempDir::new().unwrap();
        let plan = plan(variant, seeds, folder.path());
        let part = checkpoint_path(&database_path(folder.path(), variant, seeds));
        // Each is stopped a little later in the last database, by another rank.
        for (size, iteration) in [(2, 2), (3, 2), (1, 3), (7, 3), (4, 4)] {
            let stop = |rank: usize, event: DistributedEvent<'_>| match event {
                DistributedEvent::Status(status) => {
                    rank == size - 1 && status.seeds == seeds && status.iteration >= iteration
                }
                _ => false,
            };
            let results = build_all(LocalExchange::ranks(size), &plan, &SMALL, stop);
            assert!(results.iter().all(is_stopped), "{results:?}");
            assert!(part.exists());
        }
        // A truncated file is not resumed from.
        let whole = fs::read(&part).unwrap();
        let other = TempDir::new().unwrap();
        for (name, bytes) in files(folder.path()) {
            fs::write(other.path().join(name), bytes).unwrap();
        }
        fs::write(other.path().join(part.file_name().unwrap()), &whole[..whole.len() - 1]).unwrap();
        let again = EndgamePlan { folder: other.path().to_owned(), ..plan.clone() };
        for result in build_all(LocalExchange::ranks(2), &again, &SMALL, |_, _| false) {
            result.unwrap();
        }
        assert!(files(other.path()) == expected);
        // One machine resumes from the files of several.
        build(&plan, &mut |_| false).unwrap();
        assert!(files(folder.path()) == expected);
    }
}

#[test]
fn several_go_on_from_what_one_machine_has_left() {
    use kroo::endgame_files::BuildEvent;
    let expected = of_one_machine(Variant::Oware, 8);
    let folder = TempDir::new().unwrap();
    let plan = plan(Variant::Oware, 8, folder.path());
    let mut stop = |event: BuildEvent<'_>| matches!(event, BuildEvent::Status(status) if status.seeds == 8 && status.iteration == 5);
    build(&plan, &mut stop).unwrap_err();
    for result in build_all(LocalExchange::ranks(3), &plan, &SMALL, |_, _| false) {
        result.unwrap();
    }
    assert!(files(folder.path()) == expected);
}

#[test]
fn one_rank_says_what_is_wrong_and_all_end() {
    let message = |results: Vec<Result<(), DistributedBuildError>>| {
        let (mine, others): (Vec<_>, Vec<_>) = results
            .into_iter()
            .map(|result| result.unwrap_err())
            .partition(|error| !matches!(error, DistributedBuildError::Elsewhere));
        assert_eq!((mine.len(), others.len()), (1, 2), "{mine:?}");
        mine[0].to_string()
    };
    let folder = TempDir::new().unwrap();
    let ranks = || LocalExchange::ranks(3);
    let run = |plan: &EndgamePlan| message(build_all(ranks(), plan, &SMALL, |_, _| false));
    let kalah = run(&plan(Variant::Kalah, 5, folder.path()));
    assert!(kalah.contains("`kroo endgame build --variant kalah` builds it on one machine"), "{kalah}");
    let memory = run(&EndgamePlan { memory: Some(1 << 20), ..plan(Variant::Awari, 20, folder.path()) });
    assert!(memory.contains("in each of 3 processes, and process 0 may use 0.00"), "{memory}");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let no_folder = run(&plan(Variant::Awari, 4, &file));
    assert!(no_folder.contains("file"), "{no_folder}");
    // A damaged database, found by the first rank that reads it.
    let damaged = plan(Variant::Awari, 6, folder.path());
    build_all(ranks(), &EndgamePlan { seeds: 5, ..damaged.clone() }, &SMALL, |_, _| false);
    let path = database_path(folder.path(), Variant::Awari, 3);
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = run(&damaged);
    assert!(damaged.contains("awari-03.endgame` is not a sound file of endgames"), "{damaged}");
}

#[test]
fn a_rank_that_goes_ends_the_others() {
    let folder = TempDir::new().unwrap();
    let plan = plan(Variant::Awari, 7, folder.path());
    let mut ranks = LocalExchange::ranks(3);
    drop(ranks.pop());
    for result in build_all(ranks, &plan, &SMALL, |_, _| false) {
        assert!(matches!(result, Err(DistributedBuildError::Peer(PeerLost))), "{result:?}");
    }
}
