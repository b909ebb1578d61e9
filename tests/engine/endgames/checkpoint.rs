//! Checkpoints: torn, damaged, foreign, and written by a process that is killed.

use kroo::endgame_files::building::checkpoint::*;
use kroo::endgame_files::save as save_database;
use kroo::endgames::building::checkpoint::Checkpoint;
use kroo::endgames::building::database_builder::DatabaseBuilder;
use kroo::endgames::building::watched::WatchedPool;
use kroo::endgames::probe::database::Database;
use kroo::endgames::probe::plain_values::BLOCK;
use kroo::endgames::{Endgames, board_count};
use kroo::files::records::{PlacedFile, RECORD_HEAD as HEAD};
use kroo::game::{Awari, Kalah, Rules, Variant, Visitor};
use kroo::thread_pool::{Stopped, ThreadPool};
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, thread};
use support::one_of;
use support::programs::ignored_test;

/// Two blocks and a half.
const BYTES: usize = 2 * BLOCK + BLOCK / 2;
/// The first byte of the first block.
const START: usize = PlacedFile::START as usize;
/// No blocks.
const NONE: [usize; 0] = [];

fn at(path: &Path) -> CheckpointFile {
    CheckpointFile::at(path.to_owned(), Variant::Kalah, 13, BYTES)
}

fn values() -> Vec<u8> {
    (0..BYTES).map(|at| (at * at / 7 + at) as u8).collect()
}

/// Saves values like an interrupted build.
fn save(checkpoint: &mut CheckpointFile, values: &[u8]) {
    let read = |from: usize, block: &mut [u8]| {
        block.copy_from_slice(&values[from..from + block.len()]);
        true
    };
    assert_eq!(checkpoint.save_during(&read, &mut || Err(Stopped)), Err(Stopped));
}

/// The offsets of the blocks that load; their values must be right.
fn loaded(checkpoint: &mut CheckpointFile, values: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    checkpoint.load(&mut |from, block| {
        assert_eq!(values[from..from + block.len()], *block);
        found.push(from / BLOCK);
    });
    found
}

#[test]
fn a_torn_or_damaged_block_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, values) = (folder.path().join("part"), values());
    assert_eq!(loaded(&mut at(&path), &values), NONE);
    save(&mut at(&path), &values);
    let good = fs::read(&path).expect("a file");
    assert_eq!(good.len() as u64, file_bytes(BYTES as u64));
    assert_eq!(loaded(&mut at(&path), &values), [0, 1, 2]);
    for (place, left) in [
        (0, &[][..]),
        (11, &[]),
        (START, &[1, 2]),
        (START + 5, &[1, 2]),
        (START + HEAD + BLOCK - 1, &[1, 2]),
        (START + HEAD + BLOCK, &[0, 2]),
        (START + HEAD + BLOCK + 9, &[0, 2]),
        (good.len() - 1, &[0, 1]),
    ] {
        let mut damaged = good.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, damaged).expect("room");
        assert_eq!(loaded(&mut at(&path), &values), left, "{place}");
    }
    for (length, left) in [(0, 0), (10, 0), (START, 0), (good.len() - BLOCK, 1), (good.len() - 1, 2)] {
        fs::write(&path, &good[..length]).expect("room");
        assert_eq!(loaded(&mut at(&path), &values).len(), left, "{length}");
        // And it resumes from there.
        save(&mut at(&path), &values);
        assert_eq!(loaded(&mut at(&path), &values), [0, 1, 2]);
    }
    // Half of a block is newer than the rest.
    let mut torn = good.clone();
    torn[START + HEAD..START + HEAD + 4096].fill(7);
    fs::write(&path, torn).expect("room");
    assert_eq!(loaded(&mut at(&path), &values), [1, 2]);
}

/// The error of a checkpoint that cannot be saved.
fn unsaved(checkpoint: &mut CheckpointFile, values: &[u8]) -> String {
    save(checkpoint, values);
    checkpoint.failed.take().expect("it is refused").to_string()
}

#[test]
fn a_foreign_or_damaged_file_is_refused_and_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, values) = (folder.path().join("part"), values());
    let refused = |why: &str| {
        let before = fs::read(&path).expect("a file");
        assert_eq!(loaded(&mut at(&path), &values), NONE);
        for error in
            [at(&path).claim().expect_err("it is not ours").to_string(), unsaved(&mut at(&path), &values)]
        {
            assert!(error.contains("part`") && error.contains(why), "{error}");
        }
        assert!(before == fs::read(&path).expect("a file"), "{why}");
    };
    let others = [
        (Variant::Ayoayo, 13, BYTES, "rule set is ayoayo there and kalah here"),
        (Variant::Kalah, 12, BYTES, "seeds is 12 there and 13 here"),
        (Variant::Kalah, 13, BYTES - 1, "bytes is 2621439 there and 2621440 here"),
    ];
    for (variant, seeds, bytes, why) in others {
        save(&mut CheckpointFile::at(path.clone(), variant, seeds, bytes), &values);
        refused(why);
        fs::remove_file(&path).expect("there");
    }
    fs::write(&path, "notes of another program").expect("room");
    refused("has other content than values of an endgame database");
    fs::remove_file(&path).expect("there");
    save(&mut at(&path), &values);
    let good = fs::read(&path).expect("a file");
    let newer = String::from_utf8_lossy(&good[..64]).replace("version 1", "version 2").into_bytes();
    let mut newer = [&newer, &good[64..]].concat();
    refit(&mut newer);
    fs::write(&path, newer).expect("room");
    refused("of version 2, this engine has version 1");
    fs::write(&path, [&good[..40], b"x", &good[41..]].concat()).expect("room");
    refused("is damaged from byte 1 on");
}

