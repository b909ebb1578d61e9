//! How to start an engine.

use super::confinement::{Confinement, short_texts};
use super::opened::{EngineFiles, EnginePaths, NotOpened, Opened};
use super::program::ProgramContent;
use kroo::protocol::Dialect;
use serde::{Deserialize, Serialize};
use std::env;
use std::path::{self, PathBuf};
use std::time::Duration;

/// An engine's command line and options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the results.
    pub name: String,
    /// The program: a path, or a name to look up in `PATH`.
    pub command: PathBuf,
    /// Its files, once they have been opened, or why its program cannot be. Nothing else is started in its name.
    #[serde(skip)]
    pub files: Opened,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The folder to run it in; the referee's own if `None`.
    pub dir: Option<PathBuf>,
    /// The file to which its standard error is appended; discarded if `None`. The job of a queue names no file that a worker
    /// writes.
    #[serde(skip)]
    pub stderr: Option<PathBuf>,
    /// Its limits of the machine's resources.
    #[serde(default)]
    pub confinement: Confinement,
    /// The protocol that it speaks.
    #[serde(default, with = "protocol_name", skip_serializing_if = "is_uci")]
    pub protocol: Dialect,
    /// The options to set, name and value.
    pub options: Vec<(String, String)>,
    /// How long it may take to start, and to get ready for each game.
    pub startup: Duration,
    /// How long it may take to exit after `quit`, before it is killed.
    #[serde(default = "EngineSpec::default_quit")]
    pub quit: Duration,
    /// Whether it is restarted for each game.
    pub restart: bool,
}

impl Default for EngineSpec {
    /// Without a program and a name.
    fn default() -> EngineSpec {
        EngineSpec {
            name: String::new(),
            command: PathBuf::new(),
            files: Opened::default(),
            args: Vec::new(),
            dir: None,
            stderr: None,
            confinement: Confinement::default(),
            protocol: Dialect::default(),
            options: Vec::new(),
            startup: EngineSpec::STARTUP,
            quit: EngineSpec::QUIT,
            restart: false,
        }
    }
}

impl EngineSpec {
    /// The default of [`EngineSpec::startup`].
    pub const STARTUP: Duration = Duration::from_secs(10);
    /// The default of [`EngineSpec::quit`].
    pub const QUIT: Duration = Duration::from_secs(1);

    /// The file of its program; `None` if none is found. A name is looked up in the engine's `PATH`.
    pub fn program(&self) -> Option<PathBuf> {
        if self.command.components().count() > 1 {
            return path::absolute(&self.command).ok().filter(|path| path.is_file());
        }
        let environment = self.confinement.environment();
        let folders = environment.iter().rev().find(|(name, _)| name == "PATH")?;
        env::split_paths(&folders.1)
            .map(|folder| folder.join(&self.command))
            .find(|path| path.is_absolute() && path.is_file())
    }

    /// Opens its files, once and for all: from now on nothing else is started in its name. A program that cannot be opened is its
    /// fault when it is started.
    pub fn open(&mut self) -> Result<(), NotOpened> {
        self.files = Opened::new(&EnginePaths {
            program: self.program(),
            dir: self.dir.as_deref(),
            stderr: self.stderr.as_deref(),
            reads: self.confinement.sandbox.then_some(&self.confinement.bound),
        })?;
        Ok(())
    }

    /// The identity of its program, once that has been opened.
    pub fn content(&self) -> Option<&ProgramContent> {
        self.files.files().ok().map(EngineFiles::content)
    }

    /// Whether a process can be started so: a journal or a queue may say anything.
    pub fn check(&self) -> Result<(), String> {
        let options = self.options.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
        short_texts("the options", options.clone())?;
        if options.into_iter().any(|text| text.contains(char::is_control)) {
            return Err("an option has control characters".to_owned());
        }
        let paths = [Some(self.command.as_path()), self.dir.as_deref()].into_iter().flatten();
        let paths: Vec<String> = paths.map(|path| path.to_string_lossy().into_owned()).collect();
        short_texts("the arguments", self.args.iter().chain(&paths).map(String::as_str))?;
        if self.command.as_os_str().is_empty() {
            return Err("it has no program".to_owned());
        }
        if self.startup < Duration::from_millis(1) {
            return Err("startup: expected at least a millisecond".to_owned());
        }
        self.confinement.check()
    }

    fn default_quit() -> Duration {
        EngineSpec::QUIT
    }
}

/// Journals name a protocol only if it is not the usual one.
fn is_uci(protocol: &Dialect) -> bool {
    *protocol == Dialect::Uci
}

mod protocol_name {
    use kroo::protocol::Dialect;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(protocol: &Dialect, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(protocol.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dialect, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
