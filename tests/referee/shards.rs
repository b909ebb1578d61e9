//! A tournament in parts, and their journals joined.

use crate::harness::{REFEREE, Report, Scene, words};
use std::fs;
use std::process::Command;

const OPTIONS: &str = "--rounds 5 --max-moves 20 --seed 4 --variant oware";

fn engines(scene: &Scene) -> Vec<String> {
    ["honest", "last", "thoughtful"].map(|manner| scene.engine(manner, &["depth=1"])).concat()
}

/// Plays a part.
fn part(scene: &Scene, shard: &str, options: &str) -> String {
    let journal = scene.path(&format!("journal-{}", shard.replace('/', "-"))).to_string_lossy().into_owned();
    let all = [engines(scene), words(OPTIONS), words(options)].concat();
    let own = ["--shard", shard, "--journal", &journal, "--resume"].map(str::to_owned);
    let output = Command::new(REFEREE).args(all).args(own).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    journal
}

fn merged(scene: &Scene, arguments: &[&str]) -> Report {
    for file in ["games.ogn", "games.json"] {
        let _ = fs::remove_file(scene.path(file));
    }
    let mut command = Command::new(REFEREE);
    command.arg("merge").args(arguments);
    command.arg("--games-out").arg(scene.path("games.ogn")).arg("--json").arg(scene.path("games.json"));
    scene.report(command.output().unwrap())
}

#[test]
fn parts_make_the_whole() {
    let scene = Scene::new();
    let whole = scene.run(&[engines(&scene), words(OPTIONS)]);
    whole.assert_played(30);
    let results = |report: &Report| report.stdout.split_once("\nStandings").unwrap().1.to_owned();
    let journals = ["3/4", "1/4", "4/4", "2/4"].map(|shard| part(&scene, shard, ""));
    let all: Vec<&str> = journals.iter().map(String::as_str).collect();
    let joined = merged(&scene, &all);
    assert_eq!(joined.status, 0, "{}", joined.stderr);
    assert_eq!(joined.games, whole.games);
    assert_eq!(results(&joined), results(&whole));
    assert_eq!(joined.game_results().len(), 30);
    // A journal of a whole tournament shows its results once more.
    let single = part(&scene, "1/1", "");
    assert_eq!(results(&merged(&scene, &[&single])), results(&whole));
}

#[test]
fn the_script_for_one_machine_plays_and_joins_all_parts() {
    let scene = Scene::new();
    let whole = scene.run(&[engines(&scene), words(OPTIONS)]);
    for runner in ["parallel", "xargs"] {
        let folder = scene.path(runner);
        let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scale/local.sh"));
        script.args(["3", "2"]).arg(&folder).args(engines(&scene)).args(words(OPTIONS));
        // Twice: the second time there is nothing left to play, and the result is the same.
        for _ in 0..2 {
            let output = script.env("REFEREE", REFEREE).env("RUNNER", runner).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(String::from_utf8_lossy(&output.stdout).contains("\nStandings"));
            assert_eq!(fs::read_to_string(folder.join("games.ogn")).unwrap(), whole.games);
        }
    }
}

#[test]
fn what_is_missing_or_double_is_named() {
    let scene = Scene::new();
    let journals = ["1/3", "2/3", "3/3"].map(|shard| part(&scene, shard, ""));
    let [one, two, three] = journals.each_ref().map(String::as_str);
    let refused = |arguments: &[&str], expected: &str| {
        let report = merged(&scene, arguments);
        assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{}", report.stderr);
        assert!(report.stderr.contains(expected), "{}", report.stderr);
    };
    refused(&[one, three], "not everything has been played (part 2/3 is missing); --partial joins");
    refused(&[one, two, three, two], "are both of part 2/3: give each part once");
    refused(&[one, "/nowhere"], "/nowhere: No such file");
    let other = part(&scene, "2/4", "");
    refused(
        &[one, &other],
        "are journals of different tournaments: plan.shard.of is 3 in the one and 4 in the other",
    );
    let text = fs::read_to_string(two).unwrap();
    let cut: String = text.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(two, cut).unwrap();
    refused(&[one, two, three], "7 games of part 2/3 are missing in ");
    let partial = merged(&scene, &[one, two, three, "--partial"]);
    assert!(partial.stdout.contains("Interrupted after 23 of 30 games."), "{}", partial.stdout);
    assert_eq!(partial.game_results().len(), 23);
    part(&scene, "2/3", "");
    assert_eq!(merged(&scene, &[one, two, three]).status, 0);
}

#[test]
fn what_depends_on_results_has_no_parts() {
    let scene = Scene::new();
    let journal = scene.path("journal").to_string_lossy().into_owned();
    let refused = |options: &str| {
        let own = words(&format!("--engine cmd=x --engine cmd=y {options} --journal {journal}"));
        let output = Command::new(REFEREE).args(own).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("--event swiss --shard 1/2").contains("--shard: Swiss cannot be played in parts"));
    assert!(refused("--sprt elo0=0 elo1=5 --shard 1/2").contains("--shard: a match with --sprt cannot"));
    assert!(refused("--shard 3/2").contains("--shard 3/2: expected K/N, the K-th of N parts, such as 1/8"));
    assert!(!scene.path("journal").exists());
}
