//! `referee openings`: sets that are made, and the sets that are shipped.

use kroo::game::{Game, Move, Position, Variant};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use support::programs::referee_path;
use support::scene::{Scene, signal, words};

fn make(out: &Path, more: &str) -> Command {
    let mut command = Command::new(referee_path());
    command.arg("openings").arg("--out").arg(out).args(words(more));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn made(out: &Path, more: &str) -> String {
    let output = make(out, more).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{error}");
    fs::read_to_string(out).unwrap()
}

/// The openings of a set, each played on a board: the lines, and no two lead to one position.
fn openings(text: &str, variant: Variant) -> Vec<String> {
    let lines =
        text.lines().map(|line| line.split('#').next().unwrap().trim()).filter(|line| !line.is_empty());
    let mut positions = BTreeSet::new();
    let mut lines_of = Vec::new();
    for line in lines {
        let mut game = Game::new(Position::start(variant));
        for letter in line.chars() {
            let mv = Move::from_letter(letter).unwrap_or_else(|| panic!("{line}"));
            game.play(mv).unwrap_or_else(|error| panic!("{variant}: {line}: {error}"));
        }
        assert_eq!(game.position().verdict(), None, "{variant}: {line} is over");
        assert!(positions.insert(game.position().to_string()), "{variant}: {line} comes twice");
        lines_of.push(line.to_owned());
    }
    lines_of
}

/// The value in the comment of an opening, in seeds.
fn worths(text: &str) -> Vec<f64> {
    let comments = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('#'));
    comments.map(|(_, worth)| worth.trim().parse().unwrap()).collect()
}

#[test]
fn a_set_is_legal_level_and_the_same_every_time() {
    let scene = Scene::new();
    let asked = "--variant kalah --count 12 --plies 5 --nodes 500 --window 150 --seed 7";
    let (one, other) = (scene.path("set.txt"), scene.path("again"));
    fs::create_dir(&other).unwrap();
    let text = made(&one, asked);
    assert_eq!(text, made(&other.join("set.txt"), asked));
    let lines = openings(&text, Variant::Kalah);
    assert_eq!((lines.len(), worths(&text).len()), (12, 12), "{text}");
    assert!(lines.iter().all(|line| line.len() == 5), "{text}");
    assert!(worths(&text).iter().all(|worth| worth.abs() <= 1.5), "{text}");
    // The command in the file makes the file.
    let command = text.lines().nth(1).unwrap().strip_prefix("# referee ").unwrap();
    let third = scene.path("third");
    fs::create_dir(&third).unwrap();
    let status =
        Command::new(referee_path()).args(words(command)).current_dir(&third).stderr(Stdio::null()).status();
    assert!(status.unwrap().success());
    assert_eq!(fs::read_to_string(third.join("set.txt")).unwrap(), text);
    assert_ne!(made(&scene.path("set.txt"), &asked.replace("--seed 7", "--seed 8")), text);
}

#[test]
fn work_that_was_ended_goes_on_from_there() {
    let scene = Scene::new();
    let asked = "--variant awari --count 60 --plies 6 --nodes 12000 --window 200";
    let whole = made(&scene.path("whole.txt"), asked).replace("whole.txt", "set.txt");
    let (out, partial) = (scene.path("set.txt"), scene.path("set.txt.partial"));
    for name in ["INT", "KILL"] {
        let process = make(&out, asked).spawn().unwrap();
        // A set has its lines after a head and an empty line.
        let grown = || fs::read_to_string(&partial).is_ok_and(|text| text.lines().count() > 6);
        assert!(support::scene::await_that(Duration::from_secs(60), || grown() || out.is_file()));
        signal(&process, name);
        let output = process.wait_with_output().unwrap();
        assert!(!out.is_file(), "it was over before SIG{name}");
        if name == "INT" {
            assert_eq!(output.status.code(), Some(130));
            assert!(String::from_utf8_lossy(&output.stderr).contains("the same command goes on from there"));
        }
    }
    assert_eq!(made(&out, asked), whole);
    assert!(!partial.exists());
}

#[test]
fn sets_that_cannot_be_made_are_refused() {
    let scene = Scene::new();
    let refused = |out: &Path, more: &str| {
        let output = make(out, more).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let out = scene.path("set.txt");
    let few = refused(&out, "--count 50 --plies 1 --nodes 100 --window 4800");
    assert!(few.contains("of the 6 openings of 1 ply are that level"), "{few}");
    assert!(
        refused(Path::new("/no/such/folder/x"), "--count 1 --nodes 10 --window 4800")
            .contains("/no/such/folder/x")
    );
    assert!(refused(&out, "--variant chess").contains("no rule set is called `chess`"));
    assert!(!out.exists());
}

#[test]
fn a_set_for_each_rule_set_is_shipped() {
    for &variant in Variant::ALL {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("openings/{variant}.txt"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let lines = openings(&text, variant);
        assert!((100..=500).contains(&lines.len()), "{variant}: {}", lines.len());
        assert_eq!(worths(&text).len(), lines.len());
        let named = format!("# referee openings --variant {variant} --count {} ", lines.len());
        assert!(text.lines().nth(1).unwrap().starts_with(&named), "{variant}: its head has the command");
        // The referee begins games from it.
        let scene = Scene::new();
        let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
        let file = vec!["--openings".to_owned(), path.to_string_lossy().into_owned()];
        let report = scene.run(&[engines, file, words(&format!("--variant {variant} --rounds 2"))]);
        report.assert_played(4);
        assert_eq!(report.game_results()[2]["opening"], lines[1], "{variant}");
    }
}
