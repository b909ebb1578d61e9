//! `EndgamePath` and `EndgameSeeds`: which endgames a search looks up.

use super::text;
use crate::client::Client;
use kroo::endgame::Endgames;
use kroo::endgame::level_path;
use kroo::game::{Awari, Variant};
use kroo::protocol::Reply;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Twelve seeds: too many for a short search to work them out by itself.
const TWELVE: &str = "position fen 1-1-1-1-1-1-1-1-1-1-1-1-18-18-S";

fn files(folder: &Path, seeds: u8) {
    let endgames = Endgames::new();
    assert!(endgames.build::<Awari>(seeds, &mut || false));
    (0..=seeds).for_each(|seeds| endgames.save::<Awari>(folder, seeds).expect("room for a file"));
}

#[test]
fn files_are_looked_up_the_same_way_every_time() {
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path(), 11);
    let path = folder.path().to_str().expect("a path");
    let mut client = Client::new();
    client.accepts(TWELVE);
    let without = client.go("go nodes 3000");
    let said = text(&client.says(&format!("setoption name EndgamePath value {path}")));
    assert_eq!(said, ["info string endgames of awari up to 11 seeds"]);
    let mut searches = Vec::new();
    for _ in 0..2 {
        client.accepts("ucinewgame");
        client.accepts(TWELVE);
        searches.push(client.go("go nodes 3000"));
    }
    assert!(searches[0].last().tbhits > without.last().tbhits, "{:?}", searches[0].last());
    assert_eq!(searches[0].nodes(), searches[1].nodes());
    assert_eq!(searches[0].last().tbhits, searches[1].last().tbhits);
    client.set("EndgameSeeds", "0");
    client.accepts("ucinewgame");
    client.accepts(TWELVE);
    assert_eq!(client.go("go nodes 3000").last().tbhits.unwrap_or(0), 0);
    // Another rule set has no files there; that is said, and is no error.
    let said = text(&client.says("setoption name UCI_Variant value kalah"));
    assert_eq!(said, [format!("info string no endgames of kalah in {path}")]);
    client.quit_cleanly();
}

#[test]
fn what_is_no_folder_of_endgames_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path(), 5);
    // Without any of its own, which would make the file superfluous.
    let mut client = Client::with_flags(&["--endgameseeds", "0"]);
    let error = client.refuses("setoption name EndgamePath value /no/such/folder");
    assert!(error.contains("/no/such/folder"), "{error}");
    let broken = level_path(folder.path(), Variant::Awari, 5);
    let mut bytes = fs::read(&broken).expect("a file");
    let middle = bytes.len() - 100;
    bytes[middle] ^= 1;
    fs::write(&broken, bytes).expect("room for a file");
    let error = client.refuses(&format!("setoption name EndgamePath value {}", folder.path().display()));
    assert!(error.contains(broken.to_str().expect("a path")), "{error}");
    client.accepts(TWELVE);
    assert!(client.go("go depth 3").depth() >= 3);
    client.quit_cleanly();
}

/// Where the values of a level begin in its file.
const VALUES: u64 = 4096;

fn cut_off(path: &Path) {
    let file = OpenOptions::new().write(true).open(path).expect("there");
    file.set_len(VALUES).expect("a shorter file");
}

fn overwrite(path: &Path) {
    let file = OpenOptions::new().write(true).open(path).expect("there");
    let bytes = file.metadata().expect("a size").len() - VALUES;
    file.write_all_at(&vec![0xff; bytes as usize], VALUES).expect("room");
}

/// Reading what has been cut off ends a process, unless it takes care.
#[cfg(target_os = "linux")]
#[test]
fn files_that_are_damaged_in_use_are_left_out() {
    let is_answer = |reply: &Reply| matches!(reply, Reply::BestMove { .. });
    for damage in [cut_off, overwrite] {
        let folder = tempfile::tempdir().expect("a folder");
        files(folder.path(), 9);
        let level = |seeds| level_path(folder.path(), Variant::Awari, seeds);
        let mut client = Client::with_flags(&["--endgamepath", folder.path().to_str().expect("a path")]);
        client.accepts(TWELVE);
        assert!(client.go("go nodes 3000").last().tbhits > Some(0));
        // Between two searches.
        damage(&level(9));
        client.send("go nodes 4000");
        let told = text(&client.until("`bestmove`", is_answer));
        let errors: Vec<_> = told.iter().filter(|line| line.contains("string error")).collect();
        assert!(errors.len() == 1 && errors[0].contains("awari-09.endgame"), "{told:?}");
        assert!(client.go("go nodes 5000").best.is_some(), "it is said once");
        // In the middle of one.
        client.accepts("ucinewgame");
        client.accepts(TWELVE);
        client.send("go infinite");
        client.expect("info depth 3 ");
        (0..9).for_each(|seeds| damage(&level(seeds)));
        thread::sleep(Duration::from_millis(100));
        client.send("stop");
        client.until("`bestmove`", is_answer);
        client.send("go nodes 3000");
        client.until("`bestmove`", is_answer);
        client.accepts("ucinewgame");
        assert!(client.go("go nodes 3000").best.is_some());
        client.quit_cleanly();
    }
}

/// The levels for nine seeds take longer than somebody who stops will wait.
#[test]
fn a_question_that_has_to_be_worked_out_can_be_stopped() {
    let question = "endgame fen 1-1-1-1-1-1-1-1-1-0-0-0-19-20-S";
    let mut client = Client::with_flags(&["--variant", "oware", "--endgameseeds", "0"]);
    client.send(&format!("{question}\nd\nstop"));
    let told = text(&client.sync());
    assert!(told[0].starts_with("info string error endgame: stopped"), "{told:?}");
    assert!(told.len() > 2, "the other lines have waited: {told:?}");
    // What comes after the question is answered after it.
    let answer = client.says(question);
    assert!(answer.len() > 3, "{answer:?}");
    assert_eq!(client.says(question), answer);
    client.quit_cleanly();
}
