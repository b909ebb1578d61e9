//! The fuzz targets of what is read from a queue: see `tests/support/fuzz.rs`.

use kroo_referee::queue::games::Batch;
use kroo_referee::queue::games::games_in;
use kroo_referee::queue::job::Job;
use std::fs;
use std::path::PathBuf;
use support::fuzz;

/// The jobs that batches and results are read for.
fn jobs() -> Vec<Job> {
    let folder: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "tests/fixtures/data/fuzz/queue-job"].iter().collect();
    let job = |name: &str| Job::read(&fs::read(folder.join(name)).expect("a job")).expect("a sound job");
    ["match", "tune"].map(job).into()
}

/// Each line gets its checksum.
fn seal(bytes: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(bytes);
    let line = |line: &str| {
        let json = line.get(9..).unwrap_or_default();
        format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
    };
    *bytes = text.lines().map(line).collect::<String>().into_bytes();
}

#[test]
fn of_jobs() {
    fuzz::fuzz("queue-job", Vec::new(), fuzz::unsealed, |bytes| {
        if let Ok(job) = Job::read(bytes) {
            assert!(Job::read(job.text().as_bytes()).is_ok());
            assert!(job.plan.check().is_ok() && job.most_games() <= 2_000);
        }
    });
}

#[test]
fn of_batches() {
    let jobs = jobs();
    fuzz::fuzz("queue-batch", Vec::new(), fuzz::unsealed, |bytes| {
        let Ok(batch) = Batch::parse(bytes) else { return };
        for job in &jobs {
            if let Ok(games) = batch.clone().scheduled(&job.plan, job.most_games()) {
                assert!((1..=job.most_games()).contains(&games.len()));
            }
        }
    });
}

#[test]
fn of_results() {
    let jobs = jobs();
    fuzz::fuzz("queue-result", Vec::new(), seal, |bytes| {
        for job in &jobs {
            let Ok(games) = games_in(bytes, &job.plan, job.most_games()) else { continue };
            for game in games {
                let moves = game.played.game.moves().len();
                assert!(moves <= job.plan.adjudication.max_moves && moves >= game.played.opening);
            }
        }
    });
}

/// The unmodified inputs of the targets are valid.
#[test]
fn of_what_is_sound() {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "tests/fixtures/data/fuzz"].iter().collect();
    for (name, job) in ["match", "tune"].iter().zip(jobs()) {
        let read = |kind: &str| fs::read(folder.join(kind).join(name)).expect("a file");
        let batch =
            Batch::parse(&read("queue-batch")).and_then(|batch| batch.scheduled(&job.plan, job.most_games()));
        let games = games_in(&read("queue-result"), &job.plan, job.most_games());
        assert_eq!(games.expect("sound games").len(), batch.expect("a sound batch").len(), "{name}");
    }
}
