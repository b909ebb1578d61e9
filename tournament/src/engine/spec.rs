//! How to start an engine.

use super::confinement::{Confinement, short_texts};
use super::program::{ProgramContent, content_of};
use kroo::protocol::Dialect;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, iter};

/// An engine's command line and options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the results.
    pub name: String,
    /// The program: a path, or a name to look up in `PATH`.
    pub command: PathBuf,
    /// The program's identity, once it has been read. Another one is not started.
    #[serde(skip)]
    pub content: Option<ProgramContent>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The folder to run it in; the referee's own if `None`.
    pub dir: Option<PathBuf>,
    /// The file to which its standard error is appended; discarded if `None`. A queue names no file that a worker writes.
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
            content: None,
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

    /// The file of its program; `None` if there is none.
    #[must_use]
    pub fn program(&self) -> Option<PathBuf> {
        let is_plain_name = self.command.components().count() == 1;
        let folders = env::var_os("PATH").filter(|_| is_plain_name).unwrap_or_default();
        let in_folders = env::split_paths(&folders).map(|folder| folder.join(&self.command));
        iter::once(self.command.clone()).chain(in_folders).find(|path| path.is_file())
    }

    /// Notes what its program is, so that from now on nothing else is started in its name. One that cannot be read is not
    /// known.
    pub fn identify(&mut self) {
        self.content = self.program().and_then(|path| content_of(&path).ok());
    }

    /// Whether a process can be started so: a journal or a queue may say anything.
    ///
    /// # Errors
    /// The fault and the allowed values.
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
