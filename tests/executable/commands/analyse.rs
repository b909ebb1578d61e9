//! `kroo analyse`: verdicts on positions and on game files.

use crate::command::{answer, refusal};
use kroo::game::{Game, Position, Side, Variant};
use kroo::ogn::{self, GameRecord, OPENING};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use support::games::random_game;
use support::programs::kroo_path;

fn printed(words: &[&str]) -> String {
    answer(&[&["analyse"], words].concat())
}

fn refused(words: &[&str]) -> (i32, String) {
    refusal(&[&["analyse"], words].concat())
}

fn json(words: &[&str]) -> Vec<Value> {
    printed(words).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn saved(folder: &Path, name: &str, games: &[Game]) -> String {
    let path = folder.join(name);
    let records: Vec<GameRecord> = games.iter().cloned().map(GameRecord::new).collect();
    ogn::save(&path, &records).expect("it is written");
    path.to_str().expect("text").to_owned()
}

/// Words to the engine in a locale with plain ASCII or with UTF-8.
fn in_locale(locale: &str, words: &[&str]) -> String {
    let mut command = Command::new(kroo_path());
    command.env_remove("LC_CTYPE").env_remove("LANG").env("LC_ALL", locale);
    let output = command.arg("analyse").args(words).output().expect("it starts");
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A sign for each move in the summary, the higher the better for South, even with `--for mover`.
#[test]
fn a_summary_shows_the_course_of_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut game =
        Game::new(Position::parse(Variant::Kalah, "0-0-0-0-2-1-0-0-0-0-1-1-22-21-S").expect("a position"));
    for mv in ["F", "E"] {
        let mv =
            game.position().moves().into_iter().find(|legal| legal.to_string() == mv).expect("a legal move");
        game.play(mv).expect("it is legal");
    }
    let path = saved(folder.path(), "game.ogn", &[game]);
    for view in ["south", "mover"] {
        let course = |locale| {
            let text = in_locale(locale, &[&path, "--depth", "8", "--for", view]);
            text.lines().find(|line| line.starts_with("Course (")).expect("a course").to_owned()
        };
        assert_eq!(course("C"), "Course (0 lost, 9 won for South): 99");
        assert_eq!(course("C.UTF-8"), "Course (▁ lost, █ won for South): ██");
    }
}

/// By nodes, three runs print the same, with any number of games before.
#[test]
fn verdicts_are_the_same_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = random_game(Variant::Awari, 5, 10);
    let path = saved(folder.path(), "game.ogn", &[random_game(Variant::Oware, 5, 2), game]);
    let words = [&path, "--game", "2", "--nodes", "4000"].map(String::from);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let first = printed(&words);
    assert!(first.contains(" ??, accuracy "), "{first}");
    for _ in 0..2 {
        assert_eq!(printed(&words), first);
    }
    let all = printed(&[&path, "--nodes", "4000"]);
    assert!(all.ends_with(&first.replace("Game 2 of 2", "\nGame 2 of 2")), "{all}\n{first}");
}

