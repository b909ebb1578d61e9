//! Files that are damaged after their headers.

use kroo::endgames::{Boards, Endgames, database_path};
use kroo::game::{Awari, Board, Kalah, Rules};
use kroo::value::Score;
use std::fs;

fn probes<R: Rules>(endgames: &Endgames, seeds: u8) -> Vec<Option<Score>> {
    let boards = Boards::with(seeds).map(|board| {
        let stored = R::SEEDS - seeds;
        Board { mover: board.mover.bank(stored / 2), other: board.other.bank(stored - stored / 2) }
    });
    boards
        .filter(|&board| R::ending(board).is_none())
        .map(|board| endgames.probe::<R>(board, seeds))
        .collect()
}

fn goes_on_without<R: Rules>(damaged: u8) {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = Endgames::new();
    assert!(whole.build::<R>(6, &mut || false));
    (0..=6).for_each(|seeds| kroo::endgame_files::save::<R>(&whole, folder.path(), seeds).expect("room"));
    let path = database_path(folder.path(), R::VARIANT, damaged);
    let mut bytes = fs::read(&path).expect("a file");
    // After the header, so that it is found by reading.
    let behind = bytes.len() - 40;
    bytes[behind] ^= 0x55;
    fs::write(&path, bytes).expect("room");
    let endgames = Endgames::new();
    endgames.open_by_headers::<R>(folder.path(), 6).expect("the headers are right");
    assert!(probes::<R>(&endgames, damaged).contains(&None), "its values are not used");
    assert_eq!((endgames.built::<R>(), endgames.take_lost_files::<R>().len()), (damaged.checked_sub(1), 1));
    assert!(endgames.build::<R>(6, &mut || false), "the database is built in memory");
    assert_eq!(endgames.built::<R>(), Some(6));
    for seeds in 0..=6 {
        assert!(probes::<R>(&endgames, seeds) == probes::<R>(&whole, seeds), "{seeds} seeds");
    }
    assert!(endgames.take_lost_files::<R>().is_empty());
}

#[test]
fn a_damaged_file_counts_as_missing() {
    goes_on_without::<Awari>(4);
    goes_on_without::<Kalah>(5);
}