/// Gives a header that was changed the right check.
fn refit(bytes: &mut [u8]) {
    let at = bytes.windows(7).position(|window| window == b"check: ").expect("a check");
    let check = format!("{:08x}", crc32fast::hash(&bytes[..at]));
    bytes[at + 7..at + 15].copy_from_slice(check.as_bytes());
}

#[test]
fn two_builds_do_not_write_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, values) = (folder.path().join("part"), values());
    let mut first = at(&path);
    save(&mut first, &values);
    let error = at(&path).claim().expect_err("it is locked").to_string();
    assert!(error.starts_with("another program is writing to `"), "{error}");
    assert_eq!(loaded(&mut at(&path), &values), [0, 1, 2], "reading needs no lock");
    drop(first);
    at(&path).claim().expect("it is free");
}

#[test]
fn only_what_has_changed_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, mut values) = (folder.path().join("part"), values());
    save(&mut at(&path), &values);
    let mut checkpoint = at(&path);
    assert_eq!(loaded(&mut checkpoint, &values), [0, 1, 2]);
    // The next writer of the first block would repair it.
    let mut bytes = fs::read(&path).expect("a file");
    bytes[START + HEAD + 3] ^= 1;
    fs::write(&path, bytes).expect("room");
    values[BLOCK + 5] ^= 1;
    save(&mut checkpoint, &values);
    assert_eq!(loaded(&mut at(&path), &values), [1, 2]);
}

/// The timer triggers it, not the end of an iteration. The values may be anything that can be copied from: here an exchanged
/// snapshot.
#[test]
fn blocks_are_written_in_the_middle_of_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, mut now) = (folder.path().join("part"), values());
    let snapshot = Mutex::new(Arc::new(now.clone()));
    let read = |from: usize, block: &mut [u8]| {
        let values = Arc::clone(&snapshot.lock().expect("no panic"));
        block.copy_from_slice(&values[from..from + block.len()]);
        // The last block is never available.
        from < 2 * BLOCK
    };
    let mut checkpoint = at(&path).every(Duration::from_millis(10));
    let done = checkpoint.save_during(&read, &mut || {
        for round in 0..3 {
            while loaded_now(&path, &now) != [0, 1] {
                thread::sleep(Duration::from_millis(5));
            }
            now.iter_mut().for_each(|value| *value = value.wrapping_add(round));
            *snapshot.lock().expect("no panic") = Arc::new(now.clone());
        }
        Ok(())
    });
    assert_eq!((done, checkpoint.failed.is_none()), (Ok(()), true));
    checkpoint.remove();
    assert!(!path.exists());
}

/// The blocks with these values, in a file that may be being written.
fn loaded_now(path: &Path, values: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    at(path).load(&mut |from, block| {
        if values[from..from + block.len()] == *block {
            found.push(from / BLOCK);
        }
    });
    found
}

#[test]
fn the_work_does_not_wait_for_a_block() {
    let folder = tempfile::tempdir().expect("a folder");
    let (begun, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // A disk as slow as the work: a build that waited for it would never end.
    let read = |_: usize, _: &mut [u8]| {
        begun.fetch_add(1, Relaxed);
        while all.load(Relaxed) < 1000 {
            thread::sleep(Duration::from_millis(1));
        }
        true
    };
    let mut checkpoint = at(&folder.path().join("part")).every(Duration::from_millis(1));
    let done = checkpoint.save_during(&read, &mut || {
        while begun.load(Relaxed) == 0 {
            thread::yield_now();
        }
        (0..1000).for_each(|_| {
            all.fetch_add(1, Relaxed);
        });
        Ok(())
    });
    assert_eq!(done, Ok(()));
}

#[test]
fn a_build_goes_on_without_a_disk_and_tells_why_it_is_not_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, values) = (folder.path().join("gone").join("part"), values());
    let mut checkpoint = at(&path).every(Duration::from_millis(1));
    let tries = AtomicUsize::new(0);
    let read = |_: usize, _: &mut [u8]| {
        tries.fetch_add(1, Relaxed);
        true
    };
    // Until it has tried again after an error.
    let mut work = || {
        while tries.load(Relaxed) < 2 {
            thread::sleep(Duration::from_millis(1));
        }
        Err::<(), _>(Stopped)
    };
    assert_eq!(checkpoint.save_during(&read, &mut work), Err(Stopped));
    let failed = checkpoint.failed.take().expect("there is no folder").to_string();
    assert!(failed.contains("part` cannot be written"), "{failed}");
    // The disk is back.
    fs::create_dir(path.parent().expect("a folder")).expect("room");
    save(&mut checkpoint, &values);
    assert!(checkpoint.failed.is_none());
    assert_eq!(loaded(&mut at(&path), &values), [0, 1, 2]);
}

