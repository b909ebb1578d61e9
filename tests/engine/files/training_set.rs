//! Tests of `src/tuning/training_set.rs`.

use kroo::evaluate::Weights;
use kroo::game::{Kalah, Position, Variant, Verdict};
use kroo::tuning::data::{DataHeader, TrainingPosition};
use kroo::tuning::training_set::*;
use kroo::tuning::{DataWriter, read_data};
use kroo::value::{Proof, Score, Value};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// Blocks of 3, 0 and 4 positions.
fn made(folder: &Path, name: &str, value: i32) -> PathBuf {
    let path = folder.join(name);
    let header = DataHeader { variant: Variant::Kalah, nodes: 1, seed: 1, endgame_seeds: 0 };
    let mut writer = DataWriter::open(&path, header, &Weights::built_in(Variant::Kalah)).expect("a new file");
    let board = Position::start(Variant::Kalah).board();
    let position = |number: i8| TrainingPosition {
        board,
        score: Score { value: Value::estimate(value + i32::from(number)), proof: Proof::NONE },
        result: Verdict::Win,
        margin: number,
    };
    for block in [0..3, 3..3, 3..7] {
        writer.add(&block.map(position).collect::<Vec<_>>()).expect("written");
    }
    path
}

#[test]
fn positions_are_numbered_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [("one", 0), ("other", 500)].map(|(name, value)| made(folder.path(), name, value));
    let files = paths.each_ref().map(|path| DataFile::open(path).expect("data"));
    let known = paths.iter().flat_map(|path| read_data(path).expect("data").1).collect::<Vec<_>>();
    let set = TrainingSet::new(&files, 0.3);
    assert_eq!((set.len(), known.len()), (14, 14));
    for (number, wanted) in known.into_iter().enumerate() {
        let (position, scale) = set.position(number).expect("a position");
        assert_eq!((position, scale), (wanted, files[number / 7].scale), "{number}");
    }
    set.check().expect("the positions are unchanged");
}

/// A truncated file is not misread, and training does not continue without it.
#[test]
fn a_file_that_changes_ends_the_training() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = made(folder.path(), "one", 0);
    let files = [DataFile::open(&path).expect("data")];
    let set = TrainingSet::new(&files, 0.3);
    assert!(set.sample::<Kalah>(6).is_some());
    let file = OpenOptions::new().write(true).open(&path).expect("it is there");
    file.set_len(60).expect("cut off");
    let _ = set.sample::<Kalah>(6);
    let error = set.check().expect_err("it is not what it was").to_string();
    assert!(error.contains("one` was changed while it was read"), "{error}");
}
