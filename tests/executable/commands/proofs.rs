//! `kroo solve --proofs`: a proof that goes on after any end.

use crate::command::{kroo, name, refusal};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// It takes some 0.5 million nodes.
const POSITION: &str = "6-0-0-7-3-2-0-10-2-2-0-8-4-4-S";
const KALAH: [&str; 7] = ["solve", "--variant", "kalah", "--hash", "16", "--endgameseeds", "12"];

/// The answer about the position, with more words.
fn answer(words: &[&str]) -> Json {
    let output = kroo(&[&KALAH, words, &["--json", POSITION]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{words:?}: {output:?}"))
}

/// Each run has a node limit; what it has proven, the next one does not prove again.
#[test]
fn a_proof_in_pieces_has_the_value_of_the_whole_one() {
    let whole = answer(&[]);
    let (value, nodes) = (&whole["value"], whole["nodes"].as_u64().expect("nodes"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kalah.proofs");
    let file = name(&path);
    let mut runs = Vec::new();
    while runs.len() < 30 {
        let limit = format!("nodes={}", nodes / 4 + 10_000 * runs.len() as u64 % 70_000);
        let told = answer(&["--proofs", file, "--limit", &limit]);
        let bounds = [&told["at_least"], &told["at_most"]].map(|bound| bound.as_i64().expect("a bound"));
        let value = value.as_i64().expect("a value");
        assert!(bounds[0] <= value && value <= bounds[1], "{told}");
        runs.push(told["nodes"].as_u64().expect("nodes"));
        if told["proven"] == true {
            break;
        }
    }
    assert!((2..12).contains(&runs.len()), "{nodes}: {runs:?}");
    let again = answer(&["--proofs", file]);
    assert_eq!((&again["value"], &again["best"]), (value, &whole["best"]));
    assert!(again["nodes"].as_u64() < Some(nodes / 4), "{nodes}: {again}");
}

/// The proofs of a file: their indices and their bounds.
fn proofs(path: &Path) -> BTreeMap<u64, [i64; 2]> {
    let text = fs::read_to_string(path).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    let numbers = |line: &&str| line.split(' ').take(3).map(|word| word.parse().expect("a number")).collect();
    let proofs = lines[1..lines.len() - 1].iter().map(numbers);
    proofs.map(|proof: Vec<i64>| (proof[0] as u64, [proof[1], proof[2]])).collect()
}

/// Two commands at once, whose tables hold few of the proofs, add theirs to the file.
#[test]
fn no_proof_of_the_file_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, both] = ["one.proofs", "both.proofs"].map(|name| folder.path().join(name));
    let others = ["6-0-0-7-3-2-0-10-2-2-0-8-4-4-N", "0-7-3-2-6-0-0-10-2-2-0-8-4-4-S"];
    answer(&["--proofs", name(&one)]);
    fs::copy(&one, &both).expect("room");
    let before = proofs(&one);
    std::thread::scope(|scope| {
        for position in others {
            let words = ["--hash", "1", "--endgameseeds", "12", "--proofs", name(&both), position];
            scope.spawn(move || kroo(&[&["solve", "--variant", "kalah"][..], &words].concat()));
        }
    });
    let after = proofs(&both);
    assert!(after.len() > before.len() + 10, "{} and {}", before.len(), after.len());
    for (index, [least, most]) in before {
        let [now_least, now_most] = after[&index];
        assert!(now_least >= least && now_most <= most, "{index}");
    }
    for position in others {
        let output = kroo(&[&KALAH[..], &["--proofs", name(&both), "--json", position]].concat());
        let told: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(told["nodes"].as_u64() < Some(60_000), "{told}");
    }
}

/// The whole game takes longer.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_the_proofs_in_their_file() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::process::{Command, Stdio};
    use support::programs::kroo_path;
    use support::scene::await_that;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kalah.proofs");
    let mut found = 0;
    for (signal, status) in [(Signal::INT, Some(130)), (Signal::TERM, Some(143)), (Signal::KILL, None)] {
        let before = fs::read(&path).unwrap_or_default();
        let mut command = Command::new(kroo_path());
        command.args(KALAH).args(["--solution", "false", "--proofs", name(&path), "--json"]);
        command.args(["--out", name(&folder.path().join("answers"))]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let pid = Pid::from_child(&child);
        let spent = || fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        // A second of processor time, whatever else the machine does.
        let ticks = |stat: &str| stat.split(' ').nth(13).and_then(|ticks| ticks.parse().ok()).unwrap_or(0);
        assert!(await_that(|| ticks(&spent()) > 100));
        kill_process(pid, signal).expect("it runs");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), status, "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        if found > 0 {
            assert!(said.contains(&format!("kroo: continues from {found} proof")), "{said}");
        }
        if status.is_none() {
            assert_eq!(fs::read(&path).expect("it is there"), before);
            continue;
        }
        let told: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(told["proven"], false, "{told}");
        assert!(said.contains("the same command goes on"), "{said}");
        let text = fs::read_to_string(&path).expect("it is there");
        found = text.lines().count() - 2;
        assert!(found > 10, "{found}");
    }
    let answers = fs::read(folder.path().join("answers")).expect("it is there");
    assert_eq!(answers, b"", "what was stopped is no answer");
}

#[test]
fn a_file_that_is_not_of_these_proofs_is_refused_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kalah.proofs");
    let file = name(&path);
    answer(&["--proofs", file]);
    let whole = fs::read(&path).expect("it is there");
    let refused = |bytes: &[u8], words: &[&str], why: &str| {
        fs::write(&path, bytes).expect("room");
        let (_, said) = refusal(&[&["solve", "--proofs", file], words].concat());
        assert!(said.contains(why), "{why}: {said}");
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
    };
    let kalah = ["--variant", "kalah"];
    for at in (0..whole.len()).step_by(whole.len() / 20) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        refused(&changed, &kalah, "name another file");
        refused(&whole[..at.max(1)], &kalah, "name another file");
    }
    refused(b"my notes\n", &kalah, "file of proofs");
    refused(&whole, &["--variant", "kalah5"], "line 1: it should be `proofs of kalah5`");
    refused(&whole, &["--variant", "oware"], "positions of oware can repeat");
    refused(&whole, &["--variant", "ayoayo", "--certificate", "c"], "--certificate");
    let nowhere = Path::new("/nowhere/kalah.proofs");
    assert!(refusal(&["solve", "--variant", "kalah", "--proofs", name(nowhere)]).1.contains("/nowhere"));
}
