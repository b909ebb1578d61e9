//! The fuzz targets of the referee's readers: see `tests/support/fuzz.rs`.

use kroo::game::Variant;
use kroo_referee::ledger::record::JournalReader;
use kroo_referee::schedule::{Opening, Openings, Shard};
use kroo_referee::tuning::Parameter;
use std::fs;
use support::folder_in_memory;
use support::fuzz::{fuzz, unsealed};
use support::scene::line;

/// Each line gets its checksum.
fn seal(bytes: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(bytes);
    let sealed: String = text.lines().map(|text| line(text.get(9..).unwrap_or_default())).collect();
    *bytes = sealed.into_bytes();
}

#[test]
fn of_journals() {
    let folder = folder_in_memory();
    let path = folder.path().join("journal");
    fuzz("journal", Vec::new(), seal, |bytes| {
        fs::write(&path, bytes).unwrap();
        let Ok(Some(mut reader)) = JournalReader::open(&path) else { return };
        let plan = reader.header().plan.clone();
        // A part of a small event may have no games.
        assert!(plan.check().is_ok() && (plan.games() > 0 || plan.shard != Shard::WHOLE));
        while let Ok(Some(game)) = reader.next_game() {
            assert!(plan.shard.has(game.scheduled.pair));
        }
    });
}

#[test]
fn of_openings() {
    let folder = folder_in_memory();
    let path = folder.path().join("openings");
    fuzz("openings", Vec::new(), unsealed, |bytes| {
        fs::write(&path, bytes).unwrap();
        let Ok(lines) = Openings::lines(&path) else { return };
        for &variant in Variant::ALL {
            let read = |line: &String| Opening::parse(variant, line, usize::MAX);
            if let Ok(mut openings) = Openings::read(&path, &lines, 40, read) {
                assert!(openings.next_opening().game().moves().len() < 40);
            }
        }
    });
}

/// The parameters of `referee tune`: what is taken is written so that it is understood in the same way, and every value within
/// the range has a text.
#[test]
fn of_parameters() {
    fuzz("parameter", Vec::new(), unsealed, |bytes| {
        for line in String::from_utf8_lossy(bytes).lines() {
            let Ok(parameter) = line.parse::<Parameter>() else { continue };
            assert_eq!(parameter.to_string().parse(), Ok(parameter.clone()));
            for value in [parameter.min, parameter.start, parameter.max] {
                let text = parameter.text(value);
                assert!(parameter.value_of(&text).is_some(), "{line}: {text}");
            }
        }
    });
}
