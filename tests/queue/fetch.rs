//! Executables that a worker has not got: they come from the queue, or not at all.

use crate::stage::{PASSWORD, Stage, Started};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::programs::{self, referee_path};
use support::scene::{await_that, words};

/// A match whose executables only the coordinator has: a program or a large script, and a small script. Both are gone when the
/// match is there.
struct Remote {
    stage: Stage,
    is_script: bool,
    programs: [PathBuf; 2],
    arguments: Vec<Vec<String>>,
}

/// More than two pieces.
const LARGE: usize = 5 << 19;
const PLAY: &str = "--rounds 6 --max-moves 30 --random-plies 3 --seed 5";

impl Remote {
    fn new(is_script: bool) -> Option<Remote> {
        let stage = Stage::new()?;
        let engines = ["unhurried", "unhurried-last"].map(|kind| stage.scene.engine(kind, &["depth=1"]));
        let programs = ["program", "script"].map(|name| stage.scene.path(name));
        let mut arguments = Vec::new();
        for (words, program) in engines.iter().zip(&programs) {
            let mut words = words.clone();
            words[1] = format!("cmd={}", program.display());
            arguments.push(words);
        }
        arguments.push(words(PLAY));
        let remote = Remote { stage, is_script, programs, arguments };
        remote.make_programs();
        Some(remote)
    }

    fn original(&self) -> PathBuf {
        let engine = self.stage.scene.engine("honest", &[]);
        PathBuf::from(engine[1].strip_prefix("cmd=").unwrap())
    }

    fn make_programs(&self) {
        let script = format!("#!/bin/sh\nexec {} \"$@\"\n", self.original().display());
        match self.is_script {
            true => _ = programs::script(&self.programs[0], &(script.clone() + &"#".repeat(LARGE))),
            false => programs::copy(self.original(), &self.programs[0]),
        }
        programs::script(&self.programs[1], &script);
    }

    /// A coordinator, whose executables are taken away as soon as its match is there.
    fn coordinator(&self, journal: &str, options: &str) -> Started {
        self.make_programs();
        // Instead of the end of the match before.
        self.stage.ask("DEL kroo:{test}:state").unwrap();
        let coordinator = self.stage.coordinator(journal, &[self.arguments.concat(), words(options)]);
        let running =
            || self.stage.ask("GET kroo:{test}:state").is_some_and(|state| state.contains("running"));
        assert!(await_that(running), "{}", coordinator.errors());
        self.programs.iter().for_each(|program| fs::remove_file(program).unwrap());
        coordinator
    }

    fn folder(&self) -> PathBuf {
        self.stage.scene.path("fetched")
    }

    fn fetching(&self, options: &str) -> Started {
        let allowed = self.original();
        let options =
            format!("--fetch={} --allow-file {} {options}", self.folder().display(), allowed.display());
        self.stage.worker(&options)
    }

    /// A worker that must not play, and what it says.
    fn refused(&self, options: &str) -> String {
        let mut worker = self.stage.worker(options);
        assert_eq!(worker.wait(), 12, "{}", worker.errors());
        worker.errors()
    }

    /// The hash of the executable that begins so on the queue.
    fn hash_of(&self, program: usize) -> String {
        let job = self.stage.ask("GET kroo:{test}:job").unwrap();
        let hashes = job.split("\"sha256\":\"").skip(1).map(|rest| rest[..64].to_owned());
        hashes.collect::<Vec<_>>()[program].clone()
    }

    /// Changes the first piece of an executable on the queue: `piece` is what it was.
    fn tamper(&self, program: usize, with: &str) {
        let field = format!("{}:0", self.hash_of(program));
        let script = format!(
            "local piece = redis.call('HGET', KEYS[1], ARGV[1]) redis.call('HSET', KEYS[1], ARGV[1], {with}) return 1"
        );
        let answer = self.stage.ask(&format!("EVAL \"{script}\" 1 kroo:{{test}}:executables {field}"));
        assert_eq!(answer.unwrap().trim(), ":1");
    }

    fn assert_like_alone(&self, journal: &str) {
        if !self.stage.scene.path("alone").exists() {
            self.make_programs();
            let alone = self.stage.alone("alone", &self.arguments);
            assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stderr));
        }
        self.stage.assert_same(journal, "alone");
    }
}

