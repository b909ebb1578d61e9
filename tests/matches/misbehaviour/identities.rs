//! Which engine has played: by the content of its executable, and by what it calls itself.

use std::fs;
use std::path::Path;
use std::process::Command;
use support::programs::{self, referee_path};
use support::scene::{Report, Scene, built, words};

/// Copies of two engines: `one` and `same` are the same, `other` is not.
fn copies(scene: &Scene) {
    for (name, copy) in [("unruly", "one"), ("unruly", "same"), ("instant", "other")] {
        let engine = built(&format!("examples/{name}"), &["-p", "kroo-referee", "--example", name]);
        programs::copy(engine, scene.path(copy));
    }
}

/// A part of a match of `fixed` against the engine called `copy`, which is one of the copies and calls itself something.
fn part(scene: &Scene, copy: &str, calls_itself: &str, options: &str) -> Report {
    let engine = |name: &str, copy: &str| {
        words(&format!("--engine cmd={} name={name} depth=1", scene.path(copy).display()))
    };
    let id = vec![format!("env.ID_NAME={calls_itself}")];
    for file in ["games.ogn", "games.json"] {
        let _ = fs::remove_file(scene.path(file));
    }
    let options = words(&format!("--max-moves 12 --rounds 4 {options}"));
    scene.run(&[engine("fixed", "one"), engine("copy", copy), id, options])
}

fn journal(scene: &Scene, name: &str) -> String {
    scene.path(name).to_string_lossy().into_owned()
}

#[test]
fn what_an_engine_calls_itself_is_in_the_journal_and_in_json() {
    let scene = Scene::new();
    copies(&scene);
    let path = journal(&scene, "journal");
    let report = part(&scene, "one", "New\u{1b} 1.0", &format!("--journal {path}"));
    report.assert_played(8);
    let engines = &report.json["result"]["engines"];
    assert_eq!(
        (&engines[0]["id_name"], &engines[1]["id_name"]),
        (&"Unruly".into(), &"New\\u{1b} 1.0".into())
    );
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.lines().skip(1).all(|line| line.contains("\"Unruly\"") && line.contains("New\\\\u{1b} 1.0")),
        "{text}"
    );
    // One game is left to play: not by another engine under the same name.
    let shorter: Vec<&str> = text.lines().take(8).collect();
    fs::write(&path, shorter.join("\n") + "\n").unwrap();
    let again = |name: &str, options: &str| {
        part(&scene, "one", name, &format!("--journal {path} --resume {options}"))
    };
    let report = again("Old 0.9", "");
    assert_eq!((report.status, report.finished()), (12, 0), "{}", report.stdout);
    let expected = "copy: it calls itself `Old 0.9`, but `New\\u{1b} 1.0` has played under its name before: it is another engine";
    report.complains(expected);
    let report = again("Old 0.9", "--recover");
    assert_eq!((report.status, report.finished()), (12, 0), "{}", report.stdout);
    let report = again("New\u{1b} 1.0", "");
    assert_eq!((report.status, report.finished()), (0, 1), "{}", report.stderr);
}

fn merged(scene: &Scene, journals: [&str; 2]) -> (bool, String) {
    let paths = journals.map(|name| scene.path(name));
    let output = Command::new(referee_path()).arg("merge").args(paths).output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn parts_by_equal_engines_are_merged_and_by_others_not() {
    let scene = Scene::new();
    copies(&scene);
    let shard = |file: &str, part_of: &str, copy: &str, name: &str| {
        let path = journal(&scene, file);
        part(&scene, copy, name, &format!("--shard {part_of} --journal {path}")).assert_played(4);
    };
    shard("first", "1/2", "one", "New 1");
    shard("second", "2/2", "same", "New 1");
    let (joined, said) = merged(&scene, ["first", "second"]);
    assert!(joined, "equal executables at different places: {said}");
    shard("renamed", "2/2", "same", "New 2");
    let (joined, said) = merged(&scene, ["first", "renamed"]);
    let expected =
        "are journals of different engines: copy calls itself `New 1` in the one and `New 2` in the other";
    assert!(!joined && said.contains(expected), "{said}");
    shard("foreign", "2/2", "other", "New 1");
    let (joined, said) = merged(&scene, ["first", "foreign"]);
    let expected = "are journals of different tournaments: programs.1 is ";
    assert!(!joined && said.contains(expected), "{said}");
    assert!(Path::new(&journal(&scene, "first")).is_file());
}
