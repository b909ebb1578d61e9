//! The completions complete, and the man pages can be shown.

mod installs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::tools::has;
use tempfile::TempDir;

/// The programs, each with a command.
const PROGRAMS: [(&str, &str); 3] = [("kroo", "play"), ("referee", "merge"), ("evolve", "tables")];

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

/// The output of a program that is installed.
fn run(program: &str, words: &[&str]) -> Output {
    Command::new(program).args(words).output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// Unfinished command lines, and the last word after completion.
const BEGUN: [(&str, &str); 8] = [
    ("kroo endgame bu", "build"),
    ("kroo play --level b", "beginner"),
    ("kroo play --variant awari1", "awari1978"),
    ("kroo --hash 8 endgame ver", "verify"),
    ("kroo dat", "datagen"),
    ("kroo pl", "play"),
    ("referee che", "check"),
    ("evolve ta", "tables"),
];

/// Completes a line as bash does after the tab key, and prints it.
const BASH: &str = r#"
source "$1/${2%% *}"
COMP_WORDS=($2)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
"$(complete -p "${2%% *}" | sed 's/.*-F \([^ ]*\).*/\1/')" "${COMP_WORDS[0]}" "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
echo "${2% *} ${COMPREPLY[*]}"
"#;

#[test]
fn bash_completes_commands_and_their_words() {
    let folder = written();
    let place = folder.path().join("bash-completion/completions");
    let place = place.to_str().expect("a path");
    for (begun, word) in BEGUN {
        let completed = run("bash", &["-c", BASH, "bash", place, begun]);
        let whole = begun.rsplit_once(' ').expect("words").0;
        assert_eq!(said(&completed).trim(), format!("{whole} {word}"), "{begun}");
    }
}

#[test]
fn every_shell_gets_a_file_of_each_program() {
    let folder = written();
    for (program, command) in PROGRAMS {
        for file in
            [format!("zsh/site-functions/_{program}"), format!("fish/vendor_completions.d/{program}.fish")]
        {
            let text = fs::read_to_string(folder.path().join(&file))
                .unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(text.contains(command), "{file} does not know `{command}`");
        }
    }
}

#[test]
fn fish_completes_commands_and_their_words() {
    let true = has("fish") else { return };
    let folder = written();
    let place = folder.path().join("fish/vendor_completions.d");
    for (begun, word) in BEGUN {
        let program = begun.split(' ').next().expect("a word");
        let file = place.join(format!("{program}.fish"));
        let script = format!("source '{}'; complete -C '{begun}'", file.display());
        let completed = run("fish", &["--no-config", "-c", &script]);
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
    let true = has("zsh") else { return };
    let folder = written();
    let place = folder.path().join("zsh/site-functions");
    for (begun, word) in BEGUN {
        let place = place.to_str().expect("a path");
        let completed = run("zsh", &["-f", "-c", ZSH, "zsh", place, begun]);
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
    for (program, command) in PROGRAMS {
        for page in [format!("{program}.1"), format!("{program}-{command}.1")] {
            assert!(pages.iter().any(|path| path.ends_with(&page)), "there is no {page}");
        }
    }
    let true = has("groff") else { return };
    for page in pages {
        let page = page.to_str().expect("a path");
        let shown = run("groff", &["-man", "-Tutf8", "-ww", page]);
        assert!(shown.status.success() && shown.stderr.is_empty(), "{page}: {}", said(&shown));
        assert!(shown.stdout.len() > 500, "{page} is nearly empty");
    }
}
