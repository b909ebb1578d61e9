//! `kroo solve`: proven values of positions, alone and in batches that can be interrupted.

use crate::command::{kroo, name, printed, refusal, refused};
use kroo::endgames::{Endgames, Indexing};
use kroo::game::{Ayoayo, Board, ROW, Row, split_mix};
use serde_json::Value as Json;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use support::certificate::{Certificate, RECORD};
use support::client::NO_DATA;
use support::one_of;
use support::programs::kroo_path;

/// Rule set, position, margin for the side to move.
const MARGINS: &str = include_str!("../../fixtures/data/solved/margins.txt");
const CERTIFICATE: &[u8] = include_bytes!("../../fixtures/data/certificates/ayoayo.certificate");
/// Positions of `kalah` in the batches.
const BATCH: usize = 8;

/// The answer of a command that may report progress on standard error.
fn solved(words: &[&str]) -> String {
    printed(&kroo(&[&["solve"], words].concat()))
}

fn json(words: &[&str]) -> Json {
    serde_json::from_str(&solved(&[words, &["--json"]].concat())).expect("JSON")
}

fn margins(variant: &'static str) -> impl Iterator<Item = (&'static str, i64)> {
    let fields = MARGINS.lines().filter_map(move |line| line.strip_prefix(variant)?.trim().split_once(' '));
    fields.map(|(position, margin)| (position, margin.parse().expect("a margin")))
}

/// A file with positions of `kalah`, one a line.
fn batch_file(folder: &std::path::Path) -> std::path::PathBuf {
    let path = folder.join("positions.txt");
    let lines: String =
        margins("kalah ").take(BATCH).map(|(position, _)| format!("{position} # solved\n")).collect();
    fs::write(&path, format!("# a comment\n\n{lines}")).expect("a file");
    path
}

#[test]
fn twenty_solved_margins_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("positions");
    for prefix in ["awari1978 ", "kalah "] {
        let variant = prefix.trim();
        let lines: String = margins(prefix).take(10).map(|(position, _)| format!("{position}\n")).collect();
        fs::write(&path, lines).expect("room");
        let text = solved(&["--variant", variant, "--json", name(&path)]);
        for ((position, margin), line) in margins(prefix).take(10).zip(text.lines()) {
            let told: Json = serde_json::from_str(line).expect("JSON");
            assert_eq!((&told["value"], &told["proven"]), (&margin.into(), &true.into()), "{told}");
            let result = ["loss", "draw", "win"][(margin.signum() + 1) as usize];
            assert_eq!((&told["result"], &told["position"]), (&result.into(), &position.into()), "{told}");
        }
    }
}

/// Each has its answer as a comment.
#[test]
fn the_examples_of_the_manual_are_true() {
    let manual = include_str!("../../../docs/manual.md");
    let examples: Vec<(&str, &str)> =
        manual.lines().filter_map(|line| line.strip_prefix("kroo solve ")?.split_once(" # ")).collect();
    assert_eq!(examples.len(), 3);
    for (words, answer) in examples {
        let words: Vec<&str> = ["solve"].into_iter().chain(words.split_whitespace()).collect();
        let output = kroo(&words);
        let said = String::from_utf8_lossy(&output.stdout);
        let first = said.lines().next().expect("an answer");
        assert!(first.contains(answer), "{words:?}: {said}");
        assert_eq!(output.status.code(), Some(if answer == "not proven" { 11 } else { 0 }), "{words:?}");
    }
}

/// B wins sooner, by two seeds.
#[test]
fn the_value_is_that_of_the_best_move_and_not_of_the_soonest_win() {
    let words = ["--variant", "awari", "1-1-0-0-0-0-0-0-1-0-0-1-24-20-S"];
    let told = solved(&words);
    assert!(told.contains(" +8 win, best A "), "{told}");
}

