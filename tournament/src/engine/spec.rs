//! How to start an engine.

use super::confinement::Confinement;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs, iter};

/// An engine's command line and options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the results.
    pub name: String,
    /// The program: a path, or a name to look up in `PATH`.
    pub command: PathBuf,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The folder to run it in; the referee's own if `None`.
    pub dir: Option<PathBuf>,
    /// The file to which its standard error is appended; discarded if `None`.
    #[serde(skip)]
    pub stderr: Option<PathBuf>,
    /// What it is given of the machine.
    #[serde(skip)]
    pub confinement: Confinement,
    /// The options to set, name and value.
    pub options: Vec<(String, String)>,
    /// How long it may take to start, and to get ready for each game.
    pub startup: Duration,
    /// How long it may take to exit after `quit`, before it is killed.
    #[serde(skip, default = "EngineSpec::default_quit")]
    pub quit: Duration,
    /// Whether it is restarted for each game.
    pub restart: bool,
}

impl EngineSpec {
    /// The default of [`EngineSpec::startup`].
    pub const STARTUP: Duration = Duration::from_secs(10);
    /// The default of [`EngineSpec::quit`].
    pub const QUIT: Duration = Duration::from_secs(1);

    /// The file of its program; `None` if there is none.
    #[must_use]
    pub fn program(&self) -> Option<PathBuf> {
        let is_plain_name = self.command.components().count() == 1;
        let folders = env::var_os("PATH").filter(|_| is_plain_name).unwrap_or_default();
        let in_folders = env::split_paths(&folders).map(|folder| folder.join(&self.command));
        iter::once(self.command.clone()).chain(in_folders).find(|path| path.is_file())
    }

    /// What its program is, whatever it is called: a checksum (CRC-32) of the executable and its length. `None` if it cannot be
    /// read. It tells versions apart; it is no protection against forgery.
    #[must_use]
    pub fn program_checksum(&self) -> Option<String> {
        let bytes = fs::read(self.program()?).ok()?;
        Some(format!("{:08x}-{}", crc32fast::hash(&bytes), bytes.len()))
    }

    fn default_quit() -> Duration {
        EngineSpec::QUIT
    }
}
