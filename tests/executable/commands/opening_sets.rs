//! `kroo openings`: sets of nearly level openings.

use crate::command::{name, refusal};
use kroo::game::{Game, Move, Position, Variant};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use support::programs::kroo_path;
use tempfile::TempDir;

fn make(out: &Path, more: &str) -> Command {
    let mut command = Command::new(kroo_path());
    command.arg("openings").arg("--out").arg(out).args(more.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn made(out: &Path, more: &str) -> String {
    let output = make(out, more).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(out).expect("a set")
}

/// The openings of a set with their scores. Each is a legal line, and no two lead to one position.
fn openings(text: &str, variant: Variant) -> Vec<(&str, f64)> {
    let mut positions = BTreeSet::new();
    let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" # "));
    let mut read = |line: &str, score: &str| {
        let mut game = Game::new(Position::start(variant));
        for letter in line.chars() {
            let mv = Move::from_letter(letter).expect("a letter");
            game.play(mv).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        assert_eq!(game.position().verdict(), None, "{line} is over");
        assert!(positions.insert(game.position().to_string()), "{line} comes twice");
        score.split(',').next().and_then(|score| score.parse::<f64>().ok()).expect("a score")
    };
    lines.map(|(line, score)| (line, read(line, score))).collect()
}

#[test]
fn a_set_is_legal_level_and_the_same_every_time() {
    let folder = TempDir::new().expect("a folder");
    let asked = "--variant kalah --count 12 --plies 5 --nodes 500 --window 150 --seed 7";
    let (one, other) = (folder.path().join("set.txt"), folder.path().join("again"));
    fs::create_dir(&other).expect("a folder");
    let text = made(&one, asked);
    assert_eq!(text, made(&other.join("set.txt"), asked));
    let found = openings(&text, Variant::Kalah);
    assert_eq!(found.len(), 12, "{text}");
    assert!(found.iter().all(|(line, score)| line.len() == 5 && score.abs() <= 1.5), "{text}");
    // The command in the file makes the file.
    let command = text.lines().nth(1).and_then(|line| line.strip_prefix("# kroo ")).expect("a command");
    let third = folder.path().join("third");
    fs::create_dir(&third).expect("a folder");
    let words = command.split_whitespace();
    let status = Command::new(kroo_path()).args(words).current_dir(&third).stderr(Stdio::null()).status();
    assert!(status.expect("it starts").success());
    assert_eq!(fs::read_to_string(third.join("set.txt")).expect("a set"), text);
    assert_ne!(made(&one, &asked.replace("--seed 7", "--seed 8")), text);
}

#[test]
fn random_setups_are_alike_for_both_sides() {
    let folder = TempDir::new().expect("a folder");
    let asked = "--variant kalah5 --random-setup --count 8 --nodes 500 --window 800 --seed 3";
    let text = made(&folder.path().join("set.txt"), asked);
    let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" # "));
    assert!(
        text.starts_with("# Openings of kalah5: random set-ups, at most 8.00 seeds from level"),
        "{text}"
    );
    let mut rows = BTreeSet::new();
    for (position, score) in lines {
        let [pits @ .., _, _, side] = &position.split('-').collect::<Vec<_>>()[..] else {
            panic!("{position}")
        };
        assert!(pits[..6] == pits[6..] && pits.len() == 12 && *side == "S", "{position}");
        let seeds = pits.iter().map(|pit| pit.parse::<u32>().expect("a number")).sum::<u32>();
        assert!(seeds == 60 && score.parse::<f64>().expect("a score").abs() <= 8.0, "{position} # {score}");
        rows.insert(pits[..6].to_vec());
    }
    assert_eq!(rows.len(), 8, "{text}");
    // With moves after it, a set-up is another one.
    let moved = made(&folder.path().join("moved.txt"), &format!("{asked} --plies 3"));
    assert!(moved.lines().skip(4).all(|line| !text.contains(line)), "{moved}");
}

