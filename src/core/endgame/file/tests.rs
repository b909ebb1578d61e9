//! Tests of the file of a level.

use super::*;
use crate::endgame::coding::Coding;
use crate::endgame::level_files::check_level;
use std::fs::File;

/// A level from the thresholds of each board, with so many codes at most.
fn level_of(boards: impl Iterator<Item = Thresholds>, most: usize) -> EndgameLevel {
    Coding::of_cells(vec![boards.map(|thresholds| thresholds.0).collect()], Thresholds, most, 2)
}

#[test]
fn no_number_of_thresholds_is_too_large() {
    // A skewed crowd: thresholds k at every board that k squared divides.
    let thresholds = |number: u64| {
        let root = (1..=40).rev().find(|root: &u64| number.is_multiple_of(root * root)).unwrap_or(0);
        Thresholds([root as u8, (3 * root) as u8])
    };
    let boards = (1..20_000).map(thresholds);
    for most in [2, 3, 17, 39, 40, 41, CODES] {
        let mut level = level_of(boards.clone(), most);
        assert!(level.thresholds.len() <= most && level.thresholds.is_sorted());
        assert_eq!(level.rare.is_empty(), most >= 40, "{most}");
        let folder = tempfile::tempdir().expect("a folder");
        let (path, bytes) = (folder.path().join("level"), boards.clone().count());
        write_level(&level, &path, Variant::Awari, 7).expect("a file");
        let file = LevelFile {
            kind: FileKind::Level,
            variant: Variant::Awari,
            seeds: 7,
            bytes,
            coded: true,
            most: u8::MAX,
        };
        let mapped = check_level(&file, &path, 2).expect("sound");
        for (index, thresholds) in boards.clone().enumerate() {
            let found = [level.thresholds(index), mapped.thresholds(index)];
            assert_eq!(found, [thresholds; 2], "{most}: {index}");
        }
        let opened = file.plain_level(&path).expect("a sound header");
        assert!(boards.clone().enumerate().all(|(index, known)| opened.thresholds(index) == known));
        // A board that is left out of the list, or told of although it has a code.
        if let Some(first) = level.rare.first().copied() {
            let listed = level.rare.clone();
            for wrong in [listed[1..].to_vec(), [&[(first.0 + 1, first.1)], &listed[1..]].concat()] {
                level.rare = wrong;
                write_level(&level, &path, Variant::Awari, 7).expect("a file");
                assert!(check_level(&file, &path, 1).is_err());
            }
        }
    }
}

/// Opening reads no values: what is damaged shows when it is first read, and there only.
#[test]
fn a_block_is_checked_when_it_is_first_read() {
    let (bytes, most) = (2 * BLOCK + 999, u8::MAX);
    let thresholds = |number: usize| Thresholds([(number % 7) as u8, (number % 5) as u8]);
    let level = level_of((0..bytes).map(thresholds), CODES);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("level");
    write_level(&level, &path, Variant::Awari, 7).expect("a file");
    let (kind, variant) = (FileKind::Level, Variant::Awari);
    let file = LevelFile { kind, variant, seeds: 7, bytes, coded: true, most };
    let mut damaged = std::fs::read(&path).expect("a file");
    damaged[PAGE + BLOCK + 5] ^= 1;
    std::fs::write(&path, damaged).expect("room");
    let opened = file.plain_level(&path).expect("the header is sound");
    for index in [0, BLOCK - 1, 2 * BLOCK, bytes - 1] {
        assert_eq!(opened.thresholds(index), thresholds(index));
    }
    assert!(opened.is_sound() && opened.take_lost().is_none());
    opened.thresholds(BLOCK);
    assert!(!opened.is_sound());
    let block = EndgameFormatError::Block { block: 2, blocks: 3, byte: (PAGE + BLOCK) as u64 };
    let says = |error| matches!(error, EndgameFileError::Format { error, .. } if error == block);
    assert!(opened.take_lost().is_some_and(says) && opened.take_lost().is_none(), "it is said once");
    let whole = check_level(&file, &path, 2).expect_err("all is checked");
    assert!(says(whole));
}

/// Counts the bytes that are read from it.
struct Counted<'a>(&'a File, u64);

impl Read for Counted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(bytes)?;
        self.1 += length as u64;
        Ok(length)
    }
}

/// A forged header asks for gigabytes, and the file has them as a hole.
#[test]
fn a_file_full_of_holes_is_refused_after_its_first_bytes() {
    let file = LevelFile::of_level::<crate::game::Awari>(24);
    let boards = file.bytes as u64;
    for (values, rare, thresholds) in
        [(boards, boards, 256), (boards, boards, 1 << 30), (boards, u64::MAX >> 8, 1), (1 << 40, 0, 2)]
    {
        let hole = tempfile::NamedTempFile::new().expect("a file");
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend([FileKind::Level as u8, 24]);
        header.extend(*b"awari\0\0\0\0\0\0\0");
        header.extend(values.to_le_bytes());
        header.extend(rare.to_le_bytes());
        header.extend((thresholds as u32).to_le_bytes());
        header.extend((BLOCK as u32).to_le_bytes());
        std::fs::write(hole.path(), &header).expect("room");
        let length = 60 << 30;
        hole.as_file().set_len(length).expect("a hole");
        let opened = File::open(hole.path()).expect("there");
        let mut counted = Counted(&opened, 0);
        let found = file.header(&mut counted, length).expect("it can be read");
        assert!(found.is_err(), "{values} {rare} {thresholds}");
        assert!(counted.1 < 1 << 20, "{} bytes were read", counted.1);
    }
}
