//! The documents: commands of the first page, links, and table cells.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::source::{read, shown_commands};
use support::tools::has;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    read(&root().join("README.md"))
}

/// The documents under a folder.
fn documents(folder: &Path) -> Vec<PathBuf> {
    files(folder, ".md")
}

/// The files under a folder whose names end so, without build outputs and hidden folders.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A document without its code blocks.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// The targets of a document's links and pictures.
fn links(page: &str) -> Vec<String> {
    let page = prose(page);
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(str::to_owned).collect()
}

/// The anchors of a document's headings.
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
fn ci_runs_the_two_commands_of_the_first_page() {
    let (readme, ci) = (readme(), read(&root().join(".ci/run")));
    for command in ["cargo build --release --bin kroo --bin referee && target/release/referee", "cargo test"]
    {
        assert!(readme.contains(&format!("\n{command}\n")), "README.md lacks `{command}`");
        assert!(ci.contains(command), ".ci/run lacks `{command}`");
    }
}

/// `clients::python_package` runs the example in Python.
#[test]
fn the_first_page_links_to_the_tested_clients() {
    let links = links(&readme());
    for client in ["examples/drive.py", "examples/drive.mjs", "clients/python/README.md"] {
        assert!(links.contains(&client.to_owned()), "README.md lacks {client}");
    }
}

/// The referee's tests check those of `referee`.
#[test]
fn the_engine_accepts_the_commands_of_the_first_page() {
    let shown = shown_commands(&readme(), "kroo");
    let subcommands: BTreeSet<&str> = shown.iter().filter_map(|words| Some(words.get(1)?.as_str())).collect();
    for word in ["play", "analyse", "solve", "endgame"] {
        assert!(subcommands.contains(word), "README.md has no command `kroo {word}`: {subcommands:?}");
    }
    for words in shown {
        if let Err(error) = kroo::cli::arguments::read(words.iter().map(OsString::from)) {
            panic!("`{}`: {error}", words.join(" "));
        }
    }
}

/// Those within its sentences have words such as `P` and `FILE`.
#[test]
fn the_engine_accepts_the_examples_of_the_manual() {
    let manual = read(&root().join("docs/manual.md"));
    let blocks: String =
        manual.split("```").skip(1).step_by(2).map(|block| format!("```{block}```\n")).collect();
    let shown = shown_commands(&blocks, "kroo");
    for word in ["play", "web", "solve", "endgame", "--variant"] {
        assert!(shown.iter().any(|words| words[1] == word), "the manual has no example `kroo {word}`");
    }
    for words in shown {
        if let Err(error) = kroo::cli::arguments::read(words.iter().map(OsString::from)) {
            panic!("`{}`: {error}", words.join(" "));
        }
    }
}

#[test]
fn every_link_has_a_target() {
    let documents = documents(root());
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "protocol.md"] {
        assert!(documents.contains(&root().join(name)), "there is no {name}");
    }
    let count = check_links(&documents);
    assert!(count > 50, "only {count} links were found");
}

/// The documents of a package link to each other only.
#[test]
fn every_link_of_an_installed_document_has_a_target() {
    let true = has("python") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let script = root().join("packaging/documents");
    let status = Command::new("python3").arg(script).arg(folder.path()).status().expect("it runs");
    assert!(status.success());
    let count = check_links(&documents(folder.path()));
    assert!(count > 20, "only {count} links were found");
}

/// Each link has its file and heading. Returns the number of links.
fn check_links(documents: &[PathBuf]) -> usize {
    let mut count = 0;
    for document in documents {
        let page = read(document);
        for link in links(&page) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let folder = document.parent().expect("a folder");
            let target = if file.is_empty() { document.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: `{link}` has no file", document.display());
            let known = anchor.is_empty() || anchors(&read(&target)).contains(anchor);
            assert!(known, "{}: `{link}` has no heading", document.display());
            count += 1;
        }
    }
    count
}

/// The last cells of a page's table rows between two of its texts, split into words in backticks.
fn places(page: &str, from: &str, to: &str) -> Vec<(String, Vec<String>)> {
    let part = page.split(from).nth(1).and_then(|rest| rest.split(to).next()).expect("a part");
    let rows = part.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    let words = |row: &str| -> Vec<String> {
        let cell = row.trim_end_matches([' ', '|']).rsplit(" | ").next().expect("a cell");
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    rows.map(|row| (row.to_owned(), words(row))).collect()
}

/// Whether a file has a name in its text, or a folder a file of this name.
fn has_name(path: &Path, name: &str) -> bool {
    if path.is_dir() {
        return path.join(name).exists();
    }
    let last = name.rsplit("::").next().expect("a name");
    read(path).contains(last)
}

/// A word with a slash is a path from the top of the repository; any other is a name in one of its row's files.
#[test]
fn the_map_names_files_that_exist() {
    let mut count = 0;
    for (row, words) in places(&read(&root().join("CONTRIBUTING.md")), "\n## Map\n", "\n## ") {
        let (paths, names): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.contains('/'));
        for path in &paths {
            assert!(root().join(path).exists(), "there is no {path}: {row}");
        }
        for name in names {
            let found = paths.iter().any(|path| has_name(&root().join(path), name));
            assert!(found, "no `{name}` in the files of its row: {row}");
        }
        count += paths.len();
    }
    assert!(count > 60, "only {count} paths were found");
}

