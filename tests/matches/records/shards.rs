//! A tournament in parts, and their journals joined.

use crate::records::journal::undated;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use support::programs::{self, referee_path};
use support::scene::{Report, Scene, built, words};
use support::tools::has;

const OPTIONS: &str = "--rounds 5 --max-moves 20 --seed 4 --variant oware";

fn engines(scene: &Scene) -> Vec<String> {
    ["honest", "last", "thoughtful"].map(|manner| scene.engine(manner, &["depth=1"])).concat()
}

/// Plays a part.
fn part(scene: &Scene, shard: &str, options: &str) -> String {
    let journal = scene.path(&format!("journal-{}", shard.replace('/', "-"))).to_string_lossy().into_owned();
    let all = [engines(scene), words(OPTIONS), words(options)].concat();
    let own = ["--shard", shard, "--journal", &journal, "--resume"].map(str::to_owned);
    let output = Command::new(referee_path()).args(all).args(own).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    journal
}

fn merged(scene: &Scene, arguments: &[&str]) -> Report {
    for file in ["games.ogn", "games.json"] {
        let _ = fs::remove_file(scene.path(file));
    }
    let mut command = Command::new(referee_path());
    command.arg("merge").args(arguments);
    command.arg("--games-out").arg(scene.path("games.ogn")).arg("--json").arg(scene.path("games.json"));
    scene.report(command.output().unwrap())
}

#[test]
fn the_script_for_one_machine_plays_and_joins_all_parts() {
    let scene = Scene::in_memory();
    let whole = scene.run(&[engines(&scene), words(OPTIONS)]);
    for runner in ["xargs", "parallel"].into_iter().filter(|&runner| runner == "xargs" || has("parallel")) {
        let folder = scene.path(runner);
        let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scale/local.sh"));
        script.args(["3", "2"]).arg(&folder).args(engines(&scene)).args(words(OPTIONS));
        // Twice: the second time there is nothing left to play, and the result is the same.
        for _ in 0..2 {
            let output = script.env("REFEREE", referee_path()).env("RUNNER", runner).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(String::from_utf8_lossy(&output.stdout).contains("\nStandings"));
            assert_eq!(fs::read_to_string(folder.join("games.ogn")).unwrap(), whole.games);
        }
    }
}

/// A folder as the examples for clusters expect it: `referee` to be found, and two engines, `new` and `old`.
fn cluster(scene: &Scene) -> String {
    let unruly = built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
    for (name, manner) in [("new", "honest"), ("old", "last")] {
        let script = format!("#!/bin/sh\nexec '{}' {manner} \"$@\"\n", unruly.display());
        programs::script(scene.path(name), &script);
    }
    fs::create_dir(scene.path("bin")).unwrap();
    symlink(referee_path(), scene.path("bin/referee")).unwrap();
    format!("{}:{}", scene.path("bin").display(), std::env::var("PATH").unwrap())
}

/// The tournament of the examples, but for its length, on one machine.
fn of_the_examples(scene: &Scene, rounds: u32) -> String {
    let engine = |name: &str| words(&format!("--engine cmd={} name={name}", scene.path(name).display()));
    let options = format!("--each tc=10+0.1 --variant oware --rounds {rounds} --random-plies 6 --seed 1");
    let whole = scene.run(&[engine("new"), engine("old"), words(&options)]);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    moves_of(&whole.games)
}

