//! Saving the game, and its words at the end of the program.

use super::game_loop::GameLoop;
use super::saved_play::flags;
use crate::game::Position;
use std::io;

impl GameLoop {
    /// Saves the game if it is saved after every turn.
    pub(super) fn autosave(&mut self) -> io::Result<()> {
        match self.game_file.save_turn(self.record.clone()) {
            Ok(()) => Ok(()),
            Err(error) => self.screen.wrong(&format!("The game could not be saved: {error}")),
        }
    }

    /// Prints where the game is saved, or how to continue it.
    pub(super) fn leave(&mut self) -> io::Result<()> {
        match self.game_file.path() {
            Some(path) if self.game_file.contains(&self.record) => {
                let line = format!("The game is saved in {}.", path.display());
                self.screen.say(&line)
            }
            _ if self.record.game.moves().is_empty() || self.ended.is_some() => Ok(()),
            _ => {
                let flags = flags(self.position().variant(), self.humans, &self.opponent.settings);
                let clock =
                    self.clocks.map_or_else(String::new, |clocks| format!(" --clock {}", clocks.setting));
                let line = format!("  kroo play{flags}{clock} --position {}", self.words());
                self.screen.say("The game is not saved. To continue it:")?;
                self.screen.line(&line)
            }
        }
    }

    /// The game as the arguments of `position`.
    pub(super) fn words(&self) -> String {
        let game = &self.record.game;
        let start = game.start();
        let is_start = *start == Position::start(start.variant());
        let mut words = if is_start { "startpos".to_owned() } else { start.to_string() };
        if !game.moves().is_empty() {
            words.push_str(" moves ");
            words.extend(game.moves().iter().map(|mv| mv.letter()));
        }
        words
    }
}
