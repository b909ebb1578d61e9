//! How to start an engine.

use super::confinement::Confinement;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

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

    fn default_quit() -> Duration {
        EngineSpec::QUIT
    }
}