/// The map is searched for these words of the field.
#[test]
fn the_map_has_the_words_that_people_look_for() {
    let page = read(&root().join("CONTRIBUTING.md"));
    let rows = places(&page, "\n## Map\n", "\n## ");
    let questions: Vec<&str> = rows.iter().filter_map(|(row, _)| row.split(" | ").next()).collect();
    let questions = questions.join("\n").to_lowercase();
    for word in [
        "adjudication",
        "alpha–beta",
        "container image",
        "crosstable",
        "draw",
        "elo",
        "fen",
        "game ended",
        "grand slam",
        "hash table",
        "illegal move",
        "journal",
        "killers",
        "late move",
        "negamax",
        "neural network",
        "null move",
        "opening book",
        "pentanomial",
        "perft",
        "pgn",
        "pondering",
        "quiescence",
        "resume",
        "sandbox",
        "sprt",
        "strength",
        "swiss",
        "tablebases",
        "tie-breaks",
        "time control",
        "time forfeit",
        "time management",
        "transposition table",
        "zobrist",
    ] {
        assert!(questions.contains(word), "the map lacks `{word}`");
    }
}

/// A figure is in a table with its commit, below the command that measures it; only code in sentences has digits.
#[test]
fn the_benchmarks_have_figures_in_tables_and_commands() {
    let page = read(&root().join("docs/benchmarks.md"));
    let outside =
        |text: &str, marks: [&str; 2]| -> String {
            let parts = text.split(marks[0]).enumerate();
            let kept = parts.map(|(place, part)| {
                if place == 0 { part } else { part.split_once(marks[1]).map_or("", |(_, rest)| rest) }
            });
            kept.collect()
        };
    let sentences = prose(&page);
    for paragraph in sentences.split("\n\n").filter(|text| !text.trim_start().starts_with(['#', '|'])) {
        let words: String = paragraph.split('`').step_by(2).collect();
        let words = outside(&words, ["](", ")"]);
        assert!(
            !words.contains(|letter: char| letter.is_ascii_digit()),
            "a figure outside a table: {paragraph}"
        );
    }
    let sections: Vec<&str> = page.split("\n## ").flat_map(|part| part.split("\n### ")).skip(1).collect();
    assert!(sections.len() > 10, "only {} sections", sections.len());
    for section in sections {
        let heading = section.lines().next().expect("a heading");
        assert!(section.contains("```sh\n") || section.contains("](measuring.md#"), "{heading}: no command");
        let lines: Vec<&str> = section.lines().collect();
        let heads = lines.windows(2).filter(|pair| pair[1].starts_with("|---")).map(|pair| pair[0]);
        for head in heads {
            assert!(head.starts_with("| subject") && head.ends_with("| commit |"), "{heading}: {head}");
        }
        let rows = lines.iter().filter(|line| line.starts_with("| ") && !line.starts_with("| subject"));
        for row in rows {
            let commit = row.trim_end_matches(" |").rsplit(" | ").next().expect("a cell");
            assert!(commit != "—" && !commit.is_empty(), "{heading}: no commit: {row}");
        }
    }
}

#[test]
fn links_anchors_and_commands_are_found() {
    let page = "# A `b`, c?\n[x](y.md#z) ![p](q/r.svg)\n```sh\n# no heading [no](link)\n```\n[s](#a-b-c)\n";
    assert_eq!(links(page), ["y.md#z", "q/r.svg", "#a-b-c"]);
    assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), ["a-b-c"]);
    let page = "`kroo go` and `rook`\n```text\nkroo A vs kroo B\n```\n```sh\nmake && x/kroo a \\\n  b  # c\ng \"/kroo d\"\n```\n";
    let expected: [&[&str]; 3] = [&["kroo", "go"], &["x/kroo", "a", "b"], &["/kroo", "d"]];
    assert_eq!(shown_commands(page, "kroo"), expected);
}

/// A picture looks the same without a network, and tells no server that it is looked at.
#[test]
fn pictures_ask_no_server() {
    let mut drawings = files(root(), ".svg");
    drawings.retain(|path| !path.components().any(|part| part.as_os_str() == "node_modules"));
    assert!(drawings.iter().any(|path| path.ends_with("docs/pictures/board.svg")), "{drawings:?}");
    for path in drawings {
        let text = read(&path);
        for outside in ["url(\"http", "url(http", "url('http", "href=", "@import", "@font-face"] {
            assert!(!text.contains(outside), "{} has {outside}", path.display());
        }
    }
}
