//! The recipe of the guide for match runners that tests a change of an engine, run as it is written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use support::programs::referee_path;
use support::scene::{Scene, built};

/// The first block of commands below a heading of the guide.
fn recipe(heading: &str) -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let guide = fs::read_to_string(guide).unwrap();
    let section = guide.split_once(&format!("\n## {heading}\n")).expect("the heading").1;
    section.split_once("```sh\n").and_then(|(_, rest)| rest.split_once("```")).expect("commands").0.to_owned()
}

/// A program of the shell in a folder.
fn script(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The build copies a finished engine, and the match is a short one; everything else is as in the guide.
#[test]
fn a_change_of_an_engine_is_tested_by_the_recipe() {
    let scene = Scene::new();
    let [programs, mine] = ["programs", "mine"].map(|name| scene.path(name));
    for folder in [&programs, &mine] {
        fs::create_dir(folder).unwrap();
    }
    let engine = built("kroo", &["-p", "kroo", "--bin", "kroo"]);
    let build = "[ \"$*\" = 'build --release --target-dir target' ] && mkdir -p target/release && cp";
    script(&programs, "cargo", &format!("{build} '{}' target/release/mine", engine.display()));
    script(&programs, "referee", &format!("exec '{}' \"$@\" --rounds 2 --max-moves 20", referee_path()));
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let shell = |text: &str| {
        let mut shell = Command::new("sh");
        let output = shell.args(["-ec", text]).current_dir(&mine).env("PATH", &path).output().unwrap();
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
        (output.status.code(), said)
    };
    let commit = "git -c user.name=A -c user.email=a@localhost commit --quiet --all --message";
    let repository = format!(
        "git init --quiet; echo /target > .gitignore; git add .gitignore; {commit} old; echo >> .gitignore; {commit} new"
    );
    let (status, said) = shell(&repository);
    assert_eq!(status, Some(0), "{said}");
    let (played, rest) =
        recipe("Testing a change of your engine").split_once("\ngit worktree remove").map_or_else(
            || panic!("the recipe removes its worktree"),
            |(played, rest)| (played.to_owned(), format!("git worktree remove{rest}")),
        );
    let (status, said) = shell(&played);
    assert_eq!(status, Some(11), "no verdict after four games: {said}");
    assert!(said.contains("Results of new vs old (oware, nodes=20000)"), "{said}");
    assert!(mine.join("change.journal").exists() && scene.path("old/target/release/mine").exists());
    let (status, said) = shell(&rest);
    assert!(status == Some(0) && !scene.path("old").exists(), "{said}");
}
