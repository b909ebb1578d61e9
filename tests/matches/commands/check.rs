//! `referee check`: the engine passes, and every misbehaving one is caught with the right fault.

use kroo::game::Variant;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use support::programs::referee_path;
use support::scene::{Scene, built, words};
use support::tools::has;

/// A manner, the checks that are carried out after the handshake, and the faults that must be among those found.
const FAULTS: &[(&str, &[&str], &[&str])] = &[
    ("illegal", &["legality"], &["illegal-move"]),
    ("other-side", &["limits"], &["illegal-move"]),
    ("no-move", &["new games"], &["no-move"]),
    ("null-move", &["limits"], &["no-move"]),
    ("non-move", &["new games"], &["no-move"]),
    ("crash-at-start", &["quit"], &["crash"]),
    ("silent-at-uci", &["quit"], &["no-uciok"]),
    ("unready", &["quit"], &["no-readyok"]),
    ("deaf", &["new games"], &["no-readyok"]),
    ("abort-at-go", &["new games"], &["crash"]),
    ("exit-at-go", &["new games"], &["crash"]),
    ("silent-at-go", &["new games"], &["no-answer"]),
    ("deaf-at-go", &["new games"], &["no-answer"]),
    ("late", &["limits"], &["late"]),
    ("garbage", &["new games"], &["garbage"]),
    ("flood", &["new games"], &["flood"]),
    ("flood-and-move", &["new games"], &["flood"]),
    ("endless-line", &["new games"], &["long-line"]),
    ("long-lines", &["new games"], &["long-line"]),
    ("unfinished", &["new games"], &["crash"]),
    ("twice", &["stop"], &["extra-answer"]),
    ("stubborn", &["quit", "end of input"], &["no-exit-at-quit", "no-exit-at-end"]),
    ("parent", &["quit"], &["children-left"]),
    ("orphaning", &["new games", "quit"], &["crash", "children-left"]),
    ("escaping", &["end of input"], &["children-left"]),
    ("hanging-parent", &["new games"], &["no-answer"]),
    ("hanging-escaping", &["new games"], &["no-answer"]),
    ("hanging-hermits", &["new games"], &["no-answer"]),
    ("hermits", &["quit"], &["children-left"]),
    ("lingering", &["quit"], &["no-uciok"]),
    ("hermit", &["quit"], &["crash"]),
    ("deserting", &["new games"], &["no-answer"]),
    ("banner", &["quit"], &["empty-line"]),
    ("dies-between", &["new games"], &["crash"]),
    ("rambling", &["legality"], &["illegal-line"]),
    ("contradicting", &["limits"], &["line-not-played"]),
    ("southern", &["scores"], &["score-side"]),
    ("south-clock", &["clocks"], &["late"]),
    ("refusing", &["legality"], &["rule-set-refused"]),
    ("twice-ready", &["new games"], &["extra-answer"]),
];

/// Those for whose silence a check waits: before they are ready, and at `go`. The others have time for what they do.
const UNREADY: [&str; 4] = ["silent-at-uci", "unready", "deaf", "lingering"];
const SILENT: [&str; 7] = [
    "silent-at-go",
    "deaf-at-go",
    "hanging-parent",
    "hanging-escaping",
    "hanging-hermits",
    "deserting",
    "flood",
];

fn check(scene: &Scene, manner: &str, only: &[&str], more: &str) -> Output {
    let named = scene.engine(manner, &[]);
    let [_, command, arguments, ..] = named.as_slice() else { panic!("{named:?}") };
    let startup = if UNREADY.contains(&manner) { "startup=0.7" } else { "startup=60" };
    let patience = if SILENT.contains(&manner) { "300" } else { "3000" };
    let mut check = Command::new(referee_path());
    check.args(["check", command.trim_start_matches("cmd="), arguments, startup]);
    check
        .args(["--answer-timeout", patience])
        .args(words("--games 1 --max-moves 12 --margin 100"))
        .args(only.iter().flat_map(|name| ["--only", name]))
        .args(words(more))
        .output()
        .unwrap()
}

fn report(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{:?}", output.stderr))
}

