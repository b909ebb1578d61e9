//! A program is started as what it was when the match began, or not at all; and it finds its own path as before.

use std::fs;
use support::programs;
use support::scene::{Report, Scene, built, words};
use support::tools::has;

/// An engine that runs a command as soon as it is to move, and ends.
const RIVAL: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
        uci) echo "id name rival"; echo uciok ;;
        isready) echo readyok ;;
        go*) eval "$ATTACK"; exit ;;
        quit) exit ;;
    esac
done
"#;

/// A copy of an engine, or a script that starts it.
fn victim(scene: &Scene, is_script: bool) -> String {
    let unruly = built("examples/unruly", &["-p", "kroo-referee", "--example", "unruly"]);
    let path = scene.path("victim");
    if is_script {
        programs::script(&path, &format!("#!/bin/sh\nexec {} \"$@\"\n", unruly.display()));
    } else {
        programs::copy(unruly, &path);
    }
    path.to_string_lossy().into_owned()
}

/// Two games of the victim, which is started for each, and a rival that attacks its file in the first.
fn attacked(is_script: bool, attack: &str) -> (Scene, Report) {
    attacked_in(Scene::new(), is_script, attack, "")
}

/// The same in a scene, with more words for the victim.
fn attacked_in(scene: Scene, is_script: bool, attack: &str, more: &str) -> (Scene, Report) {
    let victim = victim(&scene, is_script);
    let rival = programs::script(scene.path("rival"), RIVAL);
    programs::script(scene.path("new"), "#!/bin/sh\ntouch \"${0%/*}/executed\"\n");
    let attack = attack.replace("NEW", &scene.path("new").to_string_lossy()).replace("VICTIM", &victim);
    let engines = vec![
        words(&format!("--engine cmd={victim} name=victim args=honest restart=on st=5 {more}")),
        words(&format!("--engine cmd={rival} name=rival st=5")),
        vec![format!("env.ATTACK={attack}")],
        words("--rounds 1 --max-moves 8"),
    ];
    let report = scene.run(&engines);
    (scene, report)
}

#[test]
fn a_script_that_was_replaced_is_not_started() {
    for attack in ["mv NEW VICTIM", "cat NEW > VICTIM"] {
        let (scene, report) = attacked(true, attack);
        assert_eq!(report.status, 12, "{attack}: {}{}", report.stdout, report.stderr);
        report.complains("has been replaced or changed since it was hashed");
        assert!(!scene.path("executed").exists(), "{attack}");
    }
}

/// A native program is started through the descriptor by which it was hashed, and a sandbox has a sealed copy.
#[test]
fn a_program_that_is_open_is_played_on_whatever_takes_its_place() {
    let sandbox = if has("bwrap") { "sandbox=on" } else { "" };
    for (attack, more) in [
        ("mv NEW VICTIM", ""),
        ("rm VICTIM; cp NEW VICTIM", ""),
        ("cat NEW > VICTIM", ""),
        ("mv NEW VICTIM", sandbox),
        ("cat NEW > VICTIM", sandbox),
    ] {
        let (scene, report) = attacked_in(Scene::new(), false, attack, more);
        assert_eq!(report.finished(), 2, "{attack} {more}: {}{}", report.stdout, report.stderr);
        assert!(!scene.path("executed").exists(), "{attack}");
    }
}

/// A folder that a sandbox shows hides a sealed copy of a program in it.
#[test]
fn a_program_in_a_folder_that_its_sandbox_shows_is_not_replaced() {
    if !has("bwrap") {
        return;
    }
    for shown in ["", "/victim"] {
        let scene = Scene::new();
        let more = format!("sandbox=on read={}{shown}", scene.dir.path().display());
        let (scene, report) = attacked_in(scene, false, "mv NEW VICTIM", &more);
        assert_eq!(report.status, 12, "{more}: {}{}", report.stdout, report.stderr);
        report.complains("has been replaced or changed since it was hashed");
        assert!(!scene.path("executed").exists(), "{more}");
    }
}

#[test]
fn a_program_with_another_name_or_time_is_still_the_same() {
    for (is_script, attack) in
        [(false, "touch VICTIM"), (true, "cp VICTIM NEW; mv NEW VICTIM; chmod 755 VICTIM")]
    {
        let (_, report) = attacked(is_script, attack);
        assert_eq!(report.finished(), 2, "{attack}: {}{}", report.stdout, report.stderr);
    }
}

/// An executable and a script, with a sandbox and without, in folders and by links.
#[test]
fn programs_find_their_own_path() {
    let has_sandbox = has("bwrap");
    for options in ["", "--sandbox"] {
        if !options.is_empty() && !has_sandbox {
            continue;
        }
        let scene = Scene::new();
        let program = victim(&scene, false);
        let link = scene.path("link");
        std::os::unix::fs::symlink(&program, &link).unwrap();
        let home = scene.path("home");
        fs::create_dir(&home).unwrap();
        programs::copy(&program, home.join("engine"));
        for (path, dir) in
            [(&scene.path("victim"), false), (&link, false), (&home.join("engine"), true), (&link, true)]
        {
            let told = told(&scene, &path.to_string_lossy(), dir, options);
            let real = path.canonicalize().unwrap();
            for line in [format!("program {}", real.display()), format!("called {}", path.display())] {
                assert!(told.lines().any(|found| found == line), "{options} no `{line}`: {told}");
            }
        }
        // A script finds the files of its folder, if it may read them.
        scene.file("beside", "beside");
        let script = "#!/bin/sh\nread -r line < \"${0%/*}/beside\"\necho \"$line of $0\" >&2\nexec \"${0%/*}/victim\" \"$@\"\n";
        let script = programs::script(scene.path("script"), script);
        let told = told(&scene, &script, false, options);
        assert!(told.contains(&format!("beside of {script}\n")), "{options}: {told}");
    }
}

/// The output of an inspecting engine started by this path.
fn told(scene: &Scene, path: &str, dir: bool, options: &str) -> String {
    let file = scene.path("told.txt");
    let _ = fs::remove_file(&file);
    let files = ["victim", "beside"].map(|name| scene.path(name).to_string_lossy().into_owned()).join(":");
    let mut engine = words(&format!(
        "--engine cmd={path} name=one args=inspecting st=5 filesize=1 stderr={}",
        file.display()
    ));
    if scene.path("beside").exists() {
        engine.push(format!("read={files}"));
    }
    // It writes files where it runs.
    let folder = scene.path(if dir { "home" } else { "elsewhere" });
    fs::create_dir_all(&folder).unwrap();
    engine.push(format!("dir={}", folder.display()));
    let other = scene.engine("honest", &["st=5"]);
    let report = scene.run(&[engine, other, words(&format!("--rounds 1 --max-moves 8 {options}"))]);
    report.assert_played(2);
    fs::read_to_string(file).unwrap_or_default()
}
