//! Training data and training: the same question gives the same file, and what is cut off goes on.

use crate::command::printed;
use crate::endgames::builds::build;
use kroo::endgames::{Endgames, database_path};
use kroo::evaluate::Weights;
use kroo::game::{Rules, Variant, Verdict, Visitor};
use kroo::tuning::{
    DataHeader, DataWriter, DatagenPlan, TrainPlan, TrainingPosition, TunePlan, datagen, read_data, tune,
};
use kroo::value::Value;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::one_of;
use support::programs::kroo_path;

const NODES: u64 = 40;

fn plan(variant: Variant, out: PathBuf, threads: usize) -> DatagenPlan {
    let header = DataHeader { variant, nodes: NODES, seed: 5, endgame_seeds: 0 };
    let (endgames, eval_file) = (PathBuf::new(), String::new());
    DatagenPlan { header, positions: 1500, threads, out, endgames, eval_file }
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
    for &variant in Variant::ALL.iter().step_by(one_of(3)) {
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
        assert!(error.is_err_and(|error| error.to_string().contains("seed is 5 there and 6 here")));
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
        assert_eq!(header, DataHeader { variant, nodes: NODES, seed: 5, endgame_seeds: 0 });
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

/// The value of a position by endgames built in memory.
struct Known<'a>(&'a TrainingPosition);

impl Visitor for Known<'_> {
    type Output = Option<Verdict>;

    fn visit<R: Rules>(self) -> Option<Verdict> {
        let board = self.0.board;
        assert!(Endgames::shared().build::<R>(LABELLED, &mut || false));
        Endgames::shared().probe::<R>(board, board.seeds())?.proven()
    }
}

const LABELLED: u8 = 7;

#[test]
fn endgame_files_label_what_they_know() {
    let folder = tempfile::tempdir().expect("a folder");
    for variant in [Variant::Awari, Variant::Kalah, Variant::Oware] {
        let files = folder.path().join(format!("{variant}-files"));
        printed(&build(&files, variant.name(), "7", &[]));
        let labelled = |name: &str, threads: usize, endgames: &Path| {
            let plain = plan(variant, folder.path().join(name), threads);
            let header = DataHeader { endgame_seeds: LABELLED, ..plain.header };
            datagen(&DatagenPlan { header, endgames: endgames.to_owned(), ..plain })
                .map(|()| folder.path().join(name))
        };
        let data = labelled("labelled", 1, &files).expect("data");
        assert_eq!(bytes(&labelled("again", 3, &files).expect("data")), bytes(&data), "{variant}");
        let (header, positions) = read_data(&data).expect("data");
        assert_eq!(header.endgame_seeds, LABELLED);
        let few: Vec<_> = positions.iter().filter(|position| position.board.seeds() <= LABELLED).collect();
        let known = few.iter().filter(|position| {
            let known = variant.visit(Known(position));
            assert!(known.is_none_or(|verdict| position.result == verdict), "{variant}: {position:?}");
            assert!(known.is_none() || position.score.proven() == known, "{variant}: {position:?}");
            known.is_some()
        });
        let known = known.count();
        // In oware the first position with 7 seeds or fewer is proven, which ends the game.
        let least = if variant == Variant::Oware { 5 } else { 30 };
        assert!(known > least && known * 6 > few.len(), "{variant}: {known} of {}", few.len());
        for position in positions.iter().filter(|position| position.score.proven().is_some()) {
            assert_eq!(position.score.proven(), Some(position.result), "{variant}: {position:?}");
        }
        fs::remove_file(database_path(&files, variant, 5)).expect("a level less");
        let error = labelled("third", 1, &files).expect_err("a gap in the files").to_string();
        assert!(error.contains(&format!("no endgames of {variant} up to 7 seeds")), "{error}");
        assert!(!folder.path().join("third").exists());
        for name in ["labelled", "again"] {
            fs::remove_file(folder.path().join(name)).expect("it is there");
        }
    }
}

