//! A journal after a power failure: cut anywhere in what was written last, with zeros or rubbish where data
//! never reached the disk.

use crate::records::journal::undated;
use kroo::game::split_mix;
use kroo_referee::ledger::record::{GameRecord, Journal, JournalReader};
use std::fs;
use std::path::Path;
use support::one_of;
use support::scene::{Report, Scene, words};

const OPTIONS: &str = "--rounds 3 --max-moves 20 --variant kalah";
const GAMES: usize = 18;

/// A round robin of three that keeps a journal.
fn play(scene: &Scene, options: &str) -> Report {
    let engines = ["honest", "last", "thoughtful"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let journal = scene.path("journal").to_string_lossy().into_owned();
    scene.run(&[engines, words(&format!("{OPTIONS} {options} --journal {journal}"))])
}

/// The journal of a tournament that was played to its end, its game file, and where its lines begin, and end.
fn complete(scene: &Scene) -> (Vec<u8>, String, Vec<usize>) {
    let report = play(scene, "");
    report.assert_played(GAMES);
    let bytes = fs::read(scene.path("journal")).unwrap();
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place + 1);
    let bounds: Vec<usize> = [0].into_iter().chain(ends).collect();
    assert_eq!(bounds.len(), GAMES + 2);
    (bytes, report.games, bounds)
}

/// Resumes a journal as the referee does: the records that it holds, and the file afterwards. Each time it is a new file: a
/// child of another test that has not begun its program yet still holds the lock of the one before.
fn resumed(path: &Path, bytes: &[u8]) -> (Vec<GameRecord>, Vec<u8>) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
    let header = JournalReader::open(path).unwrap().unwrap().header().clone();
    let (mut journal, reader) = Journal::resume(path, &header).unwrap();
    let mut reader = reader.unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next_game().unwrap() {
        records.push(record);
    }
    journal.continue_after(&reader).unwrap();
    (records, fs::read(path).unwrap())
}

fn numbers(records: &[GameRecord]) -> Vec<u64> {
    records.iter().map(|record| record.scheduled.number).collect()
}

#[test]
fn cut_at_any_byte_a_journal_keeps_all_whole_records() {
    let scene = Scene::in_memory();
    let (bytes, _, bounds) = complete(&scene);
    let path = scene.path("cut");
    let all = resumed(&path, &bytes).0;
    for cut in (bounds[GAMES - 2]..=bytes.len()).rev().step_by(one_of(3)) {
        let whole = bounds.iter().filter(|&&end| end <= cut).count() - 2;
        let (records, left) = resumed(&path, &bytes[..cut]);
        assert_eq!(records, all[..whole], "cut at {cut}");
        assert_eq!(left, bytes[..bounds[whole + 1]], "cut at {cut}");
    }
}

#[test]
fn whatever_the_disk_holds_after_the_last_whole_record_is_dropped() {
    let scene = Scene::in_memory();
    let (bytes, _, bounds) = complete(&scene);
    let path = scene.path("tail");
    let mut state = 5;
    for round in 0..400 / one_of(4) {
        let cut = bounds[GAMES - 1] + (split_mix(&mut state) as usize) % (bytes.len() - bounds[GAMES - 1]);
        // An end of line is all that was missing there.
        let cut = cut - usize::from(bounds.contains(&(cut + 1)));
        let whole = bounds.iter().filter(|&&end| end <= cut).count() - 2;
        let length = 1 + (split_mix(&mut state) % 6000) as usize;
        let rubbish: Vec<u8> = match round % 4 {
            // The file is as long as it was to be, or longer, but the data are not there.
            0 => vec![0; bytes.len() - cut],
            1 => vec![0; length],
            2 => (0..length).map(|_| split_mix(&mut state) as u8).collect(),
            _ => (0..length).map(|_| b"\n\n0f {}\""[split_mix(&mut state) as usize % 8]).collect(),
        };
        let (records, left) = resumed(&path, &[&bytes[..cut], &rubbish].concat());
        assert_eq!(numbers(&records).len(), whole, "round {round}, cut at {cut}");
        assert_eq!(left, bytes[..bounds[whole + 1]], "round {round}, cut at {cut}");
    }
}

