//! Where a run stands, in a file: written anew after every generation, whole or not at all.
//!
//! The first line says what the file is and has the checksum of the rest, which is JSON: the settings, and every
//! generation so far with its players. Nothing else is needed: what is drawn has its place in the run, and games that
//! were remembered are played again.

use crate::population::Generation;
use crate::settings::{Settings, SettingsError};
use kroo::files::{self, WriteError, replace};
use kroo::players::evolved::MAX_WEIGHT;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a file begins with; the version is the last word.
const TITLE: &str = "kroo evolution checkpoint 1";
/// No file is longer, in bytes.
const LONGEST: u64 = 1 << 32;

/// A run, so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What it hangs on.
    pub settings: Settings,
    /// The generations that have been played.
    pub generations: Vec<Generation>,
}

/// Why a run cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It cannot be used.
    #[error("{}: {fault}; to begin anew, take the file away", path.display())]
    Fault {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
}

/// What is wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It is something else, or of another version.
    #[error("line 1, column 1: expected `{TITLE}` and a checksum, found `{0}`")]
    Title(String),
    /// It is not what was written.
    #[error("the checksum is wrong: the file is damaged or cut off")]
    Checksum,
    /// It is no JSON of a run. The line is counted without the first.
    #[error("after the first line: {0}")]
    Json(#[from] serde_json::Error),
    /// A setting is out of bounds.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A generation cannot be one of this run.
    #[error("generation {generation}: {what}")]
    Generation {
        /// Which, from 1.
        generation: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// It is of a run with other settings.
    #[error("the run was begun with {name} {found}, not {wanted}: give it so, or another folder")]
    Other {
        /// The setting that differs, as its option is called.
        name: String,
        /// In the file.
        found: String,
        /// As it was asked for.
        wanted: String,
    },
}

impl Run {
    /// Reads a run and checks it; `None` if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Option<Run>, CheckpointError> {
        let io = |error| CheckpointError::Io { path: path.to_owned(), error };
        let mut bytes = Vec::new();
        match files::open(path) {
            Ok(file) => file.take(LONGEST).read_to_end(&mut bytes).map_err(io)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io(error)),
        };
        let run = Run::from_bytes(&bytes);
        run.map(Some).map_err(|fault| CheckpointError::Fault { path: path.to_owned(), fault })
    }

    /// Reads a run from the bytes of a file.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Run, Fault> {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let (title, body) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
        let title = String::from_utf8_lossy(title);
        let shown = || Fault::Title(title.chars().take(60).flat_map(char::escape_debug).collect());
        let sum = title.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix(' ')).ok_or_else(shown)?;
        let sum = u32::from_str_radix(sum, 16).map_err(|_| shown())?;
        if crc32fast::hash(body) != sum {
            return Err(Fault::Checksum);
        }
        let run: Run = serde_json::from_slice(body)?;
        run.settings.check()?;
        run.check()?;
        Ok(run)
    }

    /// The bytes of a file.
    ///
    /// # Panics
    /// Never: a run has only what JSON can write.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = serde_json::to_vec(self).expect("a run can be written as JSON");
        let mut bytes = format!("{TITLE} {:08x}\n", crc32fast::hash(&body)).into_bytes();
        bytes.extend(body);
        bytes
    }

    /// Writes the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(replace(path, &self.to_bytes())?)
    }

    /// Whether a run with some settings can go on from here: they are its own, but for the number of generations.
    ///
    /// # Errors
    /// The setting that differs.
    pub fn continues(&self, wanted: &Settings) -> Result<(), Fault> {
        let alike = Settings { generations: self.settings.generations, ..wanted.clone() };
        if self.settings == alike {
            return Ok(());
        }
        let fields = |settings: &Settings| match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (found, wanted) = (fields(&self.settings), fields(&alike));
        let differing = found.iter().find(|(name, value)| wanted.get(*name) != Some(value));
        let (name, value) = differing
            .map_or(("settings", "others".to_owned()), |(name, value)| (name.as_str(), value.to_string()));
        let wanted = wanted.get(name).map_or_else(String::new, ToString::to_string);
        Err(Fault::Other { name: name.to_owned(), found: value, wanted })
    }

    fn check(&self) -> Result<(), Fault> {
        for (index, generation) in self.generations.iter().enumerate() {
            let players = || generation.ranking.iter().map(|(player, _)| player);
            let wrong = if generation.generation as usize != index + 1 {
                "it is not the one that follows"
            } else if generation.ranking.len() != self.settings.population {
                "it has another number of players than the population"
            } else if players().any(|player| !player.weights.iter().all(|weight| weight.abs() <= MAX_WEIGHT))
            {
                "a weight is out of bounds"
            } else if players().map(|player| player.id).collect::<BTreeSet<_>>().len()
                < generation.ranking.len()
            {
                "two players have the same number"
            } else if !generation.ranking.is_sorted_by(|one, other| one.1 >= other.1) {
                "its players are not in the order of their points"
            } else {
                continue;
            };
            return Err(Fault::Generation { generation: index + 1, what: wrong });
        }
        Ok(())
    }
}
