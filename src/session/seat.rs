//! Who sits at the board, and what is remembered of the game for it to learn from.
//!
//! A game is learned from once between one `ucinewgame` and the next, when a `position` brings moves that end it. The side that
//! was played is the one for which moves were answered that then stand in the game; what was said while pondering, on the
//! other side's time, is nobody's move. While a player thinks it cannot learn: then the finished game waits.

use super::{Session, answer};
use crate::evaluate::{EvalFileError, Weights};
use crate::game::{Game, Move, Side};
use crate::players::{Player, PlayerConfig, PlayerError, player};
use crate::protocol::{Info, Reply, Settings};
use crate::roster::PlayerName;
use crate::search::Report;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// At this move the stores decide, says whoever referees.
const MOVE_LIMIT: usize = 250;

/// The player of the settings.
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

/// The engine's weights by the settings: `EvalFile` is its own, unless it is the evolved player's.
pub(super) fn weights_of(settings: &Settings) -> Result<Arc<Weights>, EvalFileError> {
    match settings.player {
        PlayerName::Evolved => Ok(Weights::built_in(settings.variant)),
        _ => Weights::named(&settings.eval_file, settings.variant),
    }
}

/// Whether `EvalFile` means another kind of file to these settings than to those.
pub(super) fn reads_other_files(these: &Settings, those: &Settings) -> bool {
    (these.player == PlayerName::Evolved) != (those.player == PlayerName::Evolved)
}

/// What was answered in a game.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// The moves made before the one that is being chosen.
    asked: usize,
    /// Whether the choice is made on the other side's time.
    pondering: bool,
    /// The answers, by the moves made before.
    answers: BTreeMap<usize, Move>,
    /// A game that has ended, to be learned from.
    finished: Option<Game>,
    /// Whether this game has been remembered.
    remembered: bool,
}

impl Sheet {
    /// A move is to be chosen where a game stands.
    pub(super) fn asked(&mut self, game: &Game, pondering: bool) {
        self.asked = game.moves().len();
        self.pondering = pondering;
    }

    /// The move that was expected has been made.
    pub(super) fn expected_move_was_made(&mut self) {
        self.pondering = false;
    }

    /// The answer was given.
    pub(super) fn answered(&mut self, mv: Option<Move>) {
        match mv {
            Some(mv) if !self.pondering => drop(self.answers.insert(self.asked, mv)),
            _ => {}
        }
    }

    /// A game was told.
    pub(super) fn told(&mut self, game: &Game) {
        if game.position().verdict().is_some() || game.moves().len() >= MOVE_LIMIT {
            self.finished = Some(game.clone());
        }
    }

    /// The sides whose moves in a game were answers.
    fn sides(&self, game: &Game) -> Vec<Side> {
        let played = |side| {
            self.answers.iter().any(|(&index, mv)| mv.side == side && game.moves().get(index) == Some(mv))
        };
        Side::BOTH.into_iter().filter(|&side| played(side)).collect()
    }
}

impl<W: Write> Session<W> {
    /// Has the player learn from a game that has ended, unless it is thinking or has learned from this one.
    pub(super) fn learn(&mut self) -> io::Result<()> {
        let Some(player) = &mut self.player else { return Ok(()) };
        let Some(game) = self.sheet.finished.take() else { return Ok(()) };
        if !self.sheet.remembered {
            for side in self.sheet.sides(&game) {
                self.sheet.remembered |= player.learn(&game, side);
            }
        }
        self.pass_on_remarks()
    }

    /// Has the player look what others have learned.
    pub(super) fn refresh(&mut self) -> io::Result<()> {
        if let Some(player) = &mut self.player {
            player.refresh();
        }
        self.pass_on_remarks()
    }

    /// Says what the player has to say.
    pub(super) fn pass_on_remarks(&mut self) -> io::Result<()> {
        let remarks = self.player.as_mut().map(|player| player.remarks()).unwrap_or_default();
        remarks.iter().try_for_each(|remark| self.say(Reply::Info(Info::text(remark))))
    }

    /// Shows a move from the book.
    pub(super) fn show_book_move(&mut self, report: &Report, elapsed: std::time::Duration) -> io::Result<()> {
        for info in answer::infos(report, elapsed, self.settings.show_wdl) {
            self.say(Reply::Info(info))?;
        }
        self.say(Reply::Info(Info::text("book")))
    }
}
