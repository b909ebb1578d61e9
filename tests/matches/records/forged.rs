//! Journals from elsewhere: their checksums are right, and what they say is not. None costs time or memory, each is refused
//! with a reason.

use kroo_referee::output::{AuditOptions, MergeOptions, OutputFiles, audit};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufWriter, Write};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;
use support::programs::referee_path;
use support::scene::line;
use support::scene::{Report, Scene, words};
use support::{PATIENCE, one_of};

const OPTIONS: &str = "--rounds 2 --max-moves 20";
/// Memory of a `referee`, in KiB: it needs 10 MiB.
const MEMORY: &str = "ulimit -v 400000; exec \"$0\" \"$@\"";
/// The largest number of a journal, as the tables below write it.
const MOST: &str = "18446744073709551615";

/// The name of a scene's folder, which [`forge`] replaces with that of its own.
const FOLDER: &str = "FOLDER";

fn folder(scene: &Scene) -> String {
    scene.dir.path().file_name().unwrap().to_string_lossy().into_owned()
}

/// The JSON of the lines of a journal of a match with these options.
fn played(engines: [&str; 2], options: &str) -> Vec<Value> {
    let scene = Scene::in_memory();
    let engines = engines.map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let journal = scene.path("journal");
    let place = vec!["--journal".to_owned(), journal.to_string_lossy().into_owned()];
    let report = scene.run(&[engines, words(options), place]);
    assert_eq!(report.status, 0, "{}", report.stderr);
    let text = fs::read_to_string(journal).unwrap().replace(&folder(&scene), FOLDER);
    text.lines().map(|line| serde_json::from_str(&line[9..]).unwrap()).collect()
}

/// A journal of two rounds.
static GENUINE: LazyLock<Vec<Value>> = LazyLock::new(|| played(["honest", "last"], OPTIONS));

/// A change of a line: the place of a value, and another one.
type Changes<'a> = Vec<(&'a str, Value)>;

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
    let of_line = |value: &Value| line(&value.to_string().replace(FOLDER, &folder(scene)));
    scene.file("forged", &lines.iter().map(of_line).collect::<String>())
}

/// The rows of a table: changes, each a place and a value, with `;` between them, and behind `|` the reason for which they are
/// refused, if they are.
fn rows(table: &'static str) -> impl Iterator<Item = (Changes<'static>, String)> {
    table.lines().filter(|row| !row.is_empty()).map(|row| {
        let (changes, reason) = row.split_once(" |").unwrap();
        let change = |change: &'static str| {
            let (place, value) = change.split_once(' ').unwrap();
            (place, serde_json::from_str(&value.replace("MOST", MOST)).unwrap())
        };
        (changes.split("; ").map(change).collect(), reason.trim().replace("MOST", MOST))
    })
}

/// Runs the referee with little memory.
fn poor(scene: &Scene, words: &[&str]) -> Report {
    let began = Instant::now();
    let output = Command::new("sh").args(["-c", MEMORY, referee_path()]).args(words).output().unwrap();
    assert!(began.elapsed() < PATIENCE, "{words:?}: {:?}", began.elapsed());
    scene.report(output)
}

/// `referee merge --partial` in this process, without outputs; returns its error.
fn merged(journal: &str) -> Result<(), String> {
    let outputs = OutputFiles { games_out: None, json: None, html: None };
    let options = MergeOptions { journals: vec![journal.into()], partial: true, outputs };
    let journals = options.open().map_err(|error| error.to_string())?;
    journals.replay(&mut ()).map(drop).map_err(|error| error.to_string())
}

/// Checks that a forged journal is refused for the reason that is given, and says no more; without a reason it must be accepted.
fn assert_merged(journal: &str, reason: &str) {
    match merged(journal) {
        Ok(()) => assert!(reason.is_empty(), "{reason}"),
        Err(said) => {
            assert!(!reason.is_empty() && said.contains(reason), "expected {reason:?}, found {said}");
            assert!(said.lines().count() == 1 && said.len() < 1000, "{said}");
        }
    }
}

