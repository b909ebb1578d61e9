//! The users of a broker: what each may do there, and that the queue works with no more.

use crate::guarded::{Guarded, QUEUE_USERS};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use support::scene::{await_that, signal};

#[test]
fn a_worker_may_write_nothing_but_its_own_keys() {
    let Some(guarded) = Guarded::new(&["one", "two"]) else { return };
    let key = |name: &str| format!("kroo:{{test}}:{name}");
    let by_script = |command: &str| {
        let script = format!("return redis.call({command})");
        guarded.run("one", &script)
    };
    let refused = "The user executing the script can't";
    for name in ["job", "state", "lock", "progress", "refused", "bell"] {
        assert!(guarded.ask("one", &["SET", &key(name), "x"]).contains("NOPERM"), "{name}");
        assert!(by_script(&format!("'SET','{}','x'", key(name))).contains(refused), "{name}");
    }
    for words in [
        vec!["XADD", "kroo:{test}:batches", "*", "games", "x"],
        vec!["XGROUP", "CREATE", "kroo:{test}:batches", "workers", "0", "MKSTREAM"],
        vec!["HSET", "kroo:{test}:executables", "a", "b"],
        vec!["HSET", "kroo:{test}:refused", "a", "b"],
        vec!["HDEL", "kroo:{test}:refused", "a"],
        vec!["DEL", "kroo:{test}:lock"],
        // Another worker's.
        vec!["XADD", "kroo:{test}:results:two", "*", "games", "x"],
        vec!["XADD", "kroo:{test}:notes:two", "*", "note", "x"],
        vec!["HSET", "kroo:{test}:workers:two", "a", "b"],
        vec!["HDEL", "kroo:{test}:workers:two", "a"],
        vec!["XRANGE", "kroo:{test}:results:two", "-", "+"],
        vec!["XADD", "kroo:{test}:results:default", "*", "games", "x"],
        vec!["XADD", "kroo:{test}:results:one:two", "*", "games", "x"],
        // A record cannot be changed later.
        vec!["XDEL", "kroo:{test}:results:one", "0-1"],
        vec!["DEL", "kroo:{test}:results:one"],
        vec!["RENAME", "kroo:{test}:workers:one", "kroo:{test}:job"],
        vec!["COPY", "kroo:{test}:workers:one", "kroo:{test}:job"],
        vec!["SET", "other", "x"],
        vec!["FLUSHALL"],
        vec!["CONFIG", "GET", "*"],
        vec!["ACL", "LIST"],
        vec!["ACL", "SETUSER", "one", "on", "+@all", "~*"],
        vec!["MONITOR"],
        vec!["KEYS", "*"],
        vec!["SCRIPT", "FLUSH"],
        vec!["SCRIPT", "KILL"],
        vec!["FUNCTION", "LIST"],
    ] {
        assert!(guarded.ask("one", &words).contains("NOPERM"), "{words:?}");
        if words[0] != "XRANGE" {
            assert!(guarded.ask("viewer", &words).contains("NOPERM"), "{words:?}");
        }
    }
    for command in ["'XADD','kroo:{test}:results:two','*','games','x'", "'DEL','kroo:{test}:lock'"] {
        assert!(by_script(command).contains(refused), "{command}");
    }
    let script = "redis.call('SET','kroo:{test}:job','x')";
    assert!(guarded.run("viewer", script).contains(refused));
    // Its own.
    assert!(guarded.ask("one", &["XADD", "kroo:{test}:results:one", "*", "games", "x"]).contains('-'));
    assert_eq!(guarded.ask("one", &["HSET", "kroo:{test}:workers:one", "a", "b"]).trim(), "1");
}

/// A script that does not end stops the broker for everyone.
#[test]
fn a_worker_and_a_viewer_run_no_scripts_of_their_own() {
    let Some(guarded) = Guarded::new(&["one"]) else { return };
    let library = "#!lua name=mine\nredis.register_function('mine', function() while true do end end)";
    for user in ["one", "viewer"] {
        for words in [
            vec!["EVAL", "while true do end", "0"],
            vec!["EVAL_RO", "while true do end", "0"],
            vec!["EVAL", "return #string.rep('x', 600000000)", "0"],
            vec!["SCRIPT", "LOAD", "while true do end"],
            vec!["FUNCTION", "LOAD", library],
            vec!["FCALL", "mine", "0"],
            vec!["FCALL_RO", "mine", "0"],
        ] {
            let answer = guarded.ask(user, &words);
            assert!(answer.contains("NOPERM"), "{user} {words:?}: {answer}");
        }
        let unknown = guarded.ask(user, &["EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"]);
        assert!(unknown.contains("NOSCRIPT"), "{unknown}");
    }
    // The coordinator loads its own, and runs none in another way.
    assert!(guarded.ask("coordinator", &["EVAL", "return 1", "0"]).contains("NOPERM"));
    assert_eq!(guarded.ask("coordinator", &["SCRIPT", "LOAD", "return 1"]).trim().len(), 40);
}