/// The values of the first moves are those of another program (CMancala 12.2).
#[test]
fn each_move_has_its_value() {
    let told = json(&["--variant", "kalah3", "--moves"]);
    assert_eq!((&told["value"], &told["best"]), (&2.into(), &"E".into()));
    let moves = told["moves"].as_array().expect("moves").iter();
    let mut values: Vec<_> = moves.map(|one| (one["move"].as_str(), one["value"].as_i64())).collect();
    values.sort_unstable();
    let expected = [("A", -14), ("B", -16), ("C", -10), ("D", -2), ("E", 2), ("F", 0)];
    assert_eq!(values, expected.map(|(letter, value)| (Some(letter), Some(value))), "{told}");
    let text = solved(&["--variant", "kalah2", "--moves", "--solution", "false"]);
    assert!(text.starts_with("2-2-2-2-2-2-2-2-2-2-2-2-0-0-S  +6 win, best E  ("), "{text}");
    assert!(text.contains("\n  E  +6 win\n  F  draw\n  B  -8 loss\n"), "{text}");
}

/// What is stored of a solved game is used from its start, unless an option forbids it.
#[test]
fn the_start_of_kalah_is_known() {
    let told = json(&["--variant", "kalah"]);
    assert_eq!((&told["value"], &told["best"]), (&8.into(), &"C".into()), "{told}");
    assert!(told["nodes"].as_u64().expect("nodes") < 100_000, "{told}");
}

#[test]
fn moves_lead_to_a_position() {
    for words in [&["startpos", "moves", "E"][..], &["E"], &["startpos moves E"]] {
        let told = json(&[&["--variant", "kalah3"], words].concat());
        assert_eq!(
            (&told["value"], &told["position"]),
            (&(-2).into(), &"3-3-3-3-0-4-4-3-3-3-3-3-1-0-N".into())
        );
    }
    let over = json(&["--variant", "kalah", "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N"]);
    assert_eq!((&over["value"], &over["best"], &over["proven"]), (&(-12).into(), &Json::Null, &true.into()));
}

/// With `--bound` the answer is right, but the margin need not be exact.
#[test]
fn only_the_result_or_only_a_win() {
    for (position, margin) in margins("kalah ").step_by(one_of(4)).take(20 / one_of(4)) {
        let told = json(&["--variant", "kalah", "--bound", "draw", position]);
        let result = ["loss", "draw", "win"][(margin.signum() + 1) as usize];
        assert_eq!((&told["result"], &told["proven"]), (&result.into(), &true.into()), "{told}");
        for told in [&told, &json(&["--variant", "kalah", "--bound", "win", position])] {
            let [least, most] = ["at_least", "at_most"].map(|field| told[field].as_i64().expect("a bound"));
            assert!(least <= margin && margin <= most, "{margin}: {told}");
            assert!(least > 0 || most <= 0, "{told}");
            assert_eq!(told["proven"], true);
        }
    }
}

/// Where positions can repeat, what the small endgames know is exact; the rest is bounds, said to be no proof.
#[test]
fn what_is_not_proven_says_so() {
    let exact = json(&["--variant", "awari", "0-0-0-0-0-1-1-0-0-0-0-1-24-21-S"]);
    assert_eq!((&exact["result"], &exact["proven"]), (&"win".into(), &true.into()), "{exact}");
    for variant in ["awari", "kalah6"] {
        let output = kroo(&["solve", "--variant", variant, "--solution", "false", "--limit", "nodes=5000"]);
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(11), "{text}");
        assert!(text.contains(" to +") && text.contains(", not proven  ("), "{text}");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(errors.contains("positions of awari can repeat"), variant == "awari", "{errors}");
    }
    // However soon the search ends, no move is missing, or the position would have the value of the others.
    for variant in ["awari", "kalah6", "oware"] {
        for nodes in ["1", "100", "3000"] {
            let limit = format!("nodes={nodes}");
            let output = kroo(&["solve", "--variant", variant, "--moves", "--json", "--limit", &limit]);
            let told: Json = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(told["moves"].as_array().map(Vec::len), Some(6), "{told}");
            assert_eq!((&told["proven"], output.status.code()), (&false.into(), Some(11)), "{told}");
        }
    }
    let limited = kroo(&["solve", "--variant", "kalah6", "--limit", "time=0.05", "--json"]);
    assert_eq!(limited.status.code(), Some(11));
    let told: Json = serde_json::from_slice(&limited.stdout).expect("JSON");
    assert_eq!((&told["proven"], &told["value"]), (&false.into(), &Json::Null), "{told}");
}

