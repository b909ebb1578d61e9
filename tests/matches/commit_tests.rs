//! `referee test`: a change is built, tested against what was before, and recorded.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use support::programs::referee_path;
use support::scene::{await_that, built, signal};
use support::tools::has;
use support::workshop::{Workshop, rows};

/// Distant hypotheses, so that few games decide.
const QUICK: &str = "--sprt elo0=0 elo1=100 --random-plies 4 --max-moves 60";
/// How long anything may take here.

#[test]
fn a_change_is_built_played_and_recorded() {
    let shop = Workshop::with(("gloomy", 111), ("honest", 222));
    let report = shop.test("HEAD~1..HEAD", QUICK);
    assert_eq!(report.status, 0, "{}", report.stderr);
    let [head, base] = ["HEAD", "HEAD~1"].map(|name| shop.git(&format!("rev-parse --short=7 {name}")));
    let rows = rows(&report);
    let [row] = rows[..] else { panic!("{rows:?}") };
    assert!(row.starts_with("| The head | awari | nodes=1 | "), "{row}");
    assert!(
        row.contains("; bench 111 → 222 | ") && row.contains(" of 2.94 (nElo 0, 100): accepted"),
        "{row}"
    );
    assert!(row.ends_with(&format!(" | | {base}..{head} |")), "{row}");
    let records = shop.records();
    let record = &records[0];
    assert_eq!((records.len(), record["schema"].as_u64()), (1, Some(1)));
    assert_eq!((record["verdict"].as_str(), record["head"]["bench"].as_u64()), (Some("accepted"), Some(222)));
    assert_eq!((record["wins"].as_u64(), record["losses"].as_u64()), (record["games"].as_u64(), Some(0)));
    assert!(record["openings"].as_str().unwrap().starts_with("4 random plies, seed "), "{record}");
    let folder = shop.folder(record);
    for name in ["journal", "games.ogn", "match.json", "report.html", "match.log"] {
        assert!(fs::metadata(folder.join(name)).unwrap().len() > 0, "{name}");
    }
    shop.assert_tidy();
    assert_eq!(shop.builds(), 2);
    // The builds exist, and the same test plays the same games.
    let again = shop.test("HEAD~1..HEAD", QUICK);
    assert_eq!((again.status, shop.builds()), (0, 2), "{}", again.stderr);
    assert_eq!(again.stdout, report.stdout);
    assert!(again.stderr.contains(&format!("{head} is built already")), "{}", again.stderr);
    let records = shop.records();
    assert_ne!(records[0]["id"], records[1]["id"]);
    assert_eq!(shop.show(&[]).stdout.lines().count(), 4);
    // The other way round it is a regression.
    let report = shop.test("HEAD..HEAD~1", QUICK);
    assert_eq!((report.status, shop.builds()), (10, 2), "{}", report.stderr);
    assert!(report.stdout.contains(" of −2.94 (nElo 0, 100): rejected"), "{}", report.stdout);
}

#[test]
fn the_exit_status_is_that_of_all_rule_sets() {
    let shop = Workshop::with(("last", 1), ("honest", 2));
    let options = "--sprt elo0=0 elo1=1 --rounds 3 --max-moves 40 --variant oware kalah --name a|b<i>";
    let report = shop.test("HEAD~1..", options);
    assert_eq!(report.status, 11, "{}", report.stderr);
    let rows = rows(&report);
    assert_eq!(rows.len(), 2, "{rows:?}");
    for (row, variant) in rows.iter().zip(["oware", "kalah"]) {
        assert!(row.starts_with(&format!("| a\\|b&lt;i> | {variant} | nodes=1 | 6 (W ")), "{row}");
        assert!(row.contains("): inconclusive |"), "{row}");
    }
    // Without a sequential test all is played, here with other random plies, and printed as the history's line.
    let options = "--no-sprt --rounds 2 --max-moves 40 --random-plies 3 --json";
    let report = shop.test("HEAD~1..", options);
    assert_eq!(report.status, 0, "{}", report.stderr);
    let record: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(record, shop.records()[2]);
    assert_eq!((record["verdict"].as_str(), record["games"].as_u64()), (Some("played"), Some(4)));
    assert_eq!(record["head"]["bench"].as_u64(), Some(2));
    let openings = record["openings"].as_str().unwrap();
    assert!(openings.starts_with("3 random plies, seed "), "{openings}");
    // An engine that does not work has no verdict.
    shop.commit("crash-at-start", 3, "Broken");
    let report = shop.test("HEAD~1..HEAD", "--variant oware kalah");
    assert_eq!(report.status, 12, "{}{}", report.stdout, report.stderr);
    assert!(report.stdout.lines().count() == 3 && report.stdout.contains(": broken"), "{}", report.stdout);
}

