//! `EndgamePath` and `EndgameSeeds`: which endgames a search looks up.

use super::text;
use kroo::endgames::Endgames;
use kroo::endgames::database_path;
use kroo::game::{Awari, Variant};
use kroo::protocol::Reply;
use std::fs;
use std::path::Path;
use support::client::Client;

/// Twelve seeds: too many for a short search to work them out by itself.
const TWELVE: &str = "position fen 1-1-1-1-1-1-1-1-1-1-1-1-18-18-S";

fn files(folder: &Path, seeds: u8) {
    let endgames = Endgames::new();
    assert!(endgames.build::<Awari>(seeds, &mut || false));
    (0..=seeds).for_each(|seeds| {
        kroo::endgame_files::save::<Awari>(&endgames, folder, seeds).expect("room for a file")
    });
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
}

/// The reports of a search by nodes, without times.
fn counted(client: &mut Client, search: &str) -> Vec<(Option<u64>, Option<u64>, String)> {
    client.accepts("ucinewgame");
    client.accepts(TWELVE);
    let search = client.go(search);
    search
        .infos
        .iter()
        .map(|info| (info.nodes, info.tbhits, format!("{:?} {:?}", info.score, info.pv)))
        .collect()
}

/// Files of the user's folder are used by timed searches only. Reproducible searches ignore them.
#[test]
fn the_files_of_the_user_are_found_and_change_no_counted_search() {
    let eleven = "endgame fen 1-1-1-1-1-1-1-1-1-1-1-0-18-19-S";
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().join("kroo/endgames");
    // Nothing is built in the background, so what is known is known from files.
    let client = |flags: &[&str]| {
        let mut client = Client::deaf_in(data.path(), &[&["--endgameseeds", "0"], flags].concat());
        client.listen();
        client
    };
    let mut without = client(&[]);
    assert!(without.refuses(eleven).contains("11 seeds"));
    without.set("EndgameSeeds", "48");
    let searches = ["go nodes 20000", "go depth 9", "go depth 30 nodes 3000"];
    let before = searches.map(|search| counted(&mut without, search));
    drop(without);
    fs::create_dir_all(&folder).expect("a folder");
    files(&folder, 11);
    let mut with = client(&[]);
    assert!(with.says(eleven).len() > 3);
    assert_eq!(with.go("go movetime 50").last().tbhits.unwrap_or(0), 0, "EndgameSeeds is 0");
    with.set("EndgameSeeds", "48");
    assert!(searches.map(|search| counted(&mut with, search)) == before, "a search by nodes");
    with.accepts("ucinewgame");
    with.accepts(TWELVE);
    assert!(with.go("go movetime 100").last().tbhits > Some(0));
    assert!(searches.map(|search| counted(&mut with, search)) == before, "after a search by time");
    // A folder that is named counts instead.
    let other = tempfile::tempdir().expect("a folder");
    let said = text(&with.says(&format!("setoption name EndgamePath value {}", other.path().display())));
    assert!(said[0].starts_with("info string no endgames of awari in "), "{said:?}");
    with.set("EndgameSeeds", "0");
    with.accepts("ucinewgame");
    assert!(with.refuses(eleven).contains("11 seeds"));
    drop(with);
    // Damaged files refuse nothing and are reported once.
    fs::write(database_path(&folder, Variant::Awari, 3), "no level").expect("room");
    let mut damaged = client(&[]);
    damaged.set("EndgameSeeds", "48");
    damaged.accepts(TWELVE);
    damaged.send("go nodes 3000");
    let told = text(&damaged.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. })));
    let errors: Vec<_> = told.iter().filter(|line| line.contains("string error")).collect();
    assert!(errors.len() == 1 && errors[0].contains("awari-03.endgame"), "{told:?}");
    assert!(searches.map(|search| counted(&mut damaged, search)) == before);
}