#[test]
fn a_batch_is_summed_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = solved(&["--variant", "kalah", name(&batch_file(folder.path()))]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), BATCH + 1, "{text}");
    for ((position, _), line) in margins("kalah ").zip(&lines[..BATCH]) {
        assert!(line.starts_with(&format!("{position}  ")), "{line}");
    }
    assert!(lines[BATCH].starts_with(&format!("{BATCH} positions: ")), "{text}");
}

/// Positions also come over standard input.
#[test]
fn a_batch_comes_through_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = fs::File::open(batch_file(folder.path())).expect("a file");
    let mut command = Command::new(kroo_path());
    command.env("XDG_DATA_HOME", NO_DATA).args(["solve", "--variant", "kalah", "--json", "-"]).stdin(input);
    let text = printed(&command.output().expect("it starts"));
    assert_eq!(text.lines().count(), BATCH, "{text}");
}

/// However often the batch is killed, the file has each answer once, in order, and none is found twice.
#[test]
fn a_killed_batch_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let (positions, out) = (batch_file(folder.path()), folder.path().join("answers.jsonl"));
    let words = ["solve", "--variant", "kalah", "--out", name(&out), name(&positions)];
    let mut child = Command::new(kroo_path())
        .env("XDG_DATA_HOME", NO_DATA)
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    lines.next().expect("an answer").expect("a line");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    let before = fs::read_to_string(&out).expect("answers");
    let known = before.lines().count();
    assert!(known >= 1);
    // The machine stopped in the middle of a line.
    fs::write(&out, before.clone() + "{\"asked\":\"val").expect("a file");
    let text = printed(&kroo(&words));
    assert_eq!(text.lines().count(), BATCH - known + 1, "{text}");
    let after = fs::read_to_string(&out).expect("answers");
    assert!(after.starts_with(&before), "{after}");
    let answers: Vec<Json> = after.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for (answer, (position, margin)) in answers.iter().zip(margins("kalah ")) {
        assert_eq!((&answer["position"], &answer["value"]), (&position.into(), &margin.into()));
    }
    assert_eq!(answers.len(), BATCH);
    // Nothing is left to do.
    let text = printed(&kroo(&words));
    assert!(
        text.starts_with(&format!("{BATCH} positions: "))
            && text.contains(&format!(", {BATCH} of them before; ")),
        "{text}"
    );
    assert_eq!(fs::read_to_string(&out).expect("answers"), after);
}

/// A file of two positions, which take no time, and one for the answers.
fn two(folder: &std::path::Path) -> [std::path::PathBuf; 2] {
    fs::write(folder.join("positions"), "startpos moves E\nstartpos moves F\n").expect("a file");
    ["positions", "answers"].map(|name| folder.join(name))
}

/// The answers of a file, without the numbers that differ from run to run.
fn answers(out: &std::path::Path) -> Vec<Json> {
    let text = fs::read_to_string(out).expect("answers");
    let answer = |line| {
        let mut answer: Json = serde_json::from_str(line).expect("JSON");
        ["seconds", "check", "nodes"].iter().for_each(|&field| drop(answer[field].take()));
        answer
    };
    text.lines().map(answer).collect()
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "failpoints are in builds with debug assertions")]
fn answers_are_complete_whatever_step_is_the_last_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let [positions, out] = two(folder.path());
    let words = ["solve", "--variant", "kalah2", "--out", name(&out), name(&positions)];
    printed(&kroo(&words));
    let expected = answers(&out);
    for steps in 0.. {
        fs::remove_file(&out).expect("there");
        let mut command = Command::new(kroo_path());
        command.env("XDG_DATA_HOME", NO_DATA).env("KROO_TEST_STEPS", steps.to_string());
        let output = command.args(words).output().expect("it starts");
        printed(&kroo(&words));
        assert_eq!(answers(&out), expected, "{steps} steps");
        if output.status.success() {
            assert!(steps > 6, "{steps} steps");
            break;
        }
        assert!(output.status.code().is_none() && steps < 20, "{steps} steps");
    }
}

