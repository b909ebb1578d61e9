//! Endgame files: values round-trip, and damaged files are refused.

use kroo::endgames::{
    EndgameFileError, EndgameFormatError, Endgames, ThreadPool, WatchedPool, board_count, database_path,
};
use kroo::game::{Awari, Awari1978, Ayoayo, Kalah, Oware, Rules, Variant};
use std::fs;
use std::path::Path;
use support::endgames::agree;
use tempfile::TempDir;

const SEEDS: u8 = 6;

/// Endgames in memory, and a folder with their files.
fn written<R: Rules>() -> (Endgames, TempDir) {
    let (endgames, folder) = (Endgames::new(), TempDir::new().expect("a folder"));
    assert!(
        endgames
            .build_with::<R>(SEEDS, &mut WatchedPool { threads: &ThreadPool::new(2), watch: &mut |_| false })
    );
    for seeds in 0..=SEEDS {
        kroo::endgame_files::save::<R>(&endgames, folder.path(), seeds).expect("a file");
    }
    (endgames, folder)
}

fn comes_back<R: Rules>() {
    let (built, folder) = written::<R>();
    let mapped = Endgames::new();
    assert_eq!(mapped.open::<R>(folder.path(), 4, &ThreadPool::single()).expect("files"), Some(4));
    assert_eq!(mapped.open::<R>(folder.path(), 48, &ThreadPool::new(2)).expect("files"), Some(SEEDS));
    (0..=SEEDS).for_each(|seeds| agree(R::VARIANT, &built, &mapped, seeds));
    // Databases built from mapped databases equal those built from databases in memory.
    for endgames in [&built, &mapped] {
        assert!(endgames.build::<R>(SEEDS + 1, &mut || false));
    }
    agree(R::VARIANT, &built, &mapped, SEEDS + 1);
    let planes = if R::SECOND_MOVE { 2 } else { 1 };
    let length =
        fs::metadata(database_path(folder.path(), R::VARIANT, SEEDS)).expect("a file").len() as usize;
    assert_eq!(length, 4096 + planes * board_count(SEEDS));
    let names = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, usize::from(SEEDS) + 1, "nothing else is left");
}

#[test]
fn a_level_comes_back_from_its_file() {
    comes_back::<Awari>();
    comes_back::<Awari1978>();
    comes_back::<Ayoayo>();
    comes_back::<Oware>();
    comes_back::<Kalah>();
}

fn fault(folder: &Path, endgames: &Endgames) -> (EndgameFormatError, String) {
    let error = endgames.open::<Awari>(folder, SEEDS, &ThreadPool::single()).expect_err("damaged");
    let text = error.to_string();
    assert!(
        text.contains("awari-06.endgame") && text.contains("kroo endgame build --variant awari --seeds 6")
    );
    let EndgameFileError::Format { error: fault, variant: Variant::Awari, seeds: SEEDS, .. } = error else {
        panic!("{text}")
    };
    (fault, text)
}

#[test]
fn no_byte_can_be_changed_or_left_out() {
    let (_, folder) = written::<Awari>();
    let path = database_path(folder.path(), Variant::Awari, SEEDS);
    let good = fs::read(&path).expect("a file");
    let head = good[..4096].iter().rposition(|&byte| byte != 0).expect("a header") + 1;
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a file");
        let endgames = Endgames::new();
        let (fault, text) = fault(folder.path(), &endgames);
        assert_eq!(endgames.built::<Awari>(), None, "{text}");
        fault
    };
    let padding = (head..4096).step_by(97).chain([4095]);
    for at in (0..head).chain(padding).chain((4096..good.len()).step_by(97)) {
        let mut wrong = good.clone();
        wrong[at] ^= 0x10;
        let fault = refused(&wrong);
        match at {
            0..8 => assert_eq!(fault, EndgameFormatError::Magic),
            8..10 => assert!(matches!(fault, EndgameFormatError::Version { .. })),
            4096.. => assert_eq!(fault, EndgameFormatError::Block { block: 1, blocks: 1, byte: 4096 }),
            at if at >= head => assert_eq!(fault, EndgameFormatError::Padding),
            _ => assert!(
                matches!(fault, EndgameFormatError::Header { .. } | EndgameFormatError::Length { .. }),
                "{at}: {fault}"
            ),
        }
    }
    for length in (0..head).chain([head, 4095, 4096, 4097, good.len() - 1]) {
        let fault = refused(&good[..length]);
        assert!(
            matches!(fault, EndgameFormatError::Length { .. } | EndgameFormatError::Magic),
            "{length}: {fault}"
        );
    }
    let longer = [&good[..], &[0]].concat();
    assert!(matches!(refused(&longer), EndgameFormatError::Length { .. }));
    fs::write(&path, &good).expect("a file");
    assert_eq!(
        Endgames::new().open::<Awari>(folder.path(), SEEDS, &ThreadPool::single()).expect("mended"),
        Some(SEEDS)
    );
}

#[test]
fn another_file_is_not_taken_for_a_level() {
    let (_, folder) = written::<Awari>();
    let (_, others) = written::<Oware>();
    let path = database_path(folder.path(), Variant::Awari, SEEDS);
    for (other, says) in [
        (database_path(others.path(), Variant::Oware, SEEDS), "it says that it is oware with 6 seeds"),
        (database_path(folder.path(), Variant::Awari, 5), "it says that it is awari with 5 seeds"),
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"), "does not begin with KROO-END"),
    ] {
        fs::copy(other, &path).expect("a file");
        let (_, text) = fault(folder.path(), &Endgames::new());
        assert!(text.contains(says), "{text}");
    }
    fs::remove_file(&path).expect("a file");
    assert_eq!(
        Endgames::new().open::<Awari>(folder.path(), 48, &ThreadPool::single()).expect("five databases"),
        Some(5)
    );
    assert_eq!(Endgames::new().open::<Kalah>(folder.path(), 48, &ThreadPool::single()).expect("none"), None);
    fs::create_dir(&path).expect("a folder");
    let error = Endgames::new()
        .open::<Awari>(folder.path(), SEEDS, &ThreadPool::single())
        .expect_err("a folder")
        .to_string();
    assert!(error.ends_with("cannot be read: it is a folder, not a file"), "{error}");
    let error = Endgames::new()
        .open::<Awari>(Path::new("/no/such"), 1, &ThreadPool::single())
        .expect_err("none")
        .to_string();
    assert!(error.starts_with("the endgames `/no/such` cannot be read: No such file"), "{error}");
}

/// Files are replaced while processes that have the old ones mapped keep them.
#[test]
fn a_mapped_file_can_be_replaced() {
    let (built, folder) = written::<Kalah>();
    let mapped = Endgames::new();
    mapped.open::<Kalah>(folder.path(), SEEDS, &ThreadPool::single()).expect("files");
    let path = database_path(folder.path(), Variant::Kalah, SEEDS);
    kroo::endgame_files::save::<Kalah>(&built, folder.path(), SEEDS).expect("a file");
    agree(Variant::Kalah, &built, &mapped, SEEDS);
    fs::remove_file(path).expect("a file");
    agree(Variant::Kalah, &built, &mapped, SEEDS);
}
