//! Tests of `src/core/files/records/`: kills at any moment, any byte changed, full disks, two writers.

use kroo::files::records::{Origin, PlacedFile, RECORD_HEAD, RecordError, RecordFile, RecordReader};
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::folder_in_memory;
use tempfile::TempDir;

/// Passes the file to a writer process.
const TARGET: &str = "KROO_TEST_RECORDS";
/// Records of a whole file.
const RECORDS: u64 = 6;

fn origin() -> Origin {
    Origin::new("test records", 3).with("rule set", "kalah").with("nodes", 2000)
}

/// Each content depends on its number, and has another length.
fn content(number: u64) -> Vec<u8> {
    (0..number * 37 % 200 + 1).map(|at| (at * 7 + number) as u8 | 1).collect()
}

/// Opens a file, and returns its records.
fn opened(path: &Path) -> Result<(RecordFile, Vec<Vec<u8>>), RecordError> {
    let mut records = Vec::new();
    let file = RecordFile::open(path, &origin(), |record| {
        records.push(record.to_vec());
        true
    })?;
    Ok((file, records))
}

/// Writes the rest of a file.
fn complete(path: &Path) {
    let (mut file, records) = opened(path).expect("ours");
    assert_eq!(records, (0..records.len() as u64).map(content).collect::<Vec<_>>());
    for number in file.records()..RECORDS {
        file.append(&content(number)).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The records that a reader without a lock gets, and why it ends.
fn read(path: &Path) -> (usize, Option<RecordError>) {
    let file = File::open(path).expect("a file");
    let mut reader = match RecordReader::new(path, &file, ("test records", 3)) {
        Ok((_, reader)) => reader,
        Err(error) => return (0, Some(error)),
    };
    loop {
        match reader.next_record() {
            Ok(Some(record)) => assert_eq!(record, content(reader.records() - 1)),
            Ok(None) => return (reader.records() as usize, None),
            Err(error) => return (reader.records() as usize, Some(error)),
        }
    }
}

fn whole(folder: &TempDir) -> (PathBuf, Vec<u8>) {
    let path = folder.path().join("whole");
    complete(&path);
    let bytes = fs::read(&path).expect("a file");
    (path, bytes)
}

/// The process that tests below start, to be killed or refused; no test by itself.
#[test]
#[ignore = "a writer that other tests start"]
fn writer() {
    if let Some(target) = env::var_os(TARGET) {
        complete(Path::new(&target));
    }
}

fn writing(before: &str, target: &Path) -> Command {
    let mut command = Command::new("sh");
    command.env(TARGET, target).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
        .arg("-c")
        .arg(format!("{before} exec \"$0\" --exact files::records::writer --ignored --nocapture"))
        .arg(env::current_exe().expect("a path"));
    command
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_writer_that_is_killed_at_any_step_goes_on_to_the_same_bytes() {
    let folder = folder_in_memory();
    let (_, expected) = whole(&folder);
    let mut kills = 0;
    for steps in 0.. {
        let path = folder.path().join(steps.to_string());
        let output = writing("", &path).env("KROO_TEST_STEPS", steps.to_string()).output().expect("a shell");
        complete(&path);
        assert_eq!(fs::read(&path).expect("a file"), expected, "killed before step {}", steps + 1);
        if output.status.success() {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 2 * RECORDS, "{kills}");
}

/// A record that is cut off anywhere is replaced; a file is never read as if it ended there.
#[test]
fn a_file_that_is_cut_off_anywhere_goes_on_to_the_same_bytes() {
    let folder = folder_in_memory();
    let (path, expected) = whole(&folder);
    for zeros in [0, 1, 11, 12, 700] {
        for length in 0..=expected.len() {
            fs::write(&path, [&expected[..length], &vec![0; zeros]].concat()).expect("room");
            let before = fs::read(&path).expect("a file");
            match opened(&path) {
                Ok((file, records)) => {
                    drop(file);
                    complete(&path);
                    assert!(fs::read(&path).expect("a file") == expected, "{length} bytes, {zeros} zeros");
                    assert!(length < expected.len() || records.len() == RECORDS as usize);
                }
                // A few zeros among other bytes may have been written, and many in the header.
                Err(RecordError::Damaged { .. } | RecordError::Foreign { .. }) => {
                    assert!(zeros > 0, "{length} bytes, {zeros} zeros");
                    assert!(fs::read(&path).expect("a file") == before, "{length} bytes, {zeros} zeros");
                }
                Err(error) => panic!("{length} bytes, {zeros} zeros: {error}"),
            }
        }
    }
    fs::write(&path, [&expected[..], &[0; 4096]].concat()).expect("room");
    let (records, error) = read(&path);
    assert!(records == RECORDS as usize && matches!(error, Some(RecordError::Torn { bytes: 4096, .. })));
}

#[test]
fn any_byte_that_is_changed_is_found_and_the_file_stays_as_it_is() {
    let folder = folder_in_memory();
    let (path, expected) = whole(&folder);
    for at in 0..expected.len() {
        for change in [1, 0x80, 0xff] {
            let mut bytes = expected.clone();
            bytes[at] ^= change;
            fs::write(&path, &bytes).expect("room");
            let (records, error) = read(&path);
            assert!(records < RECORDS as usize && error.is_some(), "byte {at}");
            let error = opened(&path).expect_err("it is not what was written").to_string();
            assert!(error.contains("whole` "), "byte {at}: {error}");
            assert!(fs::read(&path).expect("a file") == bytes, "byte {at}");
        }
    }
    // What the message advises keeps the records before.
    let at = expected.len() - content(RECORDS - 1).len() - RECORD_HEAD;
    let mut bytes = expected.clone();
    bytes[at + 2] ^= 4;
    fs::write(&path, bytes).expect("room");
    let error = opened(&path).expect_err("damaged").to_string();
    let words = format!("`truncate -s {at} {}` keeps the {} records before", path.display(), RECORDS - 1);
    assert!(error.contains(&words), "{error}");
    fs::OpenOptions::new().write(true).open(&path).expect("a file").set_len(at as u64).expect("shorter");
    complete(&path);
    assert!(fs::read(&path).expect("a file") == expected);
}

/// A record counts in its place and file only.
#[test]
fn records_of_other_places_and_files_are_damage() {
    let folder = folder_in_memory();
    let (path, expected) = whole(&folder);
    let last = expected.len() - content(RECORDS - 1).len() - RECORD_HEAD;
    fs::write(&path, [&expected[..], &expected[last..]].concat()).expect("room");
    assert!(matches!(opened(&path), Err(RecordError::Damaged { records: RECORDS, .. })));
    let other = folder.path().join("other");
    let mut file = RecordFile::open(&other, &origin().with("seed", 1), |_| true).expect("new");
    let header = fs::metadata(&other).expect("a file").len() as usize;
    file.append(&content(0)).expect("room");
    drop(file);
    let foreign = fs::read(&other).expect("a file")[header..].to_vec();
    let own = expected.windows(7).position(|window| window == b"check: ").expect("a check") + 16;
    fs::write(&path, [&expected[..own], &foreign].concat()).expect("room");
    assert!(matches!(opened(&path), Err(RecordError::Damaged { records: 0, .. })));
}

#[test]
fn a_foreign_or_newer_file_is_refused_with_what_to_do() {
    let folder = folder_in_memory();
    let path = folder.path().join("it");
    let made = |origin: &Origin| drop(RecordFile::open(&path, origin, |_| true).expect("new"));
    let refused = |wanted: &str| {
        let before = fs::read(&path).expect("a file");
        let error = opened(&path).expect_err("it is not ours").to_string();
        assert!(error.contains(wanted) && error.contains("name another"), "{error}");
        assert_eq!(fs::read(&path).expect("a file"), before);
        fs::remove_file(&path).expect("there");
    };
    for text in ["my own notes\n", "Kroo is an engine", "\0\0\0\0\0\0\0\0x"] {
        fs::write(&path, text).expect("room");
        refused("has other content than test records, and stays as it is");
    }
    fs::write(&path, "Kroo records 2\nof an engine to come\n").expect("room");
    refused("has test records of version 2");
    made(&Origin::new("test records", 4).with("rule set", "kalah").with("nodes", 2000));
    refused("has test records of version 4, this engine has version 3");
    made(&Origin::new("other records", 3));
    refused("has other content than test records");
    made(&Origin::new("test records", 3).with("rule set", "kalah").with("nodes", 1000));
    refused("nodes is 1000 there and 2000 here");
    made(&Origin::new("test records", 3).with("rule set", "kalah"));
    refused("nodes is not given there and 2000 here");
    made(&origin().with("seed", 5));
    refused("seed is 5 there and not given here");
    let error = opened(&folder.path().join("no/such")).expect_err("no folder").to_string();
    assert!(error.contains("there is no folder"), "{error}");
}

#[test]
fn of_two_writers_one_is_refused() {
    let folder = folder_in_memory();
    let path = folder.path().join("it");
    let (mut file, _) = opened(&path).expect("new");
    file.append(&content(0)).expect("room");
    let error = opened(&path).expect_err("it is locked").to_string();
    assert!(error.starts_with("another program is writing to `"), "{error}");
    assert!(error.ends_with("wait for it, or name another file"), "{error}");
    let output = writing("", &path).output().expect("a shell");
    assert!(!output.status.success());
    file.append(&content(1)).expect("room");
    drop(file);
    assert_eq!(read(&path).0, 2);
    // A file that its writer removes at the end is made anew.
    let (file, _) = opened(&path).expect("free");
    file.remove();
    assert!(!path.exists());
    assert_eq!(opened(&path).expect("new").1, Vec::<Vec<u8>>::new());
}

/// A file size limit replaces a full disk.
#[test]
fn a_full_disk_leaves_whole_records() {
    let folder = folder_in_memory();
    let (path, expected) = whole(&folder);
    let full = folder.path().join("full");
    let output = writing("trap '' XFSZ; ulimit -f 1;", &full).output().expect("a shell");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("full` cannot be written: File too large"), "{said}");
    assert!(said.contains("make room on the disk"), "{said}");
    let (records, error) = read(&full);
    assert!(error.is_none() && (1..RECORDS as usize).contains(&records), "{records} {error:?}");
    complete(&full);
    assert_eq!(fs::read(&full).expect("a file"), expected);
    assert_eq!(read(&path).0, RECORDS as usize);
}

#[test]
fn a_record_in_a_place_is_whole_or_not_there() {
    let folder = folder_in_memory();
    let path = folder.path().join("it");
    let (mut file, mut content) = (PlacedFile::open(&path, &origin()).expect("new"), [0; 100]);
    assert!(file.is_new() && !file.read(0, 0, &mut content).expect("readable"));
    for (number, byte) in [(0, 5), (1, 6)] {
        file.write(number * 112, number, &[byte; 100]).expect("room");
    }
    file.write(0, 0, &[7; 100]).expect("room");
    file.sync().expect("a disk");
    assert!(PlacedFile::open(&path, &origin()).is_err(), "it is locked");
    let mut other = PlacedFile::read_only(&path, &origin()).expect("reading needs no lock");
    assert!(other.read(0, 0, &mut content).expect("readable") && content == [7; 100]);
    assert!(other.read(112, 1, &mut content).expect("readable") && content == [6; 100]);
    assert!(!other.read(0, 1, &mut content).expect("readable"), "another number");
    drop(file);
    let good = fs::read(&path).expect("a file");
    for at in PlacedFile::START as usize..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).expect("room");
        let mut file = PlacedFile::open(&path, &origin()).expect("ours");
        let sound = [0, 1].map(|number| file.read(number * 112, number, &mut content).expect("readable"));
        assert_eq!(sound, if at < 4096 + 112 { [false, true] } else { [true, false] }, "{at}");
    }
    let mut file = PlacedFile::open(&path, &origin()).expect("ours");
    assert!(!file.is_new());
    file.write(112, 1, &[8; 100]).expect("room");
    file.remove();
    assert!(!path.exists());
}

#[test]
fn records_are_read_once_more_and_writing_continues() {
    let folder = folder_in_memory();
    let path = folder.path().join("again");
    let (mut file, _) = opened(&path).expect("ours");
    let append = |file: &mut RecordFile, number| file.append(&content(number)).expect("room");
    append(&mut file, 0);
    let begin = fs::metadata(&path).expect("a file").len();
    append(&mut file, 1);
    let mut found = Vec::new();
    file.read_all(|record| {
        found.push(record.to_vec());
        Ok(())
    })
    .expect("whole");
    assert_eq!(found, [0, 1].map(content));
    // An error of the caller ends the reading, and the next record follows the last one all the same.
    let stopped = file.read_all(|_| Err(io::ErrorKind::Interrupted.into())).expect_err("it was asked to");
    assert_eq!(stopped.kind(), io::ErrorKind::Interrupted);
    append(&mut file, 2);
    assert_eq!(read(&path).0, 3);
    // Another program cuts the file off between two records.
    File::options().write(true).open(&path).and_then(|other| other.set_len(begin)).expect("a file");
    file.read_all(|_| Ok(())).expect_err("two are gone");
}
