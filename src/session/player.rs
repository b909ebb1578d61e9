//! The player that the settings name, and the weights that go with it.

use crate::evaluate::{EvalFileError, Weights};
use crate::players::{Player, PlayerConfig, PlayerError, player};
use crate::protocol::Settings;
use crate::roster::PlayerName;
use std::path::PathBuf;
use std::sync::Arc;

/// The player of the settings, as it starts: with nothing learned but what `LearnFile` contains.
pub(super) fn player_of(settings: &Settings) -> Result<Box<dyn Player>, PlayerError> {
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

/// The weights of the engine's network. `EvalFile` names them, unless the evolved player plays and `EvalFile` is its own.
pub(super) fn weights_of(settings: &Settings) -> Result<Arc<Weights>, EvalFileError> {
    match settings.player {
        PlayerName::Evolved => Ok(Weights::built_in(settings.variant)),
        _ => Weights::named(&settings.eval_file, settings.variant),
    }
}

/// Whether `EvalFile` is another kind of file under one player than under the other.
pub(super) fn eval_file_kind_changes(from: &Settings, to: &Settings) -> bool {
    (from.player == PlayerName::Evolved) != (to.player == PlayerName::Evolved)
}
