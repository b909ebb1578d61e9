//! The experiment: the same files from the same numbers, whatever the threads and however often it was killed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may say so by a panic")]

use kroo::game::{Awari, Board, Pit, Position, Rules, Side, Variant};
use kroo::players::evolved::{Evaluator, EvolvedWeights, Minimax};
use kroo_evolution::arguments::{Request, parse};
use kroo_evolution::checkpoint::Run;
use kroo_evolution::game::{Chooser, Evolved, play};
use kroo_evolution::games::{Known, generation};
use kroo_evolution::population::{first, next};
use kroo_evolution::rng::Rng;
use kroo_evolution::run::files;
use kroo_evolution::settings::Settings;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use support::scene::await_that;

const EVOLVE: &str = env!("CARGO_BIN_EXE_evolve");
const ALL: [&str; 5] = [files::CHECKPOINT, files::CSV, files::JSON, files::SVG, files::WEIGHTS];

fn command(out: &Path, words: &str) -> Command {
    let mut command = Command::new(EVOLVE);
    command.args("--population 5 --survivors 2 --depth 2 --seed 9".split(' '));
    command.args(words.split(' ')).arg("--out").arg(out);
    command
}

fn evolve(out: &Path, words: &str) -> Output {
    command(out, words).output().unwrap()
}

fn contents(out: &Path) -> Vec<Vec<u8>> {
    ALL.iter().map(|name| fs::read(out.join(name)).unwrap()).collect()
}

fn small() -> Settings {
    Settings { population: 6, survivors: 2, generations: 3, depth: 2, seed: 4, ..Settings::default() }
}

#[test]
fn unless_told_otherwise_it_is_the_papers_experiment() {
    let Ok(Request::Evolve { settings, .. }) = parse(["evolve".into()]) else { panic!("it is understood") };
    assert_eq!(settings, Settings::default());
    let Settings { population, survivors, generations, depth, points, max_moves, .. } = settings.clone();
    assert_eq!((population, survivors, generations, depth, max_moves), (20, 5, 250, 7, 250));
    assert_eq!((points, settings.range, settings.mutation), ([3, 1, 0], 1.0, 1.0));
    assert_eq!(settings.games() * u64::from(settings.generations), 95_000);
}

#[test]
fn threads_do_not_show_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three] = ["one", "three"].map(|name| folder.path().join(name));
    assert!(evolve(&one, "--generations 4 --threads 1").status.success());
    assert!(evolve(&three, "--generations 4 --threads 3").status.success());
    assert_eq!(contents(&one), contents(&three));
}

/// The files of this run were written by the program of commit 7f68e55; later programs can continue it.
#[test]
fn the_same_seed_gives_the_files_that_it_always_gave() {
    let folder = tempfile::tempdir().unwrap();
    assert!(evolve(folder.path(), "--generations 6").status.success());
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/data/evolution");
    for name in [files::CHECKPOINT, files::CSV, files::WEIGHTS] {
        let [ours, theirs] = [folder.path(), &kept].map(|folder| fs::read(folder.join(name)).unwrap());
        assert_eq!(String::from_utf8(ours), String::from_utf8(theirs), "{name}");
    }
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let words = "--generations 100 --threads 2";
    assert!(evolve(&whole, words).status.success());
    let played =
        || Run::read(&killed.join(files::CHECKPOINT)).unwrap().map_or(0, |run| run.generations.len());
    for _ in 0..3 {
        let before = played();
        let mut process = command(&killed, words).stderr(Stdio::null()).spawn().unwrap();
        assert!(await_that(|| played() > before), "it plays no generation");
        process.kill().unwrap();
        process.wait().unwrap();
    }
    assert!(played() < 100, "it was killed before its end");
    assert!(evolve(&killed, words).status.success());
    assert_eq!(contents(&whole), contents(&killed));
}

#[test]
fn a_run_can_be_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let [long, grown] = ["long", "grown"].map(|name| folder.path().join(name));
    assert!(evolve(&long, "--generations 5").status.success());
    assert!(evolve(&grown, "--generations 2").status.success());
    assert!(evolve(&grown, "--generations 5").status.success());
    assert_eq!(contents(&long), contents(&grown));
}

