//! How long a checkpoint of a gibibyte blocks a worker, with the file written between two tasks and by a second thread:
//! `cargo bench -p bench --bench checkpoint`.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use kroo::endgame_files::building::checkpoint::CheckpointFile;
use kroo::endgame_files::writer::write_file;
use kroo::endgames::building::checkpoint::Checkpoint;
use kroo::endgames::probe::file::Header;
use kroo::endgames::probe::plain_values::BLOCK;
use kroo::game::Variant;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

const BYTES: usize = 1 << 30;
/// The rule set and the seeds that the files name; their values are no database.
const NAMED: (Variant, u8) = (Variant::Kalah, 13);
const ROUNDS: usize = 8;

/// Rounds over the values, each block a task; returns the longest time from the end of a task to that of the next.
fn work(values: &[AtomicU8], between: &mut dyn FnMut(usize)) -> Duration {
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    for round in 0..ROUNDS {
        for block in values.chunks(BLOCK) {
            block.iter().for_each(|value| value.store(value.load(Relaxed).wrapping_add(37), Relaxed));
            longest = longest.max(last.elapsed());
            last = Instant::now();
        }
        between(round);
    }
    longest
}

fn main() {
    let folder = tempfile::tempdir_in(".").expect("a folder");
    let (path, (variant, seeds)) = (folder.path().join("part"), NAMED);
    let values: Vec<AtomicU8> = (0..BYTES).map(|_| AtomicU8::new(0)).collect();
    let read = |from: usize, block: &mut [u8]| {
        block.iter_mut().zip(&values[from..]).for_each(|(byte, value)| *byte = value.load(Relaxed));
        true
    };
    println!("without a checkpoint: {:?}", work(&values, &mut |_| {}));
    let between = work(&values, &mut |round| {
        if round == ROUNDS / 2 {
            let (thresholds, rare) = (Vec::new(), Vec::new());
            let header = Header { variant, seeds, bytes: BYTES, thresholds, rare };
            let fill = &mut |from: usize, block: &mut [u8]| {
                read(from, block);
                Ok(())
            };
            write_file(&header, &path, fill).expect("room");
        }
    });
    println!("written between two tasks: {between:?}");
    let mut checkpoint = CheckpointFile::at(path, variant, seeds, BYTES).every(Duration::from_millis(500));
    let mut longest = Duration::ZERO;
    let done = checkpoint.save_during(&read, &mut || {
        longest = work(&values, &mut |_| {});
        Ok(())
    });
    done.expect("it is not stopped");
    println!("written by a second thread: {longest:?}");
    let written = checkpoint.load(&mut |_, _| {}) / BLOCK;
    println!("of {} blocks {written} were written", values.len() / BLOCK);
}
