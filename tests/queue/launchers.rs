//! The launchers in `tournament/scale`, as far as they can be tried on one machine.

use crate::stage::{PASSWORD, Stage, Started};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use support::programs::{self, referee_path};
use support::scene::{await_that, built, signal, words};
use support::tools::has;

fn script(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "scale", name].iter().collect()
}

/// A folder with `referee`, the two engines of the examples, and other programs of which only the text matters.
fn folder(stage: &Stage, programs: &[(&str, &str)]) -> String {
    let unruly = built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
    fs::create_dir(stage.scene.path("bin")).unwrap();
    let engine = |manner: &str| format!("exec '{}' {manner} \"$@\"\n", unruly.display());
    let (new, old) = (engine("unhurried"), engine("unhurried-last"));
    for (path, text) in [("new", new.as_str()), ("old", old.as_str())] {
        programs::script(stage.scene.path(path), &format!("#!/bin/sh\n{text}"));
    }
    for (name, text) in programs {
        programs::script(stage.scene.path("bin").join(name), &format!("#!/bin/sh\n{text}"));
    }
    symlink(referee_path(), stage.scene.path("bin/referee")).unwrap();
    format!("{}:{}", stage.scene.path("bin").display(), std::env::var("PATH").unwrap())
}

#[test]
fn ssh_starts_a_worker_on_each_machine() {
    let Some(stage) = Stage::new() else { return };
    let path = folder(&stage, &[("ssh", "echo \"$3 $4\" >>\"$SEEN\"; exec sh -c \"$4\"\n")]);
    let mut coordinator = started(&stage, "--rounds 10 --max-moves 20 --random-plies 2");
    let hosts = stage.scene.file("hosts", "one\n# two\nme@three 2\n");
    let ssh = |variables: &[(&str, &str)]| {
        let mut ssh = Command::new(script("ssh.sh"));
        ssh.args([&stage.url(), &hosts, "--wait", "20"]).env("PATH", &path).envs(variables.iter().copied());
        let output = ssh.env("SEEN", stage.scene.path("seen")).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, printed, errors) = ssh(&[]);
    assert!(status == Some(1) && printed.is_empty() && errors.contains("KROO_QUEUE_PASSWORD"), "{errors}");
    let file = stage.scene.file("password", "sesame\n");
    let (status, printed, errors) = ssh(&[("KROO_QUEUE_PASSWORD_FILE", &file)]);
    assert_eq!(status, Some(0), "{printed}{errors}");
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    let seen = fs::read_to_string(stage.scene.path("seen")).unwrap();
    let mut machines: Vec<&str> = seen.lines().map(|line| line.split(' ').next().unwrap()).collect();
    machines.sort_unstable();
    assert_eq!(machines, ["me@three", "one"]);
    assert!(printed.contains("one: Games: ") && printed.contains("me@three: Games: "), "{printed}");
    // The password goes through the standard input only.
    assert!(!seen.contains("sesame"), "{seen}");
}

