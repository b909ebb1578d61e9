//! What an engine is before it runs.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the results.
    pub name: String,
    /// The program: a path, or a name to be looked for in `PATH`.
    pub command: PathBuf,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The folder it runs in; the referee's own if `None`.
    pub dir: Option<PathBuf>,
    /// The file that its standard error is appended to; thrown away if `None`.
    #[serde(skip)]
    pub stderr: Option<PathBuf>,
    /// Options to be set, name and value.
    pub options: Vec<(String, String)>,
    /// How long it may take to start, and to get ready for each game.
    pub startup: Duration,
    /// Whether it is started anew for each game.
    pub restart: bool,
}

impl EngineSpec {
    /// The time to start if none is given.
    pub const STARTUP: Duration = Duration::from_secs(10);
}