fn kinds<'a>(report: &'a Value, list: &str) -> Vec<&'a str> {
    report[list].as_array().unwrap().iter().map(|fault| fault["kind"].as_str().unwrap()).collect()
}

fn is_caught(manner: &str, only: &[&str], expected: &[&str]) {
    let scene = Scene::new();
    let output = check(&scene, manner, only, "--json");
    let report = report(&output);
    assert_eq!((output.status.code(), &report["passed"]), (Some(2), &Value::from(false)), "{manner}");
    let faults = report["faults"].as_array().unwrap();
    for kind in expected {
        let fault = faults.iter().find(|fault| fault["kind"] == *kind);
        let fault = fault.unwrap_or_else(|| panic!("{manner}: no {kind}: {report:#}"));
        assert!(!fault["problem"].as_str().unwrap().is_empty());
        assert!(!fault["transcript"].as_array().unwrap().is_empty(), "{fault:#}");
    }
    assert!(scene.await_processes(0), "{manner} leaves a process");
}

#[test]
fn every_way_to_misbehave_is_caught() {
    for some in FAULTS.chunks(6) {
        thread::scope(|scope| {
            for &(manner, only, kinds) in some {
                scope.spawn(move || is_caught(manner, only, kinds));
            }
        });
    }
}

/// Honest but for one thing: it answers `go infinite` at once.
#[test]
fn an_engine_with_one_fault_has_no_other_in_any_check() {
    let scene = Scene::new();
    let report = report(&check(&scene, "honest", &[], "--json"));
    let found = kinds(&report, "faults");
    assert!(found.contains(&"early-answer"), "{report:#}");
    assert!(found.iter().all(|kind| ["early-answer", "late"].contains(kind)), "{report:#}");
}