/// Passes the database and the folder to the child process.
const CHILD: &str = "KROO_TEST_CHECKPOINT";

/// A database built from the files of the smaller ones, with a checkpoint that is always being written.
struct Built<'a> {
    folder: &'a Path,
    seeds: u8,
}

fn part<R: Rules>(folder: &Path, seeds: u8) -> CheckpointFile {
    let bytes = board_count(seeds) * if R::LEAD_ADDS { 1 } else { 2 };
    let checkpoint = CheckpointFile::at(folder.join("database.part"), R::VARIANT, seeds, bytes);
    checkpoint.every(Duration::from_millis(1))
}

impl Visitor for Built<'_> {
    type Output = Database;

    fn visit<R: Rules>(self) -> Database {
        let Built { folder, seeds } = self;
        let endgames = Endgames::new();
        assert_eq!(
            endgames.open::<R>(folder, seeds - 1, &ThreadPool::single()).expect("files"),
            Some(seeds - 1)
        );
        let mut pool = WatchedPool { threads: &ThreadPool::new(2), watch: &mut |_| false };
        let builder = DatabaseBuilder::new(R::VARIANT, seeds);
        let database =
            builder.build(seeds, endgames.lower::<R>(seeds), &mut pool, &mut part::<R>(folder, seeds));
        database.expect("it is not stopped")
    }
}

/// The child process that the test below starts and kills; no test by itself.
#[test]
#[ignore = "a process of another test"]
fn child() {
    let Ok(told) = std::env::var(CHILD) else { return };
    let mut words = told.splitn(3, ' ');
    let variant: Variant = words.next().expect("a word").parse().expect("a rule set");
    let seeds = words.next().expect("a word").parse().expect("a number");
    variant.visit(Built { folder: Path::new(words.next().expect("a folder")), seeds });
}

fn killed_while_it_writes<R: Rules>(seeds: u8) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let endgames = Endgames::new();
    assert!(endgames.build::<R>(seeds, &mut || false));
    (0..seeds).for_each(|seeds| save_database::<R>(&endgames, folder, seeds).expect("a file"));
    let whole = endgames.database::<R>(seeds).expect("built");
    let (mut kills, mut most) = (0, 0);
    // Each goes on from what the ones before it have written.
    for steps in [0, 1, 2, 3, 4, 7, 12, 20].into_iter().step_by(one_of(3)) {
        let output = ignored_test("endgames::checkpoint::child")
            .env(CHILD, format!("{} {seeds} {}", R::VARIANT, folder.display()))
            .env("KROO_TEST_STEPS", steps.to_string())
            .output()
            .expect("it starts");
        // A killed process has no status.
        assert!(output.status.success() || output.status.code().is_none(), "{output:?}");
        kills += u32::from(!output.status.success());
        let loaded = part::<R>(folder, seeds).load(&mut |from, block| {
            // A database built in one pass has only final values and none.
            if R::VARIANT == Variant::Kalah {
                let right = |(at, &value): (usize, &u8)| value == 0x80 || value == whole.code(at);
                assert!((from..).zip(block).all(right));
            }
        });
        most = most.max(loaded);
    }
    assert!(kills > 0 && most > 0, "{}: killed {kills} times, and {most} bytes found", R::VARIANT);
    let built = Built { folder, seeds }.visit::<R>();
    assert!((0..whole.values.len()).all(|index| built.code(index) == whole.code(index)), "{}", R::VARIANT);
    assert_eq!((&built.thresholds, &built.rare), (&whole.thresholds, &whole.rare));
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_build_that_is_killed_while_it_writes_gives_the_same_level() {
    killed_while_it_writes::<Kalah>(13);
    killed_while_it_writes::<Awari>(11);
}

/// Any mixture of values of different times, byte by byte, is a valid start.
#[test]
fn any_mixture_gives_the_same_level() {
    let folder = tempfile::tempdir().expect("a folder");
    let (seeds, endgames) = (9, Endgames::new());
    assert!(endgames.build::<Kalah>(seeds, &mut || false));
    let whole = endgames.database::<Kalah>(seeds).expect("built");
    (0..seeds).for_each(|seeds| save_database::<Kalah>(&endgames, folder.path(), seeds).expect("a file"));
    for unlike in [1, 2, 3, 5000, 100_000] {
        let value = |index: usize| if index.is_multiple_of(unlike) { 0x80 } else { whole.code(index) };
        let values: Vec<u8> = (0..board_count(seeds)).map(value).collect();
        save(&mut part::<Kalah>(folder.path(), seeds), &values);
        let built = Built { folder: folder.path(), seeds }.visit::<Kalah>();
        assert!((0..values.len()).all(|index| built.code(index) == whole.code(index)), "{unlike}");
    }
}