/// The files of a folder, hidden ones, too, and their permissions.
fn files(folder: &Path) -> Vec<(String, u32)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let file = |entry: fs::DirEntry| {
        let mode = entry.metadata().unwrap().permissions().mode() & 0o7777;
        (entry.file_name().into_string().unwrap(), mode)
    };
    let mut files: Vec<_> = entries.flatten().map(file).collect();
    files.sort();
    files
}

#[test]
fn workers_without_the_executables_fetch_them() {
    let Some(remote) = Remote::new(false) else { return };
    let cache = remote.stage.scene.path("cache");
    // Two at once into one folder. Then one into the user's caches, alone, because a match may be over before another starts.
    for (journal, folder) in [("shared", remote.folder()), ("cached", cache.join("kroo/engines"))] {
        let mut coordinator = remote.coordinator(journal, "--offer-engines");
        assert!(remote.stage.number("HLEN kroo:{test}:executables") >= 2);
        assert!(remote.stage.number("TTL kroo:{test}:executables") > 86_400);
        let mut hashes = [0, 1].map(|program| (remote.hash_of(program), 0o500));
        hashes.sort();
        let mut workers = match journal {
            "shared" => vec![remote.fetching(""), remote.fetching("--concurrency 2")],
            _ => {
                let mut command = remote.stage.referee();
                command.args(["worker", "--fetch", &remote.stage.url()]);
                command.args(words(&remote.stage.allow_unruly())).env("XDG_CACHE_HOME", &cache);
                vec![remote.stage.start(command)]
            }
        };
        assert_eq!(coordinator.wait(), 0, "{}", coordinator.errors());
        for worker in &mut workers {
            assert_eq!(worker.wait(), 0, "{}", worker.errors());
        }
        // Of the two in one folder the later one may find what the other has fetched.
        let errors: String = workers.iter().map(Started::errors).collect();
        assert!(errors.contains("fetching unhurried (sha256 "), "{errors}");
        remote.assert_like_alone(journal);
        assert_eq!(files(&folder), hashes, "{}", folder.display());
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o7777, 0o700);
        // With the match its executables leave the queue.
        assert_eq!(remote.stage.number("EXISTS kroo:{test}:executables"), 0);
    }
}

#[test]
fn what_was_fetched_is_used_again_if_it_is_still_the_same() {
    let Some(remote) = Remote::new(true) else { return };
    for (journal, offer, fetched) in [("one", "--offer-engines", true), ("two", "", false)] {
        let mut coordinator = remote.coordinator(journal, offer);
        let mut worker = remote.fetching("");
        assert_eq!(
            (coordinator.wait(), worker.wait()),
            (0, 0),
            "{}{}",
            coordinator.errors(),
            worker.errors()
        );
        assert_eq!(worker.errors().contains("fetching"), fetched, "{}", worker.errors());
        remote.assert_like_alone(journal);
    }
    // One bit of the program, and the right to change it.
    let mut coordinator = remote.coordinator("three", "--offer-engines");
    let kept = remote.folder().join(remote.hash_of(0));
    fs::set_permissions(&kept, Permissions::from_mode(0o700)).unwrap();
    let mut bytes = fs::read(&kept).unwrap();
    bytes[100] ^= 1;
    fs::write(&kept, &bytes).unwrap();
    let mut worker = remote.fetching("");
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    let errors = worker.errors();
    assert!(
        errors.contains("fetching unhurried (") && !errors.contains("fetching unhurried-last"),
        "{errors}"
    );
    remote.assert_like_alone("three");
    bytes[100] ^= 1;
    assert!(fs::read(&kept).unwrap() == bytes && files(&remote.folder()).len() == 2);
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o7777, 0o500);
}

