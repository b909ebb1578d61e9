//! The completions complete, and the man pages can be shown.

mod installs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The programs, each with a command's beginning and the command.
const PROGRAMS: [(&str, &str, &str); 3] =
    [("kroo", "pl", "play"), ("referee", "mer", "merge"), ("evolve", "ta", "tables")];

fn written() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new(env!("CARGO_BIN_EXE_packaging")).arg(folder.path()).output().expect("it starts");
    assert!(made.status.success(), "{}", said(&made));
    folder
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// The output of a shell; `None` if it is not installed.
fn run(program: &str, words: &[&str]) -> Option<Output> {
    match Command::new(program).args(words).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        output => Some(output.expect("it runs")),
    }
}

#[test]
fn bash_completes_the_commands_of_each_program() {
    let folder = written();
    let place = folder.path().join("bash-completion/completions");
    for (program, begun, command) in PROGRAMS {
        let file = place.join(program);
        let file = file.to_str().expect("a path");
        let Some(checked) = run("bash", &["-n", file]) else { return };
        assert!(checked.status.success(), "{}", said(&checked));
        let script = format!(
            "source '{file}'; COMP_WORDS=({program} {begun}); COMP_CWORD=1; \
             $(complete -p {program} | sed 's/.*-F \\([^ ]*\\).*/\\1/') {program} {begun} {program}; \
             echo \"${{COMPREPLY[@]}}\""
        );
        let completed = run("bash", &["-c", &script]).expect("there was one");
        assert_eq!(said(&completed).trim(), command, "{program}");
    }
}

#[test]
fn every_shell_gets_a_file_of_each_program() {
    let folder = written();
    for (program, _, command) in PROGRAMS {
        for file in
            [format!("zsh/site-functions/_{program}"), format!("fish/vendor_completions.d/{program}.fish")]
        {
            let text = fs::read_to_string(folder.path().join(&file))
                .unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(text.contains(command), "{file} does not know `{command}`");
        }
    }
}

/// Unfinished command lines, and the last word after completion.
const BEGUN: [(&str, &str); 6] = [
    ("kroo endgame bu", "build"),
    ("kroo play --level b", "beginner"),
    ("kroo play --variant awari1", "awari1978"),
    ("kroo --hash 8 endgame ver", "verify"),
    ("kroo dat", "datagen"),
    ("referee che", "check"),
];

#[test]
fn fish_completes_commands_and_their_words() {
    let folder = written();
    let place = folder.path().join("fish/vendor_completions.d");
    for (begun, word) in BEGUN {
        let program = begun.split(' ').next().expect("a word");
        let file = place.join(format!("{program}.fish"));
        let script = format!("source '{}'; complete -C '{begun}'", file.display());
        let Some(completed) = run("fish", &["--no-config", "-c", &script]) else { return };
        let said = said(&completed);
        assert!(said.lines().any(|line| line.split('\t').next() == Some(word)), "{begun}: {said}");
    }
}

/// Completes a line by the tab key in a zsh on a terminal, and prints it.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=('$1' \$fpath); autoload -U compinit; compinit -u -D; setopt no_beep no_list_beep no_auto_list; print READY"
zpty -r -m shell said '*READY*'
zpty -n -w shell "$2"$'\t\x01print -r -- \'<\x05>\'\n'
zpty -r -m shell said $'*\n<*>*'
print -r -- ${${said##*$'\n'<}%%>*}
zpty -d shell
"#;

#[test]
fn zsh_completes_commands_and_their_words() {
    let folder = written();
    let place = folder.path().join("zsh/site-functions");
    for (begun, word) in BEGUN {
        let place = place.to_str().expect("a path");
        let Some(completed) = run("zsh", &["-f", "-c", ZSH, "zsh", place, begun]) else { return };
        let whole = begun.rsplit_once(' ').expect("words").0;
        assert_eq!(said(&completed).trim(), format!("{whole} {word}"), "{begun}");
    }
}

#[test]
fn pages_are_written_for_the_programs_that_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new(env!("CARGO_BIN_EXE_packaging")).arg(folder.path()).arg("kroo").output();
    assert!(made.expect("it starts").status.success());
    let pages = files(&folder.path().join("man/man1"));
    let is_of_kroo =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("kroo"));
    assert!(pages.len() > 5 && pages.iter().all(is_of_kroo), "{pages:?}");
    let wrong = Command::new(env!("CARGO_BIN_EXE_packaging")).arg(folder.path()).arg("chess").output();
    assert!(!wrong.expect("it starts").status.success());
}

#[test]
fn every_page_explains_its_options() {
    let folder = written();
    for page in files(&folder.path().join("man/man1")) {
        let text = fs::read_to_string(&page).expect("a page");
        let entries: Vec<&str> = text.split("\n.TP\n").skip(1).collect();
        assert!(entries.len() > 1, "{}", page.display());
        for entry in entries {
            let meaning = entry.lines().nth(1).unwrap_or("");
            assert!(!meaning.trim().is_empty(), "{}: {entry}", page.display());
        }
    }
}

#[test]
fn every_page_can_be_shown() {
    let folder = written();
    let pages = files(&folder.path().join("man/man1"));
    for (program, _, command) in PROGRAMS {
        for page in [format!("{program}.1"), format!("{program}-{command}.1")] {
            assert!(pages.iter().any(|path| path.ends_with(&page)), "there is no {page}");
        }
    }
    if !support::tools::has("groff") {
        return;
    }
    for page in pages {
        let page = page.to_str().expect("a path");
        let shown = run("groff", &["-man", "-Tutf8", "-ww", page]).expect("it is here");
        assert!(shown.status.success() && shown.stderr.is_empty(), "{page}: {}", said(&shown));
        assert!(shown.stdout.len() > 500, "{page} is nearly empty");
    }
}