#[test]
fn a_base_alone_is_played_by_the_working_tree() {
    let shop = Workshop::with(("last", 1), ("honest", 2));
    shop.write("gloomy", 3);
    fs::write(shop.repo().join("new file"), "x").unwrap();
    let before = shop.git("status --porcelain");
    let report = shop.test("HEAD", QUICK);
    assert_eq!(report.status, 10, "{}", report.stderr);
    let head = shop.git("rev-parse --short=7 HEAD");
    assert!(report.stdout.contains(&format!("| {head}..{head} and changes |")), "{}", report.stdout);
    assert!(report.stdout.contains("bench 2 → 3"), "{}", report.stdout);
    assert_eq!(shop.git("status --porcelain"), before);
    assert_eq!(shop.git("diff --cached --name-only"), "");
    let commit = shop.records()[0]["head"]["commit"].as_str().unwrap().to_owned();
    assert_eq!(shop.git(&format!("ls-tree --name-only {commit}")), "engine.sh\nnew file");
    // The same content is the same program; without changes it is the commit itself.
    let report = shop.test("HEAD", QUICK);
    assert!(report.stderr.contains(&format!("{head} and changes is built already")), "{}", report.stderr);
    shop.git("stash --include-untracked --quiet");
    let report = shop.test("HEAD", QUICK);
    assert_eq!(report.status, 1);
    assert!(report.stderr.contains(&format!("{head} on both sides")), "{}", report.stderr);
    // A branch is compared with where it began.
    shop.git("checkout --quiet -b side HEAD~1");
    shop.commit("gloomy", 9, "Aside");
    let report = shop.test("main...side", QUICK);
    assert_eq!(report.status, 10, "{}", report.stderr);
    assert!(report.stdout.contains("bench 1 → 9"), "{}", report.stdout);
}

#[test]
fn one_program_with_two_settings_is_a_test_too() {
    let shop = Workshop::with(("honest", 1), ("honest", 1));
    let report = shop.test("HEAD~1..HEAD", QUICK);
    assert_eq!(report.status, 1, "the message only is different");
    shop.commit("last", 1, "Another");
    let report = shop.test("HEAD~1..HEAD", "--rounds 1 --max-moves 20");
    assert_eq!(report.status, 11, "{}", report.stderr);
    assert!(report.stderr.contains("warning: the search visits the same nodes"), "{}", report.stderr);
    assert!(report.stdout.contains("bench 1 in both"), "{}", report.stdout);
    let options = "--head depth=1 --base depth=2 --rounds 1 --max-moves 20";
    let report = shop.test("HEAD..HEAD", options);
    assert_eq!(report.status, 11, "{}", report.stderr);
    assert!(
        report.stdout.contains("| Another (depth=1) | awari | nodes=1 depth=1 vs nodes=1 depth=2 |"),
        "{}",
        report.stdout
    );
}

