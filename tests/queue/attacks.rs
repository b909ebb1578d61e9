//! Jobs that attack the machine of a worker.

use crate::stage::Stage;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use support::programs;
use support::scene::{await_that, words};

/// A user without rights, if this one is root.
const NOBODY: u32 = 65_534;

/// An engine that writes wherever it can, and tells its environment to the referee.
const WRITER: &str = r#"#!/bin/sh
for place in . / /tmp /dev/shm "$HOME" "$TARGET"; do echo owned 2>/dev/null > "$place/owned-$MARK"; done
while read -r line; do
    case "$line" in
        uci) read -r private 2>/dev/null < "$TARGET/private"; echo "id name $CLOUD_KEY $KROO_QUEUE_PASSWORD $private"; echo uciok ;;
        isready) echo readyok ;;
        go*) echo "bestmove 0000" ;;
        quit) exit ;;
    esac
done
"#;

struct Attack {
    stage: Stage,
    mark: String,
}

impl Attack {
    fn new() -> Option<Attack> {
        let stage = Stage::new()?;
        let mark = format!("{}-{}", std::process::id(), stage.port);
        programs::script(stage.scene.path("writer"), WRITER);
        stage.scene.file("private", "PRIVATE-TEXT");
        Some(Attack { stage, mark })
    }

    /// The output of coordinator and worker, and the journal.
    fn run(&self, job: &[&str], worker: &str) -> String {
        let program = format!("cmd={}", self.stage.scene.path("writer").display());
        let engine = |name: &str| {
            let own = ["--engine", &program, &format!("name={name}"), "startup=60"].map(str::to_owned);
            [own.to_vec(), job.iter().map(|&word| word.to_owned()).collect()].concat()
        };
        let arguments = [engine("one"), engine("other"), words("--rounds 1 --max-moves 20")];
        let mut coordinator = self.stage.coordinator("queue", &arguments);
        let secret =
            [("CLOUD_KEY", "SECRET-TEXT"), ("MARK", self.mark.as_str()), ("KROO_QUEUE_PASSWORD", "sesame")];
        let mut worker = self.stage.worker_with(worker, &secret);
        worker.wait();
        coordinator.wait();
        let journal = fs::read_to_string(self.stage.scene.path("queue")).unwrap_or_default();
        let told = [coordinator.output(), coordinator.errors(), worker.output(), worker.errors()].concat();
        told + &journal
    }

    fn written(&self, folder: &Path) -> bool {
        folder.join(format!("owned-{}", self.mark)).exists()
    }
}

#[test]
fn a_job_writes_no_file_on_the_machine_of_a_worker_and_reads_no_secret() {
    let Some(attack) = Attack::new() else { return };
    let scene = attack.stage.scene.dir.path().to_owned();
    let leak = scene.join("linker");
    let job = [
        "dir=/".to_owned(),
        "env.CLOUD_KEY=".to_owned(),
        "env.KROO_QUEUE_PASSWORD=".to_owned(),
        format!("env.MARK={}", attack.mark),
        format!("env.TARGET={}", scene.display()),
        // The dynamic linker of every program with these variables writes a file.
        "env.LD_DEBUG=all".to_owned(),
        format!("env.LD_DEBUG_OUTPUT={}", leak.display()),
        "env.LD_PRELOAD=/nowhere.so".to_owned(),
        format!("env.PATH={}", scene.display()),
    ];
    let job: Vec<&str> = job.iter().map(String::as_str).collect();
    // A `bwrap` that is found by PATH must not be started.
    programs::script(attack.stage.scene.path("bwrap"), "#!/bin/sh\necho fake > \"$(dirname \"$0\")/fake\"\n");
    for allowed in [
        "",
        "--allow-env MARK --allow-env TARGET --allow-env LD_DEBUG --allow-env LD_DEBUG_OUTPUT --allow-env PATH",
    ] {
        let told = attack.run(&job, allowed);
        assert!(told.contains("writer") || told.contains("one"), "{told}");
        for secret in ["SECRET-TEXT", "PRIVATE-TEXT"] {
            assert!(!told.contains(secret), "{told}");
        }
        assert!(!told.contains("sesame"), "{told}");
        assert!(told.contains("the variable CLOUD_KEY is not passed on"), "{told}");
        let home = std::env::var("HOME").unwrap_or_default();
        let folders = ["/", "/tmp", "/dev/shm", &home].map(Path::new);
        for folder in folders.into_iter().chain([scene.as_path()]) {
            assert!(!attack.written(folder), "{} {told}", folder.display());
        }
        let names =
            fs::read_dir(&scene).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let outside: Vec<String> =
            names.filter(|name| name.starts_with("linker") || name == "fake").collect();
        assert_eq!(outside, Vec::<String>::new(), "{told}");
        fs::remove_file(scene.join("queue")).unwrap();
    }
}