#[test]
fn another_run_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    assert!(evolve(&out, "--generations 2").status.success());
    let before = contents(&out);
    for (words, said) in [("--generations 2 --mutation 2", "mutation"), ("--generations 1", "generations")] {
        let output = evolve(&out, words);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(said), "{stderr}");
    }
    assert_eq!(contents(&out), before);
}

#[test]
fn the_engine_reads_the_weights() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    assert!(evolve(&out, "--generations 2").status.success());
    let weights = EvolvedWeights::read(&out.join(files::WEIGHTS), Variant::Awari).unwrap();
    let run = Run::read(&out.join(files::CHECKPOINT)).unwrap().unwrap();
    assert_eq!(weights.terms, run.generations[1].best().0.weights);
    assert!(EvolvedWeights::read(&out.join(files::WEIGHTS), Variant::Oware).is_err());
}

#[test]
fn numbers_out_of_bounds_are_refused() {
    let refused = [
        "--population 1",
        "--population 3 --survivors 4",
        "--survivors 0",
        "--generations 0",
        "--depth 0",
        "--depth 21",
        "--games-per-pairing 0",
        "--win 1001",
        "--max-moves 0",
        "--range -1",
        "--mutation nan",
        "--mutation inf",
        "--variant chess",
        "--threads 0",
        "tables --games 0",
        "tables --random-plies 250",
        "tables --weights /nowhere",
    ];
    for words in refused {
        let all = std::iter::once("evolve").chain(words.split(' '));
        assert!(parse(all.map(Into::into)).is_err(), "{words}");
    }
}

/// A checkpoint with a given body and its checksum.
fn checkpoint(body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("kroo evolution checkpoint 1 {:08x}\n", crc32fast::hash(body)).into_bytes();
    bytes.extend(body);
    bytes
}

fn played(settings: &Settings) -> Run {
    let mut run = Run { settings: settings.clone(), generations: Vec::new() };
    let mut known = Known::default();
    for number in 1..=settings.generations {
        let players = run.generations.last().map_or_else(|| first(settings), |before| next(settings, before));
        run.generations.push(generation(
            settings,
            Variant::Awari,
            (number, &players),
            2,
            &mut known,
            &|_| {},
        ));
    }
    run
}

#[test]
fn a_checkpoint_that_was_tampered_with_is_refused() {
    let run = played(&small());
    let bytes = run.to_bytes();
    assert_eq!(Run::from_bytes(&bytes).unwrap(), run);
    for end in (0..bytes.len()).step_by(97) {
        assert!(Run::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in (0..bytes.len()).step_by(31) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        assert!(Run::from_bytes(&changed).is_err(), "changed at {at}");
    }
    let body =
        String::from_utf8(bytes[bytes.iter().position(|&b| b == b'\n').unwrap() + 1..].to_vec()).unwrap();
    assert!(Run::from_bytes(&checkpoint(body.as_bytes())).is_ok());
    for (from, to) in [
        ("\"population\":6", "\"population\":7"),
        ("\"survivors\":2", "\"survivors\":70"),
        ("\"depth\":2", "\"depth\":200"),
        ("\"generation\":2", "\"generation\":9"),
        ("\"id\":1,", "\"id\":0,"),
        ("\"weights\":[", "\"weights\":[1e300,"),
        ("\"variant\":\"awari\"", "\"variant\":\"chess\""),
        ("{", "["),
    ] {
        let changed = body.replacen(from, to, 1);
        assert_ne!(changed, body, "{from}");
        assert!(Run::from_bytes(&checkpoint(changed.as_bytes())).is_err(), "{from} as {to}");
    }
    let swollen = run.generations[0].ranking[0].0.weights[0].to_string();
    let changed = body.replace(&swollen, "1e12");
    let fault = Run::from_bytes(&checkpoint(changed.as_bytes())).unwrap_err();
    assert_eq!(fault, "generation 1: a weight is out of bounds");
}

#[test]
fn games_that_are_remembered_come_out_as_if_they_were_played() {
    let settings = small();
    let run = played(&settings);
    for pair in run.generations.windows(2) {
        let players = next(&settings, &pair[0]);
        let number = pair[1].generation;
        let anew =
            generation(&settings, Variant::Awari, (number, &players), 1, &mut Known::default(), &|_| {});
        assert_eq!(anew, pair[1]);
        let games: u64 = anew.results.iter().sum();
        assert_eq!(games, settings.games());
    }
}

#[test]
fn survivors_go_on_and_each_has_as_many_children() {
    let settings = Settings { population: 20, survivors: 5, ..small() };
    let one = played(&Settings { generations: 1, ..settings.clone() });
    let players = next(&settings, &one.generations[0]);
    let ranked = &one.generations[0].ranking;
    assert!(players[..5].iter().zip(ranked).all(|(player, (before, _))| player == before));
    for survivor in &players[..5] {
        assert_eq!(players.iter().filter(|player| player.parent == Some(survivor.id)).count(), 3);
    }
    let uneven = Settings { population: 20, survivors: 6, ..settings };
    let players = next(&uneven, &one.generations[0]);
    let children = |of: usize| players.iter().filter(|player| player.parent == Some(players[of].id)).count();
    assert_eq!([0, 1, 2, 3, 4, 5].map(children), [3, 3, 2, 2, 2, 2]);
}

/// Says that it has a memory, so that its games are played to their end.
struct Stubborn<'a>(Evolved<'a>);