/// Whatever it names as their keys, a worker does with the scripts of the queue what it may do without.
#[test]
fn the_scripts_of_a_queue_give_a_worker_no_rights() {
    let Some(guarded) = Guarded::new(&["one", "two"]) else { return };
    let mut coordinator = guarded.coordinator("--rounds 1000 --max-moves 20 --random-plies 2");
    let state = || guarded.ask("viewer", &["GET", "kroo:{test}:state"]).contains("running");
    assert!(await_that(state), "{}", coordinator.errors());
    let before = |key: &str| guarded.ask("admin", &["DUMP", key]);
    let names = ["lock", "job", "state", "refused", "results:two", "workers:two", "notes:two"];
    let keys = names.map(|name| format!("kroo:{{test}}:{name}"));
    let values = keys.each_ref().map(|key| if key.ends_with("lock") { String::new() } else { before(key) });
    let hashes = loaded(&guarded);
    assert_eq!(hashes.len(), 10, "{hashes:?}");
    for hash in &hashes {
        for key in &keys {
            for count in 1..5_usize {
                let count_word = count.to_string();
                let mut words = vec!["EVALSHA", hash, "0", &count_word];
                words.extend(std::iter::repeat_n(key.as_str(), count));
                words.extend(["1", "1", "1", "1", "1", "1"]);
                guarded.ask("one", &words);
            }
        }
    }
    for (key, value) in keys.iter().zip(values).filter(|(key, _)| !key.ends_with("lock")) {
        assert_eq!(before(key), value, "{key}");
    }
    assert_eq!(guarded.ask("admin", &["EXISTS", "kroo:{test}:lock"]).trim(), "1");
    coordinator.kill();
}

/// The hashes of the scripts that the coordinator has loaded, from the source.
fn loaded(guarded: &Guarded) -> Vec<String> {
    let hashes = kroo_referee::queue::script_hashes();
    let known = |hash: &String| guarded.ask("admin", &["SCRIPT", "EXISTS", hash]).trim() == "1";
    hashes.into_iter().filter(known).collect()
}

/// A broker forgets its scripts when it restarts or is told to.
#[test]
fn the_scripts_of_a_queue_are_loaded_again() {
    let Some(guarded) = Guarded::new(&["one"]) else { return };
    let mut coordinator = guarded.coordinator("--rounds 200 --max-moves 20 --random-plies 2 --lease 1");
    let mut worker = guarded.start("one", &["worker"]);
    // Long before the end, so that the coordinator is there to load them.
    for games in [4, 8, 12] {
        guarded.stage.await_games("queue", games);
        assert_eq!(guarded.ask("admin", &["SCRIPT", "FLUSH"]).trim(), "OK");
    }
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert_eq!(worker.wait(), 0, "{}", worker.errors());
    assert_eq!(guarded.stage.games("queue"), 400);
    // Without a coordinator a viewer still sees the queue.
    assert_eq!(guarded.ask("admin", &["SCRIPT", "FLUSH"]).trim(), "OK");
    let mut viewer = guarded.start("viewer", &["status"]);
    assert_eq!(viewer.wait(), 0, "{}", viewer.errors());
    assert!(viewer.output().contains("Workers: unknown"), "{}", viewer.output());
}

/// After the match no coordinator loads the scripts.
#[test]
fn a_worker_without_scripts_sees_that_the_match_is_over() {
    let Some(guarded) = Guarded::new(&["one"]) else { return };
    let mut coordinator = guarded.coordinator("--rounds 40 --max-moves 20 --random-plies 2 --lease 1");
    let mut sleeper = guarded.start("one", &["worker"]);
    guarded.stage.await_games("queue", 4);
    signal(&sleeper.child, "STOP");
    let mut worker = guarded.start("one", &["worker"]);
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert_eq!(worker.wait(), 0, "{}", worker.errors());
    assert_eq!(guarded.ask("admin", &["SCRIPT", "FLUSH"]).trim(), "OK");
    signal(&sleeper.child, "CONT");
    assert_eq!(sleeper.wait(), 0, "{}", sleeper.errors());
    assert_eq!(guarded.stage.games("queue"), 80);
}

#[test]
fn users_have_rights_in_their_queues_only() {
    let Some(guarded) = Guarded::new(&["one"]) else { return };
    for (user, words) in [
        ("one", ["HSET", "workers:one", "a", "b"]),
        ("one", ["XADD", "results:one", "*", "games"]),
        ("one", ["GETRANGE", "job", "0", "1"]),
        ("viewer", ["GETRANGE", "job", "0", "1"]),
        ("coordinator", ["SET", "job", "x", "KEEPTTL"]),
    ] {
        for queue in ["tes", "test2", "t*", "match", "?est", "}:x{test"] {
            let key = format!("kroo:{{{queue}}}:{}", words[1]);
            let mut words: Vec<&str> = words.to_vec();
            words[1] = &key;
            words.extend((words[0] == "XADD").then_some("x"));
            assert!(guarded.ask(user, &words).contains("NOPERM"), "{user} {words:?}");
        }
    }
}

