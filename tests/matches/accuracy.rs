//! `referee accuracy`: the real engine, judged by small endgame files.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use support::programs::referee_path;
use support::scene::{Scene, await_that, built, signal, words};
use tempfile::TempDir;

/// Seeds of the files, and of the positions.
const SEEDS: &str = "5-7";

/// A folder with the games of a match and the files that judge them.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::Builder::new().prefix("referee-test-").tempdir().unwrap();
        let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
        for variant in ["awari", "kalah"] {
            let build = words(&format!("endgame build --variant {variant} --seeds 7 --out"));
            let status = Command::new(&kroo).args(build).arg(folder.path()).stderr(Stdio::null()).status();
            assert!(status.unwrap().success());
            let games = folder.path().join(format!("{variant}.ogn"));
            // Players without weights, so that other weights leave the positions as they are.
            let play = words(&format!(
                "--variant {variant} --each nodes=1 option.Player=greedy --random-plies 6 --rounds 40 --games-out"
            ));
            let mut referee = Command::new(referee_path());
            for name in ["one", "other"] {
                referee.arg("--engine").arg(format!("cmd={}", kroo.display())).arg(format!("name={name}"));
            }
            let output = referee.args(play).arg(&games).output().unwrap();
            assert!(output.status.success(), "{output:?}");
        }
        folder
    })
}

fn command(variant: &str, more: &str) -> Command {
    let mut command = Command::new(referee_path());
    command.args(["accuracy", "--variant", variant, "--games"]);
    command.arg(folder().path().join(format!("{variant}.ogn")));
    if !more.contains("--seeds") {
        command.args(["--seeds", SEEDS]);
    }
    if !more.contains("--endgame") {
        command.arg("--endgame").arg(folder().path());
    }
    command.args(words(more)).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The numbers at the beginning of the cells of an engine's row: moves, results and seeds given away.
fn row(table: &str, name: &str) -> [u64; 3] {
    let line = table.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    [3, 4, 5].map(|cell| cells[cell].split(' ').next().unwrap().parse().unwrap())
}

#[test]
fn who_looks_further_gives_less_away() {
    let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let engine = |more: &str| format!("--engine cmd={} {more}", kroo.display());
    for variant in ["awari", "kalah"] {
        let engines = format!(
            "{} {}",
            engine("name=greedy option.Player=greedy nodes=1"),
            engine("name=deep nodes=1000")
        );
        let measured = |more: &str| {
            let output = command(variant, &format!("{more} {engines}")).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            text(&output)
        };
        let table = measured("");
        let (greedy, deep) = (row(&table, "greedy"), row(&table, "deep"));
        assert!(greedy[0] == deep[0] && deep[0] > 20, "{table}");
        // Positions with this number of seeds are searched to the end.
        assert!(greedy[2] >= 3 && deep[1] <= greedy[1] && deep[2] < greedy[2], "{table}");
        let head = format!("{variant}: {} positions with 5 to 7 seeds from ", deep[0]);
        assert!(table.starts_with(&head), "{table}");
        // In another order the same, because an engine remembers nothing of the position before.
        let other = measured("--seed 2");
        assert_eq!((row(&other, "greedy"), row(&other, "deep")), (greedy, deep), "{other}");
        let few = measured("--positions 20 --seed 3");
        assert_eq!((row(&few, "deep")[0], &few), (20, &measured("--positions 20 --seed 3")));
    }
}

#[test]
fn what_was_measured_until_it_is_stopped_is_told() {
    let scene = Scene::new();
    let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let heard = scene.path("heard");
    let script = scene.file("script", &format!("tee '{}' | '{}'\n", heard.display(), kroo.display()));
    let engine = format!("--engine cmd=/bin/sh args={script} name=kroo st=0.5 timemargin=600000");
    let process = command("awari", &engine).spawn().unwrap();
    // At half a second for each position, most are still to come.
    let searches = || fs::read_to_string(&heard).unwrap_or_default().matches("\ngo ").count();
    assert!(await_that(|| searches() > 1));
    signal(&process, "INT");
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let table = text(&output);
    let moves = row(&table, "kroo")[0];
    assert!(table.starts_with(&format!("awari: {moves} of ")), "{table}");
}

#[test]
fn an_interrupt_while_an_engine_starts_is_no_failure() {
    let process = command("awari", "--engine cmd=sleep args=1000 st=1 startup=1000").spawn().unwrap();
    let children = format!("/proc/{0}/task/{0}/children", process.id());
    let has_child = || !fs::read_to_string(&children).unwrap_or_default().is_empty();
    assert!(await_that(has_child), "the engine is started");
    signal(&process, "INT");
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(text(&output).starts_with("awari: 0 of "), "{output:?}");
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let engine = format!("--engine cmd={} nodes=10", kroo.display());
    let refused = |variant: &str, more: &str| {
        let output = command(variant, &format!("{engine} {more}")).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let scene = Scene::new();
    let empty = scene.path("empty");
    fs::create_dir(&empty).unwrap();
    let elsewhere = format!("--endgame {}", empty.display());
    for (more, wanted) in [
        ("--seeds 7-5", "invalid value '7-5' for '--seeds <A-B>': expected a range such as 18-24"),
        ("--seeds 40-50", "of at most 48 seeds"),
        (
            "--seeds 47",
            "no position of these games has 47 to 47 seeds and two moves to choose from: 80 games of awari have ",
        ),
        ("--seeds 8", "build all databases up to 8 seeds (`kroo endgame build --variant awari --seeds 8`)"),
        (&elsewhere, "build all databases up to 7 seeds (`kroo endgame build --variant awari --seeds 7`)"),
        ("--games no.ogn", "no.ogn: No such file"),
        ("--each tc=1+1", "a clock (tc) is for games"),
    ] {
        let error = refused("awari", more);
        assert!(error.contains(wanted), "{more}: {error}");
    }
    assert!(refused("oware", "").contains("in oware a repetition may change"));
}

#[test]
fn the_rule_set_is_that_of_the_games() {
    let kroo = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let (endgame, engine) = (folder().path().display().to_string(), format!("cmd={}", kroo.display()));
    let run = |games: &[&str], more: &str| {
        let mut command = Command::new(referee_path());
        command.args(["accuracy", "--seeds", SEEDS, "--endgame", &endgame, "--positions", "5"]);
        for games in games {
            command.arg("--games").arg(folder().path().join(games));
        }
        let output = command.args(words(more)).args(["--engine", &engine, "nodes=10"]).output().unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code().unwrap(), text.concat())
    };
    for variant in ["awari", "kalah"] {
        let (status, text) = run(&[&format!("{variant}.ogn")], "");
        assert!(status == 0 && text.starts_with(&format!("{variant}: 5 positions")), "{text}");
    }
    let both = ["awari.ogn", "kalah.ogn"];
    let (status, text) = run(&both, "");
    assert!(
        status == 1 && text.contains("these games are of awari, kalah: choose one with --variant"),
        "{text}"
    );
    let (status, text) = run(&both, "--variant kalah");
    assert!(status == 0 && text.starts_with("kalah: 5 positions"), "{text}");
    let (status, text) = run(&["awari.ogn"], "--variant kalah");
    assert!(
        status == 1 && text.contains("none of the 40 games is of kalah; they are of awari")
            || text.contains("none of the 80 games is of kalah; they are of awari"),
        "{text}"
    );
    fs::write(folder().path().join("empty.ogn"), "").unwrap();
    let (status, text) = run(&["empty.ogn"], "");
    assert!(status == 1 && text.contains("0 games are read, none of a known rule set"), "{text}");
}
