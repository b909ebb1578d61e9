//! The packages have the metadata and the files that a registry needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::source::{read, rust_files};
use support::tools::has;

/// The published packages.
const PUBLISHED: [&str; 6] =
    ["", "src/core", "src/endgames", "src/protocol", "tournament", "tournament/evolution"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The section `package` of a manifest.
fn said(folder: &str) -> String {
    let manifest = read(&root().join(folder).join("Cargo.toml"));
    let package = manifest.split("[package]\n").nth(1).expect("a package");
    package.split("\n[").next().expect("a section").to_owned()
}

#[test]
fn each_package_has_the_metadata_of_a_registry() {
    for folder in PUBLISHED {
        let said = said(folder);
        for key in ["name", "description", "readme", "keywords", "categories", "include"] {
            assert!(said.contains(&format!("\n{key} = ")) || said.starts_with(key), "{folder}: no {key}");
        }
        for key in ["version", "edition", "rust-version", "license", "authors", "repository"] {
            assert!(
                said.contains(&format!("\n{key}.workspace = true")),
                "{folder}: no {key} of the workspace"
            );
        }
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let text = read(&root().join(folder).join(licence));
            assert_eq!(text, read(&root().join(licence)), "{folder}: {licence} differs");
        }
        // Its links are read from there; `documents` checks that each has a target.
        assert!(said.contains("\nreadme = \"README.md\"\n"), "{folder}: the page is of another folder");
        assert!(said.contains("\"/README.md\""), "{folder}: the page is not published");
    }
}

/// So that a package from a registry finds the others there.
#[test]
fn dependencies_between_packages_have_versions() {
    let workspace = read(&root().join("Cargo.toml"));
    let after = |key: &str| {
        let rest = workspace.split(key).nth(1).unwrap_or_else(|| panic!("no {key}"));
        rest.split('"').next().expect("a word").to_owned()
    };
    let version = after("\nversion = \"");
    for name in ["kroo", "kroo-core", "kroo-endgames", "kroo-evolution", "kroo-protocol", "kroo-referee"] {
        let asked = workspace.lines().find(|line| line.starts_with(&format!("{name} = {{ path = ")));
        let asked = asked.unwrap_or_else(|| panic!("no path of {name}"));
        assert!(asked.ends_with(&format!("version = \"{version}\" }}")), "another version: {asked}");
    }
    assert_eq!(workspace.matches("\nrepository = ").count(), 1, "the repository is named once");
    for (file, before) in [
        ("clients/python/pyproject.toml", "\nversion = \""),
        ("clients/python/src/kroo/__init__.py", "\n__version__ = \""),
        ("clients/python/README.md", "pip install kroo-"),
        ("clients/npm/package.json", "\"version\": \""),
        ("clients/npm/README.md", "npm install ./kroo-"),
        ("packaging/README.md", "A tag `v"),
    ] {
        let text = read(&root().join(file));
        let rest = text.split_once(before).unwrap_or_else(|| panic!("{file}: no {before}")).1;
        let found = rest.strip_prefix(&version).and_then(|rest| rest.chars().next());
        assert!(found.is_some_and(|next| "\"`-.".contains(next)), "{file}: another version than {version}");
    }
}

/// Registries for Python and JavaScript show the repository, and PyPI resolves no relative link.
fn assert_pages_name_the_repository(root: &Path, repository: &str) {
    for file in ["Cargo.toml", "clients/python/pyproject.toml", "clients/npm/package.json"] {
        assert!(read(&root.join(file)).contains(repository), "{file}: no {repository}");
    }
    for file in PAGES {
        let page = read(&root.join(file));
        let links = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with('#')) {
            assert!(link.starts_with("https://"), "{file}: `{link}` must be a full address");
        }
    }
}

/// The pages of packages for other registries.
const PAGES: [&str; 2] = ["clients/python/README.md", "clients/npm/README.md"];

#[test]
fn the_pages_of_other_registries_name_the_repository() {
    let workspace = read(&root().join("Cargo.toml"));
    let repository = workspace.split("\nrepository = \"").nth(1).and_then(|rest| rest.split('"').next());
    let repository = repository.expect("a repository");
    if !repository.is_empty() {
        assert_pages_name_the_repository(root(), repository);
    }
}