fn tune_plan(variant: Variant, data: &Path, out: PathBuf) -> TunePlan {
    let train = TrainPlan { epochs: 3, batch: 64, rate: 0.01, result_share: 0.3, seed: 1, threads: 1 };
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
    for threads in [2, 3, 20] {
        let mut plan = tune_plan(Variant::Kalah, &data, folder.path().join("two"));
        plan.train.threads = threads;
        tune(&plan).expect("weights");
        assert_eq!(bytes(&plan.out), first, "{threads} threads");
    }
    assert!(Weights::read(&folder.path().join("one"), Variant::Kalah).is_ok());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 4, "nothing else is left behind");
    let error = tune(&tune_plan(Variant::Oware, &data, folder.path().join("four"))).expect_err("kalah");
    assert!(error.to_string().contains("data of kalah, not of oware"), "{error}");
    let foreign = tune_plan(Variant::Kalah, &folder.path().join("one"), folder.path().join("four"));
    let error = tune(&foreign).expect_err("weights are no data");
    assert!(error.to_string().contains("has other content than training data"), "{error}");
    assert!(!folder.path().join("four").exists());
}

/// The mean size of what the network of some weights adds to the lead.
struct Size<'a>(&'a Weights, &'a [TrainingPosition]);

impl Visitor for Size<'_> {
    type Output = f64;

    fn visit<R: Rules>(self) -> f64 {
        let sizes = self.1.iter().map(|position| f64::from(self.0.centiseeds::<R>(position.board).abs()));
        sizes.sum::<f64>() / self.1.len() as f64
    }
}

/// Values must not grow from one generation to the next: the weights speak in the units of the first file, and what searches
/// in larger units thought is understood in theirs.
#[test]
fn each_file_has_units_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let variant = Variant::Kalah;
    let first = made(variant, folder.path(), "first", 1);
    let (header, mut positions) = read_data(&first).expect("data");
    let known = positions.clone();
    for position in positions.iter_mut().filter(|position| position.score.proven().is_none()) {
        position.score.value = Value::estimate(4 * position.score.value.centiseeds());
    }
    let later = folder.path().join("later");
    let weights = Weights::built_in(variant);
    let mut writer = DataWriter::open(&later, header, &weights).expect("a new file");
    writer.add(&positions).expect("written");
    let size = |data: &[&PathBuf]| {
        let mut plan = tune_plan(variant, data[0], folder.path().join("weights"));
        plan.data = data.iter().copied().cloned().collect();
        plan.train.epochs = 10;
        tune(&plan).expect("weights");
        variant.visit(Size(&Weights::read(&plan.out, variant).expect("weights"), &known))
    };
    let (small, large, both) = (size(&[&first]), size(&[&later]), size(&[&first, &later]));
    assert!(large > 2.0 * small, "{small} {large}");
    assert!((0.8..1.25).contains(&(both / small)), "{small} {both}");
    let empty = folder.path().join("empty");
    DataWriter::open(&empty, header, &weights).expect("a new file");
    assert_eq!(size(&[&empty, &first]), small, "a file without positions has no units");
}

#[test]
fn both_tools_from_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |line: &str| {
        let output = Command::new(kroo_path()).current_dir(folder.path()).args(line.split(' ')).output();
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
        ("tune nothing --out mine.eval", 1, "`nothing` cannot be read: No such file"),
        ("tune data --out mine.eval", 1, "data of oware, not of awari"),
        ("datagen --out no/such/folder", 1, "`no/such/folder` cannot be written: there is no folder no/such"),
        ("datagen", 2, "--out"),
        ("tune --out x", 2, "DATA"),
        ("datagen --nodes 0 --out x", 2, "--nodes"),
        ("datagen --endgame . --out x", 2, "--endgame-seeds"),
        ("datagen --endgame-seeds 5 --out x", 2, "--endgame"),
        ("datagen --endgame . --endgame-seeds 5 --out x", 1, "no endgames of awari up to 5 seeds"),
        ("datagen --endgame nowhere --endgame-seeds 5 --out x", 1, "nowhere"),
    ] {
        let (code, message) = run(line);
        assert_eq!(code, Some(status), "{line}: {message}");
        assert!(message.contains(wanted), "{line}: {message}");
    }
}
