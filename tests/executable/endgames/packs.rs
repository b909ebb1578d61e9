//! Packed files of endgames: the same values, whatever happens, in less room.

use crate::command::{kroo, name, printed, refused};
use crate::endgames::builds::killed_after;
use kroo::endgames::{database_path, packed_path};
use kroo::game::Variant;
use kroo::protocol::Reply;
use std::collections::BTreeMap;
use std::fs;
#[cfg(target_os = "linux")]
use std::io::Write;
use std::path::Path;
use std::process::Command;
use support::client::Client;
use support::one_of;
use support::programs::kroo_path;
use tempfile::TempDir;

/// A folder with plain files.
fn plain(variant: Variant, seeds: u8) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let seeds = seeds.to_string();
    let words =
        ["--variant", variant.name(), "endgame", "build", "--seeds", &seeds, "--out", name(folder.path())];
    printed(&kroo(&words));
    folder
}

/// The files of databases in a folder.
fn databases(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let named = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let files = entries.map(|path| (named(&path), fs::read(&path).expect("a file")));
    files.filter(|(name, _)| name.ends_with(".endgame") || name.ends_with(".packed")).collect()
}

/// Packs a folder; returns the number of files made.
fn packed(folder: &TempDir, options: &[&str]) -> usize {
    made(&[&["endgame", "pack", name(folder.path())], options].concat())
}

fn made(words: &[&str]) -> usize {
    let said = printed(&kroo(words));
    said.split(' ').next().expect("a word").parse().unwrap_or_else(|_| panic!("{said}"))
}

#[test]
fn packed_files_come_back_byte_for_byte() {
    for variant in Variant::ALL.iter().copied().step_by(one_of(3)) {
        let folder = plain(variant, 8);
        let before = databases(folder.path());
        let said = printed(&kroo(&["endgame", "pack", name(folder.path())]));
        assert!(said.starts_with("9 files made in "), "{said}");
        let packed = databases(folder.path());
        assert!(
            packed.len() == 9 && packed.keys().all(|name| name.ends_with(".packed")),
            "{:?}",
            packed.keys()
        );
        let size = |files: &BTreeMap<String, Vec<u8>>, name: &str| files[name].len();
        let [one, other] = ["endgame", "packed"].map(|end| format!("{variant}-08.{end}"));
        assert!(size(&packed, &other) < size(&before, &one), "{variant}");
        // They say the same.
        let said = printed(&kroo(&["endgame", "info", name(folder.path())]));
        assert!(said.contains(&format!("{variant}:\n")), "{said}");
        let words = [
            "--variant",
            variant.name(),
            "endgame",
            "verify",
            "--samples",
            "30",
            "--dir",
            name(folder.path()),
        ];
        assert!(printed(&kroo(&words)).contains("up to 8 seeds: "), "{variant}");
        // A build goes on from them.
        let words =
            ["endgame", "build", "--variant", variant.name(), "--seeds", "9", "--out", name(folder.path())];
        assert!(printed(&kroo(&words)).contains("1 database built, 9 were there"), "{variant}");
        let nine = database_path(folder.path(), variant, 9);
        assert_eq!(
            fs::read(&nine).expect("a file"),
            fs::read(database_path(plain(variant, 9).path(), variant, 9)).expect("a file")
        );
        fs::remove_file(nine).expect("a file");
        printed(&kroo(&["endgame", "unpack", name(folder.path())]));
        assert!(databases(folder.path()) == before, "{variant}");
    }
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_killed_run_resumes() {
    let folder = plain(Variant::Oware, 7);
    let mut command = Command::new(kroo_path());
    command.args(["endgame", "pack", name(folder.path())]);
    assert!(killed_after(command, 40));
    // Of each database there is a file, whole.
    let packed_files = || databases(folder.path()).keys().filter(|name| name.ends_with(".packed")).count();
    let before = packed_files();
    assert!((1..8).contains(&before), "{before}");
    assert!(databases(folder.path()).len() >= 8);
    packed(&folder, &[]);
    assert_eq!((packed_files(), databases(folder.path()).len()), (8, 8));
}

/// A database of two batches: each step is the last one once. A batch that was packed is not packed again.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_killed_run_resumes_in_the_middle_of_a_database() {
    let all = plain(Variant::Kalah, 17);
    let [whole, broken] = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let old = database_path(all.path(), Variant::Kalah, 17);
    let [(expected, _), (found, partial)] = [&whole, &broken].map(|folder| {
        fs::copy(&old, database_path(folder.path(), Variant::Kalah, 17)).expect("room");
        let path = packed_path(folder.path(), Variant::Kalah, 17);
        (path.clone(), path.with_extension("packed.partial"))
    });
    assert_eq!(packed(&whole, &["--keep"]), 1);
    // One of other values is of no use.
    let other = "Kroo records 1\nformat: packed tiles, version 1\nplain file: 01234567\n";
    let check = format!("check: {:08x}\n", crc32fast::hash(other.as_bytes()));
    fs::write(&partial, [other, &check].concat()).expect("room");
    let expected = fs::read(expected).expect("a file");
    let mut sizes = Vec::new();
    for steps in (0..).step_by(one_of(2)) {
        let mut command = Command::new(kroo_path());
        command.args(["endgame", "pack", "--keep", name(broken.path())]);
        if !killed_after(command, steps) {
            break;
        }
        sizes.push(fs::metadata(&partial).map_or(0, |file| file.len() * 100 / expected.len() as u64));
        packed(&broken, &["--keep"]);
        assert!(fs::read(&found).expect("a file") == expected && !partial.exists(), "{steps} steps");
        fs::remove_file(&found).expect("a file");
    }
    let has = |sizes: &[u64], part: std::ops::Range<u64>| sizes.iter().any(|size| part.contains(size));
    assert!(has(&sizes, 65..95) && has(&sizes, 99..110), "{sizes:?}");
}