#[test]
fn a_hole_among_what_was_written_at_once_costs_its_games_only() {
    let scene = Scene::in_memory();
    let (bytes, _, bounds) = complete(&scene);
    let path = scene.path("hole");
    let all = resumed(&path, &bytes).0;
    for (from, to) in [
        (bounds[15], bounds[16]),
        (bounds[15] + 7, bounds[16] + 30),
        (bounds[15] + 40, bounds[16]),
        (bounds[14], bounds[17] - 1),
    ] {
        let mut damaged = bytes.clone();
        damaged[from..to].fill(0);
        let (records, left) = resumed(&path, &damaged);
        // Line 0 is the header, line N record N - 1.
        // Without its end the line of a record goes on in that of the next.
        let hit = |index: usize| bounds[index + 1] <= to && bounds[index + 2] > from;
        let kept: Vec<GameRecord> = all
            .iter()
            .enumerate()
            .filter(|&(index, _)| !hit(index))
            .map(|(_, record)| record.clone())
            .collect();
        assert_eq!(numbers(&records), numbers(&kept), "{from}..{to}");
        assert_eq!(left, damaged);
    }
}

/// Killed before any change of its files, a match is resumed, and has each game once.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_journal_is_complete_whatever_step_is_the_last_one() {
    let scene = Scene::in_memory();
    let engines = ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let journal = scene.path("journal").display().to_string();
    let words = words(&format!("--rounds 1 --max-moves 10 --variant kalah --resume --journal {journal}"));
    let whole = scene.run(&[engines.clone(), words.clone()]);
    whole.assert_played(2);
    for steps in (0..).step_by(one_of(2)) {
        for file in ["journal", "games.ogn", "games.json"] {
            let _ = fs::remove_file(scene.path(file));
        }
        let mut killed = scene.command(&[engines.clone(), words.clone()]);
        let status = killed.env("KROO_TEST_STEPS", steps.to_string()).status().unwrap();
        let report = scene.run(&[engines.clone(), words.clone()]);
        assert_eq!(undated(&report.games), undated(&whole.games), "{steps} steps");
        let mut reader = JournalReader::open(Path::new(&journal)).unwrap().unwrap();
        let mut found = Vec::new();
        while let Some(record) = reader.next_game().unwrap() {
            found.push(record.scheduled.number);
        }
        assert_eq!(found, [1, 2], "{steps} steps");
        if status.success() {
            assert!(steps > 8, "{steps} steps");
            break;
        }
        assert!(steps < 60, "{steps} steps");
    }
}

#[test]
fn the_referee_plays_exactly_what_is_missing() {
    let scene = Scene::in_memory();
    let (bytes, games, bounds) = complete(&scene);
    let (end, last) = (bytes.len(), bounds[GAMES]);
    let with = |cut: usize, tail: &[u8]| [&bytes[..cut], tail].concat();
    let mut holed = bytes.clone();
    holed[bounds[15] + 9..bounds[16] + 9].fill(0);
    for (name, journal, missing, said) in [
        ("nothing", bytes.clone(), 0, ""),
        ("without the last end of line", with(end - 1, b""), 1, "was being written"),
        ("zeros for the last record", with(last, &vec![0; end - last]), 1, "was being written"),
        ("zeros from the middle of it", with(last + 100, &vec![0; 4096]), 1, "was being written"),
        ("rubbish after it", with(end, b"\x00\xff\nrubbish\n\n"), 0, "was being written"),
        ("only the header", with(bounds[1], b""), GAMES, ""),
        ("half of the header", with(60, b""), GAMES, ""),
        ("zeros and nothing else", vec![0; 4096], GAMES, ""),
        ("a hole over two records", holed, 2, "1 of its lines never reached the disk"),
    ] {
        fs::write(scene.path("journal"), journal).unwrap();
        if missing == GAMES {
            // It is begun after the journal.
            fs::remove_file(scene.path("games.ogn")).unwrap();
        }
        let report = play(&scene, "--resume --concurrency 2");
        assert_eq!(
            (report.status, report.finished()),
            (0, missing),
            "{name}: {}{}",
            report.stdout,
            report.stderr
        );
        assert!(
            report.stderr.contains(said) && report.stderr.is_empty() == said.is_empty(),
            "{name}: {}",
            report.stderr
        );
        assert_eq!(report.json["result"]["games"], GAMES, "{name}");
        assert_eq!(undated(&report.games), undated(&games), "{name}");
    }
}
