//! Builds by real MPI jobs: the files of one machine for any number of ranks, and an end that is clean whatever ends them.

use kroo_core::game::Variant;
use kroo_endgames::{EndgamePlan, build};
use signal_hook::consts::{SIGKILL, SIGUSR1};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use support::programs::first_complaint;
use support::tools::has;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kroo-endgame-mpi");
/// Longer than anything here takes, on a machine that has other things to do as well.
const LONG: Duration = Duration::from_secs(120);

fn job(ranks: usize, variant: &str, seeds: u8, folder: &Path) -> Command {
    let mut command = Command::new("mpirun");
    command.args([
        "--allow-run-as-root",
        "--oversubscribe",
        "--bind-to",
        "none",
        "-np",
        &ranks.to_string(),
        PROGRAM,
    ]);
    command.args(["build", "--variant", variant, "--seeds", &seeds.to_string(), "--threads", "1", "--out"]);
    command.arg(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(ranks: usize, variant: &str, seeds: u8, folder: &Path) -> Output {
    job(ranks, variant, seeds, folder).output().expect("mpirun starts")
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The error output of a job that fails, without that of `mpirun`.
fn complaints(output: &Output) -> Vec<String> {
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().filter(|line| line.starts_with("kroo-endgame-mpi: ")).map(str::to_owned).collect()
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let named = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("a file"))
    };
    let mut files: Vec<_> = entries.map(named).collect();
    files.sort();
    files
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn of_one_machine(variant: Variant, seeds: u8) -> Vec<(String, Vec<u8>)> {
    let folder = folder();
    let plan = EndgamePlan { variant, seeds, folder: folder.path().to_owned(), threads: 2, memory: None };
    build(&plan, &mut |_| false).expect("it is built");
    files(folder.path())
}

#[test]
fn the_files_are_those_of_one_machine_for_any_number_of_ranks() {
    for (variant, seeds) in [(Variant::Awari, 8), (Variant::Oware, 7)] {
        let expected = of_one_machine(variant, seeds);
        for ranks in [1, 2, 3, 4, 7] {
            let folder = folder();
            let said = printed(&run(ranks, variant.name(), seeds, folder.path()));
            assert!(said.contains(&format!("by {ranks} processes of 1 threads: 0.")), "{said}");
            assert!(said.contains(&format!(": {} databases built, 0 were there", seeds + 1)), "{said}");
            assert!(files(folder.path()) == expected, "{variant}, {ranks} ranks");
        }
    }
}

fn await_that(what: &str, mut condition: impl FnMut() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < LONG, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_build_that_is_stopped_or_killed_goes_on_with_another_number_of_ranks() {
    let (seeds, folder) = (10, folder());
    let database = |seeds: u8| folder.path().join(format!("awari-{seeds:02}.endgame"));
    let part = database(seeds).with_extension("part");
    let hit_by = |ranks: usize, signal: i32| {
        let mut job = job(ranks, "awari", seeds, folder.path());
        job.env("KROO_TEST_SIGNAL", format!("{signal} {seeds} 1")).output().expect("mpirun starts")
    };
    // A signal to one rank stops all, behind a checkpoint.
    let stopped = complaints(&hit_by(2, SIGUSR1));
    assert!(
        stopped.len() == 1 && stopped[0].contains("stopped with the databases up to 9 seeds on the disk"),
        "{stopped:?}"
    );
    assert!(part.exists());
    let checkpoint = fs::read(&part).expect("a checkpoint");
    // A rank that dies takes the job with it, and leaves what was there.
    let killed = hit_by(3, SIGKILL);
    assert!(!killed.status.success(), "{killed:?}");
    assert!(!database(seeds).exists() && fs::read(&part).expect("a checkpoint") == checkpoint);
    let said = printed(&run(4, "awari", seeds, folder.path()));
    assert!(said.contains(": 1 databases built, 10 were there"), "{said}");
    assert!(files(folder.path()) == of_one_machine(Variant::Awari, seeds));
}

#[test]
fn what_is_wrong_is_said_once() {
    let folder = folder();
    // `mpirun`, which prints to the same place, cannot write within one write.
    let mut alone = Command::new(PROGRAM);
    alone.args(["build", "--variant", "kalah", "--seeds", "5", "--out"]).arg(folder.path());
    let complaint = first_complaint(alone);
    assert!(
        complaint.starts_with("kroo-endgame-mpi: ") && complaint.ends_with("one machine\n"),
        "{complaint:?}"
    );
    let kalah = complaints(&run(3, "kalah", 5, folder.path()));
    assert!(kalah.len() == 1 && kalah[0].contains("builds it on one machine"), "{kalah:?}");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    let no_folder = complaints(&run(2, "awari", 4, &file));
    assert!(no_folder.len() == 1 && no_folder[0].contains("/file"), "{no_folder:?}");
    let mut little = job(2, "awari", 24, folder.path());
    let little = complaints(&little.args(["--memory", "0.1"]).output().expect("mpirun starts"));
    assert!(
        little.len() == 1 && little[0].contains("in each of 2 processes, and process 0 may use 0.10"),
        "{little:?}"
    );
    let wrong = job(2, "awari", 49, folder.path()).output().expect("mpirun starts");
    assert_eq!(String::from_utf8_lossy(&wrong.stderr).matches("error: invalid value '49'").count(), 1);
}

#[test]
fn a_plan_needs_no_mpi() {
    let plan = Command::new(PROGRAM).args(["plan", "--seeds", "8", "--ranks", "4"]).output();
    let plan = printed(&plan.expect("it starts"));
    assert!(plan.starts_with("awari up to 8 seeds, 125970 positions, by 4 processes: 0."), "{plan}");
}

/// A real Slurm on this machine, stopped when this is dropped.
struct Slurm(PathBuf);

impl Slurm {
    fn node(what: &str, folder: &Path) -> bool {
        let node: PathBuf =
            [env!("CARGO_MANIFEST_DIR"), "../../../../tests/queue/slurm-one-node"].iter().collect();
        Command::new(node).arg(what).arg(folder).status().is_ok_and(|status| status.success())
    }

    fn run(&self, words: &[&str], place: &Path) -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = Path::new(PROGRAM).parent().expect("a folder").display();
        let output = Command::new(words[0])
            .args(&words[1..])
            .current_dir(place)
            .env("SLURM_CONF", self.0.join("slurm.conf"))
            .env("PATH", format!("{bin}:{path}"))
            .envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")])
            .envs([("SEEDS", "14"), ("VARIANT", "awari"), ("OUT", "endgames")])
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let conf = self.0.join("slurm.conf");
        let _ = Command::new("scancel").arg("--user=root").env("SLURM_CONF", conf).status();
        Slurm::node("down", &self.0);
    }
}

#[test]
#[ignore = "half a minute: .ci/long has it"]
fn under_a_real_slurm_the_script_builds_and_goes_on_after_its_time() {
    let true = has("slurm") else { return };
    let place = folder();
    // Munge's own user must reach its folder.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(place.path(), open).expect("the folder is ours");
    let slurm = Slurm(place.path().join("slurm"));
    assert!(Slurm::node("up", &slurm.0), "Slurm does not start");
    let script: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "../../../../tournament/scale/slurm-endgame.sh"].iter().collect();
    let script = script.display().to_string();
    let job = slurm
        .run(&["sbatch", "--parsable", "--ntasks-per-node=2", "--cpus-per-task=1", &script], place.path());
    let log = || fs::read_to_string(place.path().join("kroo-endgame.log")).unwrap_or_default();
    let database = |seeds: u8| place.path().join(format!("endgames/awari-{seeds:02}.endgame"));
    await_that("the last database is being built", || database(13).exists());
    // Slurm does this five minutes before the time of a job is over.
    slurm.run(&["scancel", "--batch", "--signal=USR1", &job], place.path());
    let state = || slurm.run(&["squeue", "--noheader", "--format=%T", "--jobs", &job], place.path());
    await_that("the job is back in the line", || state() == "PENDING");
    assert!(log().contains("stopped with the databases up to "), "{}", log());
    // Slurm would wait for two minutes. While the job is still ending it refuses a new start time.
    let now = ["scontrol", "update", &format!("JobId={job}"), "StartTime=now"];
    await_that("the job runs again", || {
        let conf = slurm.0.join("slurm.conf");
        let _ = Command::new(now[0]).args(&now[1..]).env("SLURM_CONF", conf).output();
        ["RUNNING", ""].contains(&state().as_str())
    });
    await_that("the build is done", || log().contains(" were there, in endgames"));
    assert!(files(&place.path().join("endgames")) == of_one_machine(Variant::Awari, 14), "{}", log());
}