/// A game file without dates and comments, which tell the time of each move and so where lines end.
fn moves_of(games: &str) -> String {
    let undated = undated(games);
    let parts = undated.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    parts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn journals_of(folder: &Path) -> Vec<String> {
    let files =
        fs::read_dir(folder).unwrap().flatten().map(|file| file.path().to_string_lossy().into_owned());
    let mut journals: Vec<String> = files.filter(|name| name.ends_with(".journal")).collect();
    journals.sort();
    journals
}

/// A stand-in for `sbatch --array`, as far as a script uses it: each job in the folder, its output where the script
/// says, in a folder that is there.
fn sbatch(scene: &Scene, path: &str, array: &[u32], sizes: &[(&str, &str)]) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scale/slurm.sh");
    let text = fs::read_to_string(script).unwrap();
    let output = text.lines().find_map(|line| line.strip_prefix("#SBATCH --output=")).unwrap();
    for index in array.iter().map(u32::to_string) {
        let log = fs::File::create(scene.path(&output.replace("%a", &index))).unwrap();
        let mut job = Command::new("bash");
        job.arg(script).current_dir(scene.dir.path()).env("PATH", path).envs(sizes.iter().copied());
        job.env("SLURM_JOB_ID", "4711").env("SLURM_ARRAY_TASK_ID", &index).stdin(Stdio::null());
        let log_too = log.try_clone().unwrap();
        assert!(job.stdout(log).stderr(log_too).status().unwrap().success(), "job {index}");
    }
}

