//! The fuzz targets of the engine's readers: see `fuzz.rs`.

use crate::fuzz::{fuzz, unsealed};
use kroo::book::Book;
use kroo::endgame::{Endgames, level_path};
use kroo::evaluate::Weights;
use kroo::game::{Awari, Kalah, Position, Rules, Variant};
use kroo::learn::LearnFile;
use kroo::ogn::{Reader, parse};
use kroo::players::evolved::EvolvedWeights;
use kroo::protocol::{Command, Reply};
use std::fs;
use std::path::Path;

/// The last four bytes are the CRC-32 of the others.
fn seal(bytes: &mut Vec<u8>) {
    if let Some(body) = bytes.len().checked_sub(4) {
        bytes.truncate(body);
        bytes.extend(crc32fast::hash(bytes).to_le_bytes());
    }
}

#[test]
fn of_protocol_lines() {
    fuzz("protocol", Vec::new(), unsealed, |bytes| {
        for line in String::from_utf8_lossy(bytes).lines() {
            // What is understood is written so that it is understood in the same way.
            if let Ok(reply) = Reply::parse(line) {
                let again = reply.to_string();
                assert_eq!(Reply::parse(&again).map(|reply| reply.to_string()), Ok(again));
            }
            let _ = Command::parse(line);
            let _ = Position::parse(Variant::Awari, line);
        }
    });
}

#[test]
fn of_game_files() {
    fuzz("ogn", Vec::new(), unsealed, |bytes| {
        Reader::new(bytes).for_each(drop);
        let Ok(games) = parse(&String::from_utf8_lossy(bytes)) else { return };
        let text: String = games.iter().map(ToString::to_string).collect();
        let again = parse(&text).expect("what is written can be read");
        assert_eq!(again.len(), games.len());
        assert!(again.iter().zip(&games).all(|(one, other)| one.game == other.game));
    });
}

#[test]
fn of_files_of_lessons() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("learned");
    fuzz("learn", Vec::new(), unsealed, |bytes| {
        fs::write(&path, bytes).expect("a file");
        if let Ok((_, update)) = LearnFile::open(&path) {
            let (_, again) = LearnFile::open(&path).expect("a file that was sound stays sound");
            assert_eq!(again.games.len(), update.games.len());
        }
    });
}

#[test]
fn of_books() {
    fuzz("book", Vec::new(), seal, |bytes| {
        if let Ok(book) = Book::from_bytes(bytes) {
            assert!(Book::from_bytes(&book.to_bytes()).is_ok());
        }
    });
}

#[test]
fn of_weights() {
    let compiled = include_bytes!("../../src/game/rule_sets/kalah.eval").to_vec();
    fuzz("weights", vec![compiled], seal, |bytes| {
        if let Ok(weights) = Weights::from_bytes(bytes, Variant::Kalah) {
            assert!(Weights::from_bytes(&weights.to_bytes(), Variant::Kalah).is_ok());
        }
    });
}

#[test]
fn of_weights_of_evolved_players() {
    fuzz("evolved", Vec::new(), unsealed, |bytes| {
        let _ = EvolvedWeights::parse(&String::from_utf8_lossy(bytes));
    });
}

/// The level of three seeds of each of two rule sets: one is kept as codes, the other as values.
#[test]
fn of_endgame_files() {
    let (whole, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let files = [Variant::Awari, Variant::Kalah].map(|variant| {
        let mut kroo = std::process::Command::new(env!("CARGO_BIN_EXE_kroo"));
        kroo.args(["endgame", "build", "--seeds", "3", "--variant", variant.name(), "--out"])
            .arg(whole.path());
        assert!(kroo.output().expect("kroo").status.success());
        for seeds in 0..3 {
            let path = level_path(whole.path(), variant, seeds);
            if path.exists() {
                fs::copy(&path, level_path(folder.path(), variant, seeds)).expect("a copy");
            }
        }
        fs::read(level_path(whole.path(), variant, 3)).expect("a level")
    });
    let open = |path: &Path| {
        fn seeds<R: Rules>(folder: &Path) -> Option<u8> {
            Endgames::new().open::<R>(folder, 3, 1).ok().flatten()
        }
        (seeds::<Awari>(path), seeds::<Kalah>(path))
    };
    assert_eq!(open(whole.path()), (Some(3), Some(3)));
    fuzz(
        "endgame",
        files.to_vec(),
        |bytes| seal_level(bytes),
        |bytes| {
            for variant in [Variant::Awari, Variant::Kalah] {
                fs::write(level_path(folder.path(), variant, 3), bytes).expect("a file");
            }
            open(folder.path());
        },
    );
}

/// The checksum of a level's header stands behind it: 48 bytes, and 2 for each threshold, 10 for each rare board and 4 for
/// each mebibyte of values.
fn seal_level(bytes: &mut [u8]) {
    let number = |at: usize, length: usize| {
        let mut all = [0; 8];
        all[..length].copy_from_slice(bytes.get(at..at + length)?);
        usize::try_from(u64::from_le_bytes(all)).ok()
    };
    let length = || {
        let blocks = number(24, 8)?.div_ceil(1 << 20);
        let rare = number(32, 8)?.checked_mul(10)?;
        48_usize.checked_add(rare)?.checked_add(2 * number(40, 4)?)?.checked_add(blocks.checked_mul(4)?)
    };
    if let Some(end) = length().filter(|&end| end + 4 <= bytes.len()) {
        let sum = crc32fast::hash(&bytes[..end]).to_le_bytes();
        bytes[end..end + 4].copy_from_slice(&sum);
    }
}