impl<R: Rules> Chooser<R> for Stubborn<'_> {
    fn choose(&mut self, line: &[Board], side: Side) -> Pit {
        Chooser::<R>::choose(&mut self.0, line, side)
    }

    fn is_memoryless(&self) -> bool {
        false
    }
}

#[test]
fn games_that_go_round_come_out_as_if_they_were_played_to_their_end() {
    let start = Position::start(Variant::Awari);
    let mut at_limit = 0;
    for game in 0..60 {
        let mut rng = Rng::new(3, game, 0);
        let [one, other] = [0, 1].map(|_| Evaluator::new(std::array::from_fn(|_| rng.within(1.0))));
        let [mut a, mut b, mut c, mut d] = [0; 4].map(|_| Minimax::default());
        let player = |evaluator, room| Evolved { evaluator, depth: 2, room };
        let short = play::<Awari>([&mut player(&one, &mut a), &mut player(&other, &mut b)], 250, start);
        let (mut south, mut north) = (Stubborn(player(&one, &mut c)), Stubborn(player(&other, &mut d)));
        let long = play::<Awari>([&mut south, &mut north], 250, start);
        assert_eq!(short, long);
        at_limit += u32::from(long.at_limit);
    }
    assert!(at_limit > 5, "some go round: {at_limit}");
}

#[test]
fn normal_numbers_are_normal() {
    let mut rng = Rng::new(1, 2, 3);
    let numbers: Vec<f64> = (0..100_000).map(|_| rng.normal()).collect();
    let mean = numbers.iter().sum::<f64>() / 1e5;
    let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 1e5;
    let far = numbers.iter().filter(|x| x.abs() > 1.959_964).count();
    assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    assert!((4_500..5_500).contains(&far), "{far}");
}

#[test]
fn tables_are_the_same_on_any_number_of_threads() {
    let tables = |threads: &str| {
        let words = "tables --games 6 --depth 2 --max-moves 60 --threads";
        let output = Command::new(EVOLVE).args(words.split(' ')).arg(threads).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let text = tables("1");
    assert_eq!(text, tables("3"));
    assert_eq!(text.lines().count(), 2 + 2 * 4 * 2);
}

/// The fuzz target of its reader: see `tests/support/fuzz.rs`.
#[test]
fn a_checkpoint_may_say_anything() {
    let seal = |bytes: &mut Vec<u8>| {
        let end = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1);
        let body = bytes.split_off(end);
        *bytes = format!("kroo evolution checkpoint 1 {:08x}\n", crc32fast::hash(&body)).into_bytes();
        bytes.extend(body);
    };
    let kept = include_bytes!("../fixtures/data/evolution/checkpoint").to_vec();
    support::fuzz::fuzz("checkpoint", vec![kept], seal, |bytes| {
        if let Ok(run) = Run::from_bytes(bytes) {
            assert!(Run::from_bytes(&run.to_bytes()).is_ok());
        }
    });
}
