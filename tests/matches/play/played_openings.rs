//! Openings from files, and what is said of wrong ones.

use kroo::game::{Position, Variant, fair_starts};
use kroo_referee::failure::Failure;
use kroo_referee::schedule::{Opening, Openings};
use std::fs;
use std::path::{Path, PathBuf};
use support::scene::{Scene, words};

fn openings_of(variant: Variant, file: &Path, max_moves: usize) -> Result<Openings, Failure> {
    let lines = Openings::lines(file)?;
    Openings::read(file, &lines, max_moves, |line| Opening::parse(variant, line, usize::MAX))
}

/// The error that a file gives, without the folder.
fn refused(text: &str) -> String {
    let scene = Scene::new();
    let file = scene.file("lines.txt", text);
    let error = openings_of(Variant::Awari, file.as_ref(), 250).unwrap_err().to_string();
    error.strip_prefix(scene.dir.path().to_str().unwrap()).unwrap().trim_start_matches('/').to_owned()
}

#[test]
fn wrong_lines_are_named_with_their_number() {
    let cases = [
        (
            "FfEc\nF g\n",
            "lines.txt:2: `g` is not a move: expected the letters A to F and a to f, or a position of fifteen fields",
        ),
        ("# nothing\n\nFF\n", "lines.txt:3: move 2, `F`: it is North's turn"),
        ("A a A\n", "lines.txt:1: move 3, `A`: the pit is empty"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-S\n", "lines.txt:1: 14 fields, expected 15"),
        (
            "4-4-4-4-4-4-4-4-4-4-4-4-0-1-S\n",
            "lines.txt:1: pits and stores add up to 49 seeds, expected 48 in awari",
        ),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X # side\n", "lines.txt:1: field 15 (side to move) is `X`"),
        (
            "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S2\n",
            "lines.txt:1: field 15 (side to move) is `S2`, but awari has no second move",
        ),
        ("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S\n", "lines.txt:1: the game is over in this position"),
        ("# only comments\n", "lines.txt: no opening in this file"),
    ];
    for (text, expected) in cases {
        let error = refused(text);
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}

#[test]
fn a_file_is_used_in_order_and_again() {
    let scene = Scene::new();
    let text = "\u{feff}# two spellings of the same\nFfEc\n\n  F f E c  # and a position\n4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\r\n";
    let file = scene.file("lines.txt", text);
    let mut openings = openings_of(Variant::Awari, file.as_ref(), 250).unwrap();
    let taken: Vec<String> = (0..4).map(|_| openings.next_opening().to_string()).collect();
    assert_eq!(taken, ["FfEc", "FfEc", "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", "FfEc"]);
    assert_eq!(*openings.next_opening().game().start(), Position::start(Variant::Awari));
}

/// A position is written as everywhere: with moves after it, or from the start.
#[test]
fn a_position_may_be_followed_by_moves() {
    let scene = Scene::new();
    let text = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N moves f E\nstartpos moves FfE\n4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\n";
    let file = scene.file("lines.txt", text);
    let mut openings = openings_of(Variant::Awari, file.as_ref(), 250).unwrap();
    let taken = [0; 3].map(|_| openings.next_opening());
    assert_eq!(taken.each_ref().map(|opening| opening.game().moves().len()), [2, 3, 0]);
    assert_eq!(taken[0].game().position(), taken[1].game().position());
    let error = refused("4-4-4-4-4-0-5-5-5-5-4-4-0-0-N moves f f");
    assert!(error.starts_with("lines.txt:1: move 2 (`f`): it is South's turn"), "{error}");
}

#[test]
fn rounds_take_one_opening_each() {
    let scene = Scene::new();
    let file = scene.file("lines.txt", "Aa\nBb\nCc\n");
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let report = scene.run(&[engines, words("--rounds 4 --max-moves 6 --openings"), vec![file]]);
    report.assert_played(8);
    let games = report.game_results();
    let openings: Vec<&str> = games.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    assert_eq!(openings, ["Aa", "Aa", "Bb", "Bb", "Cc", "Cc", "Aa", "Aa"]);
    let south: Vec<&str> = games.iter().map(|game| game["south"].as_str().unwrap()).collect();
    assert_eq!(south, ["honest", "last"].repeat(4));
}

/// The word `fair` names the starts that are proven draws. It is no path, so a match resumed elsewhere has the same.
#[test]
fn fair_starts_are_openings() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let journal = scene.path("match.journal").display().to_string();
    let play = |options: &str| {
        let options = format!("--variant kalah --openings fair --rounds 2 --max-moves 9 {options}");
        scene.run(&[engines.clone(), words(&options)])
    };
    let report = play(&format!("--journal {journal}"));
    report.assert_played(4);
    report.says("openings: 323 fair starts");
    let starts = fair_starts(Variant::Kalah);
    let games = report.game_results();
    for (game, start) in games.iter().zip(starts.iter().flat_map(|start| [start, start])) {
        assert_eq!(game["start"], start.to_string());
    }
    assert!(play("--order random --seed 3").stdout.contains("323 fair starts, shuffled by seed 3"));
    let mut resumed = scene.command(&[words(&format!("--resume --journal {journal} --rounds 3"))]);
    let elsewhere = scene.path("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let output = resumed.current_dir(elsewhere).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let refused = scene.run(&[engines.clone(), words("--variant awari --openings fair")]);
    let said = "--openings fair: no fair starts of awari are known, only of awari1978, kalah, kalah-";
    refused.complains(said);
}

#[test]
fn an_opening_of_random_moves_depends_on_nothing_but_its_seed() {
    let deal = |seed| {
        let mut openings = Openings::random(Variant::Kalah, 6, seed).unwrap();
        (0..50).map(|_| openings.next_opening().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(deal(5), deal(5));
    assert_ne!(deal(5), deal(6));
    let error = Openings::random(Variant::Awari1978, 1_000, 1).unwrap_err();
    assert_eq!(error.to_string(), "no game of awari1978 goes on after 1000 random moves: choose fewer");
}

#[test]
fn openings_leave_something_to_play() {
    let scene = Scene::new();
    let file = scene.file("lines.txt", "Aa\nFfEc\n");
    assert!(openings_of(Variant::Awari, file.as_ref(), 5).is_ok());
    let error = openings_of(Variant::Awari, file.as_ref(), 4).unwrap_err().to_string();
    let expected =
        "lines.txt:2: the opening has 4 moves, and --max-moves 4 counts them, so no move is left to play";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn a_list_may_be_shuffled_and_begun_anywhere() {
    let scene = Scene::new();
    let file = scene.file("lines.txt", "Aa\nBb\nCc\nDd\nEe\nFf\n");
    let all = ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff"];
    let list = || openings_of(Variant::Awari, file.as_ref(), 250).unwrap();
    let deal = |mut openings: Openings, count: usize| -> Vec<String> {
        (0..count).map(|_| openings.next_opening().to_string()).collect()
    };
    assert_eq!(deal(list().starting_at(4), 4), ["Ee", "Ff", "Aa", "Bb"]);
    assert_eq!(deal(list().starting_at(4 + 600), 2), ["Ee", "Ff"]);
    let shuffled = deal(list().shuffled(1), 6);
    assert_eq!(shuffled, deal(list().shuffled(1), 6));
    assert_ne!(shuffled, deal(list().shuffled(2), 6));
    let mut sorted = shuffled.clone();
    sorted.sort();
    assert_eq!(sorted, all, "each once");
    // Machines can share one shuffle: the second begins where the first has stopped.
    assert_eq!(deal(list().shuffled(1).starting_at(3), 6), [&shuffled[3..], &shuffled[..3]].concat());
    let digests = [list(), list().shuffled(1), list().starting_at(1)].map(|openings| openings.digest());
    assert!(digests[0] != digests[1] && digests[0] != digests[2] && digests[0] == list().digest());
    let random = |start| deal(Openings::random(Variant::Kalah, 5, 8).unwrap().starting_at(start), 3);
    assert_eq!(random(0)[2], random(2)[0]);
}

#[test]
fn games_of_a_file_are_openings() {
    let scene = Scene::new();
    let text = "[Variant \"Awari\"]\n[Result \"*\"]\n\n1. F f {a comment} 2. E c *\n\n\
                [Variant \"awari\"]\n[FEN \"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\"]\n\n1... a *\n\n";
    let file = scene.file("begin.ogn", text);
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let play = |options: &str| {
        let options = words(&format!("--rounds 2 --max-moves 9 --openings {file} {options}"));
        scene.run(&[engines.clone(), options])
    };
    let openings = |report: &support::scene::Report| -> Vec<(String, String)> {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let games = report.game_results();
        games.iter().step_by(2).map(|game| (text(&game["start"]), text(&game["opening"]))).collect()
    };
    let fen = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N";
    let pair = |start: &str, moves: &str| (start.to_owned(), moves.to_owned());
    assert_eq!(openings(&play("")), [pair("", "FfEc"), pair(fen, "a")]);
    assert_eq!(openings(&play("--start 2 --opening-plies 1")), [pair(fen, "a"), pair("", "F")]);
    let report = play("--order random --seed 4");
    report.says("begin.ogn, shuffled by seed 4");
    let other = play("--variant oware");
    other.complains("begin.ogn:1: a game of Awari, but oware is played");
    scene.file("begin.ogn", "[Variant \"Awari\"]\n\n1. F F *\n");
    assert!(play("").stderr.contains("begin.ogn:1: move 2, `F`: it is North's turn"));
    scene.file("begin.ogn", "[Variant \"Awari\"]\n\n1. F x *\n");
    assert!(play("").stderr.contains("begin.ogn: line 3, column 6: `x`"));
}

/// The lines of a set without comments, and the scores in the comments, in seeds.
fn set(text: &str) -> (Vec<&str>, Vec<f64>) {
    let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" # "));
    lines.map(|(line, score)| (line, score.split(',').next().unwrap().parse::<f64>().unwrap())).unzip()
}

#[test]
fn a_set_for_each_rule_set_is_shipped() {
    for &variant in Variant::ALL {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("openings/{variant}.txt"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (lines, scores) = set(&text);
        assert!((100..=500).contains(&lines.len()), "{variant}: {}", lines.len());
        assert!(scores.iter().all(|score| score.abs() <= 0.6), "{variant}: {scores:?}");
        let mut listed = openings_of(variant, &path, 250).unwrap();
        let mut positions: Vec<String> =
            (0..lines.len()).map(|_| listed.next_opening().game().position().to_string()).collect();
        positions.sort();
        positions.dedup();
        assert_eq!(positions.len(), lines.len(), "{variant}");
        let named = format!("# kroo openings --variant {variant} --count {} ", lines.len());
        assert!(text.lines().nth(1).unwrap().starts_with(&named), "{variant}: its head has the command");
    }
}
