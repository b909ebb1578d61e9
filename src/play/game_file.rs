//! Saving games to a file, and loading them.
//!
//! With `--save` the file is written after every turn, so no game is lost. It has all games since the program started in which
//! a move was made, the current one last. A file that this program has neither read nor written is replaced only by an explicit
//! `save over`.

use super::clock::Clocks;
use super::command::read_seconds;
use super::narration::Termination;
use super::opponent::{DEFAULT_TIME, OpponentSettings};
use super::sides::HumanSides;
use crate::game::{Game, MOVE_LIMIT, Side, Variant};
use crate::level::Strength;
use crate::ogn::{FileError, GameRecord, date, open, save};
use crate::printable::counted;
use crate::protocol::GameResult;
use crate::roster::PlayerName;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name of a person in a game file.
const PERSON: &str = "a person";
/// The tag with people's clocks.
pub(super) const CLOCK_TAG: &str = "Clock";
/// The event tag of a game of `kroo play`.
const EVENT: &str = "Casual game";

/// The file of games, if there is one.
#[derive(Clone, Debug, Default)]
pub struct GameFile {
    path: Option<PathBuf>,
    /// Whether it is written after every turn.
    autosave: bool,
    /// The games in it before the current one.
    earlier: Vec<GameRecord>,
    /// The current game as last written; `None` before that.
    saved: Option<GameRecord>,
}

/// Why a game was not saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// An existing file would be overwritten.
    #[error(
        "{} already exists: `save over {}` replaces it, `load {}` continues its game",
        .0.display(), .0.display(), .0.display()
    )]
    Exists(PathBuf),
    /// The folder of the file does not exist.
    #[error("`{}` cannot be written: there is no folder {}; make it, or name a file elsewhere", .path.display(), .folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// No file has been named.
    #[error("the first `save` needs the name of a file")]
    NoName,
    /// The file has fewer games.
    #[error("{} has {}, so there is no game {number}", .path.display(), counted(*.count as u64, "game"))]
    NoSuchGame {
        /// The file.
        path: PathBuf,
        /// How many games it has.
        count: usize,
        /// The game that was asked for, counted from 1.
        number: usize,
    },
}

impl GameFile {
    /// The file of the game.
    #[must_use]
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
            (self.path, self.earlier) = (Some(path.to_owned()), Vec::new());
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
        if !same && !over && path.exists() {
            return Err(GameFileError::Exists(path));
        }
        let earlier = if same { self.earlier.clone() } else { Vec::new() };
        let all: Vec<GameRecord> = earlier.iter().cloned().chain([record.clone()]).collect();
        save(&path, &all)?;
        (self.earlier, self.saved) = (earlier, Some(record));
        Ok(self.path.insert(path))
    }

    /// Saves the game if it is saved after every turn and has changed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_turn(&mut self, record: GameRecord) -> Result<(), GameFileError> {
        let begun = self.saved.is_some() || !record.game.moves().is_empty();
        if self.autosave && self.path.is_some() && begun && self.saved.as_ref() != Some(&record) {
            self.save(None, false, record)?;
        }
        Ok(())
    }

    /// Whether the file has the game with all its moves and the same end.
    #[must_use]
    pub fn contains(&self, record: &GameRecord) -> bool {
        self.saved
            .as_ref()
            .is_some_and(|saved| saved.game == record.game && saved.settlement() == record.settlement())
    }

    /// Starts another game; the current one stays in the file if it was saved.
    pub fn next_game(&mut self) {
        self.earlier.extend(self.saved.take());
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
        let mut records = open(path)?;
        let count = records.len();
        let number = number.unwrap_or(count);
        if !(1..=count).contains(&number) {
            return Err(GameFileError::NoSuchGame { path: path.to_owned(), count, number });
        }
        let record = records.remove(number - 1);
        *self = GameFile {
            path: Some(path.to_owned()),
            autosave: self.autosave && self.path.as_deref() == Some(path),
            earlier: records,
            saved: Some(record.clone()),
        };
        Ok((record, number, count))
    }
}

