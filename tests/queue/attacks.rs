//! Jobs that attack the machine of a worker.

use crate::harness::{await_that, words};
use crate::stage::Stage;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
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