#[test]
fn errors_say_what_to_do() {
    let shop = Workshop::with(("last", 1), ("honest", 2));
    let refused = |range: &str, options: &str, expected: &[&str]| {
        let report = shop.test(range, options);
        assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{options}: {}", report.stderr);
        for part in expected {
            assert!(report.stderr.contains(part), "{part}: {}", report.stderr);
        }
        shop.git("worktree list").lines().count()
    };
    // Errors of the match are reported before anything is built.
    refused("HEAD~1..HEAD", "--sprt elo0=5 elo1=0", &["--sprt: elo0 must be less than elo1"]);
    refused(
        "HEAD~1..HEAD",
        "--head name=x",
        &["--head: `name=x`: the program and the name are those of the commit"],
    );
    refused("HEAD~1..HEAD", "--variant chess", &["'--variant <NAME>...': no rule set is called `chess`"]);
    refused("HEAD~1..HEAD", "--queue http://x", &["the queue's URL"]);
    assert_eq!(shop.builds(), 0);
    refused(
        "HEAD~9..HEAD",
        "",
        &["`HEAD~9` is no commit of the repository", "`git log --oneline` lists them"],
    );
    refused("main..--all", "", &["`--all` is no commit of the repository"]);
    let built_by = |build: &str| {
        let mut command = shop.command_built_by(build, "HEAD~1..HEAD", "");
        shop.scene.report(command.output().unwrap())
    };
    let report = built_by("mkdir out; cp /bin/true out/other; cp engine.sh out/engine");
    assert_eq!(report.status, 1);
    let expected = "there is no out/engine (there is out/other): name the program with --program\n";
    assert!(report.stderr.ends_with(expected), "{}", report.stderr);
    let report = built_by("seq 100; echo this is the fault >&2; exit 3");
    assert_eq!(report.status, 1);
    assert!(report.stderr.contains(" ends with exit status: 3\n  82\n"), "{}", report.stderr);
    assert!(report.stderr.contains("\n  this is the fault\nThe whole of it: "), "{}", report.stderr);
    let log = report.stderr.trim_end().rsplit("The whole of it: ").next().unwrap();
    assert_eq!(fs::read_to_string(log).unwrap().lines().count(), 101);
    shop.assert_tidy();
    assert!(!shop.history().exists(), "nothing was tested");

    shop.commit("honest", 5, "Other nodes\n\nBench: 6");
    refused("HEAD~1..HEAD", "", &["its message says Bench: 6, but its program visits 5 nodes", "--no-bench"]);
    assert_eq!(shop.test("HEAD~2..HEAD", "--no-bench --rounds 1 --max-moves 20").status, 11);
    fs::write(shop.repo().join("engine.sh"), "#!/bin/sh\necho hello\n").unwrap();
    refused(
        "HEAD~1",
        "",
        &[
            "engine bench` prints no line `Nodes searched: N` (it ended with exit status 0); without a bench, --no-bench",
        ],
    );

    let outside = Command::new(referee_path()).args(["test", "HEAD", "--repo", "/"]).output().unwrap();
    let error = String::from_utf8(outside.stderr).unwrap();
    assert_eq!(error, "referee: /: no git repository with a working tree: give its folder with --repo\n");
    let other = Command::new(referee_path()).args(["test", "HEAD", "--program", "../x"]).output().unwrap();
    let error = String::from_utf8(other.stderr).unwrap();
    assert!(error.starts_with("referee: --program ../x: expected a path inside the tree"), "{error}");
}

