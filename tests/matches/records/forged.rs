//! Journals from elsewhere: their checksums are right, and what they say is not. None costs time or memory, each is refused
//! with a reason.

use kroo_referee::output::{AuditOptions, MergeOptions, OutputFiles, audit};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufWriter, Write};
use std::process::Command;
use std::time::Instant;
use support::PATIENCE;
use support::programs::referee_path;
use support::scene::line;
use support::scene::{Report, Scene, words};

const OPTIONS: &str = "--rounds 2 --max-moves 20";
/// Memory of a `referee`, in KiB: it needs 10 MiB.
const MEMORY: &str = "ulimit -v 400000; exec \"$0\" \"$@\"";

fn engines(scene: &Scene) -> Vec<String> {
    ["honest", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat()
}

/// A journal of two rounds, as the JSON of its lines.
fn genuine(scene: &Scene) -> Vec<Value> {
    let journal = scene.path("genuine");
    let place = ["--journal".to_owned(), journal.to_string_lossy().into_owned()].to_vec();
    scene.run(&[engines(scene), words(OPTIONS), place]).assert_played(4);
    let text = fs::read_to_string(journal).unwrap();
    text.lines().map(|line| serde_json::from_str(&line[9..]).unwrap()).collect()
}

/// Writes a journal in which a line says something else.
fn forge(scene: &Scene, lines: &[Value], at: usize, changes: &[(&str, Value)]) -> String {
    let mut lines = lines.to_vec();
    for (place, value) in changes {
        let (parent, key) = place.rsplit_once('/').unwrap();
        match lines[at].pointer_mut(parent).unwrap_or_else(|| panic!("{place}")) {
            Value::Object(object) => drop(object.insert(key.to_owned(), value.clone())),
            list => list[key.parse::<usize>().unwrap()] = value.clone(),
        }
    }
    let text: String = lines.iter().map(|value| line(&value.to_string())).collect();
    scene.file("forged", &text)
}

/// Runs the referee with little memory.
fn poor(scene: &Scene, words: &[&str]) -> Report {
    let began = Instant::now();
    let output = Command::new("sh").args(["-c", MEMORY, referee_path()]).args(words).output().unwrap();
    assert!(began.elapsed() < PATIENCE, "{words:?}: {:?}", began.elapsed());
    scene.report(output)
}

/// Only `--resume` starts what a journal names, and writes to its paths.
#[test]
fn a_journal_that_is_merged_or_audited_starts_and_writes_nothing() {
    let scene = Scene::new();
    let traces =
        ["started", "page.html", "match.json", "games.ogn", "stderr", "log"].map(|name| scene.path(name));
    let program = support::programs::script(scene.path("attacker"), "#!/bin/sh\ntouch \"${0%/*}/started\"\n");
    let mut lines = genuine(&scene);
    for trace in &traces {
        let _ = fs::remove_file(trace);
    }
    let path = |name: &str| scene.path(name).display().to_string();
    let engine = |name: &str| {
        [
            format!("--engine cmd={program}"),
            format!("name={name}"),
            "args=honest".to_owned(),
            format!("stderr={}", path("stderr")),
        ]
        .join(" ")
    };
    let command = [
        engine("honest"),
        engine("last"),
        format!("--html {} --json {} --log {}", path("page.html"), path("match.json"), path("log")),
    ];
    lines[0]["command"] = json!({"folder": scene.path(""), "options": [words(&command.join(" "))]});
    for engine in lines[0]["plan"]["contestants"].as_array_mut().unwrap() {
        engine["engine"]["command"] = program.clone().into();
    }
    let text: String = lines.iter().map(|value| line(&value.to_string())).collect();
    let journal = scene.file("forged", &text);
    // This one names no workers, which ends an audit.
    for (command, status) in [("merge", 0), ("audit", 1)] {
        let output = Command::new(referee_path()).args([command, &journal]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{command}: {errors}");
        let found: Vec<_> = traces.iter().filter(|trace| trace.exists()).collect();
        assert!(found.is_empty(), "{command}: {found:?}");
    }
}

fn merged(scene: &Scene, journal: &str) -> Report {
    poor(scene, &["merge", "--partial", journal])
}

/// `referee merge --partial` in this process, without outputs; returns its error.
fn merged_here(journal: &str) -> Result<(), String> {
    let outputs = OutputFiles { games_out: None, json: None, html: None };
    let options = MergeOptions { journals: vec![journal.into()], partial: true, outputs };
    let journals = options.open().map_err(|error| error.to_string())?;
    journals.replay(&mut ()).map(drop).map_err(|error| error.to_string())
}

/// Whether it is refused, with a reason and nothing else.
fn assert_refused(report: &Report, reason: &str) {
    assert_eq!(report.status, 1, "{reason}: {}{}", report.stdout, report.stderr);
    assert!(report.stderr.contains(reason), "expected {reason}, found {}", report.stderr);
    assert!(report.stderr.lines().count() == 1 && report.stderr.len() < 1000, "{}", report.stderr);
}

#[test]
fn a_header_that_asks_for_too_much_is_refused() {
    let scene = Scene::new();
    let lines = genuine(&scene);
    let most = json!(u64::MAX);
    for (changes, reason) in [
        (
            vec![("/plan/rounds", json!(4_000_000_000_u64))],
            "rounds: 4000000000, expected a number from 1 to 1000000000",
        ),
        (vec![("/plan/rounds", most.clone())], "rounds: 18446744073709551615, expected"),
        (vec![("/plan/rounds", json!(0))], "rounds: 0, expected"),
        (vec![("/plan/pairs", most.clone())], "pairs: 18446744073709551615, expected"),
        (
            vec![("/plan/rounds", json!(1_000_000_000)), ("/plan/pairs", json!(1_000_000))],
            "pairs of games in all",
        ),
        (
            vec![("/plan/shard", json!({"part": u64::MAX, "of": u64::MAX}))],
            "part 18446744073709551615/18446744073709551615",
        ),
        (vec![("/plan/shard", json!({"part": 1, "of": 0}))], "part 1/0: expected K/N"),
        (vec![("/plan/shard", json!({"part": 0, "of": 2}))], "part 0/2: expected K/N"),
        (
            vec![("/plan/shard", json!({"part": 1, "of": 2})), ("/plan/event", json!("swiss"))],
            "part 1/2 of an event",
        ),
        (vec![("/plan/event", json!({"gauntlet": {"seeds": 0}}))], "gauntlet-seeds: 0, expected"),
        (
            vec![("/plan/event", json!({"gauntlet": {"seeds": u64::MAX}}))],
            "gauntlet-seeds: 18446744073709551615",
        ),
        (vec![("/plan/adjudication/max_moves", most.clone())], "max-moves: 18446744073709551615"),
        (vec![("/plan/contestants", json!([]))], "engines: 0, expected a number from 2 to 1000"),
        (vec![("/plan/openings", json!("x".repeat(20_000)))], "the source of the openings"),
        (
            vec![("/plan/contestants/1/engine/name", json!("honest"))],
            "the name of engine 2, `honest`: two engines have it",
        ),
        (vec![("/plan/contestants/1/engine/name", json!(""))], "a name has at least one letter"),
        (
            vec![("/plan/contestants/1/engine/name", json!("n".repeat(101)))],
            "a name has at most 100 characters",
        ),
        (
            vec![("/plan/contestants/0/engine/name", json!("\x1b]0;owned\x07"))],
            "\\u{1b}]0;owned\\u{7}`: a name has no control",
        ),
        (
            vec![("/plan/contestants/0/engine/name", json!("a\u{202e}b"))],
            "`a\\u{202e}b`: a name has no marks",
        ),
        (vec![("/began", most.clone())], "later than the year 9999"),
        (vec![("/programs", json!([null]))], "the contents of 1 executables, expected those of 2"),
        (vec![("/programs", json!([null, null, null]))], "the contents of 3 executables"),
        (vec![("/plan/contestants/0/limits/depth", json!(0))], "the depth of a search is from 1 to 127"),
        (vec![("/plan/contestants/1/limits/depth", json!(128))], "the limits of engine 2: the depth of"),
        (vec![("/plan/contestants/0/limits/nodes", json!(0))], "a search has at least one node"),
        (
            vec![("/plan/contestants/0/limits/move_time", json!({"secs": 0, "nanos": 0}))],
            "the time for a move is shorter than a millisecond",
        ),
        (
            vec![(
                "/plan/contestants/1/limits/clock",
                json!({"moves": 1, "base": {"secs": 0, "nanos": 1}, "increment": {"secs": 0, "nanos": 0}}),
            )],
            "the time for a move is shorter than a millisecond",
        ),
        (
            vec![("/plan/adjudication/repetition", json!(1))],
            "repetition: 1, expected a number from 2 to 1000",
        ),
        (vec![("/plan/adjudication/repetition", json!(u32::MAX))], "repetition: 4294967295, expected"),
        (
            vec![("/plan/adjudication/resign", json!({"moves": 0, "score": 9, "both": false}))],
            "resign: 0 moves with a score of 9, expected at least 1 move, and a score from 0 to 4800",
        ),
        (
            vec![("/plan/adjudication/resign", json!({"moves": 1, "score": i32::MIN, "both": true}))],
            "resign: 1 moves with a score of -2147483648, expected",
        ),
        (
            vec![("/plan/adjudication/draw", json!({"from": 1, "moves": 1, "score": 4801, "both": true}))],
            "draw: 1 moves with a score of 4801, expected",
        ),
        (
            vec![(
                "/plan/adjudication/draw",
                json!({"from": u64::MAX, "moves": 1, "score": 1, "both": true}),
            )],
            "draw from: 18446744073709551615, expected a number from 0 to 4294967295",
        ),
        (vec![("/plan/adjudication/endgame", json!(49))], "endgame: 49, expected a number from 0 to 48"),
        (
            vec![("/plan/contestants/0/engine/startup", json!({"secs": u64::MAX, "nanos": 0}))],
            "the limits of engine 1: a time is longer than",
        ),
        (
            vec![("/plan/contestants/1/limits/watchdog", json!({"secs": u64::MAX, "nanos": 0}))],
            "the limits of engine 2: a time is longer than",
        ),
        (
            vec![(
                "/plan/contestants/1/limits/clock",
                json!({"moves": 0, "base": {"secs": 1, "nanos": 0}, "increment": {"secs": 0, "nanos": 0}}),
            )],
            "the limits of engine 2: a clock is for at least one move",
        ),
    ] {
        assert_refused(&merged(&scene, &forge(&scene, &lines, 0, &changes)), reason);
    }
    // The largest there can be is counted without being played through.
    let report = merged(&scene, &forge(&scene, &lines, 0, &[("/plan/rounds", json!(1_000_000_000))]));
    assert_eq!(report.status, 0, "{}", report.stderr);
    let report = poor(&scene, &["merge", &scene.path("forged").to_string_lossy()]);
    assert_refused(&report, "1999999996 games of part 1/1 are missing");
    let parts = json!({"part": 1, "of": 1_000_000});
    forge(&scene, &lines[..1], 0, &[("/plan/shard", parts), ("/plan/rounds", json!(1_000_000_000))]);
    let report = poor(&scene, &["merge", &scene.path("forged").to_string_lossy()]);
    assert_refused(
        &report,
        "part 11/1000000 is missing; 999989 more parts of 1000000 are missing; 2000 games",
    );
    // No round of a knockout is drawn that would not fit.
    forge(&scene, &lines[..1], 0, &[("/plan/event", json!("knockout")), ("/plan/pairs", json!(1_000_000))]);
    assert_eq!(merged(&scene, &scene.path("forged").to_string_lossy()).status, 0);
}

#[test]
fn an_entry_with_numbers_of_no_game_is_refused() {
    let scene = Scene::new();
    let lines = genuine(&scene);
    let most = json!(u64::MAX);
    let journal = scene.path("forged").to_string_lossy().into_owned();
    let resumed =
        [engines(&scene), words(OPTIONS), vec!["--resume".to_owned(), "--journal".to_owned(), journal]]
            .concat();
    let resumed: Vec<&str> = resumed.iter().map(String::as_str).collect();
    for (changes, reason) in [
        (
            vec![("/number", json!(100_000_000_000_u64))],
            "game 100000000000 is not a game of this tournament: the tournament has no game of this number",
        ),
        (vec![("/number", json!(0))], "game 0 is not a game of this tournament: games are numbered from 1"),
        (vec![("/number", most.clone())], "has no game of this number"),
        (vec![("/date", most.clone())], "its date is later than the year 9999"),
        (vec![("/round", json!(0))], "the tournament has no such round"),
        (vec![("/round", most.clone())], "the tournament has no such round"),
        (vec![("/used", json!([0, u64::MAX]))], "a time in it is longer than a hundred years"),
        (vec![("/searches/times/0", most.clone())], "a time in it is longer than a hundred years"),
        (vec![("/detail", json!("x".repeat(2 << 20)))], "its detail has no end"),
        (vec![("/engines", json!([0, 2]))], "its engines are not in the list"),
        (vec![("/engines", json!([1, 1]))], "its engines are not in the list"),
        (vec![("/searches/scores/0", json!("mate -2147483648"))], ""),
        (vec![("/searches/scores/0", json!("cp 3 upperbound proven loss"))], ""),
        (vec![("/searches/scores/0", json!("cp 3 depth 2"))], "a score in it is not a score"),
        (vec![("/searches/scores", json!([1]))], "there is not one search info for each move"),
        (vec![("/searches/scores/0", json!(i32::MIN))], ""),
        (vec![("/searches/depths/0", json!(u32::MAX))], ""),
    ] {
        let mut lines = lines.clone();
        let moves = lines[1]["moves"].as_str().unwrap().len();
        lines[1]["searches"]["scores"] = json!(vec![Value::Null; moves]);
        lines[1]["searches"]["depths"] = json!(vec![Value::Null; moves]);
        let journal = forge(&scene, &lines, 1, &changes);
        let report = merged(&scene, &journal);
        if reason.is_empty() {
            assert_eq!(report.status, 0, "{}", report.stderr);
            let page = scene.path("page.html").to_string_lossy().into_owned();
            let report =
                poor(&scene, &["merge", &journal, "--html", &page, "--json", &page.replace("html", "json")]);
            assert_eq!(report.status, 0, "{changes:?}: {}", report.stderr);
            continue;
        }
        assert_refused(&report, reason);
        assert_refused(&poor(&scene, &resumed), reason);
    }
    let part = json!({"part": 2, "of": 2});
    let journal = forge(&scene, &lines, 0, &[("/plan/shard", part)]);
    assert_refused(&merged(&scene, &journal), "it belongs to another part of the tournament");
}

/// A journal of a match with these options, of which a game has changed; whether it is refused for this reason.
struct Ending {
    scene: Scene,
    lines: Vec<Value>,
}

impl Ending {
    fn new(engines: [&str; 2], options: &str) -> Ending {
        let scene = Scene::new();
        let engines = engines.map(|manner| scene.engine(manner, &["depth=1"])).concat();
        let journal = scene.path("genuine");
        let place = ["--journal".to_owned(), journal.to_string_lossy().into_owned()].to_vec();
        let report = scene.run(&[engines, words(options), place]);
        assert_eq!(report.status, 0, "{}", report.stderr);
        let text = fs::read_to_string(journal).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(&line[9..]).unwrap()).collect();
        Ending { scene, lines }
    }

    /// The line of a game that ended so.
    fn line(&self, termination: &str) -> usize {
        let found = self.lines.iter().position(|game| game["termination"] == termination);
        found.unwrap_or_else(|| panic!("no game ends so: {termination}"))
    }

    fn merged(&self, at: usize, changes: &[(&str, Value)]) -> Report {
        merged(&self.scene, &forge(&self.scene, &self.lines, at, changes))
    }

    fn refused(&self, at: usize, changes: &[(&str, Value)], reason: &str) {
        assert_refused(&self.merged(at, changes), reason);
    }

    /// Removes a number of moves from the end of a game, or plays its last one again.
    fn shortened(&self, at: usize, moves: usize) -> Vec<(&'static str, Value)> {
        let game = &self.lines[at];
        let letters = game["moves"].as_str().unwrap();
        let kept = letters.len() - moves;
        let mut changes = vec![("/moves", json!(&letters[..kept]))];
        for column in ["/searches/scores", "/searches/depths", "/searches/times"] {
            if let Some(cells) = game.pointer(column) {
                changes.push((column, json!(cells.as_array().unwrap()[..kept])));
            }
        }
        changes
    }
}

const OTHER: [(&str, &str); 2] = [("1-0", "0-1"), ("0-1", "1-0")];

fn other(result: &Value) -> Value {
    let found = OTHER.iter().find(|(one, _)| result == one);
    json!(found.map_or("1-0", |(_, other)| other))
}

#[test]
fn a_result_that_is_not_the_one_of_the_moves_is_refused() {
    let rules = Ending::new(["honest", "last"], "--rounds 4 --max-moves 400 --random-plies 2");
    let limit = Ending::new(["honest", "last"], OPTIONS);
    for (journal, termination) in [(&rules, "by the rules"), (&limit, "move limit")] {
        let at = journal.line(termination);
        let result = &journal.lines[at]["result"];
        assert_eq!(journal.merged(at, &[]).status, 0);
        journal.refused(at, &[("/result", other(result))], "its result is ");
        journal.refused(at, &[("/result", json!("*"))], "its result is ");
        for claimed in ["by the rules", "move limit", "repetition", "resignation", "agreed draw", "endgame"] {
            if claimed != termination {
                let changes = [("/termination", json!(claimed))];
                journal.refused(at, &changes, "it has ended by another reason than it says: ");
            }
        }
        journal.refused(at, &[("/faults", json!([true, false]))], "and it does not end by a fault");
        journal.refused(
            at,
            &[("/termination", json!("crash")), ("/faults", json!([true, false])), ("/result", json!("0-1"))],
            "",
        );
        // A letter that is no move, and a move that the rules do not allow.
        let moves = journal.lines[at]["moves"].as_str().unwrap();
        journal.refused(at, &[("/moves", json!(format!("z{}", &moves[1..])))], "`z` is not a move");
        let south = moves.starts_with(|letter: char| letter.is_ascii_uppercase());
        let wrong = if south { 'a' } else { 'A' };
        journal.refused(at, &[("/moves", json!(format!("{wrong}{}", &moves[1..])))], "move ");
    }
    // Fewer moves than end it.
    let at = limit.line("move limit");
    let mut changes = limit.shortened(at, 1);
    changes.push(("/stores", json!([48, 0])));
    let told = limit.merged(at, &changes).stderr;
    let (_, stores) = told.split_once("the stores are ").unwrap_or_else(|| panic!("{told}"));
    changes.last_mut().unwrap().1 =
        serde_json::from_str(stores.split_once(" at the end").unwrap().0).unwrap();
    limit.refused(at, &changes, "nothing in it ends it as it says: move limit");
}

#[test]
fn an_end_by_scores_that_are_not_there_is_refused() {
    let resigned = Ending::new(["gloomy", "honest"], "--rounds 2 --resign moves=2 score=40 --max-moves 60");
    let at = resigned.line("resignation");
    assert_eq!(resigned.merged(at, &[]).status, 0);
    let result = resigned.lines[at]["result"].clone();
    resigned.refused(at, &[("/result", other(&result))], "its result is ");
    let scores = resigned.lines[at]["searches"]["scores"].as_array().unwrap().len();
    let level = json!(vec![0; scores]);
    resigned.refused(at, &[("/searches/scores", level)], "nothing in it ends it as it says: resignation");
    resigned.refused(at, &[("/termination", json!("agreed draw"))], "it has ended by another reason");
    // A match that has no such rule has no such end.
    let mut without = resigned.lines.clone();
    without[0]["plan"]["adjudication"]["resign"] = Value::Null;
    let report = merged(&resigned.scene, &forge(&resigned.scene, &without, at, &[]));
    assert_refused(&report, "nothing in it ends it as it says: resignation");
}

#[test]
fn a_fault_out_of_turn_is_refused() {
    let scene = Scene::new();
    let lines = genuine(&scene);
    let of = |faults: [bool; 2], result: &str| {
        vec![
            ("/moves", json!("")),
            ("/searches", json!({})),
            ("/stores", json!([0, 0])),
            ("/termination", json!("crash")),
            ("/faults", json!(faults)),
            ("/result", json!(result)),
        ]
    };
    let refused = |changes: &[(&str, Value)], reason: &str| {
        let mut lines = lines.clone();
        // Further fields are optional.
        let game = lines[1].as_object_mut().unwrap();
        let kept = ["number", "round", "engines", "date", "opening", "moves", "searches"];
        let more = ["result", "termination", "faults", "stores", "used"];
        game.retain(|key, _| kept.contains(&key.as_str()) || more.contains(&key.as_str()));
        let report = merged(&scene, &forge(&scene, &lines, 1, changes));
        match reason {
            "" => assert_eq!(report.status, 0, "{}", report.stderr),
            reason => assert_refused(&report, reason),
        }
    };
    // South begins.
    refused(&of([true, false], "0-1"), "");
    refused(&of([true, false], "1-0"), "the side that is at fault has not lost it");
    refused(&of([false, true], "1-0"), "the side that is at fault was not to move");
    refused(&of([true, true], "*"), "both sides are at fault");
    let mut unfaulted = of([false, false], "1-0");
    refused(&unfaulted, "it has no moves, and neither side is at fault");
    unfaulted[3].1 = json!("failed to start");
    unfaulted[4].1 = json!([false, true]);
    refused(&unfaulted, "");
}

#[test]
fn a_line_without_end_costs_no_memory() {
    let scene = Scene::new();
    let lines: Vec<String> = genuine(&scene).iter().map(|value| line(&value.to_string())).collect();
    let journal = scene.path("long");
    for (before, reason) in [
        (0, "long:1: this line has more than 4194304 bytes"),
        (1, "long:2: this line has more than 421"),
        (3, "long:4: "),
    ] {
        let mut file = BufWriter::new(fs::File::create(&journal).unwrap());
        lines[..before].iter().for_each(|line| file.write_all(line.as_bytes()).unwrap());
        (0..200).for_each(|_| file.write_all(&[b'x'; 1 << 20]).unwrap());
        file.write_all(b"\n").unwrap();
        file.flush().unwrap();
        let before = Instant::now();
        assert_refused(&merged(&scene, &journal.to_string_lossy()), reason);
        assert!(before.elapsed() < PATIENCE);
    }
}

/// Two headers that do not fit together: merge, audit and resume say so, whatever they have and lack.
#[test]
fn headers_that_differ_in_their_executables_are_compared_without_a_panic() {
    let scene = Scene::new();
    let lines = genuine(&scene);
    let content = |digit: &str| json!({"sha256": digit.repeat(64), "bytes": 5});
    let shard = |part: u64| json!({"part": part, "of": 2});
    let write = |name: &str, part: u64, programs: Value| {
        let mut header = lines[0].clone();
        header["plan"]["shard"] = shard(part);
        header["programs"] = programs;
        scene.file(name, &line(&header.to_string()))
    };
    for programs in [
        [json!([content("a"), content("b")]), json!([content("a"), content("c")])],
        [json!([null, content("b")]), json!([content("a"), content("c")])],
    ] {
        let [one, other] =
            [0, 1].map(|place| write(&format!("part{place}"), place as u64 + 1, programs[place].clone()));
        for command in ["merge", "audit"] {
            let mut words = vec![command];
            if command == "merge" {
                words.push("--partial");
            }
            words.extend([one.as_str(), other.as_str()]);
            assert_refused(&poor(&scene, &words), "are journals of different tournaments: programs.");
        }
    }
}

/// The places of all values in a document that are no objects or lists with something in them.
fn leaves(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{place}/{key}"), found));
        }
        Value::Array(list) if !list.is_empty() => {
            list.iter()
                .enumerate()
                .for_each(|(index, value)| leaves(value, &format!("{place}/{index}"), found));
        }
        _ => found.push(place.to_owned()),
    }
}