/// One command fills in the repository before the first release.
#[test]
fn a_repository_is_filled_in_everywhere() {
    if !has("python") {
        return;
    }
    let copy = tempfile::tempdir().expect("a folder");
    for file in
        ["Cargo.toml", "clients/python/pyproject.toml", "clients/npm/package.json"].iter().chain(&PAGES)
    {
        let place = copy.path().join(file);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::copy(root().join(file), place).expect("a copy");
    }
    let address = "https://example.org/games/kroo";
    let fill_in = || {
        let mut command = Command::new("python3");
        command.arg(root().join("packaging/repository")).arg(address).arg(copy.path());
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    fill_in();
    assert_pages_name_the_repository(copy.path(), address);
    let page = read(&copy.path().join(PAGES[0]));
    let prefix = format!("]({address}/blob/v{}/", env!("CARGO_PKG_VERSION"));
    let mut count = 0;
    for link in page.split(&prefix).skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
        assert!(root().join(link).exists(), "{link} is not in the repository");
        count += 1;
    }
    assert!(count >= 2, "the page has other links");
    fill_in();
    assert_eq!(read(&copy.path().join(PAGES[0])), page, "a second time changes nothing");
}

/// A package names the code that is in it, and no other.
#[test]
fn each_package_has_its_own_licences() {
    if !has("python") {
        return;
    }
    let list = |words: &[&str]| -> Vec<String> {
        let mut command = Command::new("python3");
        command.args(["packaging/licences", "--texts"]).args(words).current_dir(root());
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let table = text.split("\n\n").nth(1).expect("a table");
        table.lines().map(|line| line.split(' ').next().expect("a name").to_owned()).collect()
    };
    let has = |list: &[String], name: &str| list.iter().any(|package| package == name);
    let (programs, wheel, npm) = (list(&[]), list(&["wheel"]), list(&["npm"]));
    for (name, expected) in [
        ("nom", [true, true, true]),
        ("pyo3", [false, true, false]),
        ("clap", [true, true, false]),
        ("redis", [true, false, false]),
        ("syn", [true, false, false]),
    ] {
        assert_eq!([&programs, &wheel, &npm].map(|list| has(list, name)), expected, "{name}");
    }
    assert!(npm.len() < 40 && wheel.len() < programs.len(), "{} {}", npm.len(), wheel.len());
}

/// The files included by the code of a package.
fn compiled_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in rust_files(folder) {
        let text = read(&path);
        for call in ["include_str!(\"", "include_bytes!(\""] {
            for rest in text.split(call).skip(1) {
                let name = rest.split('"').next().expect("a name");
                found.push(path.parent().expect("a folder").join(name));
            }
        }
    }
    found
}

#[test]
fn included_files_belong_to_the_package() {
    let mut count = 0;
    for folder in PUBLISHED {
        let package = root().join(folder);
        let sources = if folder.starts_with("src/") { "" } else { "src" };
        assert!(
            said(folder).contains(&format!("include = [\"/{sources}")),
            "{folder}: {sources} is not published"
        );
        let source = package.join(sources).canonicalize().expect("a folder");
        for file in compiled_in(&source) {
            let file = file.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            assert!(file.starts_with(&source), "{} is not published", file.display());
            count += 1;
        }
    }
    assert!(count > 10, "only {count} files were found");
}