/// A user that writes too much fills the memory that the broker may have. Its administrator switches the user off, and the match
/// goes on.
#[test]
fn a_full_broker_refuses_what_is_new_and_goes_on_when_there_is_room() {
    let Some(guarded) = Guarded::new(&["filler", "honest"]) else { return };
    let mut coordinator = guarded.coordinator("--rounds 30 --max-moves 20 --random-plies 2 --lease 1");
    let mut worker = guarded.start("honest", &["worker"]);
    guarded.stage.await_games("queue", 2);
    let large = vec![b'x'; 16 << 20];
    let full = || {
        let field = format!("{:?}", std::time::Instant::now());
        let words = ["HSET", "kroo:{test}:workers:filler", &field];
        guarded.tell("filler", &words, Some(&large)).contains("OOM")
    };
    assert!(await_that(full));
    let used = || guarded.ask("admin", &["INFO", "memory"]);
    let used = used().lines().find_map(|line| line.strip_prefix("used_memory:")?.trim().parse::<u64>().ok());
    let most = guarded.ask("admin", &["CONFIG", "GET", "maxmemory"]);
    let most: u64 = most.lines().find_map(|line| line.parse().ok()).unwrap();
    assert!(used.is_some_and(|used| used < most + (64 << 20)), "{used:?} {most}");
    // What the guide says.
    assert_eq!(guarded.ask("admin", &["ACL", "SETUSER", "filler", "off"]).trim(), "OK");
    guarded.ask("admin", &["CLIENT", "KILL", "USER", "filler"]);
    assert_eq!(guarded.ask("admin", &["DEL", "kroo:{test}:workers:filler"]).trim(), "1");
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    assert_eq!(worker.wait(), 0, "{}", worker.errors());
    assert_eq!(guarded.stage.games("queue"), 60);
}

#[test]
fn the_users_of_a_broker_keep_their_passwords_when_a_worker_is_added() {
    let Some(guarded) = Guarded::new(&["one"]) else { return };
    let folder = guarded.folder();
    let password = || fs::read_to_string(folder.join("one.password")).unwrap();
    let before = password();
    let script = |words: &[&str]| {
        let output = Command::new(QUEUE_USERS).arg(&folder).args(words).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    assert!(guarded.ask("admin", &["ACL", "USERS"]).lines().all(|user| user != "two"));
    assert_eq!(script(&["test", "one", "two"]), (true, String::new()));
    assert_eq!(password(), before);
    assert_eq!(guarded.ask("admin", &["ACL", "LOAD"]).trim(), "OK");
    for user in ["one", "two"] {
        assert_eq!(guarded.ask(user, &["PING"]).trim(), "PONG");
    }
    assert!(guarded.ask("coordinator", &["ACL", "LIST"]).contains("NOPERM"));
    let kept = fs::read_to_string(folder.join("queue.acl")).unwrap();
    assert!(!kept.contains(&before), "only hashes");
    for (name, reason) in [
        ("coordinator", "is no name of a worker"),
        ("a b", "expected 1 to 64 letters"),
        ("*", "expected 1 to 64 letters"),
    ] {
        let (done, errors) = script(&["test", "one", name]);
        assert!(!done && errors.contains(reason), "{name}: {errors}");
        assert_eq!(fs::read_to_string(folder.join("queue.acl")).unwrap(), kept, "{name}");
    }
    for queue in ["*", "", "a{b", "test,*"] {
        let (done, errors) = script(&[queue, "one"]);
        assert!(!done && errors.contains("expected the name of a queue"), "{queue}: {errors}");
        assert_eq!(fs::read_to_string(folder.join("queue.acl")).unwrap(), kept, "{queue}");
    }
    let mode = fs::metadata(folder.join("one.password")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0);
}

#[test]
fn a_match_is_played_with_a_user_for_each_worker() {
    let Some(guarded) = Guarded::new(&["one", "two"]) else { return };
    let mut coordinator = guarded.coordinator("--rounds 12 --max-moves 20 --random-plies 2");
    let mut workers = ["one", "two"].map(|user| guarded.start(user, &["worker"]));
    assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
    for worker in &mut workers {
        assert_eq!(worker.wait(), 0, "{}", worker.errors());
        assert!(!worker.errors().contains("warning"), "{}", worker.errors());
    }
    let journal = guarded.stage.scene.path("queue");
    for line in fs::read_to_string(&journal).unwrap().lines().skip(1) {
        // Not the name that its process has given itself.
        assert!(line.contains("\"worker\":\"one\"") || line.contains("\"worker\":\"two\""), "{line}");
    }
    let mut viewer = guarded.start("viewer", &["status"]);
    assert_eq!(viewer.wait(), 0, "{}", viewer.errors());
    let told = viewer.output();
    assert!(told.contains("Games: 24 of 24") && !told.contains("silent"), "{told}{}", viewer.errors());
}