/// Whether it is refused, with a reason and nothing else.
fn assert_refused(report: &Report, reason: &str) {
    assert_eq!(report.status, 1, "{reason}: {}{}", report.stdout, report.stderr);
    assert!(report.stderr.contains(reason), "expected {reason}, found {}", report.stderr);
    assert!(report.stderr.lines().count() == 1 && report.stderr.len() < 1000, "{}", report.stderr);
}

/// Only `--resume` starts what a journal names, and writes to its paths.
#[test]
fn a_journal_that_is_merged_or_audited_starts_and_writes_nothing() {
    let scene = Scene::in_memory();
    let traces =
        ["started", "page.html", "match.json", "games.ogn", "stderr", "log"].map(|name| scene.path(name));
    let program = support::programs::script(scene.path("attacker"), "#!/bin/sh\ntouch \"${0%/*}/started\"\n");
    let path = |name: &str| scene.path(name).display().to_string();
    let engine = |name| format!("--engine cmd={program} name={name} args=honest stderr={} ", path("stderr"));
    let outputs = format!("--html {} --json {} --log {}", path("page.html"), path("match.json"), path("log"));
    let command = words(&(engine("honest") + &engine("last") + &outputs));
    let command = json!({"folder": scene.path(""), "options": [command]});
    let place = |engine: u8| format!("/plan/contestants/{engine}/engine/command");
    let (one, other) = (place(0), place(1));
    let changes = [("/command", command), (&*one, json!(program)), (&*other, json!(program))];
    let journal = forge(&scene, &GENUINE, 0, &changes);
    // This one names no workers, which ends an audit.
    for (command, status) in [("merge", 0), ("audit", 1)] {
        let output = Command::new(referee_path()).args([command, &journal]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{command}: {errors}");
        let found: Vec<_> = traces.iter().filter(|trace| trace.exists()).collect();
        assert!(found.is_empty(), "{command}: {found:?}");
    }
}

const HEADERS: &str = r#"
/plan/rounds 4000000000 | rounds: 4000000000, expected a number from 1 to 1000000000
/plan/rounds MOST | rounds: MOST, expected
/plan/rounds 0 | rounds: 0, expected
/plan/pairs MOST | pairs: MOST, expected
/plan/rounds 1000000000; /plan/pairs 1000000 | pairs of games in all
/plan/shard {"part": MOST, "of": MOST} | part MOST/MOST
/plan/shard {"part": 1, "of": 0} | part 1/0: expected K/N
/plan/shard {"part": 0, "of": 2} | part 0/2: expected K/N
/plan/shard {"part": 1, "of": 2}; /plan/event "swiss" | part 1/2 of an event
/plan/event {"gauntlet": {"seeds": 0}} | gauntlet-seeds: 0, expected
/plan/event {"gauntlet": {"seeds": MOST}} | gauntlet-seeds: MOST
/plan/adjudication/max_moves MOST | max-moves: MOST
/plan/contestants [] | engines: 0, expected a number from 2 to 1000
/plan/contestants/1/engine/name "honest" | the name of engine 2, `honest`: two engines have it
/plan/contestants/1/engine/name "" | a name has at least one letter
/plan/contestants/0/engine/name "\u001b]0;owned\u0007" | \u{1b}]0;owned\u{7}`: a name has no control
/plan/contestants/0/engine/name "a\u202eb" | `a\u{202e}b`: a name has no marks
/began MOST | later than the year 9999
/programs [null] | the contents of 1 executables, expected those of 2
/programs [null, null, null] | the contents of 3 executables
/plan/contestants/0/limits/depth 0 | the depth of a search is from 1 to 127
/plan/contestants/1/limits/depth 128 | the limits of engine 2: the depth of
/plan/contestants/0/limits/nodes 0 | a search has at least one node
/plan/contestants/0/limits/move_time {"secs": 0, "nanos": 0} | the time for a move is shorter than a millisecond
/plan/contestants/1/limits/clock {"moves": 1, "base": {"secs": 0, "nanos": 1}, "increment": {"secs": 0, "nanos": 0}} | the time for a move is shorter than a millisecond
/plan/adjudication/repetition 1 | repetition: 1, expected a number from 2 to 1000
/plan/adjudication/repetition 4294967295 | repetition: 4294967295, expected
/plan/adjudication/resign {"moves": 0, "score": 9, "both": false} | resign: 0 moves with a score of 9, expected at least 1 move, and a score from 0 to 4800
/plan/adjudication/resign {"moves": 1, "score": -2147483648, "both": true} | resign: 1 moves with a score of -2147483648, expected
/plan/adjudication/draw {"from": 1, "moves": 1, "score": 4801, "both": true} | draw: 1 moves with a score of 4801, expected
/plan/adjudication/draw {"from": MOST, "moves": 1, "score": 1, "both": true} | draw from: MOST, expected a number from 0 to 4294967295
/plan/adjudication/endgame 49 | endgame: 49, expected a number from 0 to 48
/plan/contestants/0/engine/startup {"secs": MOST, "nanos": 0} | the limits of engine 1: a time is longer than
/plan/contestants/1/limits/watchdog {"secs": MOST, "nanos": 0} | the limits of engine 2: a time is longer than
/plan/contestants/1/limits/clock {"moves": 0, "base": {"secs": 1, "nanos": 0}, "increment": {"secs": 0, "nanos": 0}} | the limits of engine 2: a clock is for at least one move
/plan/rounds 1000000000 |
"#;

#[test]
fn a_header_that_asks_for_too_much_is_refused() {
    let scene = Scene::in_memory();
    for (changes, reason) in rows(HEADERS) {
        assert_merged(&forge(&scene, &GENUINE, 0, &changes), &reason);
    }
    for (place, letter, count, reason) in [
        ("/plan/openings", "x", 20_000, "the source of the openings"),
        ("/plan/contestants/1/engine/name", "n", 101, "a name has at most 100 characters"),
    ] {
        assert_merged(&forge(&scene, &GENUINE, 0, &[(place, json!(letter.repeat(count)))]), reason);
    }
    // The largest there can be is counted without being played through.
    let most = ("/plan/rounds", json!(1_000_000_000));
    let journal = forge(&scene, &GENUINE, 0, std::slice::from_ref(&most));
    assert_refused(&poor(&scene, &["merge", &journal]), "1999999996 games of part 1/1 are missing");
    let parts = json!({"part": 1, "of": 1_000_000});
    let journal = forge(&scene, &GENUINE[..1], 0, &[("/plan/shard", parts), most]);
    assert_refused(
        &poor(&scene, &["merge", &journal]),
        "part 11/1000000 is missing; 999989 more parts of 1000000 are missing; 2000 games",
    );
    // No round of a knockout is drawn that would not fit.
    let knockout = [("/plan/event", json!("knockout")), ("/plan/pairs", json!(1_000_000))];
    let journal = forge(&scene, &GENUINE[..1], 0, &knockout);
    assert_eq!(poor(&scene, &["merge", "--partial", &journal]).status, 0);
}

const GAMES: &str = r#"
/number 100000000000 | game 100000000000 is not a game of this tournament: the tournament has no game of this number
/number 0 | game 0 is not a game of this tournament: games are numbered from 1
/number MOST | has no game of this number
/date MOST | its date is later than the year 9999
/round 0 | the tournament has no such round
/round MOST | the tournament has no such round
/used [0, MOST] | a time in it is longer than a hundred years
/searches/times/0 MOST | a time in it is longer than a hundred years
/engines [0, 2] | its engines are not in the list
/engines [1, 1] | its engines are not in the list
/engines [1, 0] | has other engines in the schedule
/moves ""; /searches {}; /stores [0, 0]; /termination "crash"; /result "1-0" | it has no moves, and neither side is at fault
/moves ""; /searches {}; /stores [0, 0]; /termination "failed to start"; /faults [false, true]; /result "1-0" |
/searches/scores/0 "mate -2147483648" |
/searches/scores/0 "cp 3 upperbound proven loss" |
/searches/scores/0 "cp 3 depth 2" | a score in it is not a score
/searches/scores [1] | there is not one search info for each move
/searches/scores/0 -2147483648 |
/searches/depths/0 4294967295 |
"#;

#[test]
fn an_entry_with_numbers_of_no_game_is_refused() {
    let scene = Scene::in_memory();
    let mut lines = GENUINE.clone();
    let nothing = json!(vec![Value::Null; lines[1]["moves"].as_str().unwrap().len()]);
    lines[1]["searches"]["scores"] = nothing.clone();
    lines[1]["searches"]["depths"] = nothing;
    let detail = (vec![("/detail", json!("x".repeat(2 << 20)))], "its detail has no end".to_owned());
    for (changes, reason) in rows(GAMES).chain([detail]) {
        let journal = forge(&scene, &lines, 1, &changes);
        assert_merged(&journal, &reason);
        if reason.is_empty() {
            let page = scene.path("page.html").to_string_lossy().into_owned();
            let json = page.replace("html", "json");
            let report = poor(&scene, &["merge", "--partial", &journal, "--html", &page, "--json", &json]);
            assert_eq!(report.status, 0, "{changes:?}: {}", report.stderr);
        }
    }
    // Who resumes a match is told the same.
    let journal = forge(&scene, &lines, 1, &[("/number", json!(0))]);
    let report = poor(&scene, &["--resume", "--journal", &journal]);
    assert_refused(&report, "game 0 is not a game of this tournament");
    let part = json!({"part": 2, "of": 2});
    let journal = forge(&scene, &lines, 0, &[("/plan/shard", part)]);
    assert_merged(&journal, "it belongs to another part of the tournament");
}

/// A journal of which a game has changed.
struct Ending {
    scene: Scene,
    lines: Vec<Value>,
}

impl Ending {
    fn new(engines: [&str; 2], options: &str) -> Ending {
        Ending { scene: Scene::in_memory(), lines: played(engines, options) }
    }

    /// The line of a game that ended so.
    fn line(&self, termination: &str) -> usize {
        let found = self.lines.iter().position(|game| game["termination"] == termination);
        found.unwrap_or_else(|| panic!("no game ends so: {termination}"))
    }

    /// Whether it is refused for this reason, or accepted.
    fn merged(&self, at: usize, changes: &[(&str, Value)], reason: &str) {
        assert_merged(&forge(&self.scene, &self.lines, at, changes), reason);
    }
}

fn other(result: &Value) -> Value {
    json!(if result == "1-0" { "0-1" } else { "1-0" })
}

/// The rows of `referee::endings` have each kind of end; here are those of whole games.
#[test]
fn a_result_that_is_not_the_one_of_the_moves_is_refused() {
    let rules = Ending::new(["honest", "last"], "--rounds 4 --max-moves 400 --random-plies 2");
    let limit = Ending { scene: Scene::in_memory(), lines: GENUINE.clone() };
    for (journal, termination) in [(&rules, "by the rules"), (&limit, "move limit")] {
        let at = journal.line(termination);
        let result = &journal.lines[at]["result"];
        journal.merged(at, &[], "");
        journal.merged(at, &[("/result", other(result))], "its result is ");
        journal.merged(at, &[("/result", json!("*"))], "its result is ");
        for claimed in ["by the rules", "move limit", "repetition", "resignation", "agreed draw", "endgame"] {
            if claimed != termination {
                let changes = [("/termination", json!(claimed))];
                journal.merged(at, &changes, "it has ended by another reason than it says: ");
            }
        }
        journal.merged(at, &[("/faults", json!([true, false]))], "and it does not end by a fault");
        // A letter that is no move, and a move that the rules do not allow.
        let moves = journal.lines[at]["moves"].as_str().unwrap();
        journal.merged(at, &[("/moves", json!(format!("z{}", &moves[1..])))], "`z` is not a move");
        let wrong = if moves.starts_with(|letter: char| letter.is_ascii_uppercase()) { 'a' } else { 'A' };
        journal.merged(at, &[("/moves", json!(format!("{wrong}{}", &moves[1..])))], "move ");
    }
    // Fewer moves than end it.
    let at = limit.line("move limit");
    let game = &limit.lines[at];
    let kept = game["moves"].as_str().unwrap().len() - 1;
    let mut changes = vec![("/moves", json!(&game["moves"].as_str().unwrap()[..kept]))];
    for column in ["/searches/scores", "/searches/depths", "/searches/times"] {
        let cells = game.pointer(column).and_then(Value::as_array);
        changes.extend(cells.map(|cells| (column, json!(cells[..kept]))));
    }
    changes.push(("/stores", json!([48, 0])));
    let told = merged(&forge(&limit.scene, &limit.lines, at, &changes)).unwrap_err();
    let (_, stores) = told.split_once("the stores are ").unwrap_or_else(|| panic!("{told}"));
    changes.last_mut().unwrap().1 =
        serde_json::from_str(stores.split_once(" at the end").unwrap().0).unwrap();
    limit.merged(at, &changes, "nothing in it ends it as it says: move limit");
}

#[test]
fn an_end_by_scores_that_are_not_there_is_refused() {
    let mut resigned =
        Ending::new(["gloomy", "honest"], "--rounds 2 --resign moves=2 score=40 --max-moves 60");
    let at = resigned.line("resignation");
    resigned.merged(at, &[], "");
    let result = resigned.lines[at]["result"].clone();
    resigned.merged(at, &[("/result", other(&result))], "its result is ");
    let scores = resigned.lines[at]["searches"]["scores"].as_array().unwrap().len();
    let level = json!(vec![0; scores]);
    resigned.merged(at, &[("/searches/scores", level)], "nothing in it ends it as it says: resignation");
    resigned.merged(at, &[("/termination", json!("agreed draw"))], "it has ended by another reason");
    // A match that has no such rule has no such end.
    resigned.lines[0]["plan"]["adjudication"]["resign"] = Value::Null;
    resigned.merged(at, &[], "nothing in it ends it as it says: resignation");
}

#[test]
fn a_line_without_end_costs_no_memory() {
    let scene = Scene::in_memory();
    let lines: Vec<String> = GENUINE.iter().map(|value| line(&value.to_string())).collect();
    let journal = scene.path("long");
    for (before, mebibytes, reason) in [
        (0, 8, "long:1: this line has more than 4194304 bytes"),
        (1, 200, "long:2: this line has more than 421"),
        (3, 8, "long:4: "),
    ] {
        let mut file = BufWriter::new(fs::File::create(&journal).unwrap());
        lines[..before].iter().for_each(|line| file.write_all(line.as_bytes()).unwrap());
        (0..mebibytes).for_each(|_| file.write_all(&[b'x'; 1 << 20]).unwrap());
        file.write_all(b"\n").unwrap();
        file.flush().unwrap();
        assert_refused(&poor(&scene, &["merge", "--partial", &journal.to_string_lossy()]), reason);
    }
}

/// Two headers that do not fit together: merge and audit say so, whatever they have and lack.
#[test]
fn headers_that_differ_in_their_executables_are_compared_without_a_panic() {
    let scene = Scene::in_memory();
    let content = |digit: &str| json!({"sha256": digit.repeat(64), "bytes": 5});
    let write = |part: u64, programs: Value| {
        let shard = json!({"part": part, "of": 2});
        let journal = forge(&scene, &GENUINE[..1], 0, &[("/plan/shard", shard), ("/programs", programs)]);
        let copy = format!("{journal}{part}");
        fs::rename(journal, &copy).unwrap();
        copy
    };
    for first in [content("a"), Value::Null] {
        let one = write(1, json!([first, content("b")]));
        let other = write(2, json!([content("a"), content("c")]));
        for command in [&["merge", "--partial"][..], &["audit"]] {
            let report = poor(&scene, &[command, &[&one, &other]].concat());
            assert_refused(&report, "are journals of different tournaments: programs.");
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
    let scene = Scene::in_memory();
    let mut lines = GENUINE.clone();
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
    let values = json!([0, -1, u32::MAX, u64::MAX, i64::MIN, 1e308, "\u{1b}", "", [], null]);
    let mut accepted = 0;
    for place in &places {
        for value in values.as_array().unwrap() {
            let changes = [(place.as_str(), value.clone())];
            let journal = forge(&scene, &lines, 0, &changes);
            if let Err(refused) = merged(&journal) {
                assert!(refused.contains("forged") && refused.len() < 1000, "{changes:?}: {refused}");
                assert_eq!(refused.lines().count(), 1, "{changes:?}: {refused}");
                continue;
            }
            accepted += 1;
            let refused = audit(&AuditOptions { journals: vec![journal.clone().into()], json: false });
            assert!(refused.is_err(), "no game was played by a worker");
            if accepted % one_of(10) != 0 {
                continue;
            }
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
