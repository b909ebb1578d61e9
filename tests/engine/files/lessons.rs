//! Tests of `src/learn/file.rs`.

use kroo::learn::file::*;
use std::fs;

/// The file is compacted twice: the second new file may have the number of the one that was read.
#[test]
fn a_file_that_was_replaced_twice_is_another_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    let replace = |lessons: usize| {
        let text: String = (0..lessons).map(|number| format!("classic1978 N 10-{number} BfFc.\n")).collect();
        fs::write(folder.path().join("new"), format!("{HEADER}\n{text}")).expect("a file");
        fs::rename(folder.path().join("new"), &path).expect("a place");
    };
    for _ in 0..50 {
        replace(3);
        let (mut file, update) = LearnFile::open(&path).expect("lessons");
        assert_eq!(update.games.len(), 3);
        replace(1);
        replace(9);
        let update = file.read_new().expect("lessons");
        assert!(update.replaced);
        assert_eq!(update.games.len(), 9);
        assert_eq!(file.read_new().expect("lessons"), LearnUpdate::default());
    }
}
