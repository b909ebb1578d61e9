//! Tuning by SPSA: an engine whose best values are known, and everything that could make a run another one.

use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use support::programs::referee_path;
use support::scene::{Scene, await_that, built, words};

/// A run from a bad start. The best values are 140 and 0.3.
const AIM: &str = "Aim,20,0,200,12,0.03";
const NERVE: &str = "Nerve,float,0.9,0,1,0.08,0.03";
/// Options that keep games short.
const SHORT: &str = "--max-moves 40 --random-plies 4";

/// A run of the engine that can be tuned.
fn tune(scene: &Scene, options: &str) -> Command {
    let engine = built("examples/tunable", &["-p", "kroo-referee", "--example", "tunable"]);
    let mut command = Command::new(referee_path());
    command.args(["tune", "--engine", &format!("cmd={}", engine.display()), "depth=1"]);
    command.args(words(SHORT)).args(words(options)).current_dir(scene.dir.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(scene: &Scene, options: &str) -> (i32, String, String) {
    let Output { status, stdout, stderr } = tune(scene, options).output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    (status.code().unwrap_or(-1), stdout, stderr)
}

fn document(scene: &Scene, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(scene.path(name)).unwrap()).unwrap()
}

/// The journal's games in the order of the schedule, without times.
fn games(scene: &Scene, journal: &str) -> Vec<String> {
    let text = fs::read_to_string(scene.path(journal)).unwrap();
    let mut games: Vec<(u64, String)> = text.lines().skip(1).map(game).collect();
    games.sort();
    games.into_iter().map(|(_, game)| game).collect()
}

fn game(line: &str) -> (u64, String) {
    let mut value: Value = serde_json::from_str(&line[9..]).unwrap();
    let game = value.as_object_mut().unwrap();
    for field in ["date", "used", "overruns"] {
        game.remove(field);
    }
    game["searches"].as_object_mut().unwrap().remove("times");
    (game["number"].as_u64().unwrap(), value.to_string())
}

/// The results at the end of what was printed.
fn results(output: &str) -> &str {
    &output[output.find("\nResults").unwrap()..]
}

#[test]
fn a_bad_start_is_tuned_to_the_best_values() {
    let scene = Scene::new();
    let options = format!("--param {AIM} --param {NERVE} --iterations 200 --concurrency 2 --seed 1");
    let (status, printed, errors) = run(&scene, &format!("{options} --json run.json --html run.html"));
    assert_eq!((status, errors.as_str()), (0, ""), "{printed}");
    let run = document(&scene, "run.json");
    let end = |place: usize| run["result"]["parameters"][place]["end"].as_f64().unwrap();
    assert!((end(0) - 140.0).abs() < 12.0 && (end(1) - 0.3).abs() < 0.06, "{}", results(&printed));
    assert_eq!(
        (run["result"]["games"].as_u64(), run["result"]["iterations"].as_u64()),
        (Some(3_200), Some(200))
    );
    let iterations = run["iterations"].as_array().unwrap();
    assert_eq!(iterations.len(), 200);
    assert_eq!(iterations[199]["values"][0].as_f64(), Some(end(0)));
    assert_eq!(printed.lines().filter(|line| line.starts_with("Iteration ")).count(), 200);
    let words = run["result"]["words"].as_str().unwrap();
    assert!(words.starts_with("option.Aim=1") && words.contains(" option.Nerve=0."), "{words}");
    assert!(printed.contains(&format!("--each {words}\n")), "{printed}");
    // The lines can be read again.
    let lines: Vec<&str> =
        run["result"]["lines"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
    assert!(lines[1].starts_with("Nerve, float, 0."), "{lines:?}");
    scene.file("on.txt", &format!("# from here\n\n{}\n", lines.join("\n")));
    let (status, printed, errors) = self::run(&scene, "--params on.txt --iterations 2 --pairs 1");
    assert_eq!((status, errors.as_str()), (0, ""), "{printed}");
    let page = fs::read_to_string(scene.path("run.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2, "a picture of each parameter");
    assert!(page.contains("<pre>--each option.Aim=") && page.contains("Nerve, float"));
    assert!(!page.contains("<script") && !page.contains("NaN"), "a page without scripts");
}

#[test]
fn values_do_not_depend_on_the_number_of_threads() {
    let scene = Scene::new();
    let options = format!("--param {AIM} --param {NERVE} --iterations 15 --pairs 3 --lag 2 --variant kalah");
    let one = run(&scene, &format!("{options} --journal one --json one.json"));
    assert_eq!((one.0, one.2.as_str()), (0, ""));
    let many = run(&scene, &format!("{options} --journal many --json many.json --concurrency 4"));
    assert_eq!((many.0, many.2.as_str()), (0, ""));
    assert_eq!(games(&scene, "many"), games(&scene, "one"));
    assert_eq!(document(&scene, "many.json")["iterations"], document(&scene, "one.json")["iterations"]);
    assert_eq!(results(&many.1), results(&one.1));
    // Another seed, and another lag, make another run.
    for other in ["--seed 2", "--lag 0"] {
        let options = format!(
            "{} {other}",
            options.replace("--lag 2", if other == "--lag 0" { "" } else { "--lag 2" })
        );
        assert_ne!(results(&run(&scene, &options).1), results(&one.1), "{other}");
    }
}

#[test]
fn a_killed_run_is_resumed_with_the_same_values() {
    let scene = Scene::new();
    let options = format!("--param {AIM} --param {NERVE} --iterations 40 --pairs 4 --concurrency 2");
    let quiet = run(&scene, &format!("{options} --journal quiet --json quiet.json"));
    let journal = scene.path("killed");
    let lines = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    let resumed = format!("{options} --journal killed --resume --json killed.json");
    for games in [30, 100, 200] {
        let mut child = tune(&scene, &resumed).stdout(Stdio::null()).spawn().unwrap();
        assert!(await_that(|| lines() > games));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (status, printed, errors) = run(&scene, &resumed);
    assert_eq!(status, 0, "{errors}");
    assert!(printed.contains("Resumed: "), "{printed}");
    assert_eq!(games(&scene, "killed"), games(&scene, "quiet"));
    assert_eq!(document(&scene, "killed.json")["iterations"], document(&scene, "quiet.json")["iterations"]);
    assert_eq!(results(&printed), results(&quiet.1));
    // The journal alone tells the same.
    let merged = Command::new(referee_path()).arg("merge").arg(&journal).output().unwrap();
    assert!(String::from_utf8(merged.stdout).unwrap().ends_with(results(&quiet.1)));
}

#[test]
fn only_the_same_run_is_resumed() {
    let scene = Scene::new();
    let options = "--iterations 2 --pairs 1 --journal run";
    assert_eq!(run(&scene, &format!("--param {AIM} {options}")).0, 0);
    for (changed, expected) in [
        (
            "--param Aim,20,0,200,12,0.02 --iterations 2 --pairs 1",
            "plan.tuning.parameters.0.r_end is 0.03 there and 0.02 here",
        ),
        (
            "--param Aim,30,0,200,12,0.03 --iterations 2 --pairs 1",
            "plan.tuning.parameters.0.start is 20.0 there and 30.0 here",
        ),
        ("--param Aim,20,0,200,12,0.03 --iterations 3 --pairs 1", "plan.rounds is 2 there and 3 here"),
        ("--param Aim,20,0,200,12,0.03 --iterations 2 --pairs 2", "plan.pairs is 1 there and 2 here"),
        (
            "--param Aim,20,0,200,12,0.03 --iterations 2 --pairs 1 --lag 5",
            "plan.tuning.lag is 4 there and 5 here",
        ),
        (
            "--param Aim,20,0,200,12,0.03 --iterations 2 --pairs 1 --alpha 0.6",
            "plan.tuning.alpha is 0.602 there and 0.6 here",
        ),
        ("--param Aim,20,0,200,12,0.03 --iterations 2 --pairs 1 --seed 5", "plan.openings is"),
    ] {
        let (status, _, errors) = run(&scene, &format!("{changed} --journal run --resume"));
        assert!(status == 1 && errors.contains(expected), "{changed}: {errors}");
    }
    // A journal of a match is not one of a tuning run.
    let engine = built("examples/tunable", &["-p", "kroo-referee", "--example", "tunable"]);
    let twin = |twin: &str| {
        let words =
            ["--engine", &format!("cmd={}", engine.display()), &format!("name=tunable {twin}"), "depth=1"];
        words.map(str::to_owned).to_vec()
    };
    let journal = words(&format!("{SHORT} --rounds 1 --journal {}", scene.path("match").display()));
    let arguments = [twin("plus"), twin("minus"), journal].concat();
    assert!(Command::new(referee_path()).args(arguments).output().unwrap().status.success());
    let (status, _, errors) =
        run(&scene, &format!("--param {AIM} --iterations 1 --pairs 1 --journal match --resume"));
    let refused = "match: this is not the journal of `referee tune`: leave `tune` out";
    assert!(status == 1 && errors.contains(refused), "{errors}");
}

#[test]
fn a_forged_journal_is_noticed() {
    let scene = Scene::new();
    let options = format!("--param {AIM} --iterations 4 --pairs 1 --journal run");
    assert_eq!(run(&scene, &options).0, 0);
    let text = fs::read_to_string(scene.path("run")).unwrap();
    let forge = |name: &str, change: &dyn Fn(&mut Value)| {
        let lines = text.lines().enumerate().map(|(number, line)| {
            let mut value: Value = serde_json::from_str(&line[9..]).unwrap();
            if number == 3 {
                change(&mut value);
            }
            support::scene::line(&value.to_string())
        });
        scene.file(name, &lines.collect::<String>());
        let merged = Command::new(referee_path())
            .args(["merge", name])
            .current_dir(scene.dir.path())
            .output()
            .unwrap();
        (merged.status.code().unwrap(), String::from_utf8(merged.stderr).unwrap())
    };
    let unchanged = forge("same", &|_| {});
    assert_eq!(unchanged, (0, String::new()));
    for (name, settings, expected) in [
        ("many", r#"[["1","2"],["1"]]"#, "its settings have 2 values, expected 1"),
        ("far", r#"[["1"],["201"]]"#, "`201` is no value of `Aim` from 0 to 200"),
        ("none", r#"[["nan"],["1"]]"#, "`nan` is no value of `Aim` from 0 to 200"),
        ("absent", "null", "only games of a tuning run have settings, and all of these"),
        ("other", r#"[["1"],["2"]]"#, "was played with other values than follow from the games before it"),
    ] {
        let (status, errors) =
            forge(name, &|line| line["settings"] = serde_json::from_str(settings).unwrap());
        assert!(status == 1 && errors.contains(expected), "{name}: {status} {errors}");
    }
}

#[test]
fn what_cannot_be_tuned_is_refused_with_what_is_allowed() {
    let scene = Scene::new();
    let many: String = (0..200).map(|number| format!("P{number},20,0,200,12,0.03\n")).collect();
    scene.file("many.txt", &many);
    scene.file("bad.txt", "# two lines\nAim, int, 20, 0, 200, 12, 0.03\nNerve, float, 2, 0, 1, 0.1, 0.01\n");
    for (options, expected) in [
        ("", "tune: 0 parameters, expected 1 to 1000; give each with --param NAME,START,MIN,MAX,C_END,R_END"),
        (
            "--param Aim,20,0,200",
            "--param Aim,20,0,200: expected NAME,START,MIN,MAX,C_END,R_END, or NAME,int,",
        ),
        ("--param Aim,x,0,200,12,0.03", "START: `x` is not a number, such as 12 or 0.5"),
        ("--param Aim,300,0,200,12,0.03", "START: 300, expected a number from 0 to 200"),
        ("--params bad.txt", "--params bad.txt:3: START: 2, expected a number from 0 to 1"),
        ("--params none.txt", "--params: none.txt: No such file or directory"),
        (
            "--param Aim,20,0,200,12,0.03 --param aim,20,0,200,12,0.03",
            "tuning: parameter `Aim` is there twice\n",
        ),
        (
            "--params many.txt --queue redis://127.0.0.1:1 --batch 101",
            "--batch: at most 100 with 200 parameters",
        ),
        ("--param Aim,20,0,200,12,0.03 --alpha 7", "tuning: alpha: expected a number from 0 to 2\n"),
        ("--param Aim,20,0,200,12,0.03 --a-ratio=-1", "tuning: a-ratio: expected a number from 0 to 100"),
        ("--param Aim,20,0,200,12,0.03 --iterations 0", "--iterations"),
        (
            "--param Aim,20,0,200,12,0.03 --each option.aim=3",
            "tune: `aim` is a parameter, and has a value by option.aim",
        ),
        (
            "--param Aim,20,0,200,12,0.03 --engine cmd=other",
            "2 times --engine: one engine is tuned, and plays itself",
        ),
        ("--param Aim,20,0,200,12,0.03 --journal x --shard 1/2", "unexpected argument '--shard'"),
    ] {
        let (status, printed, errors) = run(&scene, options);
        assert!(status == 1 && errors.contains(expected), "{options}: {printed}{errors}");
    }
    // Facts that only the engine knows are checked before the first game.
    for (parameter, expected) in [
        ("Fame,20,0,200,12,0.03", "option `Fame` is not sent: the engine has no such option"),
        (
            "Aim,20,0,201,12,0.03",
            "values from 0 to 201 are to be tried: option `Aim` is not sent: `201` is not a number from 0 to 200",
        ),
        ("Aim,float,20,0,200,12,0.03", "is not a number from 0 to 200"),
    ] {
        let (status, printed, errors) = run(&scene, &format!("--param {parameter} --journal none"));
        assert!(status == 12 && errors.contains(expected), "{parameter}: {status} {printed}{errors}");
        assert!(
            errors.contains("no game was played") && printed.contains("Broken, without a result"),
            "{printed}"
        );
        fs::remove_file(scene.path("none")).unwrap();
    }
}

/// Only values that an engine does not have are sent, and before the game is announced; the engine goes on running.
#[test]
fn values_are_set_before_the_game() {
    let scene = Scene::new();
    let options = format!("--param {AIM} --iterations 3 --pairs 4 --lag 0 --log log --journal run");
    assert_eq!(run(&scene, &options).0, 0);
    let log = fs::read_to_string(scene.path("log")).unwrap();
    for twin in ["plus", "minus"] {
        let to_twin = |line: &str| {
            let (_, said) = line.split_once(&format!(" >tunable {twin}("))?;
            said.split_once("): ").map(|(_, command)| command.to_owned())
        };
        let sent: Vec<String> = log.lines().filter_map(to_twin).collect();
        let told = |word: &str| sent.iter().filter(|line| line.starts_with(word)).count();
        assert_eq!(told("uci") - told("ucinewgame"), 1, "{sent:?}");
        // The start, before the first iteration, and each of three values once.
        let values: Vec<usize> =
            (0..sent.len()).filter(|&place| sent[place].contains("name Aim value")).collect();
        assert_eq!(values.len(), 4, "{log}");
        assert!(values.iter().all(|&place| sent[place + 1] == "ucinewgame"), "{sent:?}");
        assert_eq!(sent[values[0]], "setoption name Aim value 20");
    }
    let games = games(&scene, "run");
    assert_eq!(games.len(), 24);
    let values = |game: &str| serde_json::from_str::<Value>(game).unwrap()["settings"].clone();
    assert_eq!(values(&games[0]), values(&games[1]), "each engine keeps its values in a pair");
    assert_eq!(values(&games[0]), values(&games[6]), "all pairs of an iteration have the same values");
    assert_ne!(values(&games[0]), values(&games[8]));
}
