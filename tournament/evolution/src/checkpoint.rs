//! The state of a run in a file, replaced atomically after each generation.
//!
//! The first line has a title and the checksum of the rest, which is JSON: the settings, and all complete generations, each with its
//! players. Random numbers depend on generation and player only, and games of the survivors are played again.

use crate::population::Generation;
use crate::settings::Settings;
use kroo::files::{self, WriteError, replace};
use kroo::players::evolved::MAX_WEIGHT;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The beginning of a file; the last word is the version.
const TITLE: &str = "kroo evolution checkpoint 1";
/// Maximum bytes of a file.
const LONGEST: u64 = 1 << 32;

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Its settings.
    pub settings: Settings,
    /// The completed generations.
    pub generations: Vec<Generation>,
}

impl Run {
    /// Reads and checks a run; `None` without a file.
    ///
    /// # Errors
    /// If it cannot be read, or is invalid.
    pub fn read(path: &Path) -> Result<Option<Run>, RunError> {
        let io = |error| RunError::Io { path: path.to_owned(), error };
        let mut bytes = Vec::new();
        match files::open(path) {
            Ok(file) => file.take(LONGEST).read_to_end(&mut bytes).map_err(io)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io(error)),
        };
        let run = Run::from_bytes(&bytes);
        run.map(Some).map_err(|fault| RunError::Checkpoint { path: path.to_owned(), fault })
    }

    /// Parses the content of a file.
    ///
    /// # Errors
    /// The fault.
    pub fn from_bytes(bytes: &[u8]) -> Result<Run, String> {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let (title, body) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
        let title = String::from_utf8_lossy(title);
        let shown = || {
            let found: String = title.chars().take(60).flat_map(char::escape_debug).collect();
            format!("line 1, column 1: expected `{TITLE}` and a checksum, found `{found}`")
        };
        let sum = title.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix(' ')).ok_or_else(shown)?;
        let sum = u32::from_str_radix(sum, 16).map_err(|_| shown())?;
        if crc32fast::hash(body) != sum {
            return Err("the checksum is wrong: the file is damaged or cut off".to_owned());
        }
        let run: Run =
            serde_json::from_slice(body).map_err(|error| format!("after the first line: {error}"))?;
        run.settings.check().map_err(|error| error.to_string())?;
        run.check()?;
        Ok(run)
    }

    /// The content of the file.
    ///
    /// # Panics
    /// Never: a run can be represented as JSON.
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
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        Ok(replace(path, &self.to_bytes())?)
    }

    /// Checks that a run with some settings can continue from here: they must be equal, except for the number of generations.
    ///
    /// # Errors
    /// The differing setting.
    pub fn continues(&self, wanted: &Settings) -> Result<(), String> {
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
        Err(other(name, &value, &wanted))
    }

    fn check(&self) -> Result<(), String> {
        for (index, generation) in self.generations.iter().enumerate() {
            let players = || generation.ranking.iter().map(|(player, _)| player);
            let wrong = if generation.generation as usize != index + 1 {
                "it does not follow the one before"
            } else if generation.ranking.len() != self.settings.population {
                "its number of players differs from the population"
            } else if players().any(|player| !player.weights.iter().all(|weight| weight.abs() <= MAX_WEIGHT))
            {
                "a weight is out of bounds"
            } else if players().map(|player| player.id).collect::<BTreeSet<_>>().len()
                < generation.ranking.len()
            {
                "two players have the same number"
            } else if !generation.ranking.is_sorted_by(|one, other| one.1 >= other.1) {
                "its players are not in order of points"
            } else {
                continue;
            };
            return Err(format!("generation {}: {wrong}", index + 1));
        }
        Ok(())
    }
}

/// The fault that a checkpoint belongs to a run with another setting, which is named by its option.
pub(crate) fn other(name: &str, found: &str, wanted: &str) -> String {
    format!("this run has --{name} {found}, not {wanted}: use the same value or another folder")
}

/// Why a run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The checkpoint is unusable.
    #[error("{}: {fault}; remove the file to begin anew", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The folder or a file is unusable.
    #[error("{}: {error}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Another process uses the folder.
    #[error("{}: another `evolve` is running in this folder; wait for its end, or use another --out", .0.display())]
    Locked(PathBuf),
}