/// Neither side has chosen the moves of the opening: they are shown and numbered, and neither searched nor counted.
#[test]
fn moves_of_the_opening_are_not_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = random_game(Variant::Awari, 5, 10);
    let mut record = GameRecord::new(game.clone());
    let path = folder.path().join("game.ogn");
    let said = |record: &GameRecord, words: &[&str]| {
        ogn::save(&path, std::slice::from_ref(record)).expect("it is written");
        printed(&[&[path.to_str().expect("text"), "--nodes", "4000"], words].concat())
    };
    let whole: Value = serde_json::from_str(&said(&record, &["--json"])).expect("JSON");
    assert_eq!(whole["opening"], 0);
    record.set_tag(OPENING, "6");
    let text = said(&record, &[]);
    assert_eq!(text.lines().filter(|line| line.ends_with(" opening")).count(), 6, "{text}");
    let told: Value = serde_json::from_str(&said(&record, &["--json"])).expect("JSON");
    assert_eq!(told["opening"], 6);
    for (ply, (one, judged)) in told["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .zip(whole["moves"].as_array().expect("moves"))
        .enumerate()
    {
        for key in ["ply", "turn", "side", "move", "position"] {
            assert_eq!(one[key], judged[key], "{ply}");
        }
        for key in ["score", "best", "best_score", "pv"] {
            assert_eq!(one[key].is_null(), ply < 6, "{ply}: {one}");
        }
        assert!(ply >= 6 || one["mark"].is_null(), "{one}");
    }
    for mark in ["?!", "?", "??"] {
        let moves = told["moves"].as_array().expect("moves").iter();
        let count = moves.skip(6).filter(|one| one["mark"] == mark).count() as u64;
        let counted = ["south", "north"].map(|side| told["summary"][side][mark].as_u64().expect("a count"));
        assert_eq!(counted[0] + counted[1], count, "{told}");
    }
    assert_ne!(told["summary"], whole["summary"], "the opening has mistakes");
    // A game that was cut off within its opening has nothing to judge.
    record.set_tag(OPENING, "11");
    assert!(said(&record, &[]).contains("South: 0 ?!, 0 ?, 0 ??, accuracy n/a\n"));
    record.set_tag(OPENING, "six");
    ogn::save(&path, &[record]).expect("it is written");
    let (status, error) = refused(&[path.to_str().expect("text")]);
    let place = "line 9, column 16: OpeningPlies: expected the number of the first moves that were given, such as 4, not `six`";
    assert!(status == 1 && error.contains(place), "{error}");
}

/// Nothing is said of limits: the search is limited by nodes.
#[test]
fn a_game_is_searched_by_nodes_if_nothing_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), "game.ogn", &[random_game(Variant::Kalah, 5, 1)]);
    assert_eq!(printed(&[&path]), printed(&[&path, "--nodes", "200000"]));
}

#[test]
fn scores_have_one_point_of_view() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = random_game(Variant::Awari, 5, 8);
    let path = saved(folder.path(), "game.ogn", &[game]);
    let [south, mover] =
        ["south", "mover"].map(|view| json(&[&path, "--json", "--depth", "5", "--for", view]).remove(0));
    assert_eq!(south, json(&[&path, "--json", "--depth", "5"])[0]);
    assert_eq!((&south["for"], &mover["for"]), (&"south".into(), &"mover".into()));
    assert_eq!(south["summary"], mover["summary"]);
    let score = |told: &Value, ply: usize| told["moves"][ply]["best_score"]["centiseeds"].as_i64();
    for ply in 0..8 {
        let sign = if south["moves"][ply]["side"] == "North" { -1 } else { 1 };
        assert_eq!(score(&south, ply), score(&mover, ply).map(|score| score * sign), "{ply}");
    }
    for (words, header) in [
        (&[&path, "--depth", "2"][..], "\nScores for South: "),
        (&[&path, "--depth", "2", "--for", "mover"], "\nScores for the mover: "),
        (&["startpos", "moves", "F", "--depth", "2"], "\nScores for South: "),
    ] {
        assert!(printed(words).contains(header), "{words:?}");
    }
    let position =
        |view| json(&["--json", "--depth", "9", "--for", view, "startpos", "moves", "F"]).remove(0);
    let (south, mover) = (position("south"), position("mover"));
    assert_eq!(south["best"], mover["best"]);
    let [own, others] =
        [&south, &mover].map(|told| told["lines"][0]["centiseeds"].as_i64().expect("a score"));
    assert_eq!(own, -others);
    let mut turned = mover["wdl"].as_array().expect("chances").clone();
    turned.reverse();
    assert_eq!(south["wdl"], Value::Array(turned));
}