/// The game as a game file records it, with its tags.
#[must_use]
pub fn record(
    game: &Game,
    comments: &[String],
    humans: HumanSides,
    opponent: &OpponentSettings,
    ended: Option<Termination>,
    began: SystemTime,
) -> GameRecord {
    let engine = opponent.description();
    let name = |side| if humans.includes(side) { PERSON } else { &engine };
    let mut record = GameRecord { comments: comments.to_vec(), ..GameRecord::new(game.clone()) };
    record.set_tag("Event", EVENT);
    record.set_tag("Date", &date(began));
    record.set_tag("South", name(Side::South));
    record.set_tag("North", name(Side::North));
    let result = GameResult::of_south(ended.map(|ended| ended.verdict(game.position())));
    record.set_tag("Result", result.word());
    record.set_tag("Termination", ended.map_or("unfinished", Termination::termination));
    if humans != HumanSides::Both {
        record.set_tag("TimeControl", &format!("st={}", opponent.time.as_secs_f64()));
    }
    record
}

/// The players and the time of a saved game, as far as recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SavedPlay {
    /// The sides that people played.
    pub humans: Option<HumanSides>,
    /// The opponent, with its strength if it was the engine.
    pub opponent: Option<(PlayerName, Option<Strength>)>,
    /// The opponent's time for each move.
    pub time: Option<Duration>,
    /// The clocks of people.
    pub clocks: Option<Clocks>,
}

impl SavedPlay {
    /// Reads a record. One of a game between engines, as a referee writes it, has none of these.
    #[must_use]
    pub fn of(record: &GameRecord) -> SavedPlay {
        let [south, north] = ["South", "North"].map(|tag| record.tag(tag).unwrap_or_default());
        let (humans, engine) = match [south == PERSON, north == PERSON] {
            [true, true] => (HumanSides::Both, None),
            [true, false] => (HumanSides::One(Side::South), Some(north)),
            [false, true] => (HumanSides::One(Side::North), Some(south)),
            [false, false] if record.tag("Event") == Some(EVENT) => (HumanSides::None, Some(south)),
            [false, false] => return SavedPlay::default(),
        };
        let seconds = record.tag("TimeControl").and_then(|limits| limits.strip_prefix("st="));
        SavedPlay {
            humans: Some(humans),
            opponent: engine.and_then(OpponentSettings::described),
            time: seconds.and_then(|seconds| read_seconds(seconds).ok()),
            clocks: record.tag(CLOCK_TAG).and_then(Clocks::of_tag),
        }
    }
}

/// The flags of `kroo play` for the same game, without defaults.
pub(super) fn flags(variant: Variant, humans: HumanSides, opponent: &OpponentSettings) -> String {
    let mut flags = format!(" --variant {variant}");
    let engine = &opponent.engine;
    let mut add = |name: &str, value: &str| flags.push_str(&format!(" --{name} {value}"));
    match humans {
        HumanSides::One(Side::South) => {}
        HumanSides::One(Side::North) => add("side", "north"),
        HumanSides::Both => add("side", "both"),
        HumanSides::None => add("side", "none"),
    }
    if engine.player != PlayerName::Kroo {
        add("player", engine.player.name());
    } else if engine.strength() != Strength::FULL {
        let flag = if engine.limit_strength { "elo" } else { "level" };
        add(flag, &engine.strength().to_string());
    }
    if opponent.time != DEFAULT_TIME {
        add("time", &opponent.time.as_secs_f64().to_string());
    }
    if let Some(nodes) = opponent.nodes {
        add("nodes", &nodes.to_string());
    }
    if engine.move_limit != MOVE_LIMIT {
        add("movelimit", &engine.move_limit.to_string());
    }
    flags
}
