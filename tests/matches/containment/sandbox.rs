//! An engine in a sandbox attacks the machine, as root and as a user without rights.

use kroo_referee::engine::control_groups;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use support::programs::{self, kroo_path, referee_path, root};
use support::scene::{Report, Scene, words};
use support::tools::has;

/// The users by which an engine attacks if this one is root.
const NOBODY: u32 = 65_534;
const ROOT: u32 = 0;

/// The attacker in its folder, with a file that it may read there, and a secret of its user outside.
struct Attack {
    scene: Scene,
    user: Option<u32>,
}

impl Attack {
    fn new(user: Option<u32>) -> Attack {
        let scene = Scene::new();
        fs::set_permissions(scene.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for folder in ["work", "work/bin", "work/data", "out", "secret"] {
            fs::create_dir(scene.path(folder)).unwrap();
        }
        for (file, text) in
            [("work/data/weights", "weights"), ("secret/weights", "SECRET-TEXT"), ("out/log", "")]
        {
            scene.file(file, text);
        }
        programs::copy(root().join("tests/fixtures/engines/attacker.py"), scene.path("work/bin/attacker"));
        programs::copy(kroo_path(), scene.path("kroo"));
        programs::copy(referee_path(), scene.path("referee"));
        let of_user = [
            "work",
            "work/bin",
            "work/data",
            "out",
            "secret",
            "work/data/weights",
            "secret/weights",
            "out/log",
        ];
        for file in of_user.into_iter().filter(|_| user.is_some()) {
            std::os::unix::fs::chown(scene.path(file), user, user).unwrap();
        }
        Attack { scene, user }
    }

    /// The beginning of the names of what it tries to make on the machine.
    fn mark(&self) -> String {
        self.scene.dir.path().file_name().unwrap().to_string_lossy().into_owned()
    }

    /// Two games of the attacker, which is started for each, against an honest engine in the same folder: what it has told, and
    /// the output of the referee.
    fn run(&self, more: &str) -> (String, String) {
        let place = |name: &str| self.scene.path(name).display().to_string();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let [work, kroo, weights, secret] =
            ["work", "kroo", "work/data/weights", "secret/weights"].map(place);
        let both = format!("sandbox=on dir={work} nodes=10 timemargin=100000 startup=60");
        let attacker = format!(
            "--engine cmd={work}/bin/attacker name=attacker args={kroo} {both} read={weights}:{kroo} stderr={} restart=on \
             env.MARK={} env.SECRET={secret} env.WEIGHTS={weights} env.PORT={port} env.TEST={} {more}",
            place("out/log"),
            self.mark(),
            std::process::id()
        );
        let honest = format!("--engine cmd={kroo} name=honest {both}");
        // The shell leaves descriptors open to its program, as launchers and runners of jobs do.
        let mut command = Command::new("sh");
        command.args(["-c", "exec 7<. 8>>/dev/null; exec \"$0\" \"$@\""]).arg(self.scene.path("referee"));
        command.args([words(&attacker), words(&honest), words("--rounds 1 --max-moves 8")].concat());
        command.current_dir(self.scene.path("work"));
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (fs::read_to_string(self.scene.path("out/log")).unwrap(), said)
    }

    /// What an attack could change on the machine.
    fn machine(&self) -> String {
        let listed = |folder: &Path| {
            let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.file_name());
            let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
            names.sort();
            names
        };
        let marked = ["/", "/usr", "/tmp", "/dev/shm"].map(|folder| {
            let mark = format!("{}-", self.mark());
            listed(Path::new(folder)).into_iter().filter(|name| name.starts_with(&mark)).collect::<Vec<_>>()
        });
        let group = control_groups().map(|home| listed(&home)).unwrap_or_default();
        let own = format!("kroo-referee-{}", std::process::id());
        let group: Vec<_> = group.into_iter().filter(|name| name.starts_with(&own)).collect();
        let secret = fs::read_to_string(self.scene.path("secret/weights")).unwrap();
        let weights = fs::metadata(self.scene.path("secret/weights")).unwrap().permissions().mode();
        let folders = ["secret", "out", ""].map(|folder| listed(&self.scene.path(folder)));
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
        format!("{marked:?} {group:?} {secret} {weights:o} {folders:?}\n{mounts}")
    }

    /// Files that its folder holds and that could give somebody the rights of its user.
    fn dangerous_files(&self) -> Vec<String> {
        let (mut open, mut found) = (vec![self.scene.path("work")], Vec::new());
        while let Some(folder) = open.pop() {
            for file in fs::read_dir(folder).unwrap().flatten() {
                let (path, kept) = (file.path(), fs::symlink_metadata(file.path()).unwrap());
                let kind = kept.file_type();
                if kept.permissions().mode() & 0o6000 != 0 || kind.is_block_device() || kind.is_char_device()
                {
                    found.push(format!("{} {:o}", path.display(), kept.permissions().mode()));
                }
                open.extend(kind.is_dir().then_some(path));
            }
        }
        found
    }
}

/// The users of the tests' engines; of another user than root only that one.
fn users() -> Vec<Option<u32>> {
    if has("root") { vec![Some(ROOT), Some(NOBODY)] } else { vec![None] }
}

#[test]
fn an_engine_in_a_sandbox_attacks_in_vain() {
    if !has("bwrap") || !has("python") {
        return;
    }
    for user in users() {
        let attack = Attack::new(user);
        let before = attack.machine();
        let (told, said) = attack.run("");
        let worked: Vec<&str> = told.lines().filter(|line| line.starts_with("worked: ")).collect();
        assert!(worked.is_empty(), "as {user:?}: {worked:#?}");
        // Two moves in each of its two games.
        assert_eq!(told.matches("attacked ").count(), 4, "as {user:?}: {told}{said}");
        assert_eq!(said.matches("Finished game ").count(), 2, "{said}");
        assert!(!said.contains("Faults:"), "as {user:?}: {said}");
        assert_eq!(attack.machine(), before, "as {user:?}");
        assert_eq!(attack.dangerous_files(), Vec::<String>::new(), "as {user:?}");
        assert_eq!(fs::read_to_string(attack.scene.path("work/data/weights")).unwrap(), "weights");
    }
}

