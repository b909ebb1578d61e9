//! The blocks of the pages: what they hold, and a folder in which those of the shell run.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use support::programs::{referee_path, root};

/// A block of a page.
pub struct Block {
    /// The page, from the root of the repository.
    pub page: String,
    /// The line of the page on which it begins.
    pub line: usize,
    /// The language after the backticks.
    pub language: String,
    pub text: String,
    /// The block `text` that follows at once: the output.
    pub shown: Option<String>,
}

/// What happens to a block.
pub enum Fate {
    /// It runs with the other tests.
    Runs,
    /// It runs each night.
    Long,
    /// Another test runs it, or nothing does: the reason.
    Elsewhere,
}

impl Block {
    /// All blocks of all pages.
    pub fn all() -> Vec<Block> {
        let listed =
            Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().expect("git");
        let pages = String::from_utf8(listed.stdout).expect("names in UTF-8");
        pages.lines().flat_map(Block::of_page).collect()
    }

    fn of_page(page: &str) -> Vec<Block> {
        let text = fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        Block::parsed(page, &text)
    }

    pub fn parsed(page: &str, text: &str) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let (mut inside, mut gap) = (None::<Block>, usize::MAX);
        for (index, line) in text.lines().enumerate() {
            match (&mut inside, line.trim_start().strip_prefix("```")) {
                (None, Some(language)) => {
                    let [page, language] = [page, language].map(str::to_owned);
                    inside =
                        Some(Block { page, line: index + 1, language, text: String::new(), shown: None });
                }
                (Some(_), Some(_)) => {
                    let block = inside.take().expect("it is inside");
                    match blocks.last_mut() {
                        Some(last) if block.language == "text" && gap == 0 && last.language == "sh" => {
                            last.shown = Some(block.text);
                        }
                        _ => blocks.push(block),
                    }
                    gap = 0;
                }
                (Some(block), None) => block.text += &format!("{line}\n"),
                (None, None) => gap = gap.saturating_add(usize::from(!line.trim().is_empty())),
            }
        }
        blocks
    }

    /// The place, and the first line.
    pub fn name(&self) -> String {
        format!("{}:{}: {}", self.page, self.line, self.text.lines().next().unwrap_or_default())
    }
}

/// The rows of `pages/blocks.txt`: a page, the beginning of a block or its language, and its fate.
pub struct Fates(Vec<(String, String, String)>);

impl Fates {
    pub fn read() -> Fates {
        let path = root().join("tests/fixtures/data/pages/blocks.txt");
        let text = fs::read_to_string(path).expect("the list of blocks");
        let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let cells = |row: &str| {
            let cells: Vec<&str> = row.split(" | ").map(str::trim).collect();
            let [page, begins, fate] = cells[..] else { panic!("three cells: {row}") };
            assert!(!fate.is_empty(), "no reason: {row}");
            (page.to_owned(), begins.to_owned(), fate.to_owned())
        };
        Fates(rows.map(cells).collect())
    }

    /// The fate of a block. Only blocks of the shell run by themselves.
    pub fn of(&self, block: &Block) -> Fate {
        let row = self.0.iter().find(|row| Fates::names(row, block));
        match row {
            None if block.language == "sh" => Fate::Runs,
            None => panic!(
                "{}: no row of pages/blocks.txt says what becomes of `{}`",
                block.name(),
                block.language
            ),
            Some((.., fate)) if fate == "long" => Fate::Long,
            Some(_) => Fate::Elsewhere,
        }
    }

    fn names((page, begins, _): &(String, String, String), block: &Block) -> bool {
        (page == "*" || *page == block.page)
            && (block.text.trim_start().starts_with(begins.as_str())
                || *begins == format!("`{}`", block.language))
    }

    /// The rows that name no block.
    pub fn stale(&self, blocks: &[Block]) -> Vec<String> {
        let rows = self.0.iter().filter(|row| !blocks.iter().any(|block| Fates::names(row, block)));
        rows.map(|(page, begins, _)| format!("{page} | {begins}")).collect()
    }
}

/// A folder that looks like the repository after a build: links to its files, and to the programs under test. What a block writes
/// stays here.
pub struct Grounds(tempfile::TempDir);

impl Grounds {
    pub fn new() -> Grounds {
        let folder = tempfile::tempdir().expect("a folder");
        for entry in fs::read_dir(root()).expect("the repository") {
            let entry = entry.expect("an entry");
            if entry.file_name() != "target" && entry.file_name() != ".git" {
                symlink(entry.path(), folder.path().join(entry.file_name())).expect("a link");
            }
        }
        let built = folder.path().join("target/release");
        fs::create_dir_all(&built).expect("a folder");
        for program in ["kroo", "referee", "evolve"] {
            symlink(Path::new(referee_path()).with_file_name(program), built.join(program)).expect("a link");
        }
        for engine in ["new", "old", "mine", "other"] {
            symlink("target/release/kroo", folder.path().join(engine)).expect("a link");
        }
        Grounds(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs a block; the error says what was shown, and what came.
    pub fn run(&self, block: &Block, variables: &BTreeMap<String, String>) -> Result<(), String> {
        let path = format!(
            "{}:{}",
            self.path().join("target/release").display(),
            std::env::var("PATH").expect("a path")
        );
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", &block.text]).current_dir(self.path()).stdin(Stdio::null());
        command.envs(variables).env("PATH", path).env("XDG_DATA_HOME", self.path().join("data"));
        // The scripts of `examples` look beside themselves, where the links lead.
        for program in ["kroo", "referee"] {
            command.env(program.to_uppercase(), self.path().join("target/release").join(program));
        }
        let output = command.output().map_err(|error| error.to_string())?;
        let [out, errors] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if !output.status.success() {
            return Err(format!("{}: {}\n{out}{errors}", block.name(), output.status));
        }
        match &block.shown {
            Some(shown) if !matches(shown, &out) => {
                Err(format!("{}\nthe page shows\n{shown}\nbut\n{out}", block.name()))
            }
            _ => Ok(()),
        }
    }
}

/// Whether an output is the shown one, in which `…` stands for any text.
pub fn matches(shown: &str, output: &str) -> bool {
    let mut parts = shown.trim_end().split('…');
    let mut rest = match output.trim_end().strip_prefix(parts.next().unwrap_or_default()) {
        Some(rest) => rest,
        None => return false,
    };
    let mut last = None;
    for part in parts {
        last = Some(part);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || last.is_some_and(|part| part.is_empty() || output.trim_end().ends_with(part))
}