#[test]
fn a_changed_byte_is_found_and_zeros_at_the_end_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let [positions, out] = two(folder.path());
    let words = ["solve", "--variant", "kalah2", "--out", name(&out), name(&positions)];
    printed(&kroo(&words));
    let whole = fs::read(&out).expect("answers");
    let first = whole.iter().position(|&byte| byte == b'\n').expect("two lines");
    // Without its end a line is part of the next, which then is as good as torn.
    for at in (0..first).step_by(one_of(7)) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x02;
        fs::write(&out, &bytes).expect("room");
        let error = refused(&kroo(&words));
        let words = [":1: this line is damaged", "delete it and the lines after it"];
        assert!(words.iter().all(|words| error.contains(words)), "byte {at}: {error}");
        assert!(fs::read(&out).expect("the same") == bytes, "byte {at}");
    }
    for rest in [&[0; 5000][..], b"{\"asked\":\"val", b"{\"asked\":\0\0\0"] {
        fs::write(&out, [&whole[..], rest].concat()).expect("room");
        printed(&kroo(&words));
        assert!(fs::read(&out).expect("answers") == whole, "{rest:?}");
    }
    let lock = fs::File::open(&out).expect("answers");
    lock.lock().expect("a lock");
    let error = refused(&kroo(&words));
    assert!(error.contains("another program is writing to") && error.contains("wait for it"), "{error}");
}

#[test]
fn a_file_with_something_else_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (positions, out) = (batch_file(folder.path()), folder.path().join("out"));
    let words = ["solve", "--variant", "kalah", "--out", name(&out), name(&positions)];
    printed(&kroo(&words));
    let answers = fs::read_to_string(&out).expect("answers");
    for (content, words, said) in [
        ("my notes", &words[..], "line 1: not an answer of `kroo solve`"),
        ("{\"a\":1}\n", &words, "line 1: not an answer of `kroo solve`"),
        ("{\"name\":\"mine\"}", &words, "line 1: not an answer of `kroo solve`"),
        (&format!("{answers}{{}}"), &words, "not an answer of `kroo solve`"),
        (&answers, &[&words[..], &["--moves"]].concat(), "line 1: the answer of another batch"),
        (&answers, &[&words[..], &["--bound", "draw"]].concat(), "line 1: the answer of another batch"),
        // Nor is the end of a line of another batch removed.
        (
            &format!("{answers}{{\"asked\":\"val"),
            &[&words[..], &["--moves"]].concat(),
            "line 1: the answer of another batch",
        ),
        (
            &answers,
            &["solve", "--variant", "awari", "--out", name(&out)],
            "line 1: the answer of another batch",
        ),
    ] {
        fs::write(&out, content).expect("a file");
        let error = refused(&kroo(words));
        assert!(error.contains(said) && error.contains("name another file"), "{error}");
        assert_eq!(fs::read_to_string(&out).expect("the same"), content);
    }
}

/// A few of the fair starts that are compiled in; `.ci/long` proves all of them.
#[test]
fn fair_starts_are_drawn() {
    for game in ["kalah3", "kalah3-emptycapture", "awari1978"] {
        let start = kroo::game::fair_starts(game.parse().expect("a game"))[0].to_string();
        let told = json(&["--variant", game, "--bound", "draw", &start]);
        assert_eq!((&told["result"], &told["value"]), (&"draw".into(), &0.into()), "{told}");
    }
}

/// What the side to move gains on a board of the endgames.
fn gain(endgames: &Endgames, pits: [u8; 12]) -> i8 {
    let [mover, other] = [0, ROW].map(|first| Row::new(std::array::from_fn(|pit| pits[first + pit]), 0));
    let board = Board { mover, other };
    let database = endgames.database::<Ayoayo>(board.seeds()).expect("it is there");
    database.gain(Indexing::get().rank(board), board.seeds())
}

