//! The games of a large report, in a folder next to its page, and an index of them for the page.
//!
//! A page that was opened from a disk may not ask for data, but it may load scripts. So each file is a script that hands over
//! its games ([`GameFiles::HANDOVER`]), and the page loads the one that has the game to be shown. The files of a run
//! have names that no other run uses, and only a page that is complete names them: whatever ends the program, a page and its
//! files belong together. Files of earlier runs are removed when the new page is in its place.
//!
//! 100,000 games make a page of 1.5 MB (`large::a_hundred_thousand_games_fit_a_small_page`).

use crate::failure::Failure;
use crate::ledger::record::GameRecord;
use crate::output::document::{failed, percent_encoded};
use ahash::AHashMap;
use kroo::files::{resolved, sync_folder};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Games of a file: some 350 kB, which a phone gets at once.
const GAMES_OF_A_FILE: u64 = 100;
/// How a file begins: nothing else is ever removed.
pub const BEGINNING: &str = "// Games of a report, for its page.\n";
/// Different reasons that an index may have. Others are only called by their kinds.
const MAX_REASONS: usize = 1_000;

/// The files of a page that is being written. Dropped before they are [kept](GameFiles::keep), they are gone.
#[derive(Debug)]
pub struct GameFiles {
    folder: PathBuf,
    run: String,
    /// Files that are complete.
    count: u64,
    /// Games of the next one, each a line.
    pending: String,
    pending_games: u64,
    kept: bool,
}

impl GameFiles {
    /// The function of the page that takes games, with the run, the number of the file and a list.
    pub const HANDOVER: &str = "takeGames";

    /// Begins the files for a page.
    ///
    /// # Errors
    /// If there can be no folder for them.
    pub fn begin(page: &Path) -> Result<GameFiles, Failure> {
        let folder = folder_of(page);
        match fs::create_dir(&folder) {
            Err(error) if !folder.is_dir() => return Err(failed(&folder)(error)),
            _ => {}
        }
        let run = format!("{:08x}", RandomState::new().build_hasher().finish() as u32);
        Ok(GameFiles { folder, run, count: 0, pending: String::new(), pending_games: 0, kept: false })
    }

    /// Makes sure that there can be files for a page, before it is known whether it needs them.
    ///
    /// # Errors
    /// If something else has the name of their folder.
    pub fn check(page: &Path) -> io::Result<()> {
        let folder = folder_of(page);
        if fs::symlink_metadata(&folder).is_err() || folder.is_dir() {
            return Ok(());
        }
        let folder = folder.display();
        Err(io::Error::other(format!(
            "the games of a large match go to the folder {folder}, and this is no folder"
        )))
    }

    /// Adds a game, as JSON.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, game: &str) -> Result<(), Failure> {
        self.pending.push_str(if self.pending_games == 0 { "" } else { ",\n" });
        self.pending.push_str(game);
        self.pending_games += 1;
        if self.pending_games == GAMES_OF_A_FILE { self.write() } else { Ok(()) }
    }

    /// Completes the last file, and puts all names on the disk.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn finish(&mut self) -> Result<(), Failure> {
        if self.pending_games > 0 {
            self.write()?;
        }
        sync_folder(&self.folder).map_err(failed(&self.folder))
    }

    /// The data of the page as JSON: the run, where the files are, and how many games each has.
    pub fn place(&self) -> String {
        let name = self.folder.file_name().unwrap_or_default();
        format!(
            "\"run\": \"{}\", \"files\": \"{}/{}-\", \"chunk\": {GAMES_OF_A_FILE}",
            self.run,
            percent_encoded(name),
            self.run
        )
    }

    /// The page is in its place: removes the files of other runs.
    pub fn keep(mut self) {
        self.kept = true;
        remove_others(&self.folder, Some(&self.run));
    }

    pub fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{}-{number:04}.js", self.run))
    }

    fn write(&mut self) -> Result<(), Failure> {
        let path = self.path(self.count + 1);
        let write = || {
            let mut file = File::create_new(&path)?;
            let (run, number) = (&self.run, self.count + 1);
            let text =
                format!("{BEGINNING}{}(\"{run}\", {number}, [\n{}\n]);\n", Self::HANDOVER, self.pending);
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(failed(&path))?;
        self.count += 1;
        (self.pending, self.pending_games) = (String::new(), 0);
        Ok(())
    }
}

impl Drop for GameFiles {
    fn drop(&mut self) {
        if !self.kept {
            // The last one may be there in part.
            for number in 1..=self.count + 1 {
                let _ = fs::remove_file(self.path(number));
            }
            // If it has anything else in it, it stays.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Removes the files that earlier runs have left next to a page that needs none.
pub fn forget(page: &Path) {
    let folder = folder_of(page);
    remove_others(&folder, None);
    // If it has anything else in it, it stays.
    let _ = fs::remove_dir(folder);
}

/// The folder for the files of a page: `report.html.games`.
pub fn folder_of(page: &Path) -> PathBuf {
    // A page whose link must not be followed is refused when it is begun.
    let mut folder = OsString::from(resolved(page).unwrap_or_else(|_| page.to_owned()));
    folder.push(".games");
    folder.into()
}

/// Removes the files of all runs but one. A file that cannot be removed does no harm.
fn remove_others(folder: &Path, run: Option<&str>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if run_of(&name).is_some_and(|found| Some(found) != run) && is_ours(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The run that a file belongs to, by its name.
fn run_of(name: &OsStr) -> Option<&str> {
    let (run, number) = name.to_str()?.strip_suffix(".js")?.split_once('-')?;
    let fits = run.len() == 8 && run.bytes().all(|byte| byte.is_ascii_hexdigit());
    (fits && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(run)
}

/// Whether a file begins as ours do; or is one that was hardly begun.
fn is_ours(path: &Path) -> bool {
    let Ok(file) = kroo::files::open(path) else { return false };
    let mut line = String::new();
    let beginning = file.take(BEGINNING.len() as u64);
    BufReader::new(beginning).read_line(&mut line).is_ok() && BEGINNING.starts_with(&line)
}

/// The index: of each game six numbers, some thirteen bytes in all.
#[derive(Debug, Default)]
pub(super) struct GameIndex {
    rows: String,
    last: u64,
    /// Results and reasons, each once.
    words: Vec<String>,
    known: AHashMap<String, usize>,
}

impl GameIndex {
    /// Adds a game: how much its number is larger than that of the game before, its players, the places of its result and its
    /// reason among the words, and its moves.
    pub fn add(&mut self, record: &GameRecord, reason: &str) {
        let (scheduled, played) = (&record.scheduled, &record.played);
        let [south, north] = scheduled.players;
        let kind = played.termination.name();
        let reason =
            if self.words.len() < MAX_REASONS || self.known.contains_key(reason) { reason } else { kind };
        let (result, reason) = (self.word(played.outcome.score()), self.word(reason));
        let gap = scheduled.number as i64 - self.last as i64;
        let separator = if self.rows.is_empty() { "" } else { "," };
        let moves = played.game.moves().len();
        self.rows.push_str(&format!("{separator}{gap},{south},{north},{result},{reason},{moves}"));
        self.last = scheduled.number;
    }

    fn word(&mut self, word: &str) -> usize {
        if let Some(&place) = self.known.get(word) {
            return place;
        }
        self.words.push(word.to_owned());
        self.known.insert(word.to_owned(), self.words.len() - 1);
        self.words.len() - 1
    }

    /// All numbers, as a list in JSON.
    pub fn rows(&self) -> String {
        format!("[{}]", self.rows)
    }

    pub fn words(&self) -> &[String] {
        &self.words
    }
}