#[test]
fn old_files_stay_if_asked() {
    let folder = plain(Variant::Oware, 7);
    let before = databases(folder.path());
    assert_eq!(packed(&folder, &[]), 8);
    // Into another folder: both stay.
    let other = TempDir::new().expect("a folder");
    let unpack = ["endgame", "unpack", name(folder.path()), "--out", name(other.path())];
    assert_eq!(made(&unpack), 8);
    assert!(databases(other.path()) == before && databases(folder.path()).len() == 8);
    assert_eq!(made(&unpack), 0);
    // One that is there and is another one is not believed, and nothing is removed.
    let wrong = database_path(other.path(), Variant::Oware, 4);
    let right = fs::read(&wrong).expect("a file");
    let kalah = plain(Variant::Kalah, 4);
    fs::copy(database_path(kalah.path(), Variant::Kalah, 4), &wrong).expect("room");
    assert!(!kroo(&unpack).status.success());
    fs::write(&wrong, right).expect("room");
    assert_eq!(packed(&other, &["--keep"]), 8);
    assert_eq!(databases(other.path()).len(), 16);
    let empty = TempDir::new().expect("a folder");
    let error = refused(&kroo(&["endgame", "pack", name(empty.path())]));
    assert!(error.contains("there are no plain endgames in "), "{error}");
}

#[test]
fn a_packed_file_that_is_damaged_anywhere_is_refused_or_left_out() {
    let folder = plain(Variant::Awari, 9);
    packed(&folder, &[]);
    let path = packed_path(folder.path(), Variant::Awari, 9);
    let whole = fs::read(&path).expect("a file");
    let verify = ["--variant", "awari", "endgame", "verify", "--samples", "0", "--dir", name(folder.path())];
    printed(&kroo(&verify));
    let step = whole.len() / 24 * one_of(4);
    for place in (0..whole.len()).step_by(step.max(1)).chain([whole.len() - 1]) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x41;
        fs::write(&path, bytes).expect("room");
        let error = refused(&kroo(&verify));
        assert!(error.contains("awari-09.packed"), "byte {place}: {error}");
    }
    for length in [0, 7, 55, 56, 100, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).expect("room");
        let error = refused(&kroo(&verify));
        assert!(error.contains("awari-09.packed"), "{length} bytes: {error}");
    }
    fs::write(&path, [&whole[..], b"x"].concat()).expect("room");
    assert!(refused(&kroo(&verify)).contains("bytes where"));
}

/// Twelve seeds: too many for a short search to work them out by itself.
const TWELVE: &str = "position fen 1-1-1-1-1-1-1-1-1-1-1-1-18-18-S";

fn searched(client: &mut Client) -> Vec<String> {
    client.accepts("ucinewgame");
    client.accepts(TWELVE);
    let search = client.go("go nodes 4000");
    let line = |info: &kroo::protocol::Info| {
        format!("{:?} {:?} {:?} {:?}", info.nodes, info.tbhits, info.score, info.pv)
    };
    search.infos.iter().map(line).collect()
}

#[test]
fn a_search_finds_the_same_in_packed_files_and_goes_on_without_one_that_is_damaged() {
    let folder = plain(Variant::Awari, 10);
    let path = format!("setoption name EndgamePath value {}", folder.path().display());
    let mut client = Client::with_flags(&["--endgameseeds", "0"]);
    client.says(&path);
    client.set("EndgameSeeds", "48");
    let before = searched(&mut client);
    drop(client);
    packed(&folder, &[]);
    let mut client = Client::with_flags(&["--endgameseeds", "0"]);
    let said: Vec<String> = client.says(&path).iter().map(ToString::to_string).collect();
    assert_eq!(said, ["info string endgames of awari up to 10 seeds"]);
    client.set("EndgameSeeds", "48");
    assert_eq!(searched(&mut client), before);
    drop(client);
    // Damaged behind its header: that is found when it is first read.
    let largest = packed_path(folder.path(), Variant::Awari, 10);
    let mut bytes = fs::read(&largest).expect("a file");
    let behind = bytes.len() / 2;
    bytes[behind..].iter_mut().for_each(|byte| *byte ^= 0x55);
    fs::write(&largest, bytes).expect("room");
    let mut client = Client::with_flags(&["--endgameseeds", "0"]);
    client.says(&path);
    client.set("EndgameSeeds", "48");
    let mut told = String::new();
    for _ in 0..2 {
        for line in ["ucinewgame", TWELVE] {
            told.extend(client.says(line).iter().map(|reply| format!("{reply}\n")));
        }
        client.send("go nodes 4000");
        let replies = client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. }));
        told.extend(replies.iter().map(|reply| format!("{reply}\n")));
    }
    assert_eq!(told.matches("awari-10.packed").count(), 1, "{told}");
}

