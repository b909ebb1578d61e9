//! The page for playing and analysing, by the scripts in this folder.

use crossbeam_channel::{Receiver, Sender, bounded};
use kroo::game::Move;
use std::fs;
use std::process::Command;
use std::sync::LazyLock;
use support::documents::Errand;
use support::programs::{kroo_path, root};
use support::tools::{chromium, has};

/// Runs scripts with the server's executable in one browser, if Node and Chromium are there.
fn in_browser(scripts: &[&str]) {
    in_browser_with("all.mjs", scripts);
}

fn in_browser_with(script: &str, words: &[&str]) {
    let (true, Some(browser)) = (has("node"), chromium()) else { return };
    // More browsers at a time draw more frames while they wait for each other, and all take longer.
    static PLACES: LazyLock<(Sender<()>, Receiver<()>)> = LazyLock::new(|| bounded(3));
    let (taken, free) = &*PLACES;
    taken.send(()).expect("the channel is there");
    let output = Command::new("node")
        .arg(root().join("tests/browser").join(script))
        .arg(kroo_path())
        .arg(browser)
        .args(words)
        .output();
    free.recv().expect("one was taken");
    let output = output.expect("it runs");
    let printed = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&printed));
}

#[test]
fn games_are_analysed() {
    in_browser(&["analyse.mjs", "mistakes.mjs", "motion.mjs"]);
}

#[test]
fn games_are_played() {
    in_browser(&["play.mjs", "keyboard.mjs", "games.mjs"]);
}

#[test]
fn a_game_owns_its_players_clocks_and_marks() {
    in_browser(&["pure.mjs", "owner.mjs"]);
}

#[test]
fn a_game_is_the_same_after_each_interruption() {
    in_browser(&["steps.mjs"]);
}

#[test]
fn everything_has_its_place_on_phones_and_desks() {
    in_browser(&["looks.mjs", "layout.mjs", "phone.mjs", "small.mjs"]);
}

#[test]
fn no_click_is_lost_and_slow_lines_suffice() {
    in_browser(&["faults.mjs", "latency.mjs", "rounds.mjs"]);
}

#[test]
fn tabs_live_together() {
    in_browser(&["tabs.mjs", "stored.mjs"]);
}

#[test]
fn the_page_is_accessible() {
    let true = has("axe") else { return };
    let axe = support::tools::axe().expect("it is here");
    in_browser_with("accessible.mjs", &[axe.to_str().expect("a path")]);
}

/// Documents of any program go through the page with a move more.
#[test]
fn the_page_keeps_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let errands = Errand::some(30);
    for (number, Errand { document, mv }) in errands.iter().enumerate() {
        let name = format!("{number:02}-{}.ogn", mv.map_or('-', Move::letter));
        fs::write(folder.path().join(name), document.to_string()).expect("written");
    }
    in_browser_with("documents.mjs", &[folder.path().to_str().expect("a path")]);
    for (number, errand) in errands.iter().enumerate() {
        errand
            .check(&fs::read_to_string(folder.path().join(format!("{number:02}.saved"))).unwrap_or_default());
    }
}

#[test]
fn a_game_file_writes_no_lines_to_an_engine() {
    in_browser_with("files.mjs", &[]);
}
