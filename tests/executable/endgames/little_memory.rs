//! Builds in less memory than a level takes: most of its values lie on the disk, and the files are the same.

use crate::command::{name, printed, refused};
use crate::endgames::builds::{build, building, files, killed_after};
use kroo::endgames::database_path;
use kroo::game::Variant;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;
use support::programs::kroo_path;
use tempfile::TempDir;

/// GiB in which levels of 12 seeds have room on the disk only, with hardly more of them in memory than what a build
/// cannot do without.
const LITTLE: &str = "0.0185";

/// The files of a build up to 12 seeds with enough memory, made once for all tests.
fn whole(variant: Variant) -> &'static BTreeMap<String, Vec<u8>> {
    static AWARI: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    static OWARE: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    let made = if variant == Variant::Awari { &AWARI } else { &OWARE };
    made.get_or_init(|| {
        let folder = TempDir::new().expect("a folder");
        printed(&build(folder.path(), variant.name(), "12", &[]));
        files(folder.path())
    })
}

/// A folder with those files up to 11 seeds.
fn up_to_11(variant: Variant) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (name, bytes) in whole(variant) {
        fs::write(folder.path().join(name), bytes).expect("room");
    }
    fs::remove_file(database_path(folder.path(), variant, 12)).expect("it was built");
    folder
}

#[test]
fn with_little_memory_the_files_are_the_same() {
    for variant in [Variant::Awari, Variant::Oware] {
        let small = TempDir::new().expect("a folder");
        let said = build(small.path(), variant.name(), "12", &["--memory", LITTLE, "--threads", "2"]);
        let told = format!("{variant} with 12 seeds would take 0.0");
        let all = format!("{}{}", printed(&said), String::from_utf8_lossy(&said.stderr));
        assert!(all.contains(&told) && all.contains("most of its values lie on the disk"), "{all}");
        assert!(!all.contains("with 4 seeds would take"), "{all}");
        // Not even the checkpoint is left.
        assert!(*whole(variant) == files(small.path()), "{variant}");
    }
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn with_more_or_less_memory_a_build_that_was_killed_goes_on() {
    for variant in [Variant::Awari, Variant::Oware] {
        let (broken, name) = (up_to_11(variant), variant.name());
        for (number, steps) in [2, 7, 1, 20, 60].into_iter().enumerate() {
            let memory = if number % 3 == 2 { "1" } else { LITTLE };
            let command = building(broken.path(), name, "12", &["--threads", "2", "--memory", memory]);
            assert!(killed_after(command, steps), "{variant} changes files fewer than {steps} times");
        }
        printed(&build(broken.path(), name, "12", &["--memory", LITTLE]));
        assert!(files(broken.path()) == *whole(variant), "{variant}");
    }
}

#[test]
fn values_on_the_disk_that_are_cut_off_are_not_used() {
    let folder = up_to_11(Variant::Oware);
    let part = database_path(folder.path(), Variant::Oware, 12).with_extension("part");
    let mut command = building(folder.path(), "oware", "12", &["--memory", LITTLE, "--threads", "1"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    // The file is whole before the first iteration.
    while fs::metadata(&part).map_or(0, |file| file.len()) < 2_700_000 {
        assert!(child.try_wait().expect("a child").is_none(), "it has ended before its file was whole");
        thread::sleep(Duration::from_millis(5));
    }
    let length = fs::metadata(&part).expect("a file").len();
    fs::OpenOptions::new()
        .write(true)
        .open(&part)
        .expect("a file")
        .set_len(length / 2)
        .expect("it is cut off");
    let output = child.wait_with_output().expect("it ends");
    let error = refused(&output);
    // The first to meet the end of the file says so.
    let found = ["cannot be read", "cannot be written"].iter().any(|what| error.contains(what));
    assert!(error.contains("oware-12.part") && found, "{error}");
    assert!(!database_path(folder.path(), Variant::Oware, 12).exists());
    // It leaves a valid checkpoint.
    printed(&build(folder.path(), "oware", "12", &[]));
    assert!(files(folder.path()) == *whole(Variant::Oware));
}

/// A limit on the size of files simulates a full disk.
#[test]
fn a_disk_that_is_full_ends_the_build() {
    let folder = up_to_11(Variant::Awari);
    let line = format!(
        "trap '' XFSZ; ulimit -f 2000; exec {} endgame build --variant awari --seeds 12 --memory {LITTLE} --out {}",
        kroo_path(),
        name(folder.path())
    );
    let error = refused(&Command::new("sh").args(["-c", &line]).output().expect("a shell"));
    assert!(error.contains("cannot be written: File too large"), "{error}");
    assert!(!database_path(folder.path(), Variant::Awari, 12).exists());
    printed(&build(folder.path(), "awari", "12", &["--memory", LITTLE]));
}
