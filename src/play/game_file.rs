//! The file of games that the terminal game reads and writes.
//!
//! With `--save` it is written after every turn, so no game is lost. It keeps its earlier games and has, in its place, the
//! current one; `new` begins another one at its end. A file that this program has neither read nor written, or that has changed
//! since, is replaced only by an explicit `save over`.

use crate::ogn::{FileError, FileText, GameRecord};
use crate::printable::counted;
use std::fs;
use std::path::{Path, PathBuf};

/// The file of games, if any.
#[derive(Clone, Debug, Default)]
pub struct GameFile {
    path: Option<PathBuf>,
    /// Whether it is written after every turn.
    autosave: bool,
    /// The file as it was last read or written.
    text: FileText,
    /// The place of the current game in it.
    index: usize,
    /// The current game as last written; `None` before that.
    saved: Option<GameRecord>,
}

/// Why a game was not saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "{} already exists: `save over {}` replaces it, `load {}` continues its game",
        .0.display(), .0.display(), .0.display()
    )]
    Exists(PathBuf),
    /// The file is not as it was last read or written.
    #[error(
        "{} has changed since it was read: `save over {}` replaces it, `load {}` reads it",
        .0.display(), .0.display(), .0.display()
    )]
    Changed(PathBuf),
    #[error("`{}` cannot be written: there is no folder {}; make it, or name a file elsewhere", .path.display(), .folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("the first `save` needs the name of a file")]
    NoName,
    #[error("{} has {}, so there is no game {number}", .path.display(), counted(*.count as u64, "game"))]
    NoSuchGame {
        path: PathBuf,
        count: usize,
        /// The game that was asked for, counted from 1.
        number: usize,
    },
}

impl GameFile {
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Sets the file to write after every turn.
    ///
    /// # Errors
    /// If the file exists and was not loaded before, or its folder does not exist.
    pub fn set_autosave(&mut self, path: &Path) -> Result<(), GameFileError> {
        if self.path.as_deref() != Some(path) {
            if path.exists() {
                return Err(GameFileError::Exists(path.to_owned()));
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                return Err(GameFileError::NoFolder { path: path.to_owned(), folder: folder.to_owned() });
            }
            *self = GameFile { path: Some(path.to_owned()), ..GameFile::default() };
        }
        self.autosave = true;
        Ok(())
    }

    /// Saves the game to a file, or to the same file as before. `over` allows overwriting.
    ///
    /// # Errors
    /// If it cannot be written, or an existing file would be overwritten.
    pub fn save(
        &mut self,
        path: Option<&Path>,
        over: bool,
        record: GameRecord,
    ) -> Result<&Path, GameFileError> {
        let path = path.or(self.path()).ok_or(GameFileError::NoName)?.to_owned();
        let same = self.path() == Some(&path);
        if !over && !same && path.exists() {
            return Err(GameFileError::Exists(path));
        }
        if !over && same && path.is_file() && fs::read(&path).ok().as_deref() != Some(self.text.bytes()) {
            return Err(GameFileError::Changed(path));
        }
        let (mut text, mut index) = if same { (self.text.clone(), self.index) } else { Default::default() };
        if !same || self.saved.as_ref() != Some(&record) {
            index = index.min(text.games());
            text.put(index, &record);
        }
        text.save(&path)?;
        (self.text, self.index, self.saved) = (text, index, Some(record));
        Ok(self.path.insert(path))
    }

    /// Saves the game if it is saved after every turn and has changed.
    pub fn save_turn(&mut self, record: GameRecord) -> Result<(), GameFileError> {
        let begun = self.saved.is_some() || !record.game.moves().is_empty();
        if self.autosave && self.path.is_some() && begun && self.saved.as_ref() != Some(&record) {
            self.save(None, false, record)?;
        }
        Ok(())
    }

    /// Whether the file has the game with all its moves and the same end.
    pub fn contains(&self, record: &GameRecord) -> bool {
        self.saved
            .as_ref()
            .is_some_and(|saved| saved.game == record.game && saved.ending(0) == record.ending(0))
    }

    /// Starts another game; the current one stays in the file if it was saved.
    pub fn next_game(&mut self) {
        if self.saved.take().is_some() {
            self.index = self.text.games();
        }
    }

    /// Loads a game from a file, by default the last one. Returns it with its number and the number of games in the file.
    /// Saving from now on replaces this game in its file.
    ///
    /// # Errors
    /// If the file cannot be read, has an error, or has fewer games.
    pub fn load(
        &mut self,
        path: &Path,
        number: Option<usize>,
    ) -> Result<(GameRecord, usize, usize), GameFileError> {
        let (text, mut records) = FileText::open(path)?;
        let count = records.len();
        let number = number.unwrap_or(count);
        if !(1..=count).contains(&number) {
            return Err(GameFileError::NoSuchGame { path: path.to_owned(), count, number });
        }
        let record = records.remove(number - 1);
        *self = GameFile {
            path: Some(path.to_owned()),
            autosave: self.autosave && self.path.as_deref() == Some(path),
            text,
            index: number - 1,
            saved: Some(record.clone()),
        };
        Ok((record, number, count))
    }
}