/// What a worker does not give is named, with the option that gives it.
#[test]
fn the_limits_of_a_worker_are_named() {
    let Some(attack) = Attack::new() else { return };
    let told = |job: &[&str], worker: &str, notes: &[&str]| {
        let told = attack.run(job, worker);
        notes.iter().for_each(|note| assert!(told.contains(note), "{note}: {told}"));
        fs::remove_file(attack.stage.scene.path("queue")).unwrap();
    };
    told(
        &["memory=4096", "processes=65", "files=2000", "filesize=2000", "stderrlimit=2000"],
        "--max-memory 256",
        &[
            "memory=4096 is 256 here; `referee worker --max-memory 4096` allows it",
            "processes=65 is 64 here; `referee worker --max-processes 65` allows it",
            "files=2000 is 1024 here; `referee worker --max-files 2000` allows it",
            "filesize=2000 is 1024 here; `referee worker --max-filesize 2000` allows it",
            "stderrlimit=2000 is 1024 for all workers",
        ],
    );
    let private = attack.stage.scene.path("private").display().to_string();
    told(
        &["sandbox=on", &format!("read={private}")],
        "--no-sandbox",
        &[
            &format!(
                "{private} is not shown in the sandbox; `referee worker --allow-file {private}` allows it"
            ),
            "the job's sandbox is left out; `referee worker` without --no-sandbox has one",
        ],
    );
}

#[test]
fn a_variable_that_a_worker_allows_reaches_its_engines() {
    let Some(attack) = Attack::new() else { return };
    let told = attack.run(&["env.CLOUD_KEY="], "--allow-env CLOUD_KEY");
    assert!(told.contains("SECRET-TEXT"), "{told}");
    fs::remove_file(attack.stage.scene.path("queue")).unwrap();
    // Files have to be allowed, too.
    let target = format!("env.TARGET={}", attack.stage.scene.dir.path().display());
    let options = format!("--allow-env TARGET --allow-file {}", attack.stage.scene.path("private").display());
    let told = attack.run(&[&target], &options);
    assert!(told.contains("PRIVATE-TEXT"), "{told}");
}

#[test]
fn without_a_sandbox_the_folder_of_a_job_is_ignored_all_the_same() {
    let Some(attack) = Attack::new() else { return };
    let folder = attack.stage.scene.path("folder");
    fs::create_dir(&folder).unwrap();
    let job = [format!("dir={}", folder.display()), format!("env.MARK={}", attack.mark)];
    let told = attack.run(&job.each_ref().map(String::as_str), "--no-sandbox --allow-env MARK");
    assert!(!attack.written(&folder) && told.contains("(dir=) is ignored"), "{told}");
    for folder in ["/", "/tmp", "/dev/shm", &std::env::var("HOME").unwrap_or_default()] {
        let _ = fs::remove_file(Path::new(folder).join(format!("owned-{}", attack.mark)));
    }
}

#[test]
fn a_password_in_a_command_line_is_refused() {
    let expected = "every user of this machine can read command lines: write redis://USER@HOST, and put the password into the \
                    environment variable KROO_QUEUE_PASSWORD, or into a file that KROO_QUEUE_PASSWORD_FILE names";
    for url in [
        "redis://:secret@localhost#x",
        "redis://ann:secret@localhost",
        "rediss://ann:secret@host/0",
        "unix:///run/redis.sock?user=ann&pass=secret",
    ] {
        for words in [vec!["worker", url], vec!["status", url], vec!["--queue", url]] {
            let output = Command::new(programs::referee_path()).args(&words).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{words:?}");
            assert!(errors.contains(expected) && !errors.contains("secret"), "{errors}");
        }
    }
    // Two passwords, and files that have none.
    let scene = support::scene::Scene::new();
    let (empty, none) = (scene.file("empty", "\n"), scene.path("none").display().to_string());
    for (password, file, reason) in [
        (Some("secret"), &empty, "KROO_QUEUE_PASSWORD and KROO_QUEUE_PASSWORD_FILE are both set: unset one"),
        (None, &empty, "expected a password of 1 to 4096 bytes, and nothing else"),
        (None, &none, "No such file"),
    ] {
        let mut command = Command::new(programs::referee_path());
        command.args(["worker", "redis://localhost#x"]).env("KROO_QUEUE_PASSWORD_FILE", file);
        command.envs(password.map(|password| ("KROO_QUEUE_PASSWORD", password)));
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(reason) && errors.contains("KROO_QUEUE_PASSWORD_FILE"), "{errors}");
        assert!(!output.status.success() && !errors.contains("secret"), "{errors}");
    }
}

/// Whether a process has not ended: one that has keeps its folder in `/proc`, and root owns it.
fn runs(process: u32) -> bool {
    fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|words| !words.is_empty())
}

/// The owner of a process's files in `/proc`: root alone for a process that is not dumpable.
fn owner_of_secrets(process: u32) -> u32 {
    fs::metadata(format!("/proc/{process}/environ")).unwrap().uid()
}