/// As in game files: a number is a turn of South and one of North, and a turn may have several moves.
#[test]
fn moves_are_numbered_by_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.ogn");
    for (text, numbers, turns) in [
        ("1. C F b a 2. A b *", "1. C,1. F,1... b,1... a,2. A,2... b", [1, 1, 1, 1, 2, 2]),
        (
            "[FEN \"4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\"]\n\n1... c a 2. C F b 3. A *",
            "1... c,1... a,2. C,2. F,2... b,3. A",
            [1, 1, 2, 2, 2, 3],
        ),
    ] {
        let head = "[Variant \"Kalah\"]\n";
        let gap = if text.starts_with('[') { "" } else { "\n" };
        fs::write(&path, format!("{head}{gap}{text}\n")).expect("it is written");
        let path = path.to_str().expect("text");
        let said = printed(&[path, "--depth", "1"]);
        let lines =
            said.lines().filter(|line| line.starts_with("  ") && line.trim().starts_with(char::is_numeric));
        let found: Vec<String> = lines
            .map(|line| {
                let words: Vec<&str> = line.split_whitespace().take(2).collect();
                words.join(" ").trim_end_matches(['?', '!']).to_owned()
            })
            .take(6)
            .collect();
        assert_eq!(found.join(","), numbers, "{said}");
        let told = json(&[path, "--depth", "1", "--json"]).remove(0);
        let found: Vec<u64> = told["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|mv| mv["turn"].as_u64().expect("a number"))
            .collect();
        assert_eq!(found, turns, "{told}");
    }
}

#[test]
fn a_summary_counts_and_shows_the_mistakes() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = random_game(Variant::Kalah, 5, 24);
    let path = saved(folder.path(), "game.ogn", &[game]);
    let told = json(&[&path, "--json", "--nodes", "3000"]).remove(0);
    let text = printed(&[&path, "--nodes", "3000"]);
    let moves = told["moves"].as_array().expect("moves");
    for side in Side::BOTH {
        let count =
            |mark| moves.iter().filter(|one| one["side"] == side.to_string() && one["mark"] == mark).count();
        let [half, one, three] = ["?!", "?", "??"].map(count);
        let own = &told["summary"][side.to_string().to_lowercase()];
        assert_eq!((&own["?!"], &own["?"], &own["??"]), (&half.into(), &one.into(), &three.into()));
        let accuracy = own["accuracy"].as_f64().expect("a number");
        assert!((10.0..100.0).contains(&accuracy), "{accuracy}");
        let (given, known) = (&own["given_away"], &own["known"]);
        assert!(known.as_u64() >= given.as_u64(), "{own}");
        let line = format!(
            "\n{side}: {half} ?!, {one} ?, {three} ??, accuracy {accuracy:.1} %\n{side} gave a known result away in {given} of {known} moves\n"
        );
        assert!(text.contains(&line), "{line}: {text}");
    }
    let mistakes = moves.iter().filter(|one| !one["mark"].is_null());
    let boards = mistakes.clone().filter(|one| {
        let before = Position::parse(Variant::Kalah, one["position"].as_str().expect("a position"));
        text.contains(&kroo::game::draw(&before.expect("a position")).join("\n"))
    });
    assert_eq!(boards.count(), mistakes.count());
    let nothing = saved(folder.path(), "nothing.ogn", &[Game::new(Position::start(Variant::Kalah))]);
    assert!(printed(&[&nothing]).contains("South: 0 ?!, 0 ?, 0 ??, accuracy n/a\n"));
}

#[test]
fn all_games_of_a_file_or_of_standard_input_are_analysed() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = [random_game(Variant::Oware, 5, 2), random_game(Variant::Kalah, 5, 3)];
    let path = saved(folder.path(), "a record", &games);
    let all = json(&[&path, "--json", "--depth", "3"]);
    let named: Vec<_> = all.iter().map(|told| (told["game"].as_u64(), told["variant"].as_str())).collect();
    assert_eq!(named, [(Some(1), Some("oware")), (Some(2), Some("kalah"))]);
    assert_eq!(json(&[&path, "--json", "--depth", "3", "--game", "2"])[..], all[1..]);
    let (status, said) = refused(&["--game", "3", &path]);
    assert!(status == 1 && said.contains("2 games"), "{said}");
    let text = printed(&[&path, "--depth", "3"]);
    assert!(text.starts_with("Game 1 of 2\n") && text.contains("\n\nGame 2 of 2\n"), "{text}");
    let mut child = Command::new(kroo_path())
        .args(["analyse", "-", "--depth", "3"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let content = fs::read(&path).expect("a file");
    child.stdin.take().expect("a pipe").write_all(&content).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), text);
}