#[test]
fn an_interrupted_build_leaves_nothing() {
    let shop = Workshop::with(("last", 1), ("honest", 2));
    let begun = shop.scene.path("begun");
    let build = format!("touch '{}'; sleep 1000 & sleep 1000", begun.display());
    let mut command = shop.command_built_by(&build, "HEAD~1..HEAD", "");
    for name in ["INT", "TERM"] {
        let mut referee = command.spawn().unwrap();
        assert!(await_that(|| begun.exists()));
        signal(&referee, name);
        let status = referee.wait().unwrap().code();
        assert_eq!(status, Some(if name == "INT" { 130 } else { 143 }));
        shop.assert_tidy();
        assert_eq!(fs::read_dir(shop.cache().join("programs")).unwrap().count(), 0);
        fs::remove_file(&begun).unwrap();
    }
    // A killed one leaves a worktree, which is no obstacle.
    let mut referee = command.spawn().unwrap();
    assert!(await_that(|| begun.exists()));
    referee.kill().unwrap();
    referee.wait().unwrap();
    // While its build lives, another one waits for its turn.
    let mut next = shop.command("HEAD~1..HEAD", QUICK);
    let log = shop.scene.path("next.err");
    let mut next = next.stderr(File::create(&log).unwrap()).spawn().unwrap();
    let waits = || fs::read_to_string(&log).unwrap().contains("Another build of this repository is running");
    assert!(await_that(waits));
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let folder = fs::read_link(process.path().join("cwd")).unwrap_or_default();
        if folder.starts_with(shop.cache()) {
            let number = process.file_name();
            Command::new("kill").arg("-KILL").arg(number).stderr(Stdio::null()).status().unwrap();
        }
    }
    assert!(
        [0, 10, 11].contains(&next.wait().unwrap().code().unwrap()),
        "{}",
        fs::read_to_string(&log).unwrap()
    );
    shop.assert_tidy();
}

#[test]
fn an_interrupted_test_goes_on() {
    let shop = Workshop::with(("last", 1), ("honest", 2));
    let options = "--no-sprt --rounds 100 --variant oware kalah --resume";
    let whole = shop.test("HEAD~1..HEAD", options);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let games =
        |which: usize| fs::read_to_string(shop.folder(&shop.records()[which]).join("games.ogn")).unwrap();
    let expected = [games(0), games(1)];
    fs::remove_dir_all(shop.history()).unwrap();

    let mut referee = shop.command("HEAD~1..HEAD", options).spawn().unwrap();
    // In the second rule set.
    let second = || fs::read_dir(shop.history()).is_ok_and(|entries| entries.count() == 3);
    assert!(await_that(second));
    signal(&referee, "INT");
    assert_eq!(referee.wait().unwrap().code(), Some(130));
    let first = shop.records();
    assert_eq!(
        (first[0]["verdict"].as_str(), first[1]["verdict"].as_str()),
        (Some("played"), Some("interrupted"))
    );
    let resumed = shop.test("HEAD~1..HEAD", options);
    assert_eq!(resumed.status, 0, "{}", resumed.stderr);
    assert_eq!(resumed.stdout, whole.stdout);
    assert!(resumed.stderr.contains("oware has ended before"), "{}", resumed.stderr);
    assert_eq!([games(0), games(1)].map(dateless), expected.map(dateless));
    let ids: Vec<_> = shop.records().iter().map(|record| record["id"].clone()).collect();
    assert_eq!((ids.len(), &ids[1]), (3, &ids[2]));
    let shown = shop.show(&[]);
    assert_eq!(rows(&shown).len(), 2, "the last line about a test counts");
    assert!(shown.stderr.is_empty());
}