#[test]
fn what_is_not_the_executable_is_neither_kept_nor_executed() {
    let Some(remote) = Remote::new(true) else { return };
    let mut coordinator = remote.coordinator("queue", "--offer-engines --lease 3600");
    let fetch = format!("--fetch={}", remote.folder().display());
    let owned = remote.stage.scene.path("owned");
    let script = format!("'#!/bin/sh\\\\ntouch {}\\\\n'", owned.display());
    let padded = format!("({script} .. string.rep('#', #piece)):sub(1, #piece)");
    for (program, with, reason) in [
        (0, "'x'", "(piece 0 has 1 bytes, not 1048576): another program writes to this queue"),
        (0, "string.rep('x', 7654321)", "(piece 0 has 7654321 bytes, not 1048576)"),
        (0, "string.rep('x', 1048576)", "is something else on the queue (sha256 "),
        (1, padded.as_str(), "is something else on the queue (sha256 "),
    ] {
        remote.tamper(program, with);
        let errors = remote.refused(&fetch);
        assert!(errors.contains(reason) && errors.contains("nothing of it was kept"), "{reason}: {errors}");
        let name = if program == 0 { "unhurried" } else { "unhurried-last" };
        assert!(errors.contains(&format!("{name}: the executable with sha256")), "{errors}");
        assert!(!files(&remote.folder()).iter().any(|(file, _)| file.contains(&remote.hash_of(program))));
        assert!(files(&remote.folder()).len() <= 1);
        if program == 0 {
            // The coordinator restores missing pieces.
            remote.stage.ask("DEL kroo:{test}:executables").unwrap();
            let missing = remote.refused(&fetch);
            assert!(
                missing.contains("is not on the queue: the coordinator needs --offer-engines"),
                "{missing}"
            );
            coordinator.kill();
            remote.stage.ask("DEL kroo:{test}:lock").unwrap();
            fs::remove_file(remote.stage.scene.path("queue")).unwrap();
            coordinator = remote.coordinator("queue", "--offer-engines --lease 3600");
        }
    }
    assert!(!owned.exists());
    drop(coordinator);
    // The coordinator notices within a lease that something is missing, as long as it has the file itself.
    fs::remove_file(remote.stage.scene.path("queue")).unwrap();
    remote.stage.ask("FLUSHALL").unwrap();
    let mut coordinator = remote.coordinator("queue", "--offer-engines --lease 1");
    remote.make_programs();
    let before = remote.stage.number("HLEN kroo:{test}:executables");
    remote.stage.ask("DEL kroo:{test}:executables").unwrap();
    assert!(await_that(|| remote.stage.number("HLEN kroo:{test}:executables") == before));
    remote.programs.iter().for_each(|program| fs::remove_file(program).unwrap());
    let mut worker = remote.fetching("");
    assert_eq!((coordinator.wait(), worker.wait()), (0, 0), "{}{}", coordinator.errors(), worker.errors());
    remote.assert_like_alone("queue");
}

#[test]
fn a_worker_that_may_not_fetch_says_which_option_helps() {
    let Some(remote) = Remote::new(true) else { return };
    let _coordinator = remote.coordinator("queue", "--offer-engines");
    let errors = remote.refused("");
    assert!(
        errors.contains("no executable with sha256") && errors.contains("and --fetch fetches it"),
        "{errors}"
    );
    // Too large.
    let folder = remote.folder().display().to_string();
    let errors = remote.refused(&format!("--fetch={folder} --fetch-limit 1"));
    assert!(errors.contains(" MiB, and --fetch-limit allows 1.0 MiB"), "{errors}");
    assert_eq!(files(&remote.folder()), []);
    // No room: a file may have a megabyte or two.
    let mut command = Command::new("sh");
    let line = "ulimit -f 2500; exec \"$0\" worker \"$1\" \"--fetch=$2\"";
    command.args(["-c", line, referee_path(), &remote.stage.url(), &folder]).env(PASSWORD.0, PASSWORD.1);
    let mut worker = remote.stage.start(command);
    assert_eq!(worker.wait(), 12, "{}", worker.errors());
    let errors = worker.errors();
    assert!(errors.contains("cannot be kept in") && errors.contains("File too large"), "{errors}");
    assert_eq!(files(&remote.folder()), []);
    // A folder in which another user could replace it.
    fs::set_permissions(remote.folder(), Permissions::from_mode(0o777)).unwrap();
    let errors = remote.refused(&format!("--fetch={folder}"));
    assert!(errors.contains("others may write to this folder") && errors.contains("chmod 700"), "{errors}");
    assert_eq!(files(&remote.folder()), []);
}