/// South wins `ayoayo` by 6, by lines that all end in the endgame files, as the slow rules say too.
#[test]
#[ignore = "it takes three minutes in a release build, and more in others"]
fn the_value_of_ayoayo_is_proven() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, proof) = (folder.path().join("endgames"), folder.path().join("proof"));
    printed(&kroo(&["endgame", "build", "--variant", "ayoayo", "--seeds", "18", "--out", name(&files)]));
    let flags = ["--hash", "2048", "--endgamepath", name(&files)];
    printed(&kroo(&[&["solve", "--variant", "ayoayo", "--certificate", name(&proof)], &flags[..]].concat()));
    let told = printed(&kroo(&[&["solve", "--check", name(&proof)], &flags[..]].concat()));
    assert!(told.contains(": the side to move gains 6 seeds. "), "{told}");
    let certificate = Certificate::from_bytes(&fs::read(&proof).expect("a proof")).expect("a certificate");
    let endgames = Endgames::new();
    assert_eq!(endgames.open_by_headers::<Ayoayo>(&files, 18).expect("files"), Some(18));
    assert_eq!((certificate.value, certificate.check(|pits| gain(&endgames, pits))), (6, Ok(())));
}

/// A changed copy of a certificate is refused exactly when the checker of the tests refuses it.
#[test]
fn a_certificate_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, copy) = (folder.path().join("endgames"), folder.path().join("copy"));
    let check = ["solve", "--check", name(&copy), "--endgamepath", name(&files)];
    fs::write(&copy, CERTIFICATE).expect("a copy");
    let error = refused(&kroo(&check[..3]));
    assert!(
        error.contains("needs endgame files of ayoayo up to 8 seeds: build them with `kroo endgame"),
        "{error}"
    );
    let built = kroo(&["endgame", "build", "--variant", "ayoayo", "--seeds", "8", "--out", name(&files)]);
    assert!(built.status.success());
    let text = printed(&kroo(&check));
    assert!(
        text.starts_with("0-2-1-1-0-2-1-1-2-0-1-2: the side to move gains 3 seeds. 815 records checked"),
        "{text}"
    );

    let endgames = Endgames::new();
    assert!(endgames.build::<Ayoayo>(8, &mut || false));
    let gain_of = |pits| gain(&endgames, pits);
    let first = CERTIFICATE.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
    let (records, mut random) = ((CERTIFICATE.len() - first) / RECORD, 1);
    let check_copy = |bytes: &[u8]| {
        fs::write(&copy, bytes).expect("a copy");
        let is_proof = Certificate::from_bytes(bytes).is_ok_and(|copy| copy.check(gain_of).is_ok());
        let output = kroo(&check);
        assert_eq!(output.status.code(), Some(i32::from(!is_proof)), "{output:?}");
        is_proof
    };
    let mut higher = CERTIFICATE.to_vec();
    (first + 14..higher.len()).step_by(RECORD).for_each(|rank| higher[rank] += 1);
    assert!(check_copy(&higher), "the order of the ranks is the same");
    for _ in 0..24 {
        let mut bytes = CERTIFICATE.to_vec();
        let record = split_mix(&mut random) as usize % records;
        let at = first + record * RECORD + split_mix(&mut random) as usize % RECORD;
        bytes[at] = (bytes[at] as i8 + [-1, 1, 2][split_mix(&mut random) as usize % 3]) as u8;
        check_copy(&bytes);
    }
    for (bytes, said) in [
        (&b"no"[..], "is no certificate: it has no first line"),
        (&CERTIFICATE[..CERTIFICATE.len() - 1], "is no certificate: it ends in the middle of a record"),
        (b"ayoayo 99-0-0-0-0-0-0-0-0-0-0-0 gains 1 with endgames of 8 seeds\n", "has too many seeds"),
    ] {
        fs::write(&copy, bytes).expect("a copy");
        let error = refused(&kroo(&check));
        assert!(error.contains(said), "{error}");
    }
}

/// A set of openings names its rule set, unless the user names another.
#[test]
fn a_file_names_its_rule_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("starts.txt");
    for first in ["# Openings of kalah: some of them.", "# Openings of chess: none.", "# of kalah:"] {
        fs::write(&path, format!("{first}\n0-0-0-0-0-1-0-0-0-1-0-1-22-23-S\n")).expect("a set");
        let told = |words: &[&str]| json(&[&[name(&path)], words].concat())["variant"].clone();
        assert_eq!(
            told(&[]),
            if first.contains("Openings of kalah:") { "kalah" } else { "awari" },
            "{first}"
        );
        assert_eq!(told(&["--variant", "kalah-emptycapture"]), "kalah-emptycapture");
    }
}