/// A coordinator of a match of two engines with the journal `queue`.
fn started(stage: &Stage, options: &str) -> Started {
    let engines = ["honest", "last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    stage.coordinator("queue", &[engines, words(options)])
}

/// A real server for ssh on this machine, with keys of its own; killed when this is dropped.
struct SshServer(std::process::Child);

impl SshServer {
    /// `None` if no server can be started. With the folder `bin` in the path, `ssh` leads to it.
    fn start(stage: &Stage) -> Option<SshServer> {
        const SERVER: &str = "/usr/sbin/sshd";
        if !has("ssh") {
            return None;
        }
        // It needs this, and a folder of keys that others cannot write.
        fs::create_dir_all("/run/sshd").unwrap();
        fs::set_permissions(stage.scene.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let path = |name: &str| stage.scene.path(name).display().to_string();
        for name in ["host-key", "key"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f", &path(name)])
                .status();
            assert!(made.unwrap().success());
        }
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
        let settings = [
            ("ListenAddress", "127.0.0.1"),
            ("Port", &port),
            ("HostKey", &path("host-key")),
            ("AuthorizedKeysFile", &path("key.pub")),
            ("StrictModes", "no"),
            ("UsePAM", "no"),
            ("PidFile", "none"),
            ("PermitRootLogin", "prohibit-password"),
        ];
        let settings: String = settings.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        let settings = stage.scene.file("sshd", &settings);
        let server =
            Command::new(SERVER).args(["-D", "-f", &settings]).stderr(Stdio::null()).spawn().unwrap();
        let client = format!(
            "#!/bin/sh\nexec /usr/bin/ssh -F none -p {port} -i '{}' -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
             -o LogLevel=ERROR \"$@\"\n",
            path("key")
        );
        programs::script(stage.scene.path("bin/ssh"), &client);
        Some(SshServer(server))
    }
}

impl Drop for SshServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "half a minute: .ci/long has it"]
fn a_real_ssh_carries_the_password_and_tells_the_workers_to_leave() {
    let Some(stage) = Stage::new() else { return };
    let path = folder(&stage, &[]);
    let Some(_server) = SshServer::start(&stage) else { return };
    let coordinator = started(&stage, "--rounds 100000 --max-moves 20 --random-plies 2");
    let hosts = stage.scene.file("hosts", "127.0.0.1 2\nlocalhost\n");
    let workers = || stage.number("HLEN kroo:{test}:workers");
    // Ctrl-C, which goes to the whole group; and SIGKILL.
    for (name, group) in [("-INT", "-"), ("-KILL", "")] {
        let mut ssh = Command::new(script("ssh.sh"));
        ssh.args([&stage.url(), &hosts, "--wait", "20"]).env("PATH", &path);
        ssh.env(PASSWORD.0, PASSWORD.1).env("REFEREE", referee_path());
        ssh.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut ssh = ssh.spawn().unwrap();
        assert!(await_that(|| workers() == 2), "{name}: {}", coordinator.errors());
        let before = stage.games("queue");
        stage.await_games("queue", before + 10);
        let whom = format!("{group}{}", ssh.id());
        assert!(Command::new("kill").args([name, "--", &whom]).status().unwrap().success());
        ssh.wait().unwrap();
        assert!(await_that(|| workers() == 0), "{name}: {} workers", workers());
    }
}

#[test]
fn a_slurm_job_is_its_coordinator_and_puts_itself_back_into_the_line() {
    let Some(stage) = Stage::new() else { return };
    // Stand-ins for Slurm's commands, as far as the script uses them.
    let sbatch = "for last; do :; done; echo \"$@\" >>sbatch.log; \
        for task in 1 2; do SLURM_ARRAY_TASK_ID=$task bash \"$SCRIPT\" worker >>workers.log 2>&1 & done; echo 4712\n";
    let programs = [
        ("sbatch", sbatch),
        ("squeue", "test -e gone || echo 4712\n"),
        ("scontrol", "echo \"$@\" >>scontrol.log\n"),
    ];
    let path = folder(&stage, &programs);
    let start = || {
        let mut job = Command::new("bash");
        job.arg(script("slurm-queue.sh")).current_dir(stage.scene.dir.path()).env("PATH", &path);
        job.env("SCRIPT", script("slurm-queue.sh")).env("SLURM_JOB_ID", "4711");
        job.envs([("WORKERS", "2"), ("CORES", "1"), ("ROUNDS", "12")]).env("QUEUE", stage.url());
        job.env(PASSWORD.0, PASSWORD.1);
        job.env("WORKER_OPTIONS", stage.allow_unruly());
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
    assert!(await_that(|| log("workers.log").matches("Games: ").count() == 2), "{}", log("workers.log"));
}

/// A real Slurm on this machine, stopped when this is dropped.
struct Slurm(PathBuf);

impl Slurm {
    /// `None` if it cannot be started here.
    fn start(stage: &Stage) -> Option<Slurm> {
        if !has("slurm") {
            return None;
        }
        // Munge's own user must reach its folder.
        fs::set_permissions(stage.scene.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let folder = stage.scene.path("slurm");
        let status = Slurm::node("up", &folder);
        let slurm = Slurm(folder);
        assert!(status, "Slurm does not start");
        Some(slurm)
    }

    fn node(what: &str, folder: &std::path::Path) -> bool {
        let node: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../tests/queue/slurm-one-node"].iter().collect();
        Command::new(node).arg(what).arg(folder).status().unwrap().success()
    }

    /// One of its commands.
    fn command(&self, words: &[&str], folder: &std::path::Path) -> Command {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(folder).env("SLURM_CONF", self.0.join("slurm.conf"));
        command
    }

    /// Runs one of its commands, and returns what it prints.
    fn run(&self, words: &[&str], variables: &[(&str, &str)], folder: &std::path::Path) -> String {
        let output = self.command(words, folder).envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
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
fn under_a_real_slurm_the_job_is_played_and_goes_on_after_its_time() {
    let Some(stage) = Stage::new() else { return };
    let path = folder(&stage, &[]);
    let Some(slurm) = Slurm::start(&stage) else { return };
    let (queue, place) = (stage.url(), stage.scene.dir.path().to_owned());
    let script = script("slurm-queue.sh").display().to_string();
    let variables = [
        ("PATH", path.as_str()),
        ("QUEUE", &queue),
        PASSWORD,
        ("SCRIPT", &script),
        ("WORKERS", "1"),
        ("CORES", "1"),
        ("ROUNDS", "80"),
    ];
    let job = slurm.run(&["sbatch", "--parsable", "--export=ALL", &script], &variables, &place);
    let job = job.trim();
    stage.await_games("match.journal", 8);
    // Slurm's signal two minutes before a job's time is over.
    slurm.run(&["scancel", "--batch", "--signal=TERM", job], &variables, &place);
    let state =
        |job: &str| slurm.run(&["squeue", "--noheader", "--format=%T", "--jobs", job], &variables, &place);
    assert!(await_that(|| state(job).trim() == "PENDING"), "{}", state(job));
    assert!(stage.games("match.journal") < 160);
    // Slurm would wait for two minutes. While the job is still ending it refuses a new start time.
    let now = ["scontrol", "update", &format!("JobId={job}"), "StartTime=now"];
    let running = || {
        let _ = slurm.command(&now, &place).output();
        state(job).trim() == "RUNNING"
    };
    assert!(await_that(running), "{}", state(job));
    stage.await_games("match.journal", 160);
    let log = |name: &str| fs::read_to_string(stage.scene.path(name)).unwrap_or_default();
    assert!(await_that(|| log("worker-1.log").contains("\nGames: 160, ")), "{}", log("worker-1.log"));
    assert!(log("coordinator.log").contains("\nResumed: "), "{}", log("coordinator.log"));
}

#[test]
fn the_manifests_for_kubernetes_are_valid() {
    if !has("kubernetes") {
        return;
    }
    for name in ["kubernetes.yaml", "kubernetes-queue.yaml"] {
        let output = Command::new("kubernetes-validate").arg("--strict").arg(script(name)).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn in_kubernetes_a_worker_reads_its_password_from_the_environment() {
    let Some(stage) = Stage::new() else { return };
    let path = folder(&stage, &[]);
    let manifest = fs::read_to_string(script("kubernetes-queue.yaml")).unwrap();
    let (_, rest) = manifest.split_once("command: [referee, worker, ").expect("the command of the workers");
    let (line, _) = rest.split_once(']').expect("its end");
    let command: Vec<String> = line.split(", ").map(|word| word.trim_matches('"').to_owned()).collect();
    assert_eq!(command[0], "redis://kroo-queue#match");
    let mut coordinator = started(&stage, "--rounds 10 --max-moves 20 --random-plies 2");
    let mut worker = stage.referee();
    worker.arg("worker").arg(stage.url()).args(&command[1..]).env("PATH", &path);
    let mut worker = stage.start(worker);
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
}