#[test]
fn checks_are_chosen_by_their_names() {
    let scene = Scene::new();
    let found = report(&check(&scene, "stubborn", &["quit", "options"], "--json"));
    let names: Vec<&str> =
        found["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["handshake", "options", "quit"], "{found:#}");
    let refused = check(&scene, "honest", &["speed"], "");
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{error}");
    let all = report(&check(&scene, "crash-at-start", &[], "--json"));
    let list = error.split_once('[').unwrap().1;
    for check in all["checks"].as_array().unwrap().iter().skip(1) {
        assert!(list.contains(check["name"].as_str().unwrap()), "{check}: {list}");
    }
}

#[test]
fn the_engine_itself_passes() {
    let output = Command::new(referee_path())
        .arg("check")
        .arg(built("kroo", &["-p", "kroo"]))
        .args(words("option.Hash=4 --games 1 --max-moves 40 --margin 20000 --answer-timeout 60000 --json"))
        .output()
        .unwrap();
    let report = report(&output);
    assert_eq!(report["faults"].as_array().unwrap().len(), 0, "{report:#}");
    assert_eq!((output.status.code(), &report["passed"]), (Some(0), &Value::from(true)));
    let variants = kroo::game::names().len();
    assert_eq!(
        report["checks"].as_array().unwrap().len(),
        16 + 2 * variants + Variant::ALL.len(),
        "{report:#}"
    );
    let rules = report["rules"].as_array().unwrap();
    assert_eq!(rules.len(), kroo_referee::check::positions().count());
    assert!(rules.iter().any(|row| row["variant"] == "kalah-emptycapture"), "{rules:#?}");
    assert_eq!(report["variants"].as_array().unwrap().len(), variants);
}

#[test]
fn the_engine_itself_passes_as_an_engine_of_ugi() {
    let output = Command::new(referee_path())
        .args(["check", "--ugi"])
        .arg(built("kroo", &["-p", "kroo"]))
        .args(words(
            "option.Hash=4 --variant kalah --games 1 --margin 20000 --answer-timeout 60000 --max-moves 40 --json",
        ))
        .output()
        .unwrap();
    let report = report(&output);
    assert_eq!(report["faults"].as_array().unwrap().len(), 0, "{report:#}");
    assert_eq!((output.status.code(), &report["passed"]), (Some(0), &Value::from(true)));
}

/// An engine in Python with one fault, in some checks, at the defaults: its faults by kind, and its positions with a wrong
/// answer.
fn of_heretic(fault: &str, only: &[&str]) -> (Vec<String>, Vec<String>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/engines/heretic.py");
    let output = Command::new(referee_path())
        .args(["check", "python3", &format!("args={} {fault}", script.display())])
        .args(words("startup=60 --margin 20000 --answer-timeout 60000 --json"))
        .args(only.iter().flat_map(|name| ["--only", name]))
        .output()
        .unwrap();
    let report = report(&output);
    let rules = report["rules"].as_array().unwrap().iter();
    let wrong =
        rules.filter(|row| !row["expected"].as_str().unwrap().contains(row["found"].as_str().unwrap()));
    let wrong = wrong.map(|row| row["rule"].as_str().unwrap().to_owned()).collect();
    let mut kinds: Vec<String> = kinds(&report, "faults").into_iter().map(str::to_owned).collect();
    kinds.dedup();
    assert_eq!(output.status.code(), Some(if kinds.is_empty() { 0 } else { 2 }), "{report:#}");
    (kinds, wrong)
}

#[test]
fn a_broken_rule_is_found_at_the_defaults() {
    if !has("python") {
        return;
    }
    for (fault, only, kind, rule) in [
        ("none", &["rules", "illegal input", "new games", "limits"][..], None, None),
        ("no-feeding", &["rules"], Some("wrong-rule"), Some("feeding")),
        ("grand-slam-captures", &["rules"], Some("wrong-rule"), Some("grand slam captures nothing")),
        ("no-repetition", &["rules"], Some("wrong-rule"), Some("repetition ends the game")),
        ("restarts", &["illegal input"], Some("position-lost"), None),
        ("silent", &["illegal input"], Some("silent-error"), None),
        ("garbles", &["new games"], Some("illegal-line"), None),
        ("boasts", &["limits"], Some("impossible-score"), None),
    ] {
        let (kinds, wrong) = of_heretic(fault, only);
        assert_eq!(kinds.first().map(String::as_str), kind, "{fault}: {kinds:?}");
        assert_eq!(wrong.iter().any(|one| Some(one.as_str()) == rule), rule.is_some(), "{fault}: {wrong:?}");
        assert!(rule.is_some() || wrong.is_empty(), "{fault}: {wrong:?}");
    }
}

/// The reason itself, and no other: a clock is a side's, and so is a score.
#[test]
fn each_fault_is_named_by_its_reason() {
    for (manner, only, words) in [
        ("southern", "scores", "its scores seem to be South's, expected those of the side to move"),
        ("south-clock", "clocks", "answered `go wtime 60000 btime 200 winc 0 binc 0` with North to move "),
        ("contradicting", "legality", "but its last principal variation begins with `"),
        (
            "refusing",
            "legality",
            "refuses the rule set oware, which it declares: `error option UCI_Variant: oware is not implemented`",
        ),
        ("twice-ready", "illegal input", "says `readyok` twice to one `isready`"),
        (
            "loudly-dying",
            "new games",
            "ended with exit status 3, expected `bestmove` (its standard error ends with `complaint 2000` `panicked at \\u{1b}[31mline 7`)",
        ),
    ] {
        let scene = Scene::new();
        let report = report(&check(&scene, manner, &[only], "--json"));
        let faults = report["faults"].as_array().unwrap();
        let problems: Vec<&str> = faults.iter().map(|fault| fault["problem"].as_str().unwrap()).collect();
        assert!(problems.iter().any(|problem| problem.contains(words)), "{manner}: {problems:#?}");
        let mut kinds = kinds(&report, "faults");
        kinds.dedup();
        assert_eq!(kinds.len(), 1, "{manner}: {problems:#?}");
    }
}

/// An engine without the rule set of the command line is checked with one of its own.
#[test]
fn a_rule_set_is_one_that_the_engine_has() {
    let scene = Scene::new();
    for (variant, remark) in [("oware", false), ("kalah3", true)] {
        let report = report(&check(&scene, "honest", &["limits"], &format!("--json --variant {variant}")));
        assert!(kinds(&report, "faults").iter().all(|kind| *kind == "late"), "{variant}: {report:#}");
        let told = report["remarks"].as_array().unwrap().iter().any(|found| {
            found["problem"] == format!("does not offer the rule set {variant}, so it is checked with awari")
        });
        assert_eq!(told, remark, "{variant}: {report:#}");
    }
    let output = Command::new(referee_path())
        .arg("check")
        .arg(built("kroo", &["-p", "kroo"]))
        .args(words("--variant oware3 --only legality --games 1 --max-moves 60"))
        .args(words("option.Hash=4 --margin 20000 --answer-timeout 60000 --json"))
        .output()
        .unwrap();
    let report = report(&output);
    assert_eq!(report["faults"].as_array().unwrap().len(), 0, "{report:#}");
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["name"] == "legality, oware3"), "{report:#}");
}