/// The certificate of the tests is made again, byte for byte; an independent checker reads it (`search::certificates`).
#[test]
fn a_certificate_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, out) = (folder.path().join("endgames"), folder.path().join("certificate"));
    let start = "0-2-1-1-0-2-1-1-2-0-1-2-17-18-S";
    let built = kroo(&["endgame", "build", "--variant", "ayoayo", "--seeds", "8", "--out", name(&files)]);
    assert!(built.status.success());
    let words = ["solve", "--variant", "ayoayo", "--certificate", name(&out), start];
    let error = refused(&kroo(&words));
    assert!(
        error.contains("a certificate needs endgame files of ayoayo: build them with `kroo endgame"),
        "{error}"
    );
    assert!(!out.exists());
    let words = [&words[..], &["--endgamepath", name(&files)]].concat();
    let text = printed(&kroo(&words));
    assert!(text.starts_with(&format!("{start}  +2 win  (")) && text.contains(" records"), "{text}");
    assert_eq!(fs::read(&out).expect("a certificate"), CERTIFICATE);
    let told: Json =
        serde_json::from_str(&printed(&kroo(&[&words[..], &["--json", "--moves"]].concat()))).expect("JSON");
    let moves = told["moves"].as_array().expect("moves");
    assert_eq!((&moves[0]["value"], &moves[0]["move"]), (&2.into(), &told["best"]), "{told}");
    assert_eq!((&told["endgame_seeds"], &told["proven"]), (&8.into(), &true.into()), "{told}");
    // Other files stay, and an output is looked at before the work.
    for (path, said) in [(folder.path().join("notes"), "notes"), (folder.path().join("no/such"), "no/such")] {
        let _ = fs::write(&path, "my notes");
        let error = refused(&kroo(&["solve", "--variant", "ayoayo", "--certificate", name(&path)]));
        assert!(error.contains(said) && !error.contains("endgame files"), "{error}");
        assert!(fs::read_to_string(&path).is_ok_and(|kept| kept == "my notes") || !path.exists());
    }
    for (words, said) in [
        (&["--variant", "oware", "--certificate", name(&out)][..], "only ayoayo has certificates"),
        (&["--variant", "ayoayo", "--certificate", name(&out), "-"], "one position at a time"),
    ] {
        let (status, error) = refusal(&[&["solve"], words].concat());
        assert!(status == 2 && error.contains(said), "{words:?}: {error}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("positions.txt");
    fs::write(&path, "startpos\n4-4-4-4-4-4-4-4-4-4-4-4-0-0-X\n").expect("a file");
    let error = refused(&kroo(&["solve", "--variant", "kalah", name(&path)]));
    assert!(error.contains("positions.txt, line 2: field 15"), "{error}");
    fs::write(&path, "# nothing\n").expect("a file");
    let error = refused(&kroo(&["solve", "--variant", "kalah", name(&path)]));
    assert!(error.contains("has no position: write one a line"), "{error}");
    let error = refused(&kroo(&["solve", "no.txt"]));
    assert!(error.contains("no.txt cannot be read: No such file"), "{error}");
    for (words, said) in [
        (&["xyz"][..], "`xyz` is neither a position, nor moves, nor a file"),
        (&["FfX"], "`FfX` is neither a position, nor moves, nor a file"),
        (&["FF"], "move 2 (`F`): it is North's turn"),
        (&["4-4"], "2 fields, expected 15"),
        (&["--limit", "time=0"], "`0` is not a time"),
        (&["--limit", "nodes=0"], "`0` is not a number of nodes from 1"),
        (&["--limit", "5"], "`5` is neither `time=SECONDS` nor `nodes=N`"),
        (&["--bound", "loss"], "possible values: win, draw"),
    ] {
        let (status, error) = refusal(&[&["solve"], words].concat());
        assert!(status == 2 && error.contains(said), "{words:?}: {error}");
    }
}