#[test]
fn what_is_no_folder_of_endgames_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path(), 5);
    // Without any of its own, which would make the file superfluous.
    let mut client = Client::with_flags(&["--endgameseeds", "0"]);
    let error = client.refuses("setoption name EndgamePath value /no/such/folder");
    assert!(error.contains("/no/such/folder"), "{error}");
    let broken = database_path(folder.path(), Variant::Awari, 5);
    let mut bytes = fs::read(&broken).expect("a file");
    let middle = bytes.len() - 100;
    bytes[middle] ^= 1;
    fs::write(&broken, bytes).expect("room for a file");
    let cut = fs::read(&broken).expect("a file")[..5000].to_vec();
    let whole = fs::read(&broken).expect("a file");
    fs::write(&broken, cut).expect("room for a file");
    let path = format!("setoption name EndgamePath value {}", folder.path().display());
    // What is damaged is left out, and that is said once, before a search.
    assert_eq!(text(&client.says(&path)), ["info string endgames of awari up to 4 seeds"]);
    client.accepts(TWELVE);
    client.send("go depth 3");
    let told = text(&client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. })));
    let errors: Vec<_> = told.iter().filter(|line| line.contains("string error")).collect();
    assert!(errors.len() == 1 && errors[0].contains(broken.to_str().expect("a path")), "{told:?}");
    assert!(client.go("go depth 3").depth() >= 3);
    assert!(client.says("endgame fen 1-0-0-0-1-0-1-0-0-0-1-0-22-22-S").len() > 3, "four seeds");
    // The values are checked when they are first read: the search goes on without them, and that is said once.
    fs::write(&broken, whole).expect("room for a file");
    assert_eq!(text(&client.says(&path)), ["info string endgames of awari up to 5 seeds"]);
    client.set("EndgameSeeds", "48");
    let five = "1-0-1-0-1-0-1-0-0-0-1-0-21-22-S";
    client.accepts(&format!("position fen {five}"));
    let is_answer = |reply: &Reply| matches!(reply, Reply::BestMove { .. });
    client.send("go nodes 3000");
    let told = text(&client.until("`bestmove`", is_answer));
    let found = |told: &[String]| told.iter().filter(|line| line.contains("string error")).count();
    client.send("go nodes 3000");
    let after = text(&client.until("`bestmove`", is_answer));
    let again = text(&client.says("d"));
    assert_eq!([found(&told) + found(&after), found(&again)], [1, 0], "{told:?} {after:?}");
    let error = told.iter().chain(&after).find(|line| line.contains("string error")).expect("one");
    assert!(error.contains("awari-05.endgame") && error.contains("block 1 of 1"), "{error}");
    drop(client);
    // The explorer does without what it finds damaged, too.
    let mut client = Client::with_flags(&[
        "--endgameseeds",
        "0",
        "--endgamepath",
        folder.path().to_str().expect("a path"),
    ]);
    let told = text(&client.says(&format!("endgame fen {five}")));
    assert!(told.iter().any(|line| line.contains("block 1 of 1")), "{told:?}");
}

/// More files have been built meanwhile; then some are gone.
#[test]
fn a_folder_is_read_again_when_it_is_set_again() {
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path(), 4);
    let mut client = Client::with_flags(&["--endgameseeds", "0"]);
    let path = format!("setoption name EndgamePath value {}", folder.path().display());
    let says = |client: &mut Client| text(&client.says(&path));
    assert_eq!(says(&mut client), ["info string endgames of awari up to 4 seeds"]);
    files(folder.path(), 11);
    assert_eq!(says(&mut client), ["info string endgames of awari up to 11 seeds"]);
    assert!(client.says("endgame fen 1-1-1-1-1-1-1-1-1-1-1-0-18-19-S").len() > 3);
    fs::remove_file(database_path(folder.path(), Variant::Awari, 3)).expect("a file");
    let said = says(&mut client);
    assert!(said[0] == "info string endgames of awari up to 2 seeds" && said.len() == 2, "{said:?}");
}

/// Files are about the usual number of seeds where half of them decide.
#[test]
fn files_of_awari_do_not_serve_other_numbers_of_seeds() {
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path(), 4);
    let mut client = Client::with_flags(&["--variant", "awari3"]);
    let path = format!("setoption name EndgamePath value {}", folder.path().display());
    let said = text(&client.says(&path));
    let why = "endgames of awari are about games with 48 seeds";
    assert_eq!(said, [format!("info string no endgames of awari3 in {}: {why}", folder.path().display())]);
    let error = client.refuses("endgame fen 1-0-0-0-0-1-1-0-0-0-0-0-16-17-S");
    assert_eq!(error, format!("endgame: {why}; `kroo analyse` searches a position without them"));
}

/// Files that change while they are read.
#[cfg(target_os = "linux")]
mod damage {
    use super::{TWELVE, files};
    use crate::session::text;
    use kroo::endgames::database_path;
    use kroo::game::Variant;
    use kroo::protocol::Reply;
    use std::fs::OpenOptions;
    use std::os::unix::fs::FileExt;
    use std::path::Path;
    use support::client::Client;

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
    #[test]
    fn files_that_are_damaged_in_use_are_left_out() {
        let is_answer = |reply: &Reply| matches!(reply, Reply::BestMove { .. });
        for damage in [cut_off, overwrite] {
            let folder = tempfile::tempdir().expect("a folder");
            files(folder.path(), 9);
            let level = |seeds| database_path(folder.path(), Variant::Awari, seeds);
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
            client.send("go nodes 300000");
            client.expect("info depth 3 ");
            (0..9).for_each(|seeds| damage(&level(seeds)));
            client.until("`bestmove`", is_answer);
            client.send("go nodes 3000");
            client.until("`bestmove`", is_answer);
            client.accepts("ucinewgame");
            assert!(client.go("go nodes 3000").best.is_some());
        }
    }
}

/// The databases of nine seeds take longer than a user waits after `stop`.
#[test]
fn a_question_that_has_to_be_worked_out_can_be_stopped() {
    let question = "endgame fen 1-1-1-1-1-1-1-1-1-0-0-0-19-20-S";
    let mut client = Client::with_flags(&["--variant", "oware", "--endgameseeds", "0"]);
    client.send(&format!("{question}\nd\nstop"));
    let told = text(&client.sync());
    assert!(told[0].starts_with("info string error endgame: stopped"), "{told:?}");
    assert!(told.len() > 2, "the other lines have waited: {told:?}");
    // Later lines are answered later.
    let answer = client.says(question);
    assert!(answer.len() > 3, "{answer:?}");
    assert_eq!(client.says(question), answer);
}