/// What it has written is still in its own memory, so it seems silent; each check after the handshake would wait for it, too.
#[test]
fn an_engine_that_does_not_flush_gets_a_hint_and_costs_one_wait() {
    let scene = Scene::new();
    let report = report(&check(&scene, "silent-at-uci", &[], "--json"));
    let faults = report["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 1, "{report:#}");
    let problem = faults[0]["problem"].as_str().unwrap();
    assert_eq!(
        problem,
        "no `uciok` within 0.700 s, nor any other line: does it flush its output after every line?"
    );
}

#[test]
fn the_positions_of_rules_are_a_table_in_markdown() {
    let scene = Scene::new();
    let output = check(&scene, "last", &["rules"], "--markdown");
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "Engine: Unruly",
        "| rules, oware | ok |",
        "| rule set | rule | position | expected | found |",
        "| oware | repetition ends the game | `fen 0-0-0-0-0-0-1-0-0-0-0-1-22-24-N moves fAaBbCcDdEeF` | 0000 | 0000 |",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
}

#[test]
fn answers_to_queries_are_checked_on_the_board() {
    let scene = Scene::new();
    let output = check(&scene, "lying", &[], "--ugi --json");
    let found = report(&output);
    let faults = found["faults"].as_array().unwrap();
    let fault = faults.iter().find(|fault| fault["kind"] == "wrong-response");
    let problem = fault.unwrap_or_else(|| panic!("{found:#}"))["problem"].as_str().unwrap();
    assert_eq!(problem, "answered `response false` to `query p1turn`: expected `response true`");
    // An engine of UCI alone says nothing at `ugi`.
    assert!(
        kinds(&report(&check(&scene, "silent-at-uci", &["quit"], "--ugi --json")), "faults")
            .contains(&"no-uciok")
    );
}

#[test]
fn a_report_for_people_has_every_fault_with_its_lines() {
    let scene = Scene::new();
    let output = check(&scene, "other-side", &[], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("  handshake                       ok\n"), "{text}");
    for expected in [
        "Fault 1: ",
        "Fault 2: ",
        ": illegal-move (legality, kalah)",
        ": early-answer (stop)",
        " > go depth 2\n",
        " < bestmove ",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.lines().last().unwrap().starts_with("Result: "), "{text}");
    assert!(!text.contains("not carried out"), "{text}");
}

#[test]
fn what_is_no_engine_is_said_to_be_none() {
    let run =
        |arguments: &str| Command::new(referee_path()).arg("check").args(words(arguments)).output().unwrap();
    let ghost = run("/nowhere/ghost --json");
    let report = report(&ghost);
    assert_eq!((ghost.status.code(), kinds(&report, "faults")[0]), (Some(2), "not-started"), "{report:#}");
    // A program that is missing is one fault, and called missing; in a folder of its own as well.
    for (words, path) in
        [("/nowhere/ghost", "/nowhere/ghost"), ("no-such-ghost", "no-such-ghost"), ("ghost dir=/", "ghost")]
    {
        let output = run(words);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.matches("\nFault ").count(), 1, "{text}");
        assert!(text.contains(&format!("could not be started: program not found: {path}")), "{text}");
    }
    for (arguments, expected) in [
        ("", "ENGINE"),
        (
            "x depth=3",
            "check: `depth=3`: unknown word; the words are args, dir, option.NAME, startup, stderr",
        ),
        ("x --variant chess", "no rule set is called `chess`"),
        ("x --games 0", "invalid value '0' for '--games"),
    ] {
        let output = run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && error.contains(expected), "{arguments}: {error}");
    }
}
