//! The launchers in `tournament/scale`, as far as they can be tried on one machine.

use crate::harness::{REFEREE, await_that, built, signal, words};
use crate::stage::{LONG, Stage};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn script(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "scale", name].iter().collect()
}

/// A folder with `referee`, the two engines of the examples, and other programs of which only the text matters.
fn folder(stage: &Stage, programs: &[(&str, &str)]) -> String {
    let unruly = built("examples/unruly", &["-p", "tournament", "--example", "unruly"]);
    fs::create_dir(stage.scene.path("bin")).unwrap();
    let engine = |manner: &str| format!("exec '{}' {manner} \"$@\"\n", unruly.display());
    let (new, old) = (engine("unhurried"), engine("unhurried-last"));
    for (path, text) in [("new", new.as_str()), ("old", old.as_str())] {
        fs::write(stage.scene.path(path), format!("#!/bin/sh\n{text}")).unwrap();
        fs::set_permissions(stage.scene.path(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (name, text) in programs {
        let path = stage.scene.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink(REFEREE, stage.scene.path("bin/referee")).unwrap();
    format!("{}:{}", stage.scene.path("bin").display(), std::env::var("PATH").unwrap())
}

fn open_url(stage: &Stage) -> String {
    stage.url().replace(":sesame@", "")
}

#[test]
fn ssh_starts_a_worker_on_each_machine() {
    let Some(stage) = Stage::new() else { return };
    let path = folder(&stage, &[("ssh", "echo \"$3\" >>\"$SEEN\"; exec sh -c \"$4\"\n")]);
    let engines = ["honest", "last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let mut coordinator =
        stage.coordinator("queue", &[engines, words("--rounds 10 --max-moves 20 --random-plies 2")]);
    let hosts = stage.scene.file("hosts", "one\n# two\nthree 2\n");
    let mut ssh = Command::new(script("ssh.sh"));
    ssh.args([&open_url(&stage), &hosts, "--wait", "20"])
        .env("PATH", path)
        .env("KROO_QUEUE_PASSWORD", "sesame");
    let output = ssh.env("SEEN", stage.scene.path("seen")).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    let mut seen: Vec<String> =
        fs::read_to_string(stage.scene.path("seen")).unwrap().lines().map(str::to_owned).collect();
    seen.sort();
    assert_eq!(seen, ["one", "three"]);
    assert!(printed.contains("one: Games: ") && printed.contains("three: Games: "), "{printed}");
}

#[test]
fn a_slurm_job_is_its_coordinator_and_puts_itself_back_into_the_line() {
    let Some(stage) = Stage::new() else { return };
    // What the commands of Slurm do with the script, as far as that uses it.
    let sbatch = "for last; do :; done; echo \"$@\" >>sbatch.log; \
        for task in 1 2; do bash \"$SCRIPT\" worker >>workers.log 2>&1 & done; echo 4712\n";
    let programs = [
        ("sbatch", sbatch),
        ("squeue", "test -e gone || echo 4712\n"),
        ("scontrol", "echo \"$@\" >>scontrol.log\n"),
    ];
    let path = folder(&stage, &programs);
    let start = || {
        let mut job = Command::new("bash");
        job.arg(script("slurm-queue.sh")).current_dir(stage.scene.dir.path()).env("PATH", &path);
        job.env("SCRIPT", script("slurm-queue.sh"))
            .env("SLURM_JOB_ID", "4711")
            .env("KROO_QUEUE_PASSWORD", "sesame");
        job.envs([("WORKERS", "2"), ("CORES", "1"), ("ROUNDS", "12")]).env("QUEUE", open_url(&stage));
        job.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut first = start();
    stage.await_games("match.journal", 4);
    signal(&first, "TERM");
    assert_eq!(first.wait().unwrap().code(), Some(143));
    let log = |name: &str| fs::read_to_string(stage.scene.path(name)).unwrap();
    assert_eq!(log("scontrol.log"), "requeue 4711\n");
    assert!(stage.games("match.journal") < 24);
    let mut second = start();
    assert_eq!(second.wait().unwrap().code(), Some(0));
    assert_eq!((stage.games("match.journal"), log("sbatch.log").lines().count()), (24, 1));
    assert!(log("sbatch.log").contains("--array=1-2 --dependency=after:4711 "), "{}", log("sbatch.log"));
    assert!(
        await_that(LONG, || log("workers.log").matches("Games: ").count() == 2),
        "{}",
        log("workers.log")
    );
}

#[test]
fn the_manifests_for_kubernetes_are_valid() {
    for name in ["kubernetes.yaml", "kubernetes-queue.yaml"] {
        let validate = Command::new("kubernetes-validate").arg("--strict").arg(script(name)).output();
        let Ok(output) = validate else {
            let loud = "\n*** NOT TESTED: the manifests. `pip install kubernetes-validate` has what looks at them. ***\n";
            return std::io::stderr().write_all(loud.as_bytes()).unwrap();
        };
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}
