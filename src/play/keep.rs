//! The game on paper: what is written to a file, and taken from one.
//!
//! With `--save` the file is written after every turn, so that whatever ends the program, the game is there. It holds
//! all games of the sitting in which a move was made, the present one last. A file that this sitting has neither read
//! nor written is never replaced unless somebody says so.

use super::seats::Seats;
use super::story::Ended;
use crate::game::{Game, Side, Verdict};
use crate::ogn::{FileError, Record, date, open, save};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a person is called in a game file.
const PERSON: &str = "a person";

/// The file of the sitting, if there is one, and the games in it before the present one.
#[derive(Clone, Debug, Default)]
pub struct Keeper {
    path: Option<PathBuf>,
    /// Whether it is written after every turn.
    pub at_once: bool,
    earlier: Vec<Record>,
    /// Whether the present game is as it was written last.
    saved: Option<Record>,
}

/// Why a game was not written or read.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The file says why.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another file would be lost.
    #[error(
        "{} is there already: `save over {}` replaces it, `load {}` goes on with its game",
        .0.display(), .0.display(), .0.display()
    )]
    Exists(PathBuf),
    /// There is no name.
    #[error("`save` needs the name of a file the first time")]
    NoName,
    /// The file has not so many games.
    #[error("{} has {count} games, so there is none with the number {number}", .path.display())]
    NoSuchGame {
        /// The file.
        path: PathBuf,
        /// Games in it.
        count: usize,
        /// The one that was asked for.
        number: usize,
    },
}

impl Keeper {
    /// The file that the game goes to.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Names the file that is written after every turn from now on.
    ///
    /// # Errors
    /// If another file stands there, which this sitting has not read.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), KeepError> {
        if self.path.as_deref() != Some(path) {
            if path.exists() {
                return Err(KeepError::Exists(path.to_owned()));
            }
            (self.path, self.earlier) = (Some(path.to_owned()), Vec::new());
        }
        self.at_once = true;
        Ok(())
    }

    /// Writes the game, to a file that is named or to the one of before.
    ///
    /// # Errors
    /// If it cannot be written, or a file would be lost.
    pub fn save(&mut self, path: Option<&Path>, over: bool, record: Record) -> Result<&Path, KeepError> {
        let path = path.or(self.path()).ok_or(KeepError::NoName)?.to_owned();
        let same = self.path() == Some(&path);
        if !same && !over && path.exists() {
            return Err(KeepError::Exists(path));
        }
        let earlier = if same { self.earlier.clone() } else { Vec::new() };
        let all: Vec<Record> = earlier.iter().cloned().chain([record.clone()]).collect();
        save(&path, &all)?;
        (self.earlier, self.saved) = (earlier, Some(record));
        Ok(self.path.insert(path))
    }

    /// Writes the game if the file is to be written after every turn.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn after_turn(&mut self, record: Record) -> Result<(), KeepError> {
        let begun = self.saved.is_some() || !record.game.moves().is_empty();
        if self.at_once && self.path.is_some() && begun && self.saved.as_ref() != Some(&record) {
            self.save(None, false, record)?;
        }
        Ok(())
    }

    /// Whether a game stands in the file as it is.
    #[must_use]
    pub fn has(&self, record: &Record) -> bool {
        self.saved.as_ref().is_some_and(|saved| saved.game == record.game)
    }

    /// The present game is done with, and another one begins.
    pub fn next_game(&mut self) {
        self.earlier.extend(self.saved.take());
    }

    /// Takes a game from a file, its last if none is named, and how many the file has. What is saved from now on
    /// replaces this game in its file.
    ///
    /// # Errors
    /// If the file cannot be read, has an error, or not so many games.
    pub fn load(&mut self, path: &Path, number: Option<usize>) -> Result<(Record, usize, usize), KeepError> {
        let mut records = open(path)?;
        let count = records.len();
        let number = number.unwrap_or(count);
        if !(1..=count).contains(&number) {
            return Err(KeepError::NoSuchGame { path: path.to_owned(), count, number });
        }
        let record = records.remove(number - 1);
        *self = Keeper {
            path: Some(path.to_owned()),
            at_once: self.at_once && self.path.as_deref() == Some(path),
            earlier: records,
            saved: Some(record.clone()),
        };
        Ok((record, number, count))
    }
}

/// The game with what is known about it.
#[must_use]
pub fn record(
    game: &Game,
    comments: &[String],
    seats: Seats,
    engine: &str,
    ended: Option<Ended>,
    began: SystemTime,
) -> Record {
    let name = |side| if seats.is_person(side) { PERSON } else { engine };
    let mut record = Record { comments: comments.to_vec(), ..Record::new(game.clone()) };
    record.set_tag("Event", "Casual game");
    record.set_tag("Date", &date(began));
    record.set_tag("South", name(Side::South));
    record.set_tag("North", name(Side::North));
    let result = ended.map(|ended| match ended.verdict(game.position()) {
        Verdict::Win => "1-0",
        Verdict::Draw => "1/2-1/2",
        Verdict::Loss => "0-1",
    });
    record.set_tag("Result", result.unwrap_or("*"));
    record.set_tag("Termination", ended.map_or("unfinished", Ended::termination));
    record
}

/// Who sat where in a game that was saved here, if it says so.
#[must_use]
pub fn seats_of(record: &Record) -> Option<Seats> {
    let is_person = |tag| record.tag(tag) == Some(PERSON);
    match (is_person("South"), is_person("North")) {
        (true, true) => Some(Seats::Both),
        (true, false) => Some(Seats::One(Side::South)),
        (false, true) => Some(Seats::One(Side::North)),
        (false, false) => None,
    }
}