/// Cut off, overwritten and deleted while a search reads it: the search goes on, and the next one tells of it.
#[cfg(target_os = "linux")]
#[test]
fn a_packed_file_that_changes_during_a_search_is_left_out_and_play_goes_on() {
    type Fault = fn(&Path, &[u8]);
    let faults: [(&str, Fault, usize); 5] = [
        ("cut off", |path, _| cut(path, 0), 1),
        ("cut off in the middle", |path, whole| cut(path, whole.len() as u64 / 2), 1),
        ("overwritten", |path, whole| overwrite(path, &vec![0xa5; whole.len()]), 1),
        ("zeroed", |path, whole| overwrite(path, &vec![0; whole.len()]), 1),
        // A process that has mapped the file still has it.
        ("deleted", |path, _| fs::remove_file(path).expect("there"), 0),
    ];
    let folder = plain(Variant::Awari, 10);
    packed(&folder, &[]);
    let path = packed_path(folder.path(), Variant::Awari, 10);
    let whole = fs::read(&path).expect("a file");
    for (name, fault, errors) in faults {
        fs::write(&path, &whole).expect("room");
        let mut client = Client::with_flags(&["--endgameseeds", "0"]);
        client.says(&format!("setoption name EndgamePath value {}", folder.path().display()));
        client.set("EndgameSeeds", "10");
        client.accepts("position fen 1-2-0-2-1-2-1-2-3-1-2-3-14-14-S");
        client.send("go infinite");
        client.until("a probe", |reply| matches!(reply, Reply::Info(info) if info.tbhits > Some(100)));
        fault(&path, &whole);
        client.send("stop");
        let is_move = |reply: &Reply| matches!(reply, Reply::BestMove { .. });
        let mut told = client.until("`bestmove`", is_move);
        // Searches with an empty table look into the file.
        for _ in 0..8 {
            client.send("ucinewgame");
            client.send("go nodes 20000");
            told.extend(client.until("`bestmove`", is_move));
        }
        let told: String = told.iter().map(|reply| format!("{reply}\n")).collect();
        assert_eq!(told.matches("awari-10.packed").count(), errors, "{name}: {told}");
    }
}

#[cfg(target_os = "linux")]
fn cut(path: &Path, bytes: u64) {
    fs::File::options().write(true).open(path).and_then(|file| file.set_len(bytes)).expect("a shorter file");
}

/// In its place, without being cut off in between.
#[cfg(target_os = "linux")]
fn overwrite(path: &Path, bytes: &[u8]) {
    let file = fs::File::options().write(true).open(path);
    file.and_then(|mut file| file.write_all(bytes)).expect("room");
}

/// Earlier formats, which were never released, are not read.
#[test]
fn a_packed_file_of_another_version_is_refused_in_words() {
    let folder = plain(Variant::Awari, 3);
    packed(&folder, &[]);
    let path = packed_path(folder.path(), Variant::Awari, 3);
    let mut bytes = fs::read(&path).expect("a file");
    bytes[8] = 3;
    fs::write(&path, bytes).expect("room");
    let error = refused(&kroo(&["--variant", "awari", "endgame", "verify", "--dir", name(folder.path())]));
    assert!(
        error.contains("it has version 3 of the format, this engine reads version 4; delete it, then"),
        "{error}"
    );
}

/// Whatever the number of threads, the same bytes.
#[test]
fn packed_files_do_not_depend_on_the_threads() {
    let folder = plain(Variant::Oware, 9);
    let [one, three] = ["1", "3"].map(|threads| {
        let out = TempDir::new().expect("a folder");
        assert_eq!(packed(&folder, &["--threads", threads, "--out", name(out.path())]), 10);
        databases(out.path())
    });
    assert!(one == three && one.len() == 10);
}

#[test]
fn a_value_takes_few_bits() {
    for (variant, most) in [(Variant::Awari, 3.6), (Variant::Oware, 4.4)].into_iter().step_by(one_of(2)) {
        let folder = plain(variant, 10);
        let boards = fs::metadata(database_path(folder.path(), variant, 10)).expect("a file").len();
        assert_eq!(packed(&folder, &[]), 11);
        let bytes = fs::metadata(packed_path(folder.path(), variant, 10)).expect("a file").len();
        let bits = 8.0 * bytes as f64 / boards as f64;
        assert!(bits < most, "{variant}: {bits}");
    }
}
