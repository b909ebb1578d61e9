//! The users of a broker: one for each queue, with rights in no other.

use crate::stage::Stage;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use support::programs::referee_path;
use support::scene::{await_that, words};

/// The script that makes the users.
const QUEUE_USERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scale/queue-users.sh");

/// A broker with the users of the queues `test` and `other`.
struct Guarded {
    /// For its folder.
    stage: Stage,
    broker: Child,
    port: u16,
}

impl Guarded {
    /// `None`, said loudly, if there is no broker to be started.
    fn new() -> Option<Guarded> {
        let stage = Stage::new()?;
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = stage.scene.path("users");
        assert!(Command::new(QUEUE_USERS).arg(&folder).args(["test", "other"]).status().unwrap().success());
        let mut broker = Command::new("redis-server");
        broker.args(["--bind", "127.0.0.1", "--save", "", "--port", &port.to_string(), "--aclfile"]);
        broker.arg(folder.join("queue.acl"));
        let broker = broker.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let guarded = Guarded { stage, broker, port };
        assert!(await_that(|| guarded.ask("test", &["PING"]).contains("PONG")));
        Some(guarded)
    }

    fn password_file(&self, user: &str) -> PathBuf {
        self.stage.scene.path("users").join(format!("{user}.password"))
    }

    /// The broker's answer to a user.
    fn ask(&self, user: &str, words: &[&str]) -> String {
        let mut cli = Command::new("redis-cli");
        cli.args(["-p", &self.port.to_string(), "--no-auth-warning", "--user", user]);
        cli.env("REDISCLI_AUTH", fs::read_to_string(self.password_file(user)).unwrap());
        let Output { stdout, stderr, .. } = cli.args(words).output().unwrap();
        String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned()
    }

    /// A referee that is a user, with the address of the user's queue as its last word.
    fn referee(&self, user: &str, words: &[String]) -> Command {
        let mut command = Command::new(referee_path());
        command.args(words).arg(format!("redis://{user}@127.0.0.1:{}#test", self.port));
        command.env("KROO_QUEUE_PASSWORD_FILE", self.password_file(user));
        command
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.broker.kill();
        let _ = self.broker.wait();
    }
}

/// Coordinator, workers and viewers need no more than the rights in their queue.
#[test]
fn a_match_is_played_by_the_user_of_its_queue_only() {
    let Some(guarded) = Guarded::new() else { return };
    let engines = ["honest", "last"].map(|engine| guarded.stage.scene.engine(engine, &["depth=1"])).concat();
    let journal = guarded.stage.scene.path("queue").display().to_string();
    let options = words("--rounds 12 --max-moves 20 --random-plies 2 --journal");
    let words = [engines, options, vec![journal, "--queue".to_owned()]].concat();
    let mut coordinator = guarded.stage.start(guarded.referee("test", &words));
    let worker = || guarded.referee("test", &["worker".to_owned()]);
    let mut workers = [worker(), worker()].map(|command| guarded.stage.start(command));
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
        assert!(!worker.errors().contains("warning"), "{}", worker.errors());
    }
    assert_eq!(guarded.stage.games("queue"), 24);
    let status = |user: &str| guarded.stage.start(guarded.referee(user, &["status".to_owned()]));
    let mut viewer = status("test");
    assert_eq!(viewer.wait(), 0, "{}", viewer.errors());
    let told = viewer.output();
    assert!(told.contains("Games: 24 of 24") && !told.contains("silent"), "{told}{}", viewer.errors());
    assert_eq!(status("other").wait(), 1);
}

#[test]
fn users_have_rights_in_their_queues_only() {
    let Some(guarded) = Guarded::new() else { return };
    for words in [
        vec!["HSET", "workers", "a", "b"],
        vec!["XADD", "results", "*", "games", "x"],
        vec!["GET", "job"],
        vec!["SET", "job", "x", "KEEPTTL"],
        vec!["EVAL", "return redis.call('SET', KEYS[1], 'x')", "1", "job"],
    ] {
        for queue in ["other", "tes", "test2", "t*", "match", "?est", "}:x{test"] {
            let key = |word: &str| format!("kroo:{{{queue}}}:{word}");
            let names = ["workers", "results", "job"];
            let words: Vec<String> = words
                .iter()
                .map(|word| if names.contains(word) { key(word) } else { (*word).to_owned() })
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            assert!(guarded.ask("test", &words).contains("NOPERM"), "{words:?}");
        }
    }
    // Without its name as a key, too.
    let hidden = guarded.ask("test", &["EVAL", "return redis.call('SET', 'kroo:{other}:job', 'x')", "0"]);
    assert!(hidden.contains("can't access"), "{hidden}");
    for words in [
        vec!["FLUSHALL"],
        vec!["CONFIG", "GET", "*"],
        vec!["ACL", "LIST"],
        vec!["MONITOR"],
        vec!["KEYS", "*"],
        vec!["SCRIPT", "KILL"],
        vec!["FUNCTION", "FLUSH"],
    ] {
        assert!(guarded.ask("test", &words).contains("NOPERM"), "{words:?}");
    }
}

#[test]
fn the_users_of_a_broker_keep_their_passwords_when_a_queue_is_added() {
    let Some(guarded) = Guarded::new() else { return };
    let folder = guarded.stage.scene.path("users");
    let password = || fs::read_to_string(guarded.password_file("test")).unwrap();
    let before = password();
    let script = |words: &[&str]| {
        let output = Command::new(QUEUE_USERS).arg(&folder).args(words).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(script(&["test", "other", "third"]), (true, String::new()));
    assert_eq!(password(), before);
    assert_eq!(guarded.ask("admin", &["ACL", "LOAD"]).trim(), "OK");
    for user in ["test", "third"] {
        assert_eq!(guarded.ask(user, &["PING"]).trim(), "PONG");
    }
    let kept = fs::read_to_string(folder.join("queue.acl")).unwrap();
    assert!(!kept.contains(&before), "only hashes");
    for queue in ["*", "", "a{b", "test,*", "a b", "admin", "default"] {
        let (done, errors) = script(&["test", queue]);
        assert!(!done && errors.contains("expected the name of a queue"), "{queue}: {errors}");
        assert_eq!(fs::read_to_string(folder.join("queue.acl")).unwrap(), kept, "{queue}");
    }
    let mode = fs::metadata(guarded.password_file("test")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0);
}