#[test]
fn the_script_for_slurm_plays_its_parts() {
    let scene = Scene::in_memory();
    let path = cluster(&scene);
    let sizes = [("PARTS", "3"), ("ROUNDS", "7")];
    // In any order, and one of them twice.
    sbatch(&scene, &path, &[2, 3, 1, 3], &sizes);
    let journals = journals_of(&scene.path("journals"));
    assert_eq!(journals.len(), 3);
    let joined = merged(&scene, &journals.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((joined.status, joined.game_results().len()), (0, 14), "{}", joined.stderr);
    let joined = moves_of(&joined.games);
    fs::remove_file(scene.path("games.ogn")).unwrap();
    assert_eq!(joined, of_the_examples(&scene, 7));
    // Unchanged: the seventh of a hundred parts, of ten thousand games.
    sbatch(&scene, &path, &[7], &[]);
    let seventh = fs::read_to_string(scene.path("journals/part-7.journal")).unwrap();
    assert_eq!(seventh.lines().count(), 101);
    assert!(seventh.contains("\"shard\":{\"part\":7,\"of\":100}"), "{}", seventh.lines().next().unwrap());
}

#[test]
fn the_job_for_kubernetes_plays_its_parts() {
    let scene = Scene::in_memory();
    let path = cluster(&scene);
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/scale/kubernetes.yaml")).unwrap();
    // A folded text: its lines make one.
    let (_, folded) = text.split_once("- >-\n").unwrap();
    let indent = folded.len() - folded.trim_start().len();
    let inside = |line: &&str| line.len() - line.trim_start().len() >= indent;
    let command: Vec<&str> = folded.lines().take_while(inside).map(str::trim).collect();
    // The folders that are mounted.
    fs::create_dir(scene.path("journals")).unwrap();
    let folder = scene.dir.path().display();
    let command = command.join(" ").replace("/engines/", &format!("{folder}/"));
    let command = command.replace("/journals/", &format!("{folder}/journals/"));
    let pod = |index: &str, sizes: [(&str, &str); 2]| {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &command]).env("PATH", &path).env("JOB_COMPLETION_INDEX", index).envs(sizes);
        let output = shell.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    for index in ["1", "0", "2", "1"] {
        pod(index, [("PARTS", "3"), ("ROUNDS", "7")]);
    }
    let journals = journals_of(&scene.path("journals"));
    let joined = merged(&scene, &journals.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((joined.status, joined.game_results().len()), (0, 14), "{}", joined.stderr);
    let joined = moves_of(&joined.games);
    fs::remove_file(scene.path("games.ogn")).unwrap();
    assert_eq!(joined, of_the_examples(&scene, 7));
    // The last pod of the unchanged file.
    let value = |name: &str| {
        let (_, rest) = text.split_once(&format!("{{name: {name}, value: \"")).unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    let (parts, rounds) = (value("PARTS"), value("ROUNDS"));
    assert!(text.contains(&format!("\n  completions: {parts}\n")), "as many parts as pods");
    pod("99", [("PARTS", &parts), ("ROUNDS", &rounds)]);
    let last = fs::read_to_string(scene.path("journals/part-100.journal")).unwrap();
    assert_eq!(last.lines().count(), 101);
}

#[test]
fn what_is_missing_or_double_is_named() {
    let scene = Scene::in_memory();
    let journals = ["1/3", "2/3", "3/3"].map(|shard| part(&scene, shard, ""));
    let [one, two, three] = journals.each_ref().map(String::as_str);
    let refused = |arguments: &[&str], expected: &str| {
        let report = merged(&scene, arguments);
        assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{}", report.stderr);
        report.complains(expected);
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
    fs::write(two, format!("{cut}0000")).unwrap();
    refused(&[one, two, three], "7 games of part 2/3 are missing in ");
    let partial = merged(&scene, &[one, two, three, "--partial"]);
    partial.says("Interrupted after 23 of 30 games.");
    assert_eq!(partial.game_results().len(), 23);
    let dropped = "its end, 4 bytes, was being written when the referee was ended; it does not count";
    partial.complains(dropped);
    part(&scene, "2/3", "");
    assert_eq!(merged(&scene, &[one, two, three]).status, 0);
}

#[test]
fn a_test_in_parts_is_decided_in_the_order_of_the_schedule() {
    let scene = Scene::in_memory();
    let two = ["honest", "gloomy"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let options = "--rounds 60 --random-plies 4 --max-moves 20 --seed 4 --resign moves=1 score=40 --sprt elo0=0 elo1=100";
    let whole = scene.run(&[two.clone(), words(options)]);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let decided = whole.game_results().len();
    assert!((10..100).contains(&decided), "{decided}");
    let part = |shard: &str| {
        let journal = scene.path(&format!("test-{}", shard.replace('/', "-"))).to_string_lossy().into_owned();
        let own = ["--shard", shard, "--journal", &journal, "--resume"].map(str::to_owned);
        let output = Command::new(referee_path()).args(&two).args(words(options)).args(own).output().unwrap();
        // It plays all its games and has no verdict of its own.
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!String::from_utf8_lossy(&output.stdout).contains("LLR"));
        assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 41);
        journal
    };
    let journals = ["2/3", "3/3", "1/3"].map(part);
    let [two_of_three, three, one] = journals.each_ref().map(String::as_str);
    let joined = merged(&scene, &[two_of_three, three, one]);
    assert_eq!((joined.status, joined.games.as_str()), (0, whole.games.as_str()), "{}", joined.stderr);
    let verdict = |report: &Report| report.stdout[report.stdout.find("\nSPRT: ").unwrap()..].to_owned();
    assert_eq!(verdict(&joined), verdict(&whole));
    // Games after the decision may be missing, games before it may not.
    let cut = |lines: usize| {
        let text = fs::read_to_string(one).unwrap();
        let kept: String = text.lines().take(lines).map(|line| format!("{line}\n")).collect();
        fs::write(one, kept).unwrap();
    };
    cut(1 + decided.div_ceil(6) * 2 + 2);
    assert_eq!(merged(&scene, &[one, two_of_three, three]).games, whole.games);
    cut(4);
    let report = merged(&scene, &[one, two_of_three, three]);
    assert_eq!(report.status, 1);
    let expected = "the test is not decided by the 7 games before game 8, which part 1/3 has not played yet";
    report.complains(expected);
    let partial = merged(&scene, &["--partial", one, two_of_three, three]);
    assert_eq!(partial.status, 1, "{}", partial.stderr);
    // Games behind the first that is missing are shown, and do not count.
    let games = partial.game_results();
    assert_eq!(
        games.iter().map(|game| game["counts"] == true).collect::<Vec<_>>(),
        [[true; 7].to_vec(), [false; 76].to_vec()].concat()
    );
    assert_eq!(
        (&partial.json["result"]["games"], &partial.json["result"]["uncounted"]),
        (&7.into(), &76.into())
    );
    assert_eq!(partial.games.matches("[Counted \"no\"]").count(), 76);
    partial.says("\nBehind a missing game, and not counted: 76\n");
}
