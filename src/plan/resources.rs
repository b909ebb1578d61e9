//! The resources that the settings name: weights, endgames and the player.

use super::background::BackgroundEndgames;
use super::endgame_files::EndgameFiles;
use crate::endgames::EndgameFileError;
use crate::evaluate::{EvalFileError, Weights};
use crate::players::{Player, PlayerConfig, PlayerError, player};
use crate::protocol::Settings;
use crate::roster::PlayerName;
use std::path::PathBuf;
use std::sync::Arc;

/// Files and endgames for searches.
pub struct Resources {
    pub weights: Arc<Weights>,
    /// The endgames and their source.
    pub endgame_files: EndgameFiles,
    /// The background work on small endgames.
    pub background: Option<BackgroundEndgames>,
}

/// Why a file of the settings is not usable.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    #[error("EvalFile: {0}")]
    Weights(#[from] EvalFileError),
    #[error("EndgamePath: {0}")]
    Endgames(#[from] EndgameFileError),
}

impl Resources {
    /// Opens the resources; background work is not started.
    pub fn open(settings: &Settings) -> Result<Resources, ResourceError> {
        Ok(Resources {
            weights: weights_of(settings)?,
            endgame_files: EndgameFiles::open(settings)?,
            background: None,
        })
    }

    /// Reopens the endgame files.
    ///
    /// # Errors
    /// If they are not usable; nothing changes.
    pub fn open_endgames(&mut self, settings: &Settings) -> Result<(), EndgameFileError> {
        self.endgame_files = EndgameFiles::open(settings)?;
        Ok(())
    }

    /// Changes to the rule set of the settings, with its built-in weights.
    ///
    /// # Errors
    /// If its endgame files are not usable; nothing changes.
    pub fn change_variant(&mut self, settings: &Settings) -> Result<(), EndgameFileError> {
        self.open_endgames(settings)?;
        self.weights = Weights::built_in(settings.variant);
        Ok(())
    }

    /// Starts building small endgames in the background.
    pub fn build_in_background(&mut self, settings: &Settings) {
        self.background = BackgroundEndgames::start(settings, &self.endgame_files.databases);
    }

    /// The faults of the endgame files, each once. Searches continue without them.
    pub fn take_faults(&mut self, settings: &Settings) -> Vec<String> {
        let faults = self.endgame_files.take_faults(settings.variant);
        if !faults.is_empty() && self.background.is_some() {
            // Lost endgames are rebuilt in memory.
            self.build_in_background(settings);
        }
        faults.into_iter().map(|fault| format!("EndgamePath: {fault}")).collect()
    }
}

/// The network's weights: those of `EvalFile`, unless the evolved player uses that option itself.
pub fn weights_of(settings: &Settings) -> Result<Arc<Weights>, EvalFileError> {
    match settings.player {
        PlayerName::Evolved => Ok(Weights::built_in(settings.variant)),
        _ => Weights::named(&settings.eval_file, settings.variant),
    }
}

/// The player of the settings, knowing only what `LearnFile` contains.
pub fn player_of(settings: &Settings) -> Result<Box<dyn Player>, PlayerError> {
    player(settings.player, &player_config(settings))
}

fn player_config(settings: &Settings) -> PlayerConfig {
    let learn_file = Some(&settings.learn_file).filter(|path| !path.is_empty()).map(PathBuf::from);
    PlayerConfig {
        variant: settings.variant,
        seed: settings.seed,
        eval_file: settings.eval_file.clone(),
        learn_file,
    }
}

/// Whether the two players need different kinds of `EvalFile`.
pub fn eval_file_kind_changes(from: &Settings, to: &Settings) -> bool {
    (from.player == PlayerName::Evolved) != (to.player == PlayerName::Evolved)
}