#[test]
fn the_rules_of_a_game_file_are_its_own_or_the_named_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = saved(folder.path(), "game.ogn", &[random_game(Variant::Kalah, 5, 2)]);
    let (status, said) = refused(&[&path, "--variant", "oware"]);
    assert!(status == 1 && said.contains("type `--variant kalah`"), "{said}");
    assert!(printed(&[&path, "--variant", "kalah", "--depth", "1"]).contains("(kalah)"));
    let (status, said) = refused(&[&path, "--lines", "2"]);
    assert!(status == 2 && said.contains("type `kroo analyse "), "{said}");
    let untagged = folder.path().join("untagged");
    fs::write(&untagged, "1. F f 2. E *\n").expect("it is written");
    let untagged = untagged.to_str().expect("text");
    let (status, said) = refused(&[untagged]);
    assert!(status == 1 && said.contains("type `--variant`"), "{said}");
    assert!(printed(&[untagged, "--variant", "oware", "--depth", "1"]).contains("(oware)"));
    let (status, said) = refused(&[&path, untagged]);
    assert!(status == 2 && said.contains("one game file at a time"), "{said}");
}

/// A pipe has no length to look at beforehand.
#[test]
fn input_that_is_too_long_is_refused_and_not_cut_off() {
    let game = "[Variant \"Kalah\"]\n\n1. A *\n\n".to_owned();
    let long = game + &format!("%{}\n", "x".repeat(1 << 19)).repeat(1 << 7);
    let error = ogn::read(long.as_bytes(), Path::new("a pipe"), None).expect_err("it is too long");
    assert!(error.to_string().starts_with("a pipe cannot be read: it has more than "), "{error}");
    let short = &long.as_bytes()[..1 << 20];
    assert_eq!(ogn::read(short, Path::new("a pipe"), None).map(|games| games.len()).ok(), Some(1));
}

/// An endgame of awari in which one ply proves nothing.
const ENDGAME: &str = "0-2-0-1-0-1-0-1-1-0-2-0-20-20-S";

fn endgames(folder: &Path) {
    let words = ["endgame", "build", "--variant", "awari", "--seeds", "8", "--out"];
    let output = Command::new(kroo_path()).args(words).arg(folder).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn endgame_files_and_the_move_limit_count() {
    let folder = tempfile::tempdir().expect("a folder");
    endgames(folder.path());
    let path = folder.path().to_str().expect("text");
    let proven = |words: &[&str]| {
        let line = json(&[&["--json"], words].concat()).remove(0);
        line["lines"][0]["proven"].clone()
    };
    let shallow = [ENDGAME, "--depth", "1"];
    assert_eq!(proven(&shallow), Value::Null);
    assert_ne!(proven(&[&shallow[..], &["--endgamepath", path]].concat()), Value::Null);
    let start = ["startpos", "moves", "FfEc", "--depth", "4"];
    assert_eq!(proven(&start), Value::Null);
    assert_ne!(proven(&[&start[..], &["--movelimit", "5"]].concat()), Value::Null);
}

/// Those in the user's folder count where time is the limit.
#[test]
fn endgame_files_in_the_users_folder_count() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().join("kroo/endgames");
    fs::create_dir_all(&folder).expect("a folder");
    endgames(&folder);
    let mut command = Command::new(kroo_path());
    command.env("XDG_DATA_HOME", data.path());
    let words = ["analyse", "--json", "--depth", "1", "--time", "60", ENDGAME];
    let output = command.args(words).output().expect("it starts");
    let line: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_ne!(line["lines"][0]["proven"], Value::Null, "{line}");
}
