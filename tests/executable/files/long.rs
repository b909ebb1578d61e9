//! Files that take long: nothing is lost, whatever is in the way or ends the writer. `tests/engine/files/records.rs` has the
//! tests of the type.

use crate::command::{kroo, name, printed, refused};
use crate::endgames::builds::{build, files};
use kroo::endgames::database_path;
use kroo::evaluate::Weights;
use kroo::game::{Variant, split_mix};
use kroo::tuning::{DataHeader, DataWriter};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;
use support::one_of;
use support::programs::kroo_path;
use tempfile::TempDir;

const DATAGEN: &str = "--variant kalah datagen --positions 2500 --nodes 30 --seed 4 --out data";
const TUNE: &str = "--variant kalah tune data --epochs 4 --batch 64 --out weights";
const OPENINGS: &str = "openings --variant kalah --count 12 --plies 5 --nodes 300 --window 400 --out set";

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(kroo_path());
    command.current_dir(folder).args(line.split(' ')).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The status and the errors of a command.
fn run(folder: &Path, line: &str) -> (Option<i32>, String) {
    let output = command(folder, line).output().expect("it starts");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

fn done(folder: &Path, line: &str) {
    let (status, errors) = run(folder, line);
    assert_eq!(status, Some(0), "{line}: {errors}");
}

/// A folder with training data, which are made once.
fn with_data() -> TempDir {
    static DATA: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = TempDir::new().expect("a folder");
        done(folder.path(), DATAGEN);
        fs::read(folder.path().join("data")).expect("data")
    });
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("data"), &*DATA).expect("room");
    folder
}

