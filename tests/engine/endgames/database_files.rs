//! Database files, written and opened.

use kroo::endgame_files::writer::write_database;
use kroo::endgames::building::coding::Coding;
use kroo::endgames::probe::database::Database;
use kroo::endgames::probe::database_files::*;
use kroo::endgames::probe::error::EndgameFileError;
use kroo::endgames::probe::error::EndgameFormatError;
use kroo::endgames::probe::file::DatabaseFile;
use kroo::endgames::probe::indexing::CODES;
use kroo::endgames::probe::plain_values::BLOCK;
use kroo::endgames::probe::thresholds::Thresholds;
use kroo::game::Variant;
use kroo::thread_pool::ThreadPool;

/// A database with given thresholds for each board, and at most `most` codes.
fn database_of(boards: impl Iterator<Item = Thresholds>, most: usize) -> Database {
    Coding::of_cells(
        vec![boards.map(|thresholds| thresholds.0).collect()],
        Thresholds,
        most,
        &ThreadPool::new(2),
    )
}

#[test]
fn no_number_of_thresholds_is_too_large() {
    // A skewed distribution: thresholds k at every board that k squared divides.
    let thresholds = |number: u64| {
        let root = (1..=40).rev().find(|root: &u64| number.is_multiple_of(root * root)).unwrap_or(0);
        Thresholds([root as u8, (3 * root) as u8])
    };
    let boards = (1..20_000).map(thresholds);
    for most in [2, 3, 17, 39, 40, 41, CODES] {
        let mut database = database_of(boards.clone(), most);
        assert!(database.thresholds.len() <= most && database.thresholds.is_sorted());
        assert_eq!(database.rare.is_empty(), most >= 40, "{most}");
        let folder = tempfile::tempdir().expect("a folder");
        let (path, bytes) = (folder.path().join("database"), boards.clone().count());
        write_database(&database, &path, Variant::Awari, 7).expect("a file");
        let file = DatabaseFile { variant: Variant::Awari, seeds: 7, bytes, coded: true, most: u8::MAX };
        let mapped = check_database(&file, &path, &ThreadPool::new(2)).expect("sound");
        for (index, thresholds) in boards.clone().enumerate() {
            let found = [database.thresholds(index), mapped.thresholds(index)];
            assert_eq!(found, [thresholds; 2], "{most}: {index}");
        }
        let opened = open_database(&file, &path).expect("a sound header");
        assert!(boards.clone().enumerate().all(|(index, known)| opened.thresholds(index) == known));
        // A board missing from the list, or listed although it has a code.
        if let Some(first) = database.rare.first().copied() {
            let listed = database.rare.clone();
            for wrong in [listed[1..].to_vec(), [&[(first.0 + 1, first.1)], &listed[1..]].concat()] {
                database.rare = wrong;
                write_database(&database, &path, Variant::Awari, 7).expect("a file");
                assert!(check_database(&file, &path, &ThreadPool::single()).is_err());
            }
        }
    }
}

/// Opening reads no values: damage shows when a block is first read, in that block only.
#[test]
fn a_block_is_checked_when_it_is_first_read() {
    let (bytes, most) = (2 * BLOCK + 999, u8::MAX);
    let thresholds = |number: usize| Thresholds([(number % 7) as u8, (number % 5) as u8]);
    let database = database_of((0..bytes).map(thresholds), CODES);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("database");
    write_database(&database, &path, Variant::Awari, 7).expect("a file");
    let file = DatabaseFile { variant: Variant::Awari, seeds: 7, bytes, coded: true, most };
    let mut damaged = std::fs::read(&path).expect("a file");
    let start = damaged.len() - bytes;
    damaged[start + BLOCK + 5] ^= 1;
    std::fs::write(&path, damaged).expect("room");
    let opened = open_database(&file, &path).expect("the header is sound");
    for index in [0, BLOCK - 1, 2 * BLOCK, bytes - 1] {
        assert_eq!(opened.thresholds(index), thresholds(index));
    }
    assert!(opened.is_sound() && opened.take_lost().is_none());
    opened.thresholds(BLOCK);
    assert!(!opened.is_sound());
    let block = EndgameFormatError::Block { block: 2, blocks: 3, byte: (start + BLOCK) as u64 };
    let says = |error| matches!(error, EndgameFileError::Format { error, .. } if error == block);
    assert!(opened.take_lost().is_some_and(says) && opened.take_lost().is_none(), "it is said once");
    let whole = check_database(&file, &path, &ThreadPool::new(2)).expect_err("all is checked");
    assert!(says(whole));
}