/// The argument parser may change its version without a new version of ours.
#[test]
fn the_documented_modules_do_not_know_the_command_line() {
    let mut count = 0;
    for folder in ["src", "tournament/evolution/src"] {
        let folder = root().join(folder);
        let library = read(&folder.join("lib.rs"));
        for path in rust_files(&folder).iter().filter(|path| read(path).contains("clap")) {
            let place = path.strip_prefix(&folder).expect("a file of the folder");
            let module = place.iter().next().expect("a name").to_string_lossy().replace(".rs", "");
            let declared = format!("pub mod {module};\n");
            if let Some((before, _)) = library.split_once(&declared) {
                assert!(before.ends_with("#[doc(hidden)]\n"), "{} is in the documentation", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 10, "only {count} files use clap");
}

/// Machines without containers cannot build it.
#[test]
fn the_image_takes_files_that_exist_and_all_licence_texts() {
    let text = read(&root().join("packaging/Containerfile"));
    let taken: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("COPY --from=build "))
        .flat_map(|line| line.split(' ').filter_map(|word| word.strip_prefix("/build/")))
        .collect();
    for path in &taken {
        let is_made = match path.strip_prefix("target/release/") {
            Some(program) => text.contains(&format!(" --bin {program}")),
            None => text.contains(&format!(">{path}\n")) || root().join(path).is_file(),
        };
        assert!(is_made, "no step makes {path}");
    }
    assert!(text.contains("packaging/licences --texts >licences.txt") && taken.contains(&"licences.txt"));
}

/// The engine has its own copy of the experiment's weights.
#[test]
fn the_evolved_weights_are_those_of_the_experiment() {
    let [own, found] = ["src/players/evolved/best.weights", "tournament/evolution/best.weights"]
        .map(|path| fs::read(root().join(path)).expect("weights"));
    assert_eq!(own, found);
}

/// Whether a package or folder to install is one of the project's own, which the packaging page installs.
fn is_own(word: &str) -> bool {
    [".", "tournament"].contains(&word) || word.starts_with("kroo")
}

/// A name without a version is another program tomorrow.
#[test]
fn everything_that_is_installed_has_a_version() {
    let folders = [".github/workflows", ".ci", "packaging", "tournament/scale", "clients/npm/tests"];
    let files = folders.map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    let (mut found, mut installed, mut actions) = (0, 0, 0);
    for path in
        files.into_iter().flatten().map(|file| file.expect("a file").path()).filter(|path| path.is_file())
    {
        let (text, name) = (read(&path), path.display());
        for line in text.lines() {
            let words: Vec<&str> = line.split([' ', '`', '\'']).collect();
            let after = |command: &[&str]| {
                let at = words.windows(command.len()).position(|found| found == command)?;
                words[at + command.len()..]
                    .iter()
                    .find(|word| !word.is_empty() && !word.starts_with('-'))
                    .copied()
            };
            let package = after(&["cargo", "install"])
                .or_else(|| after(&["pipx", "install"]))
                .or_else(|| after(&["npx", "--yes", "--package"]))
                .or_else(|| after(&["npx", "--yes"]))
                .or_else(|| after(&["--prefix", "\"$tools\""]));
            if let Some(package) = package.filter(|package| !is_own(package)) {
                let version = package.rsplit_once('@').map_or("", |(_, version)| version);
                assert!(is_full(version, 3), "{name}: {line}");
                installed += 1;
            }
            let line = line.trim_start();
            // The tags of an action can be moved.
            if let Some((_, action)) = line.split_once("uses: ") {
                let commit = action.split(['@', ' ']).nth(1).unwrap_or_default();
                let is_digest = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
                assert!(is_digest, "{name}: {line}");
                actions += 1;
            }
            let image = line.strip_prefix("image: ").or_else(|| line.strip_prefix("FROM "));
            if let Some(image) =
                image.and_then(|image| image.split(' ').next()).filter(|image| image.contains(':'))
            {
                // Users build our own images themselves.
                let (tag, is_ours) =
                    (image.rsplit_once(':').map_or("", |(_, tag)| tag), image.contains("kroo:"));
                let is_digest = image.contains("@sha256:") && tag.len() == 64;
                assert!(is_digest || is_ours && is_full(tag, 2), "{name}: {line}");
                found += 1;
            }
            let pip =
                after(&["pip", "install"]).is_some_and(|package| !is_own(package)) && !line.starts_with('#');
            assert!(!pip || line.contains("--require-hashes"), "{name}: {line}");
        }
    }
    let enough = found >= 6 && installed >= 7 && actions >= 10;
    assert!(enough, "{found} images, {installed} packages and {actions} actions were found");
    let wanted = read(&root().join("packaging/maturin.txt"));
    let packages = wanted.lines().filter(|line| !line.starts_with('#') && line.contains("==")).count();
    assert!(packages == 2 && wanted.matches("--hash=sha256:").count() > 20, "{wanted}");
}

/// Whether a version has this many numbers at least: `1.95.0-slim` has three.
fn is_full(version: &str, numbers: usize) -> bool {
    let version = version.split('-').next().unwrap_or_default();
    let parts: Vec<&str> = version.split('.').collect();
    parts.len() >= numbers && parts.iter().all(|part| part.parse::<u32>().is_ok())
}

/// On Windows, too: its code pages lack letters of the licences, and paths begin with a drive.
#[test]
fn licences_are_printed_on_every_system() {
    if !has("python") {
        return;
    }
    let python = |words: &[&str]| {
        let mut command = Command::new("python3");
        command.args(words).current_dir(root()).env("PYTHONUTF8", "0").env("PYTHONIOENCODING", "cp1252");
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(!python(&["packaging/licences", "--texts"]).is_ascii(), "the test is of letters beyond ASCII");
    let script = r"
from importlib import machinery, util
loader = machinery.SourceFileLoader('licences', 'packaging/licences')
licences = util.module_from_spec(util.spec_from_loader('licences', loader))
loader.exec_module(licences)
lines = ['kroo v0.2.0 (C:\\kroo)\tMIT', 'kroo-core v0.2.0 (/kroo)\tMIT', 'ahash v0.8.12\tMIT (*)']
licences.cargo = lambda *words: '\n'.join(lines)
print(licences.packages())
";
    assert_eq!(python(&["-B", "-c", script]).trim(), "[('ahash', '0.8.12', 'MIT')]");
}

#[test]
fn the_licences_of_all_dependencies_are_listed() {
    if !has("python") {
        return;
    }
    let output = Command::new("python3").args(["packaging/licences", "--check"]).current_dir(root()).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
