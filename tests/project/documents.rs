//! The documents: the first page is short, its commands are understood, and no link leads nowhere.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use support::source::{read, shown_commands};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    read(&root().join("README.md"))
}

/// The documents under a folder, without build outputs and hidden folders.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            found.extend(documents(&path));
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The parts of a document that are not blocks of code.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// Where the links and pictures of a document lead.
fn links(page: &str) -> Vec<String> {
    let page = prose(page);
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(str::to_owned).collect()
}

/// The names of a document's headings, as links have them.
fn anchors(page: &str) -> BTreeSet<String> {
    let page = prose(page);
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let name = |line: &str| -> String {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|&c| c.is_alphanumeric() || [' ', '-', '_'].contains(&c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

#[test]
fn the_first_page_has_the_two_commands_that_ci_runs() {
    let (readme, ci) = (readme(), read(&root().join(".ci/run")));
    for command in ["cargo build --release --bin kroo --bin referee && target/release/referee", "cargo test"]
    {
        assert!(readme.contains(&format!("\n{command}\n")), "README.md lacks `{command}`");
        assert!(ci.contains(command), ".ci/run lacks `{command}`");
    }
}

/// The example in Python is run by `clients::python_package`; the small clients are one click away.
#[test]
fn the_first_page_leads_to_clients_that_are_tested() {
    let links = links(&readme());
    for client in ["tests/clients/drive.py", "tests/clients/drive.mjs", "clients/python/README.md"] {
        assert!(links.contains(&client.to_owned()), "README.md lacks {client}");
    }
}

/// The referee's are checked among its own tests.
#[test]
fn the_engine_understands_the_commands_of_the_first_page() {
    let shown = shown_commands(&readme(), "kroo");
    let subcommands: BTreeSet<&str> = shown.iter().filter_map(|words| Some(words.get(1)?.as_str())).collect();
    for word in ["play", "analyse", "endgame", "--variant"] {
        assert!(subcommands.contains(word), "README.md has no command `kroo {word}`: {subcommands:?}");
    }
    for words in shown {
        if let Err(error) = kroo::arguments::read(words.iter().map(OsString::from)) {
            panic!("`{}`: {error}", words.join(" "));
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let documents = documents(root());
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "protocol.md"] {
        assert!(documents.contains(&root().join(name)), "there is no {name}");
    }
    let mut count = 0;
    for document in &documents {
        let page = read(document);
        for link in links(&page) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let folder = document.parent().expect("a folder");
            let target = if file.is_empty() { document.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: `{link}` leads to no file", document.display());
            let known = anchor.is_empty() || anchors(&read(&target)).contains(anchor);
            assert!(known, "{}: `{link}` leads to no heading", document.display());
            count += 1;
        }
    }
    assert!(count > 50, "only {count} links were found");
}

/// Details go below a table.
#[test]
fn cells_of_tables_are_short() {
    let is_row = |line: &&str| line.starts_with('|');
    for document in documents(root()) {
        let page = prose(&read(&document));
        for row in page.lines().filter(is_row) {
            for cell in row.replace("\\|", " ").split('|') {
                let words = cell.split_whitespace().count();
                assert!(words <= 12, "{}: a cell of {words} words: `{}`", document.display(), cell.trim());
            }
        }
    }
}

#[test]
fn the_readers_of_documents_read_them() {
    let page = "# A `b`, c?\n[x](y.md#z) ![p](q/r.svg)\n```sh\n# no heading [no](link)\n```\n[s](#a-b-c)\n";
    assert_eq!(links(page), ["y.md#z", "q/r.svg", "#a-b-c"]);
    assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), ["a-b-c"]);
    let page = "`kroo go` and `rook`\n```text\nkroo A vs kroo B\n```\n```sh\nmake && x/kroo a \\\n  b  # c\ng \"/kroo d\"\n```\n";
    let expected: [&[&str]; 3] = [&["kroo", "go"], &["x/kroo", "a", "b"], &["/kroo", "d"]];
    assert_eq!(shown_commands(page, "kroo"), expected);
}
