//! Jobs that attack the machine of a worker.

use crate::harness::{await_that, words};
use crate::stage::Stage;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

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
        let program = stage.scene.file("writer", WRITER);
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        stage.scene.file("private", "PRIVATE-TEXT");
        Some(Attack { stage, mark })
    }

    /// What coordinator and worker have printed, and the journal.
    fn run(&self, job: &[&str], worker: &str) -> String {
        let program = format!("cmd={}", self.stage.scene.path("writer").display());
        let engine = |name: &str| {
            let own = ["--engine", &program, &format!("name={name}"), "startup=5"].map(str::to_owned);
            [own.to_vec(), job.iter().map(|&word| word.to_owned()).collect()].concat()
        };
        let arguments = [engine("one"), engine("other"), words("--rounds 1 --max-moves 20")];
        let mut coordinator = self.stage.coordinator("queue", &arguments);
        let secret =
            [("CLOUD_KEY", "SECRET-TEXT"), ("MARK", self.mark.as_str()), ("KROO_QUEUE_PASSWORD", "sesame")];
        let mut worker = self.stage.worker_with(worker, &secret);
        worker.wait();
        // Without a worker that can play, the match may not end.
        await_that(Duration::from_secs(3), || coordinator.child.try_wait().unwrap().is_some());
        let _ = coordinator.child.kill();
        coordinator.child.wait().unwrap();
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
    let fake = attack.stage.scene.file("bwrap", "#!/bin/sh\necho fake > \"$(dirname \"$0\")/fake\"\n");
    fs::set_permissions(fake, fs::Permissions::from_mode(0o755)).unwrap();
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

/// A broker with the users of `tournament/scale/queue.acl`.
struct Guarded {
    stage: Stage,
    broker: Child,
    port: u16,
}

impl Guarded {
    fn new() -> Option<Guarded> {
        // For its folder, and to see whether there is a broker.
        let stage = Stage::new()?;
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let acl = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/scale/queue.acl")).unwrap();
        let acl = stage.scene.file("queue.acl", &acl);
        let mut broker = Command::new("redis-server");
        broker.args(["--bind", "127.0.0.1", "--save", "", "--port", &port.to_string(), "--aclfile", &acl]);
        let broker = broker.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let guarded = Guarded { stage, broker, port };
        assert!(await_that(crate::stage::LONG, || guarded.ask("viewer", &["PING"]).contains("PONG")));
        Some(guarded)
    }

    fn ask(&self, user: &str, words: &[&str]) -> String {
        let mut cli = Command::new("redis-cli");
        cli.args(["-p", &self.port.to_string(), "--no-auth-warning", "--user", user]);
        cli.args(["--pass", &format!("{}-PASSWORD", user.to_uppercase())]).args(words);
        let output = cli.output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    fn url(&self, user: &str) -> String {
        format!("redis://{user}:{}-PASSWORD@127.0.0.1:{}#test", user.to_uppercase(), self.port)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.broker.kill();
        let _ = self.broker.wait();
    }
}

#[test]
fn a_worker_may_write_neither_jobs_nor_locks() {
    let Some(guarded) = Guarded::new() else { return };
    let key = |name: &str| format!("kroo:{{test}}:{name}");
    let by_script = |command: &str| {
        let script = format!("return redis.call({command})");
        guarded.ask("worker", &["EVAL", &script, "0"])
    };
    for name in ["job", "state", "lock", "progress"] {
        assert!(guarded.ask("worker", &["SET", &key(name), "x"]).contains("NOPERM"), "{name}");
        assert!(
            by_script(&format!("'SET','{}','x'", key(name))).contains("The user executing the script can't"),
            "{name}"
        );
    }
    for words in [
        vec!["XADD", "kroo:{test}:batches", "*", "games", "x"],
        vec!["XGROUP", "CREATE", "kroo:{test}:batches", "workers", "0", "MKSTREAM"],
        vec!["HSET", "kroo:{test}:executables", "a", "b"],
        vec!["HSET", "kroo:{test}:refused", "a", "b"],
        vec!["HDEL", "kroo:{test}:refused", "a"],
        vec!["DEL", "kroo:{test}:lock"],
        vec!["XDEL", "kroo:{test}:results", "0-1"],
        vec!["XRANGE", "kroo:{test}:results", "-", "+"],
        vec!["RENAME", "kroo:{test}:workers", "kroo:{test}:job"],
        vec!["COPY", "kroo:{test}:workers", "kroo:{test}:job"],
        vec!["SET", "other", "x"],
        vec!["FLUSHALL"],
        vec!["CONFIG", "GET", "*"],
        vec!["ACL", "LIST"],
        vec!["MONITOR"],
        vec!["KEYS", "*"],
        vec!["SCRIPT", "FLUSH"],
        vec!["FUNCTION", "LIST"],
    ] {
        assert!(guarded.ask("worker", &words).contains("NOPERM"), "{words:?}");
        assert!(guarded.ask("viewer", &words).contains("NOPERM"), "{words:?}");
    }
    let script = "redis.call('SET','kroo:{test}:job','x')";
    assert!(guarded.ask("viewer", &["EVAL", script, "0"]).contains("NOPERM"));
}

#[test]
fn a_match_is_played_with_a_user_for_each_role() {
    let Some(guarded) = Guarded::new() else { return };
    let (stage, referee) = (&guarded.stage, crate::harness::REFEREE);
    let engines = ["honest", "last"].map(|engine| stage.scene.engine(engine, &["depth=1"])).concat();
    let mut coordinator = Command::new(referee);
    coordinator.args(engines).args(words("--rounds 4 --max-moves 20 --random-plies 2"));
    coordinator
        .args(["--queue", &guarded.url("coordinator")])
        .arg("--journal")
        .arg(stage.scene.path("queue"));
    let mut coordinator = stage.start(coordinator);
    let mut worker = Command::new(referee);
    worker.args(["worker", &guarded.url("worker")]);
    let mut worker = stage.start(worker);
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    assert!(!worker.errors().contains("warning"), "{}", worker.errors());
    let status = Command::new(referee).args(["status", &guarded.url("viewer")]).output().unwrap();
    let (told, errors) = (String::from_utf8_lossy(&status.stdout), String::from_utf8_lossy(&status.stderr));
    assert!(told.contains("Games: 8 of 8") && !told.contains("silent"), "{told}{errors}");
}

#[test]
fn the_password_is_in_no_environment() {
    let Some(stage) = Stage::new() else { return };
    let mut worker = Command::new(crate::harness::REFEREE);
    worker
        .args(["worker", &format!("redis://127.0.0.1:{}#test", stage.port)])
        .env("KROO_QUEUE_PASSWORD", "sesame");
    let worker = stage.start(worker);
    assert!(
        await_that(crate::stage::LONG, || worker.errors().contains("waiting: there is no match")),
        "{}",
        worker.errors()
    );
    let environment = fs::read(format!("/proc/{}/environ", worker.child.id())).unwrap_or_default();
    assert!(!String::from_utf8_lossy(&environment).contains("sesame"));
}

#[test]
fn plain_text_to_another_machine_has_to_be_asked_for() {
    for words in [["worker", "redis://192.0.2.1#x"], ["status", "redis://:secret@192.0.2.1"]] {
        let output = Command::new(crate::harness::REFEREE).args(words).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("rediss:// (TLS), or --insecure") && !errors.contains("secret"), "{errors}");
    }
}

#[test]
fn an_engine_that_does_not_start_on_any_worker_ends_the_match() {
    let Some(attack) = Attack::new() else { return };
    let program = attack.stage.scene.file("mute", "#!/bin/sh\nexit 3\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
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
    assert!(await_that(crate::stage::LONG, told), "{}", coordinator.errors());
    std::thread::sleep(Duration::from_secs(2));
    stage.ask("CONFIG SET maxmemory 0").unwrap();
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert!(coordinator.errors().contains("the broker is back"), "{}", coordinator.errors());
    assert!(coordinator.errors().matches("retrying").count() < 5, "{}", coordinator.errors());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
    }
    assert_eq!(stage.games("queue"), 60);
}