/// Each field of a header is set to each of these values. Whatever comes of it, no command panics.
#[test]
fn no_value_of_a_header_panics_a_command() {
    let scene = Scene::new();
    let mut lines = genuine(&scene);
    // Optional keys of a header.
    let plan = &mut lines[0]["plan"];
    let time = |secs: u64| json!({"secs": secs, "nanos": 0});
    plan["adjudication"]["repetition"] = json!(3);
    plan["adjudication"]["resign"] = json!({"moves": 2, "score": 900, "both": true});
    plan["adjudication"]["draw"] = json!({"from": 4, "moves": 2, "score": 9, "both": true});
    plan["contestants"][0]["limits"]["nodes"] = json!(5);
    plan["contestants"][1]["limits"]["clock"] = json!({"moves": 9, "base": time(60), "increment": time(1)});
    plan["sprt"] = json!({"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05, "model": "normalized"});
    let mut places = Vec::new();
    leaves(&lines[0], "", &mut places);
    assert!(places.len() > 50, "{places:?}");
    let mut accepted = 0;
    for place in &places {
        for value in [
            json!(0),
            json!(-1),
            json!(u32::MAX),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(1e308),
            json!("\u{1b}"),
            json!(""),
            json!([]),
            Value::Null,
        ] {
            let changes = [(place.as_str(), value)];
            let journal = forge(&scene, &lines, 0, &changes);
            if let Err(refused) = merged_here(&journal) {
                assert!(refused.contains("forged") && refused.len() < 1000, "{changes:?}: {refused}");
                assert_eq!(refused.lines().count(), 1, "{changes:?}: {refused}");
                continue;
            }
            accepted += 1;
            let refused = audit(&AuditOptions { journals: vec![journal.clone().into()], json: false });
            assert!(refused.is_err(), "no game was played by a worker");
            let page = scene.path("page.html").display().to_string();
            let merged =
                ["merge", "--partial", &journal, "--html", &page, "--json", &page.replace("html", "json")];
            for command in [&["--resume", "--journal", &journal][..], &merged] {
                let report = poor(&scene, command);
                let expected = [0, 1, 10, 11, 12].contains(&report.status);
                assert!(expected && !report.stderr.contains("panicked"), "{changes:?}: {}", report.stderr);
            }
        }
    }
    assert!(accepted > 50, "{accepted}");
    assert_refused(&poor(&scene, &["stats", &scene.path("forged").to_string_lossy()]), "forged");
}