/// A link that one process leaves in the place of a file leads the next one nowhere.
#[test]
fn links_between_two_processes_lead_nowhere() {
    if !has("bwrap") || !has("python") {
        return;
    }
    for user in users() {
        for link in ["read", "program"] {
            let attack = Attack::new(user);
            let before = attack.machine();
            let (told, said) = attack.run(&format!("env.LINK={link}"));
            assert!(
                told.contains("attacked ") && !told.contains("worked"),
                "{link} as {user:?}: {told}{said}"
            );
            assert_eq!(attack.machine(), before, "{link} as {user:?}: {told}{said}");
            let moved = fs::read_dir(attack.scene.path("work")).unwrap().flatten();
            let moved = moved.filter(|file| file.file_type().unwrap().is_symlink()).count();
            assert_eq!(moved, 1, "{link} as {user:?}: {told}{said}");
        }
    }
}

/// Whoever could put a link in the place of a folder or an output is named before the match.
#[test]
fn a_folder_to_write_holds_no_folder_of_another_engine_and_no_output() {
    if !has("bwrap") {
        return;
    }
    let expected = "could put a link in its place";
    for (one, other, options, expected) in [
        ("dir=work sandbox=on", "dir=work/old", "", expected),
        ("dir=work/old", "dir=work sandbox=on", "", expected),
        ("dir=work sandbox=on stderr=work/log", "", "", expected),
        ("dir=work sandbox=on", "stderr=work/old/log", "", expected),
        ("dir=work sandbox=on", "", "--journal work/journal", expected),
        ("dir=work sandbox=on", "", "--html work/link/page", expected),
        ("dir=work sandbox=on", "", "--log link/log", expected),
        ("dir=work sandbox=on", "sandbox=on read=work/link/file", "", "goes through a link"),
        ("dir=work sandbox=on", "dir=work sandbox=on read=work/old", "", ""),
        ("dir=work sandbox=on", "dir=other sandbox=on", "", ""),
        ("dir=work", "dir=work/old", "--journal work/journal", ""),
    ] {
        let scene = Scene::new();
        for folder in ["work", "work/old", "other"] {
            fs::create_dir(scene.path(folder)).unwrap();
        }
        scene.file("other/file", "");
        std::os::unix::fs::symlink(scene.path("other"), scene.path("work/link")).unwrap();
        std::os::unix::fs::symlink(scene.path("work"), scene.path("link")).unwrap();
        let engines = [scene.engine("honest", &words(one).iter().map(String::as_str).collect::<Vec<_>>()), {
            let more: Vec<String> = words(other);
            scene.engine("last", &more.iter().map(String::as_str).collect::<Vec<_>>())
        }];
        let mut command =
            scene.command(&[engines.concat(), words("--rounds 1 --max-moves 8"), words(options)]);
        let report = scene.report(command.current_dir(scene.dir.path()).output().unwrap());
        let what = format!("{one}, {other}, {options}: {}{}", report.stdout, report.stderr);
        if expected.is_empty() {
            assert_eq!(report.status, 0, "{what}");
        } else {
            assert!(
                report.status != 0 && report.finished() == 0 && report.stderr.contains(expected),
                "{what}"
            );
            assert!(!scene.path("work/journal").exists() && !scene.path("other/page").exists(), "{what}");
        }
    }
}

/// Two games of an engine that is named so, from a folder below the scene's.
fn named(scene: &Scene, program: &str, engine: &str) -> Report {
    let unruly = support::scene::built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
    for folder in ["bin", "work", "weights"] {
        fs::create_dir(scene.path(folder)).unwrap();
    }
    std::os::unix::fs::symlink(scene.path("bin"), scene.path("link")).unwrap();
    scene.file("weights/one", "weights");
    programs::copy(unruly, scene.path("bin/unruly"));
    let engines = ["one", "other"].map(|name| {
        words(&format!(
            "--engine cmd={program} name={name} args=honest sandbox=on timemargin=100000 {engine}"
        ))
    });
    let mut command = scene.command(&[engines.concat(), words("--rounds 1 --max-moves 8")]);
    scene.report(command.current_dir(scene.path("work")).output().unwrap())
}

#[test]
fn a_sandbox_takes_every_spelling_of_a_path() {
    if !has("bwrap") {
        return;
    }
    for (program, engine) in [
        ("../bin/unruly", ""),
        (".././bin/../bin/unruly", ""),
        ("../link/unruly", ""),
        ("../link/../bin/unruly", ""),
        ("../bin/unruly", "dir=../work"),
        ("../bin/unruly", "dir=../work/../bin"),
        ("unruly", "dir=../link"),
        ("../bin/unruly", "read=../weights/one:../bin/../weights"),
        ("../bin/unruly", "read=../bin"),
        ("../bin/unruly", "read=../bin/unruly"),
        ("../bin/unruly", "dir=../bin read=../bin/unruly"),
        ("../bin/unruly", "dir=../work read=../bin:../link"),
        ("../link/unruly", "dir=../weights read=../weights/one"),
    ] {
        let report = named(&Scene::new(), program, engine);
        assert_eq!(report.status, 0, "{program} {engine}: {}{}", report.stdout, report.stderr);
        report.assert_played(2);
    }
}
