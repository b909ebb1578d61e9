//! One file of lessons and several engines: all write at once, one is killed.

use kroo::learn::LearnFile;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};
use support::client::Client;
use support::programs::kroo_path;

/// A game that it does not win, in which it made the second move.
const LOST: &str = "FaEbfDFeBDdEfCcFDaAfeFBfdDaCeDf";
/// The lines that send an engine a game, and a question that shows whether it has learned.
const GAME: &str = "ucinewgame\nposition startpos moves F\ngo depth 1 searchmoves a\nstop\nposition startpos moves \
                    FaEbfDFeBDdEfCcFDaAfeFBfdDaCeDf\nisready\n";

/// Sends the games to an engine, and kills it after a number of changes of files, before the next one; returns the number of
/// games it has confirmed.
fn killed_after(path: &Path, games: usize, steps: u32) -> usize {
    let mut command = Command::new(kroo_path());
    command.args(["--variant", "awari1978", "--player", "classic1978", "--learnfile"]).arg(path);
    command.env("KROO_TEST_STEPS", steps.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let writer = thread::spawn(move || {
        for _ in 0..games {
            if input.write_all(GAME.as_bytes()).is_err() {
                return;
            }
        }
    });
    let confirmed = output.lines().map_while(Result::ok).filter(|line| line == "readyok").count();
    writer.join().expect("it ends");
    assert!(!child.wait().expect("it has ended").success(), "{games} games are fewer than {steps} steps");
    confirmed
}

/// The games in a file, each of which must be whole.
fn games(path: &Path) -> usize {
    let (_, update) = LearnFile::open(path).expect("a file of lessons");
    assert!(update.lessons.iter().all(|lesson| lesson.to_string() == format!("N {LOST}")));
    update.lessons.len()
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn whatever_kills_an_engine_no_game_that_it_confirmed_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    fs::write(&path, "kroo learn 1\n").expect("a file");
    let mut confirmed = 0;
    let mut before = 0;
    for steps in 0..12 {
        let told = killed_after(&path, 20, steps);
        confirmed += told;
        let now = games(&path);
        // The last one may have been written and not confirmed.
        assert!(now >= before + told && now <= before + told + 1, "{before} and {told} make {now}");
        before = now;
    }
    assert!(confirmed > 12, "{confirmed}");
}

#[test]
fn engines_that_write_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    fs::write(&path, "kroo learn 1\n").expect("a file");
    let told: usize = thread::scope(|scope| {
        let engines: Vec<_> = (0..3)
            .map(|_| {
                let path = &path;
                scope.spawn(move || {
                    let path = path.to_str().expect("text");
                    let flags = ["--variant", "awari1978", "--player", "classic1978", "--learnfile", path];
                    let mut client = Client::with_flags(&flags);
                    for _ in 0..40 {
                        client.accepts("ucinewgame");
                        client.accepts("position startpos moves F");
                        assert_eq!(client.go("go depth 1 searchmoves a").letter(), 'a');
                        client.accepts(&format!("position startpos moves {LOST}"));
                    }
                    drop(client);
                    40
                })
            })
            .collect();
        engines.into_iter().map(|engine| engine.join().expect("it plays")).sum()
    });
    assert_eq!(games(&path), told);
    let text = fs::read_to_string(&path).expect("there");
    assert_eq!(text, format!("kroo learn 1\n{}", format!("N {LOST}\n").repeat(told)));
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "nothing else is left: {left:?}");
}