/// The games, without what the clock has to do with.
fn dateless(games: String) -> String {
    games.lines().filter(|line| !line.starts_with("[Date")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn two_tests_at_once_share_what_is_built_and_both_are_recorded() {
    let shop = Workshop::with(("gloomy", 1), ("honest", 2));
    let tests: Vec<_> = (0..4).map(|_| shop.command("HEAD~1..HEAD", QUICK).spawn().unwrap()).collect();
    for test in tests {
        let output = test.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!((shop.builds(), shop.records().len()), (2, 4));
    shop.assert_tidy();
}

#[test]
fn a_program_that_was_spoilt_is_built_again() {
    let shop = Workshop::with(("gloomy", 1), ("honest", 2));
    assert_eq!(shop.test("HEAD~1..HEAD", QUICK).status, 0);
    let programs = shop.cache().join("programs");
    for folder in fs::read_dir(programs).unwrap().flatten() {
        fs::write(folder.path().join("engine"), "#!/bin/sh\n").unwrap();
    }
    let report = shop.test("HEAD~1..HEAD", QUICK);
    assert_eq!((report.status, shop.builds()), (0, 4), "{}", report.stderr);
    // Another command is another build.
    let output = shop.command("HEAD~1..HEAD", QUICK).env("CFLAGS", "-O3").output().unwrap();
    assert_eq!((output.status.code(), shop.builds()), (Some(0), 6));
}

#[test]
fn a_commit_under_test_gets_no_secret_of_the_environment() {
    let shop = Workshop::with(("honest", 1), ("honest", 2));
    let seen = shop.scene.path("seen");
    let build = format!(
        "env >>'{0}'; mkdir out && sed '2i env >>{0}' engine.sh >out/engine && chmod +x out/engine",
        seen.display()
    );
    let mut command = shop.command_built_by(&build, "HEAD~1..HEAD", QUICK);
    command
        .env("KROO_QUEUE_PASSWORD", "sesame")
        .env("CLOUD_KEY", "SECRET-TEXT")
        .env("RUSTFLAGS", "--cfg seen");
    command.output().unwrap();
    let seen = fs::read_to_string(seen).unwrap();
    assert!(seen.contains("RUSTFLAGS=--cfg seen") && seen.contains("PATH="), "{seen}");
    assert!(!seen.contains("sesame") && !seen.contains("SECRET-TEXT"), "{seen}");
}

/// A bench leaves no process, and with `--sandbox` neither it nor a build writes or reads files outside.
#[test]
fn a_commit_is_built_and_benched_as_its_engine_is_run() {
    let sandboxed = ["", "--sandbox"].into_iter().filter(|option| option.is_empty() || has("bwrap"));
    for option in sandboxed {
        let shop = Workshop::new();
        let scene = &shop.scene;
        let unruly = built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
        let secret = scene.file("secret", "PRIVATE-TEXT");
        let [by_build, by_bench] = ["by-build", "by-bench"].map(|name| scene.path(name));
        let mark = scene.dir.path().file_name().unwrap().to_string_lossy().into_owned();
        for (bench, message) in [(111, "The base"), (222, "The head")] {
            let script = format!(
                "#!/bin/sh\nif [ \"$1\" = bench ]; then sh -c 'sleep 1000; :' {mark} >/dev/null 2>&1 &\ncat {secret} > {0}\n\
                 echo 'Nodes searched: {bench}' >&2; exit 0; fi\nexec '{1}' honest {mark}\n",
                by_bench.display(),
                unruly.display()
            );
            fs::write(shop.repo().join("engine.sh"), script).unwrap();
            shop.git("add --all");
            shop.git(&format!("commit --quiet --message {}", message.replace(' ', "-")));
        }
        let build = format!(
            "mkdir out && cp engine.sh out/engine && chmod +x out/engine; git rev-parse HEAD || exit 9; cat {secret} > '{}'; true",
            by_build.display()
        );
        let files = format!("files={}", unruly.display());
        let options = format!("--no-sprt --rounds 1 --max-moves 20 --base {files} --head {files} {option}");
        let report =
            shop.scene.report(shop.command_built_by(&build, "HEAD~1..HEAD", &options).output().unwrap());
        assert_eq!(report.status, 0, "{}", report.stderr);
        assert!(report.stdout.contains("bench 111 → 222"), "{}{}", report.stdout, report.stderr);
        assert_eq!(scene.processes(), 0, "{option}");
        for file in [by_build, by_bench] {
            assert_eq!(file.exists(), option.is_empty(), "{option} {}", file.display());
        }
        shop.assert_tidy();
    }
}
