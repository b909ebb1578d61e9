//! Devices, pipes and folders given as files: the programs neither wait for them, nor read endlessly, nor crash.

use kroo::protocol::Reply;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::client::Client;
use tempfile::TempDir;

const ENOUGH_MEMORY: u64 = 100 << 20;

fn pipe(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    path
}

/// Paths that are no files, with the error.
fn special(folder: &TempDir) -> Vec<(PathBuf, &'static str)> {
    vec![
        (PathBuf::from("/dev/zero"), "device"),
        (PathBuf::from("/dev/full"), "device"),
        (pipe(folder, "pipe"), "pipe"),
        (folder.path().to_path_buf(), "folder"),
    ]
}

/// Flags for a player that reads the file of an option.
fn player_of(option: &str) -> &'static [&'static str] {
    if option == "LearnFile" { &["--variant", "awari1978", "--player", "classic1978"] } else { &[] }
}

#[test]
fn an_option_that_names_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, what) in special(&folder) {
        for option in ["EvalFile", "LearnFile"] {
            let mut client = Client::with_flags(player_of(option));
            let error = client.refuses(&format!("setoption name {option} value {}", path.display()));
            assert!(
                error.contains(what) && error.contains(path.to_str().expect("text")),
                "{option}: {error}"
            );
            assert!(client.go("go depth 2").best.is_some());
            client.assert_small(ENOUGH_MEMORY);
        }
        let mut client = Client::new();
        client.set("Player", "evolved");
        let error = client.refuses(&format!("setoption name EvalFile value {}", path.display()));
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn endgame_files_that_are_no_files_are_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = [0, 1, 2]
        .map(|seeds| kroo::endgames::database_path(folder.path(), kroo::game::Variant::Awari, seeds));
    let make: [fn(&Path); 3] = [
        |path| assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success()),
        |path| std::os::unix::fs::symlink("/dev/zero", path).expect("a link"),
        |path| fs::create_dir(path).expect("a folder"),
    ];
    for make in make {
        levels.iter().for_each(|level| make(level));
        let mut client = Client::new();
        client.says(&format!("setoption name EndgamePath value {}", folder.path().display()));
        client.send("go depth 2");
        let said = client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. }));
        let said: Vec<String> = said.iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|line| line.contains("not a file")), "{said:?}");
        assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
        drop(client);
        levels
            .iter()
            .for_each(|level| fs::remove_file(level).or_else(|_| fs::remove_dir(level)).expect("gone"));
    }
}

#[test]
fn a_person_who_loads_no_file_is_told_so_and_can_leave() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, what) in special(&folder) {
        let path = path.to_str().expect("text");
        let mut command = Command::new(support::programs::kroo_path());
        let output = command.args(["play", "--load", path]).stdin(Stdio::null()).output().expect("kroo");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(what), "{said}");
        let mut command = Command::new("sh");
        command.args(["-c", "printf 'load %s\\nposition\\nquit\\n' \"$1\" | \"$0\" play"]);
        let output = command.arg(support::programs::kroo_path()).arg(path).output().expect("kroo");
        let said = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.success() && said.contains("Not loaded: ") && said.contains(what), "{said}");
    }
}

/// A file that says it is small and grows, or large and is empty, is read to its bound and no further.
#[test]
fn a_file_is_read_to_its_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hole");
    fs::File::create(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
    let error = kroo::ogn::open(&path).expect_err("a terabyte").to_string();
    assert!(error.ends_with("it has more than 67108864 bytes, the most that are read"), "{error}");
    let learned = folder.path().join("learned");
    let file = fs::File::create(&learned).expect("a file");
    file.set_len(1 << 40).expect("a sparse file");
    std::os::unix::fs::FileExt::write_all_at(&file, b"kroo learn 1\n", 0).expect("a header");
    for (option, path) in [("EvalFile", &path), ("LearnFile", &path), ("LearnFile", &learned)] {
        let mut client = Client::with_flags(player_of(option));
        client.refuses(&format!("setoption name {option} value {}", path.display()));
        client.assert_small(ENOUGH_MEMORY);
    }
}

#[test]
fn what_a_loaded_game_says_does_not_control_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hostile \x1b]0;owned\x07.ogn");
    fs::write(&path, "[Variant \"Oware Abapa\"]\n[South \"\x1b[2J\"]\n\n1. F\x1b[31m f *\n")
        .expect("written");
    let mut command = Command::new(support::programs::kroo_path());
    command.args(["play", "--color", "never", "--load"]).arg(&path).stdin(Stdio::null());
    let output = command.output().expect("kroo");
    let said = [output.stdout, output.stderr].concat();
    assert!(!said.iter().any(|&byte| byte < b' ' && byte != b'\n'), "{}", String::from_utf8_lossy(&said));
    assert!(String::from_utf8_lossy(&said).contains("\\u{1b}"));
}
