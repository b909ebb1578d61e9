//! `EndgamePath` and `EndgameSeeds`: which endgames a search looks up.

use super::text;
use crate::client::Client;
use kroo::endgame::Endgames;
use kroo::game::Awari;
use std::fs;
use std::path::Path;

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
    let broken = kroo::endgame::level_path(folder.path(), kroo::game::Variant::Awari, 5);
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