/// Checks that a command is refused with an error that has some words, and changes no file.
fn changes_nothing(folder: &Path, line: &str, words: &[&str]) {
    let before = files(folder);
    let (status, errors) = run(folder, line);
    assert_eq!(status, Some(1), "{line}: {errors}");
    for word in words {
        assert!(errors.contains(word), "{line}: {errors}");
    }
    // It was refused before the work: nothing else was said.
    assert_eq!(errors.lines().count(), 1, "{line}: {errors}");
    assert!(before == files(folder), "{line} changed a file");
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn a_partial_file_of_another_program_is_left_alone() {
    let folder = with_data();
    for (name, line) in [("set", OPENINGS), ("weights", TUNE)] {
        let partial = folder.path().join(format!("{name}.partial"));
        fs::write(&partial, "my own notes\n").expect("room");
        changes_nothing(
            folder.path(),
            line,
            &[&format!("{name}.partial` has other content than"), "move it away"],
        );
        // Nor one of other arguments.
        fs::remove_file(&partial).expect("there");
        let killed = command(folder.path(), line).env("KROO_TEST_STEPS", "8").output().expect("it starts");
        assert!(killed.status.code().is_none() && partial.exists(), "{name}");
        let other = format!("{line} --seed 77");
        changes_nothing(
            folder.path(),
            &other,
            &["was begun with other arguments", "seed is 1 there and 77 here"],
        );
        done(folder.path(), line);
    }
    fs::write(folder.path().join("kalah-05.part"), "my own notes\n").expect("room");
    let line = "endgame build --variant kalah --seeds 5 --out .";
    changes_nothing(folder.path(), line, &["kalah-05.part` has other content than", "move it away"]);
    fs::remove_file(folder.path().join("kalah-05.part")).expect("there");
    done(folder.path(), line);
    fs::write(folder.path().join("kalah-00.packed.partial"), "my own notes\n").expect("room");
    let words = ["kalah-00.packed.partial` has other content than", "move it away"];
    changes_nothing(folder.path(), "endgame pack .", &words);
}

#[test]
fn a_file_of_another_kind_is_not_replaced() {
    let folder = with_data();
    changes_nothing(folder.path(), &TUNE.replace("--out weights", "--out data"), &["would be lost"]);
    fs::write(folder.path().join("notes"), "my own notes\n").expect("room");
    changes_nothing(folder.path(), &TUNE.replace("weights", "notes"), &["is not a file of weights"]);
    changes_nothing(
        folder.path(),
        &OPENINGS.replace("--out set", "--out notes"),
        &["is not a set of openings"],
    );
    changes_nothing(
        folder.path(),
        &DATAGEN.replace("--out data", "--out notes"),
        &["has other content than"],
    );
    // Weights replace weights, and a set replaces a set.
    for line in [TUNE, OPENINGS, TUNE, OPENINGS] {
        done(folder.path(), line);
    }
}

#[test]
fn training_data_with_a_changed_byte_is_refused() {
    let folder = with_data();
    let path = folder.path().join("data");
    let whole = fs::read(&path).expect("data");
    let more = DATAGEN.replace("2500", "4000");
    for at in (0..whole.len()).step_by(whole.len() / 12 * one_of(4)).chain([whole.len() - 1]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x20;
        fs::write(&path, bytes).expect("room");
        for line in [TUNE, &more] {
            changes_nothing(folder.path(), line, &["`data` "]);
        }
    }
    for zeros in [12, 80_000] {
        fs::write(&path, [&whole[..], &vec![0; zeros]].concat()).expect("room");
        changes_nothing(folder.path(), TUNE, &["ends with an incomplete record", "goes on from there"]);
        done(folder.path(), DATAGEN);
        assert!(fs::read(&path).expect("data") == whole, "{zeros} zeros");
    }
    fs::write(&path, &whole[..whole.len() - 5]).expect("room");
    changes_nothing(folder.path(), TUNE, &["ends with an incomplete record"]);
}

/// Gives a header another value of a field.
fn forge(path: &Path, from: &str, to: &str) {
    let bytes = fs::read(path).expect("a file");
    let at = bytes.windows(7).position(|window| window == b"check: ").expect("a check");
    let text = String::from_utf8(bytes[..at].to_vec()).expect("text");
    assert!(text.contains(from), "{text}");
    let text = text.replace(from, to);
    let check = format!("check: {:08x}\n", crc32fast::hash(text.as_bytes()));
    fs::write(path, [text.as_bytes(), check.as_bytes(), &bytes[at + 16..]].concat()).expect("room");
}

#[test]
fn data_of_other_weights_or_another_engine_is_not_mixed() {
    let folder = with_data();
    let data = folder.path().join("data");
    let header = fs::read(&data).expect("data");
    let header = String::from_utf8_lossy(&header[..header.len().min(400)]).into_owned();
    for field in ["format: training data, version 3\n", "\nengine: bench 14 of ", "\nweights: checksum "] {
        assert!(header.contains(field), "{header}");
    }
    for field in ["\nrule set: kalah\n", "\nnodes: 30\n", "\nseed: 4\n", "\nendgame seeds: 0\n"] {
        assert!(header.contains(field), "{header}");
    }
    done(folder.path(), TUNE);
    let more = DATAGEN.replace("2500", "4000");
    let line = format!("--evalfile weights {more}");
    changes_nothing(folder.path(), &line, &["weights is checksum ", "give the same, move the file away"]);
    forge(&data, "bench 14 of ", "bench 14 of 1");
    changes_nothing(folder.path(), &more, &["engine is bench 14 of 1"]);
    forge(&data, "version 3", "version 4");
    let newer = ["has training data of version 4, this engine has version 3", "use the engine that wrote it"];
    changes_nothing(folder.path(), &more, &newer);
    changes_nothing(folder.path(), TUNE, &newer);
}

#[test]
fn a_file_has_one_writer() {
    let folder = with_data();
    let header = DataHeader { variant: Variant::Kalah, nodes: 30, seed: 4, endgame_seeds: 0 };
    let data = folder.path().join("data");
    let writer = DataWriter::open(&data, header, &Weights::built_in(Variant::Kalah)).expect("its own");
    changes_nothing(
        folder.path(),
        &DATAGEN.replace("2500", "4000"),
        &["another program is writing to `data`"],
    );
    drop(writer);
    for (name, line) in [("set", OPENINGS), ("weights", TUNE)] {
        let partial = folder.path().join(format!("{name}.partial"));
        let lock = File::create(&partial).expect("room");
        lock.lock().expect("a lock");
        changes_nothing(folder.path(), line, &["another program is writing to", "wait for it"]);
        drop(lock);
        done(folder.path(), line);
    }
}

#[test]
fn a_number_has_its_range() {
    let folder = TempDir::new().expect("a folder");
    let large = "99999999999";
    for (line, flags) in [
        ("tune data --out weights", &[("rate", "nan"), ("rate", "inf"), ("rate", "0"), ("rate", "2")][..]),
        (
            "tune data --out weights",
            &[("result-share", "nan"), ("result-share", "1.1"), ("result-share", "-1")],
        ),
        ("tune data --out weights", &[("epochs", "0"), ("epochs", large), ("batch", "0"), ("batch", large)]),
        ("tune data --out weights", &[("threads", "0"), ("threads", large), ("seed", "-1")]),
        ("datagen --out data", &[("threads", large), ("positions", "0"), ("positions", large)]),
        ("datagen --out data", &[("nodes", "0"), ("nodes", "9999999999999"), ("seed", "nan")]),
        ("openings --out set", &[("count", "0"), ("count", large), ("plies", large), ("window", large)]),
        ("openings --out set", &[("nodes", "0"), ("nodes", "9999999999999")]),
        ("endgame build --seeds 3 --out .", &[("threads", large), ("memory", "nan"), ("memory", "0")]),
        ("endgame build --out .", &[("seeds", "49"), ("seeds", large)]),
        ("endgame verify --dir .", &[("samples", large), ("from", "49"), ("threads", "0")]),
        ("endgame pack .", &[("threads", large)]),
    ] {
        for (flag, value) in flags {
            let line = format!("{line} --{flag}={value}");
            let (status, errors) = run(folder.path(), &line);
            assert_eq!(status, Some(2), "{line}: {errors}");
            assert!(errors.contains(&format!("--{flag}")) && errors.contains(value), "{line}: {errors}");
        }
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_work() {
    let folder = with_data();
    for line in [TUNE, DATAGEN, OPENINGS] {
        let (line, _) = line.rsplit_once(' ').expect("words");
        changes_nothing(
            folder.path(),
            &format!("{line} no/such/file"),
            &["there is no folder no/such", "make it"],
        );
        changes_nothing(folder.path(), &format!("{line} /dev/null"), &["`/dev/null` cannot be written"]);
        changes_nothing(folder.path(), &format!("{line} ."), &["it is a folder"]);
    }
    for line in ["endgame build --variant kalah --seeds 2 --out data/x", "endgame pack eg --out data/x"] {
        printed(&build(&folder.path().join("eg"), "kalah", "3", &[]));
        let (status, errors) = run(folder.path(), line);
        assert!(
            status == Some(1) && errors.contains("data/x` cannot be written: Not a directory"),
            "{errors}"
        );
    }
}

/// The user `root` may write anywhere, so then the writer is another user.
#[test]
fn a_folder_of_endgames_that_is_read_only_is_refused_before_the_work() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = TempDir::new().expect("a folder");
    printed(&build(folder.path(), "kalah", "5", &[]));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("its owner may");
    for line in ["endgame build --variant kalah --seeds 16 --out .", "endgame pack ."] {
        let mut command = command(folder.path(), line);
        if rustix::process::geteuid().is_root() {
            command.uid(65_534).gid(65_534);
        }
        // That user may not see this executable.
        let Ok(output) = command.output() else { continue };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("cannot be written: Permission denied"), "{line}: {errors}");
        assert!(errors.lines().count() == 1 && !errors.contains("stopped"), "{line}: {errors}");
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("its owner may");
}

#[test]
fn packing_makes_no_folder_where_there_is_nothing_to_pack() {
    let folder = TempDir::new().expect("a folder");
    for line in
        ["endgame pack wrong", "endgame unpack wrong", "endgame pack wrong --out other", "endgame info wrong"]
    {
        changes_nothing(folder.path(), line, &["wrong"]);
        assert!(files(folder.path()).is_empty(), "{line}");
    }
}

#[test]
fn info_shows_what_is_sound_next_to_a_damaged_file() {
    let folder = TempDir::new().expect("a folder");
    printed(&build(folder.path(), "kalah", "5", &[]));
    printed(&build(folder.path(), "oware", "2", &[]));
    let before = printed(&kroo(&["endgame", "info", name(folder.path())]));
    let path = database_path(folder.path(), Variant::Kalah, 3);
    let mut bytes = fs::read(&path).expect("a file");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let output = kroo(&["endgame", "info", name(folder.path())]);
    assert_eq!(output.status.code(), Some(1));
    let (shown, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = before.lines().filter(|line| !line.contains(" all ")).collect();
    let missing: Vec<&&str> =
        lines.iter().filter(|line| !shown.lines().any(|other| other == **line)).collect();
    assert!(missing.len() == 1 && missing[0].starts_with("    3 "), "{missing:?}\n{shown}");
    assert!(errors.contains("kalah-03.endgame` is not a sound file of endgames"), "{errors}");
    // Where all are damaged, only that is said.
    let error = refused(&kroo(&["endgame", "info", name(&path)]));
    assert!(error.contains("delete it, then `kroo endgame build --variant kalah --seeds 3"), "{error}");
}

/// Kills a command after a time that numbers give, again and again, until it ends by itself. Returns the number of kills.
fn killed_at_random(folder: &Path, line: &str, state: &mut u64, most: Duration) -> u32 {
    let most_kills = 40 / one_of(5) as u32;
    for kills in 0..most_kills {
        let mut child = command(folder, line).stderr(Stdio::null()).spawn().expect("it starts");
        thread::sleep(most.mul_f64((split_mix(state) % 1000) as f64 / 1000.0));
        if let Some(status) = child.try_wait().expect("a child") {
            assert!(status.success(), "{line}");
            return kills;
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    done(folder, line);
    most_kills
}

/// How long a command takes here, if nothing ends it.
fn takes(folder: &Path, line: &str) -> Duration {
    let began = std::time::Instant::now();
    done(folder, line);
    began.elapsed()
}

#[test]
fn files_are_the_same_whatever_kills_their_writers() {
    let whole = TempDir::new().expect("a folder");
    let broken = TempDir::new().expect("a folder");
    let mut state = 20;
    for (name, line) in [("data", DATAGEN), ("weights", TUNE), ("set", OPENINGS)] {
        let time = takes(whole.path(), line);
        let kills = killed_at_random(broken.path(), line, &mut state, time);
        let [expected, found] =
            [whole.path(), broken.path()].map(|folder| fs::read(folder.join(name)).expect("a file"));
        assert!(expected == found, "{name}, killed {kills} times");
        let partial = broken.path().join(format!("{name}.partial"));
        assert!(!partial.exists(), "{name}");
    }
    let left: Vec<String> = files(broken.path()).into_keys().collect();
    assert_eq!(left, ["data", "set", "weights"], "and nothing is left of the kills");
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn files_are_the_same_whatever_step_is_the_last_one() {
    let whole = TempDir::new().expect("a folder");
    done(whole.path(), &DATAGEN.replace("2500", "200"));
    let small = TUNE.replace("--epochs 4", "--epochs 2");
    let few = OPENINGS.replace("--count 12", "--count 2");
    for (name, line) in [("weights", &small), ("set", &few)] {
        done(whole.path(), line);
        let expected = fs::read(whole.path().join(name)).expect("a file");
        for steps in (0..).step_by(one_of(3)) {
            let broken = TempDir::new().expect("a folder");
            fs::copy(whole.path().join("data"), broken.path().join("data")).expect("room");
            let mut killed = command(broken.path(), line);
            let output = killed.env("KROO_TEST_STEPS", steps.to_string()).output().expect("it starts");
            done(broken.path(), line);
            assert!(fs::read(broken.path().join(name)).expect("a file") == expected, "{name}, {steps} steps");
            assert_eq!(files(broken.path()).len(), 2, "{name}, {steps} steps: nothing is left behind");
            if output.status.success() {
                assert!(steps > 8, "{name}: {steps} steps");
                break;
            }
        }
    }
}

/// A limit on the size of files simulates a full disk.
#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    let whole = with_data();
    done(whole.path(), TUNE);
    let more = OPENINGS.replace("--count 12", "--count 200").replace("--nodes 300", "--nodes 30");
    done(whole.path(), &more);
    let folder = TempDir::new().expect("a folder");
    for (name, line, blocks) in [("data", DATAGEN, 60), ("weights", TUNE, 400), ("set", &more, 4)] {
        let shell = format!("trap '' XFSZ; ulimit -f {blocks}; exec {} {line}", kroo_path());
        let mut command = Command::new("sh");
        let output = command.current_dir(folder.path()).args(["-c", &shell]).output().expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains("cannot be written: File too large"), "{name}: {errors}");
        assert!(errors.contains("make room on the disk"), "{name}: {errors}");
        done(folder.path(), line);
        let [expected, found] =
            [whole.path(), folder.path()].map(|folder| fs::read(folder.join(name)).expect("a file"));
        assert!(expected == found, "{name}");
    }
}
