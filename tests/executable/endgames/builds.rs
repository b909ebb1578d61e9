//! Builds of endgames through the executable: the same files always, whatever cuts them off, and clear words.

use crate::command::{kroo, name, printed, refused};
use kroo::endgames::{Indexing, database_path};
use kroo::game::{Board, ROW, Row, Variant};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output};
#[cfg(unix)]
use std::{process::Stdio, thread, time::Duration};
use support::client::Client;
use support::one_of;
use support::programs::kroo_path;
use tempfile::TempDir;

pub(crate) fn building(folder: &Path, variant: &str, seeds: &str, more: &[&str]) -> Command {
    let mut command = Command::new(kroo_path());
    command
        .args(["endgame", "build", "--variant", variant, "--seeds", seeds, "--out", name(folder)])
        .args(more);
    command
}

pub(crate) fn build(folder: &Path, variant: &str, seeds: &str, more: &[&str]) -> Output {
    building(folder, variant, seeds, more).output().expect("the engine starts")
}

pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let named = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    entries.map(|path| (named(&path), fs::read(&path).expect("a file"))).collect()
}

#[test]
fn the_name_of_a_folder_controls_no_terminal() {
    let folder = TempDir::new().expect("a folder");
    let output = build(&folder.path().join("a\u{1b}[31mb"), "kalah", "2", &[]);
    let said = printed(&output) + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("a\\u{1b}[31mb") && !said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn files_are_the_same_on_any_number_of_threads() {
    for variant in Variant::ALL.iter().step_by(one_of(3)) {
        let [one, three] = [1, 3].map(|_| TempDir::new().expect("a folder"));
        printed(&build(one.path(), variant.name(), "7", &["--threads", "1"]));
        let said = printed(&build(three.path(), variant.name(), "7", &["--threads", "3"]));
        assert!(said.contains("up to 7 seeds, 50388 positions: 8 databases built, 0 were there"), "{said}");
        let made = files(one.path());
        assert_eq!(made.len(), 8, "{variant}");
        assert!(made == files(three.path()), "{variant}");
        // Again: nothing is left to do, and nothing changes.
        let said = printed(&build(one.path(), variant.name(), "7", &[]));
        assert!(said.contains("0 databases built, 8 were there"), "{said}");
        assert!(made == files(one.path()), "{variant}");
    }
}

/// Kills a build before its next change of a file after a number of changes; returns whether it made that many.
pub(crate) fn killed_after(mut build: Command, steps: u32) -> bool {
    let output = build.env("KROO_TEST_STEPS", steps.to_string()).output().expect("it starts");
    // A killed process has no status.
    assert!(output.status.success() || output.status.code().is_none(), "{output:?}");
    !output.status.success()
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_build_that_is_killed_again_and_again_gives_the_same_files() {
    for (variant, seeds) in [("awari", "7"), ("ayoayo", "7"), ("kalah", "8")] {
        let [whole, broken] = [1, 2].map(|_| TempDir::new().expect("a folder"));
        printed(&build(whole.path(), variant, seeds, &[]));
        let mut kills = 0;
        // Levels that are there stay, so each step of the smaller ones is the last one in its turn.
        while killed_after(building(broken.path(), variant, seeds, &["--threads", "2"]), kills) {
            kills += 1;
            // Whatever is there under its name is whole.
            for (name, bytes) in files(broken.path()).iter().filter(|(name, _)| name.ends_with(".endgame")) {
                assert!(files(whole.path())[name] == *bytes, "{variant}: {name}");
            }
        }
        assert!(kills > 5, "{variant} was killed {kills} times");
        assert!(files(broken.path()) == files(whole.path()), "{variant}: and nothing is left of the kills");
    }
}

/// `tests/engine/endgames/interrupted.rs` stops a level at each moment of its work.
#[cfg(unix)]
#[test]
fn a_build_that_is_asked_to_stop_says_how_to_go_on() {
    let folder = TempDir::new().expect("a folder");
    let before = database_path(folder.path(), Variant::Awari, 6);
    // The largest levels would take hours.
    let mut child = building(folder.path(), "awari", "18", &["--threads", "1", "--memory", "100"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    while !before.exists() {
        assert!(child.try_wait().expect("a child").is_none(), "it has ended");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().last().expect("a line");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(line.starts_with("kroo: stopped with the databases up to "), "{text}");
    assert!(line.ends_with("; the same command continues"), "{text}");
}

#[test]
fn two_builds_do_not_share_a_folder() {
    let folder = TempDir::new().expect("a folder");
    let lock = File::open(folder.path()).expect("a folder");
    lock.lock().expect("a lock");
    let error = refused(&build(folder.path(), "kalah", "3", &[]));
    assert!(error.contains("another build is at work in") && error.contains("--out"), "{error}");
    assert!(files(folder.path()).is_empty());
    drop(lock);
    printed(&build(folder.path(), "kalah", "3", &[]));
}

/// A limit on the size of files simulates a full disk: in both cases a writer gets an error halfway.
#[test]
fn a_disk_that_is_full_leaves_no_half_file() {
    let folder = TempDir::new().expect("a folder");
    let line = format!(
        "trap '' XFSZ; ulimit -f 100; exec {} endgame build --variant kalah --seeds 9 --out {}",
        kroo_path(),
        name(folder.path())
    );
    let error = refused(&Command::new("sh").args(["-c", &line]).output().expect("a shell"));
    assert!(error.contains("kalah-") && error.contains("cannot be written: File too large"), "{error}");
    let left = files(folder.path());
    assert!(left.len() >= 6 && left.keys().all(|name| name.ends_with(".endgame")), "{:?}", left.keys());
    printed(&build(folder.path(), "kalah", "9", &[]));
    printed(&kroo(&[
        "endgame",
        "verify",
        "--variant",
        "kalah",
        "--dir",
        name(folder.path()),
        "--samples",
        "50",
    ]));
}

#[test]
fn too_little_memory_is_seen_before_the_work_begins() {
    let folder = TempDir::new().expect("a folder");
    let error = refused(&build(folder.path(), "awari", "26", &["--memory", "0.125"]));
    for part in [
        "awari with 26 seeds takes at least 0.",
        " GiB of memory for its largest database, and 0.12 GiB are allowed by --memory",
        "build up to 2",
    ] {
        assert!(error.contains(part), "{error}");
    }
    // No rule set has another wall, and these are the most seeds there are in a game.
    for (variant, seeds) in
        [("ayoayo", "40"), ("ayoayo", "48"), ("oware", "48"), ("awari", "48"), ("kalah", "48")]
    {
        let error = refused(&build(folder.path(), variant, seeds, &["--memory", "20"]));
        let says = format!("{variant} with {seeds} seeds takes at least ");
        assert!(error.contains(&says) && error.contains("20.00 GiB are allowed"), "{error}");
        assert!(
            ["build up to 2", "build up to 3", "build up to 4"].iter().any(|fits| error.contains(fits)),
            "{error}"
        );
    }
    // A machine with more memory has no room on the disk.
    let error = refused(&build(folder.path(), "oware", "48", &[]));
    let memory = error.contains("oware with 48 seeds takes at least") && error.contains("are available");
    assert!(memory || error.contains("GiB more on the disk, and "), "{error}");
    assert!(files(folder.path()).is_empty());
    let error =
        refused(&build(&folder.path().join("x\0y".replace('\0', "/")), "kalah", "2", &["--memory", "0.001"]));
    assert!(error.contains("0.0010 GiB are allowed by --memory: "), "{error}");
    assert!(error.ends_with("allow more") && !error.contains("up to 0 seeds"), "{error}");
    for wrong in ["0", "-3", "much"] {
        let output = build(folder.path(), "kalah", "2", &["--memory", wrong]);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{wrong}");
    }
}

#[test]
fn a_damaged_level_is_refused_and_not_overwritten() {
    let folder = TempDir::new().expect("a folder");
    printed(&build(folder.path(), "kalah", "5", &[]));
    let path = database_path(folder.path(), Variant::Kalah, 4);
    let mut bytes = fs::read(&path).expect("a file");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&path, &bytes).expect("a file");
    for words in [&["build", "--seeds", "6", "--out"][..], &["verify", "--dir"]] {
        let error =
            refused(&kroo(&[&["--variant", "kalah", "endgame"], words, &[name(folder.path())]].concat()));
        assert!(error.contains("kalah-04.endgame` is not a sound file of endgames: block 1 of 1"), "{error}");
        assert!(
            error.contains("delete it, then `kroo endgame build --variant kalah --seeds 4 --out "),
            "{error}"
        );
    }
    assert_eq!(fs::read(&path).expect("a file"), bytes);
    fs::remove_file(&path).expect("a file");
    let said = printed(&build(folder.path(), "kalah", "5", &[]));
    assert!(said.contains("1 database built, 5 were there"), "{said}");
}

/// A file whose checksums are right, and one value wrong.
fn forge(path: &Path, number: usize, change: impl Fn(u8) -> u8) {
    let mut bytes = fs::read(path).expect("a file");
    bytes[4096 + number] = change(bytes[4096 + number]);
    let head = bytes[..4096].iter().rposition(|&byte| byte != 0).expect("a header") + 1;
    let worths = 2 * u32::from_le_bytes(bytes[40..44].try_into().expect("four bytes")) as usize;
    let sum = crc32fast::hash(&bytes[4096..]).to_le_bytes();
    bytes[48 + worths..52 + worths].copy_from_slice(&sum);
    let sum = crc32fast::hash(&bytes[..52 + worths]).to_le_bytes();
    assert!(head <= 56 + worths);
    bytes[52 + worths..56 + worths].copy_from_slice(&sum);
    fs::write(path, bytes).expect("a file");
}

#[test]
fn verify_finds_a_wrong_value_behind_a_right_checksum() {
    let folder = TempDir::new().expect("a folder");
    let board = Board { mover: Row::new([0, 0, 2, 0, 1, 0], 0), other: Row::new([1; ROW], 0) };
    let number = Indexing::get().rank(board);
    for (variant, seeds) in [(Variant::Kalah, 9), (Variant::Oware, 9)] {
        printed(&build(folder.path(), variant.name(), "9", &[]));
        let verify = [
            "--variant",
            variant.name(),
            "endgame",
            "verify",
            "--dir",
            name(folder.path()),
            "--samples",
            "20",
        ];
        let said = printed(&kroo(&verify));
        assert!(said.contains("up to 9 seeds: 293930 values fit"), "{said}");
        forge(
            &database_path(folder.path(), variant, seeds),
            number,
            |value| if value > 0 { value - 1 } else { 1 },
        );
        let error = refused(&kroo(&verify));
        assert!(error.contains("the database with 9 seeds has a wrong value: "), "{error}");
        let from = |from: &str| kroo(&[&verify[..], &["--from", from]].concat());
        assert_eq!(refused(&from("9")), error);
        assert!(refused(&from("10")).contains("end at 9 seeds, and the check is to begin at 10"));
        let below = [&verify[..], &["--from", "7", "--seeds", "8"]].concat();
        assert!(printed(&kroo(&below)).contains(" from 7 to 8 seeds: 107406 values fit"));
        assert!(error.contains("delete its file and those above"), "{error}");
        if variant == Variant::Oware {
            forge(&database_path(folder.path(), variant, seeds), number, |_| 250);
            assert!(refused(&kroo(&verify)).contains("its header lacks the thresholds of a board"));
        }
    }
}

#[test]
fn info_and_probe_say_what_there_is() {
    let folder = TempDir::new().expect("a folder");
    printed(&build(folder.path(), "oware", "4", &[]));
    let all = printed(&kroo(&["endgame", "info", name(folder.path())]));
    assert!(all.contains("oware:\n") && all.contains("\n  all         1820"), "{all}");
    let one = printed(&kroo(&["endgame", "info", name(&database_path(folder.path(), Variant::Oware, 3))]));
    // 179 + 7 + 114 boards of 364 are decided with 22 and 23 seeds in the stores; 300 are known exactly.
    assert!(
        one.contains(
            "\n    3          364         4460       5     0          179            7          114"
        ),
        "{one}"
    );
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    for (path, says) in [("/no/such", "No such file"), (name(&readme), "it is not an endgame file")] {
        let error = refused(&kroo(&["endgame", "info", path]));
        assert!(error.contains(path) && error.contains(says), "{error}");
    }
    let empty = TempDir::new().expect("a folder");
    assert!(
        refused(&kroo(&["endgame", "info", name(empty.path())])).contains("`kroo endgame build` makes them")
    );
    let error = refused(&kroo(&["endgame", "verify", "--variant", "kalah", "--dir", name(folder.path())]));
    assert!(error.contains("there are no endgames of kalah in"), "{error}");
    let dir = ["--dir", name(folder.path())];
    for dir in [&dir[..], &[]] {
        let words = ["endgame", "probe", "--variant", "kalah", "0-0-0-0-2-1-0-0-0-0-1-1-22-21-S"];
        let said = printed(&kroo(&[&words[..], dir].concat()));
        assert!(said.contains("\n   South   win by 2\n   F       win by 2\n   E       draw\n"), "{said}");
    }
    let error = refused(&kroo(&["endgame", "probe", "startpos"]));
    assert!(error.contains("the endgames do not reach 48 seeds"), "{error}");
    let over = printed(&kroo(&["endgame", "probe", "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N"]));
    assert!(over.contains("the game is over"), "{over}");
}

/// Without a folder, all commands mean the one in which the engine looks.
#[test]
fn files_are_built_where_the_engine_finds_them() {
    let data = TempDir::new().expect("a folder");
    let run = |words: &[&str]| {
        let mut command = Command::new(kroo_path());
        command.env("XDG_DATA_HOME", data.path()).args(words).output().expect("the engine starts")
    };
    printed(&run(&["endgame", "build", "--variant", "kalah", "--seeds", "5"]));
    let folder = data.path().join("kroo/endgames");
    assert_eq!(files(&folder).len(), 6);
    assert!(printed(&run(&["endgame", "info"])).contains("kalah:\n"));
    let said = printed(&run(&["endgame", "verify", "--variant", "kalah", "--samples", "3"]));
    assert!(said.starts_with("kalah up to 5 seeds"), "{said}");
    fs::write(database_path(&folder, Variant::Kalah, 4), "no level").expect("room");
    let probe = ["endgame", "probe", "--variant", "kalah", "0-0-0-0-2-1-0-0-0-0-1-1-22-21-S"];
    assert!(refused(&run(&probe)).contains("kalah-04.endgame"));
}

#[test]
fn the_protocol_has_an_explorer() {
    let mut client = Client::with_flags(&["--variant", "kalah"]);
    client.send("endgame fen 0-0-0-0-2-1-0-0-0-0-1-1-22-21-S moves F");
    client.expect("   South   win by 2");
    client.expect("   E       win by 2");
    client.send("position fen 0-0-0-0-2-1-0-0-0-0-1-1-22-21-S");
    client.send("endgame");
    client.expect("   F       win by 2");
    client.expect("   E       draw");
    assert!(client.refuses("endgame startpos").contains("48 seeds"));
    assert!(client.refuses("endgame startpos moves f").contains("it is South's turn"));
    assert!(client.refuses("endgame soon").contains("expected `startpos` or `fen`"));
}

#[test]
fn a_seed_chooses_the_sample_that_is_verified() {
    let folder = TempDir::new().expect("a folder");
    printed(&build(folder.path(), "oware", "6", &[]));
    let verify = "endgame verify --variant oware --samples 9 --dir";
    let said = |seed: &str| {
        let words = verify.split(' ').chain([name(folder.path()), "--seed", seed]);
        printed(&kroo(&words.collect::<Vec<_>>()))
    };
    let all = ["1", "2", "3", "4"].map(said);
    assert!(all.iter().any(|other| *other != all[0]), "{all:?}");
    assert_eq!(said("3"), all[2]);
}