#[test]
fn a_process_with_the_password_has_it_in_no_environment_and_is_not_dumpable() {
    let Some(stage) = Stage::new() else { return };
    fs::set_permissions(stage.scene.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // A user without root's rights.
    let program = stage.scene.path("referee");
    programs::copy(programs::referee_path(), &program);
    let file = stage.scene.file("password", "sesame\n");
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    // It may not reach the folder of the build.
    let (engine, built) = (stage.scene.path("engine"), stage.scene.engine("honest", &[])[1].clone());
    programs::copy(built.strip_prefix("cmd=").unwrap(), &engine);
    let two = ["one", "other"]
        .map(|name| words(&format!("--engine cmd={} name={name} args=honest depth=1", engine.display())));
    let two = two.concat();
    let coordinator = [two.clone(), words("--rounds 1 --queue"), vec![stage.url()]].concat();
    let worker = ["worker".to_owned(), stage.url()].to_vec();
    // It does not need a broker, and gets its engines from the same environment.
    let alone = [two, words("--rounds 1000 --max-moves 400")].concat();
    for (variable, value) in [("KROO_QUEUE_PASSWORD", "sesame"), ("KROO_QUEUE_PASSWORD_FILE", &file)] {
        for words in [&worker, &coordinator, &alone] {
            let mut command = Command::new(&program);
            command.args(words).env(variable, value);
            if is_root {
                command.uid(NOBODY).gid(NOBODY);
            }
            let mut process = stage.start(command);
            let hidden = || {
                let process = process.child.id();
                runs(process) && owner_of_secrets(process) == 0 && !environment(process).contains("sesame")
            };
            assert!(await_that(hidden), "{variable} {words:?} {}", process.errors());
            process.kill();
        }
    }
    // One that has no secret is as others.
    let mut command = Command::new(&program);
    command.args(&alone);
    if is_root {
        command.uid(NOBODY).gid(NOBODY);
    }
    let process = stage.start(command);
    let is_open = || {
        let process = process.child.id();
        runs(process) && (owner_of_secrets(process) == NOBODY) == is_root
    };
    assert!(await_that(is_open), "{}{}", process.output(), process.errors());
}

/// The environment that a process was started with.
fn environment(process: u32) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{process}/environ")).unwrap_or_default()).into_owned()
}

#[test]
fn plain_text_to_another_machine_has_to_be_asked_for() {
    for words in [["worker", "redis://192.0.2.1#x"], ["status", "redis://ann@192.0.2.1"]] {
        let output = Command::new(programs::referee_path()).args(words).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("rediss:// (TLS), or --insecure"), "{errors}");
    }
}

#[test]
fn an_engine_that_does_not_start_on_any_worker_ends_the_match() {
    let Some(attack) = Attack::new() else { return };
    let program = programs::script(attack.stage.scene.path("mute"), "#!/bin/sh\nexit 3\n");
    let engine = |name: &str| {
        ["--engine", &format!("cmd={program}"), &format!("name={name}")].map(str::to_owned).to_vec()
    };
    let mut coordinator =
        attack.stage.coordinator("queue", &[engine("one"), engine("other"), words("--rounds 1")]);
    let mut worker = attack.stage.worker("");
    assert_eq!((worker.wait(), coordinator.wait()), (12, 12), "{}", coordinator.errors());
    assert!(
        coordinator.errors().contains("no worker can play"),
        "{}{}",
        coordinator.output(),
        coordinator.errors()
    );
}

#[test]
fn a_broker_without_memory_is_waited_for() {
    let Some(stage) = Stage::new() else { return };
    let engines =
        ["unhurried", "unhurried-last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    let arguments = [engines, words("--rounds 30 --max-moves 60 --random-plies 4 --lease 1")];
    let mut coordinator = stage.coordinator("queue", &arguments);
    let mut workers = [stage.worker("--concurrency 2"), stage.worker("")];
    stage.await_games("queue", 6);
    stage.ask("CONFIG SET maxmemory 1").unwrap();
    let told = || coordinator.errors().contains("OOM");
    assert!(await_that(told), "{}", coordinator.errors());
    // It is refused again and again meanwhile.
    let script =
        "return tonumber(string.match(redis.call('INFO','errorstats'),'errorstat_OOM:count=(%d+)') or 0)";
    let refused = || stage.number(&format!("EVAL \"{script}\" 0"));
    let before = refused();
    assert!(await_that(|| refused() >= before + 5));
    stage.ask("CONFIG SET maxmemory 0").unwrap();
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert!(coordinator.errors().contains("the broker is back"), "{}", coordinator.errors());
    assert!(coordinator.errors().matches("retrying").count() < 5, "{}", coordinator.errors());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
    }
    assert_eq!(stage.games("queue"), 60);
}