#[cfg(unix)]
#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn an_interrupted_set_is_resumed() {
    let folder = TempDir::new().expect("a folder");
    let asked = "--variant awari --count 20 --plies 6 --nodes 1000 --window 200";
    let whole = made(&folder.path().join("whole.txt"), asked).replace("whole.txt", "set.txt");
    let (out, partial) = (folder.path().join("set.txt"), folder.path().join("set.txt.partial"));
    let mut bytes = 0;
    // Each opening is kept in a few steps.
    for steps in ["20", "21"] {
        let output = make(&out, asked).env("KROO_TEST_STEPS", steps).output().expect("it starts");
        assert!(!output.status.success() && !out.is_file(), "it was over before it could be killed");
        let kept = fs::metadata(&partial).expect("a part").len();
        assert!(kept > bytes, "{kept} bytes");
        bytes = kept;
    }
    // More openings begin with the same ones.
    let fewer = asked.replace("--count 20", "--count 3");
    assert!(make(&out, &fewer).output().expect("it starts").status.success());
    let three = fs::read_to_string(&out).expect("a set");
    assert_eq!(openings(&three, Variant::Awari), openings(&whole, Variant::Awari)[..3]);
    assert_eq!(made(&out, asked), whole);
    assert!(!partial.exists());
}

#[test]
fn sets_that_cannot_be_made_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("set.txt");
    let refused = |out: &Path, more: &str| {
        let words = more.split_whitespace();
        let (status, error) =
            refusal(&["openings", "--out", name(out)].into_iter().chain(words).collect::<Vec<_>>());
        assert_eq!(status, 1, "{error}");
        error
    };
    let few = refused(&out, "--count 50 --plies 1 --nodes 100 --window 4800");
    assert!(few.contains("of the 6 openings of 1 ply are that level: try a smaller --count"), "{few}");
    // What was found is enough for a smaller set.
    assert_eq!(made(&out, "--count 5 --plies 1 --nodes 100 --window 4800").lines().count(), 9);
    fs::remove_file(&out).expect("there");
    let over = refused(&out, "--variant awari1978 --count 1 --plies 200");
    assert!(over.contains("no game of awari1978 goes on after 200 random moves"), "{over}");
    let nowhere = refused(Path::new("/no/such/folder/x"), "--count 1 --nodes 10 --window 4800");
    assert!(nowhere.contains("/no/such/folder/x"), "{nowhere}");
    let (status, error) = refusal(&["openings", "--variant", "chess", "--out", name(&out)]);
    assert!(status == 2 && error.contains("not `chess`"), "{error}");
    assert!(!out.exists());
}

/// More thought proves more: what it proves level is kept, and what it proves won is left out unless a flag wants it.
#[test]
fn proven_draws_are_kept_and_proven_wins_on_request() {
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("o.txt");
    let asked = "--variant kalah2 --plies 2 --count 3 --nodes 200000 --window 4800 --seed 1";
    let text = made(&out, asked);
    assert_eq!(openings(&text, Variant::Kalah.with_seeds(2).expect("two seeds")).len(), 3, "{text}");
    assert_eq!(text.matches(" # +0.00, a proven draw\n").count(), 3, "{text}");
    assert!(text.contains("\n# proven wins left out: "), "{text}");
    // The reason is not the window.
    let many = asked.replace("--count 3", "--count 30");
    let said = String::from_utf8(make(&out, &many).output().expect("it starts").stderr).expect("text");
    let reason = "only 3 of the 35 openings of 2 plies are that level, apart from 32 proven wins: ";
    assert!(said.contains(reason) && said.contains("--proven-wins"), "{said}");
    // The openings that were found are kept for the same command.
    let wins = made(&folder.path().join("wins.txt"), &(many + " --proven-wins"));
    assert_eq!(openings(&wins, Variant::Kalah.with_seeds(2).expect("two seeds")).len(), 30, "{wins}");
    assert!(wins.contains(", a proven win\n") && wins.contains(" --proven-wins "), "{wins}");
}

#[test]
fn the_fair_starts_are_a_set() {
    let folder = TempDir::new().expect("a folder");
    let text = made(&folder.path().join("fair.txt"), "--variant kalah-emptycapture --fair");
    assert_eq!(text.lines().filter(|line| line.ends_with("-S")).count(), 254, "{text}");
    let out = folder.path().join("none.txt");
    let (status, error) = refusal(&["openings", "--variant", "oware", "--fair", "--out", name(&out)]);
    assert!(status == 1 && error.contains("no fair starts of oware are known") && !out.exists(), "{error}");
}
