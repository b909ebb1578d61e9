//! The page in a real browser, by the scripts in `tests/web`.

use super::*;
use support::programs::kroo_path;

/// Runs scripts of `tests/web` with the server's executable in one browser, if Node and Chromium are there.
fn in_browser(scripts: &[&str]) {
    in_browser_with("all.mjs", scripts);
}

fn in_browser_with(script: &str, words: &[&str]) {
    let (true, Some(browser)) = (has("node"), chromium()) else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("node")
        .arg(root.join("tests/web").join(script))
        .arg(kroo_path())
        .arg(browser)
        .args(words)
        .output()
        .expect("it runs");
    let printed = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&printed));
}

#[test]
fn games_are_played_and_analysed() {
    in_browser(&["play.mjs", "analyse.mjs", "motion.mjs"]);
}

#[test]
fn everything_has_its_place_on_phones_and_desks() {
    in_browser(&["looks.mjs", "layout.mjs", "phone.mjs"]);
}

#[test]
fn no_click_is_lost_and_slow_lines_suffice() {
    in_browser(&["faults.mjs", "latency.mjs", "rounds.mjs"]);
}

#[test]
fn the_page_is_accessible() {
    let true = has("axe") else { return };
    let axe = support::tools::axe().expect("it is here");
    in_browser_with("accessible.mjs", &[axe.to_str().expect("a path")]);
}

#[test]
fn a_game_file_writes_no_lines_to_an_engine() {
    in_browser_with("files.mjs", &[]);
}

/// `--open` passes the printed address, token included, to the system's opener.
#[cfg(target_os = "linux")]
#[test]
fn the_page_is_opened_with_its_token() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("xdg-open");
    let told = folder.path().join("told");
    fs::write(
        &program,
        format!("#!/bin/sh\necho \"$@\" > '{0}.part'; mv '{0}.part' '{0}'\n", told.display()),
    )
    .expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it may run");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").expect("a path"));
    let server = Server::start_by(Command::new(kroo_path()).env("PATH", path), &["--open"]);
    assert!(await_that(|| told.exists()), "nothing was opened");
    assert_eq!(fs::read_to_string(&told).expect("a file").trim(), server.page);
}
