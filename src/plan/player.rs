//! The player of the settings.

use crate::players::{Player, PlayerConfig, PlayerError, player};
use crate::protocol::Settings;
use crate::roster::PlayerName;
use std::path::PathBuf;

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
