//! Training data and training: the same question gives the same file, and what is cut off goes on.

use crate::client::ENGINE;
use kroo::evaluate::Weights;
use kroo::game::Variant;
use kroo::tuning::{DataHeader, DatagenPlan, TrainPlan, TunePlan, datagen, read_data, tune};
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

const NODES: u64 = 40;

fn plan(variant: Variant, out: PathBuf, threads: usize) -> DatagenPlan {
    let header = DataHeader { variant, nodes: NODES, seed: 5 };
    DatagenPlan { header, positions: 1500, threads, out, eval_file: String::new() }
}

fn made(variant: Variant, folder: &Path, name: &str, threads: usize) -> PathBuf {
    let path = folder.join(name);
    datagen(&plan(variant, path.clone(), threads)).expect("data");
    path
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).expect("a file")
}

#[test]
fn the_same_data_on_any_number_of_threads_and_in_any_number_of_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    for &variant in Variant::ALL {
        let one = made(variant, folder.path(), &format!("{variant}.1"), 1);
        let expected = bytes(&one);
        assert_eq!(bytes(&made(variant, folder.path(), &format!("{variant}.3"), 3)), expected, "{variant}");
        for left in [50, expected.len() as u64 / 2, expected.len() as u64 - 1] {
            let file = OpenOptions::new().write(true).open(&one).expect("a file");
            file.set_len(left).expect("shorter");
            made(variant, folder.path(), &format!("{variant}.1"), 2);
            assert_eq!(bytes(&one), expected, "{variant}, begun again at {left}");
        }
        let other = DataHeader { seed: 6, ..plan(variant, one.clone(), 1).header };
        let error = datagen(&DatagenPlan { header: other, ..plan(variant, one.clone(), 1) });
        assert!(error.is_err_and(|error| error.to_string().contains("it has other data already")));
        assert_eq!(bytes(&one), expected, "{variant}: an error changes nothing");
        let another = folder.path().join(format!("{variant}.6"));
        datagen(&DatagenPlan { header: other, ..plan(variant, another.clone(), 1) }).expect("data");
        assert_ne!(bytes(&another), expected, "{variant}: another seed, other games");
    }
}

#[test]
fn positions_tell_what_was_played() {
    let folder = tempfile::tempdir().expect("a folder");
    for &variant in Variant::ALL {
        let (header, positions) = read_data(&made(variant, folder.path(), variant.name(), 1)).expect("data");
        assert_eq!(header, DataHeader { variant, nodes: NODES, seed: 5 });
        assert!(positions.len() >= 1500, "{variant}: {}", positions.len());
        let all = if variant == Variant::Awari1978 { 36 } else { 48 };
        let (mut few, mut proven) = (0, 0);
        for position in &positions {
            let board = position.board;
            assert_eq!(board.seeds() + board.mover.store() + board.other.store(), all, "{position:?}");
            few += usize::from(board.seeds() <= 12);
            if let Some(verdict) = position.score.proven() {
                proven += 1;
                assert_eq!(verdict, position.result, "{variant}: {position:?}");
            }
        }
        assert!(few > 100 && proven > 20, "{variant}: {few} endings, {proven} proven");
    }
}

fn tune_plan(variant: Variant, data: &Path, out: PathBuf) -> TunePlan {
    let train = TrainPlan { epochs: 3, batch: 64, rate: 0.01, result_share: 0.3, seed: 1 };
    TunePlan { variant, data: vec![data.to_owned()], out, train }
}

#[test]
fn the_same_weights_from_the_same_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = made(Variant::Kalah, folder.path(), "data", 1);
    let weights = |name: &str, seed: u64| {
        let mut plan = tune_plan(Variant::Kalah, &data, folder.path().join(name));
        plan.train.seed = seed;
        tune(&plan).expect("weights");
        bytes(&plan.out)
    };
    let first = weights("one", 1);
    assert_eq!(weights("two", 1), first);
    assert_ne!(weights("three", 2), first);
    assert!(Weights::read(&folder.path().join("one"), Variant::Kalah).is_ok());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 4, "nothing else is left behind");
    let error = tune(&tune_plan(Variant::Oware, &data, folder.path().join("four"))).expect_err("kalah");
    assert!(error.to_string().contains("data of kalah, not of oware"), "{error}");
    let foreign = tune_plan(Variant::Kalah, &folder.path().join("one"), folder.path().join("four"));
    let error = tune(&foreign).expect_err("weights are no data");
    assert!(error.to_string().contains("no training data"), "{error}");
    assert!(!folder.path().join("four").exists());
}

#[test]
fn both_tools_from_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |line: &str| {
        let output = Command::new(ENGINE).current_dir(folder.path()).args(line.split(' ')).output();
        let output = output.expect("the engine starts");
        assert!(output.stdout.is_empty(), "{line}");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let made = run("--variant oware datagen --positions 500 --nodes 30 --seed 9 --threads 2 --out data");
    assert_eq!(made.0, Some(0), "{}", made.1);
    let tuned = run("--variant oware tune data --epochs 2 --out mine.eval");
    assert_eq!(tuned.0, Some(0), "{}", tuned.1);
    assert_eq!(tuned.1.matches("validation loss").count(), 3, "{}", tuned.1);
    let again =
        run("--variant oware --evalfile mine.eval datagen --positions 100 --nodes 30 --seed 9 --out other");
    assert_eq!(again.0, Some(0), "{}", again.1);
    assert_ne!(bytes(&folder.path().join("other")), bytes(&folder.path().join("data")));
    for (line, status, wanted) in [
        ("tune nothing --out mine.eval", 1, "nothing: No such file"),
        ("tune data --out mine.eval", 1, "data of oware, not of awari"),
        ("datagen --out no/such/folder", 1, "no/such/folder: No such file"),
        ("datagen", 2, "--out"),
        ("tune --out x", 2, "DATA"),
        ("datagen --nodes 0 --out x", 2, "--nodes"),
    ] {
        let (code, message) = run(line);
        assert_eq!(code, Some(status), "{line}: {message}");
        assert!(message.contains(wanted), "{line}: {message}");
    }
}
