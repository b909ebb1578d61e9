//! When the player learns, and its remarks.

use super::conversation::Session;
use crate::protocol::{Info, Reply};
use std::io::{self, Write};

impl<W: Write> Session<W> {
    /// Lets the player learn from a finished game, once for each game.
    ///
    /// A player that is choosing a move cannot learn; the game waits until the search has ended.
    pub(super) fn learn(&mut self) -> io::Result<()> {
        let Some(player) = &mut self.player else { return Ok(()) };
        if let Some(game) = self.move_record.take_finished() {
            for side in self.move_record.sides(&game) {
                self.move_record.learned |= player.learn(&game, side);
            }
        }
        self.print_remarks()
    }

    /// Lets the player read what other engines have learned.
    pub(super) fn refresh(&mut self) -> io::Result<()> {
        if let Some(player) = &mut self.player {
            player.refresh();
        }
        self.print_remarks()
    }

    /// Retries writing what the player has learned. Not while a move is awaited.
    pub(super) fn save_learned(&mut self) -> io::Result<()> {
        if let Some(player) = self.player.as_mut().filter(|player| player.has_unsaved()) {
            player.save();
            self.print_remarks()?;
        }
        Ok(())
    }

    /// Whether to retry such writing: something is unwritten and no move is awaited.
    pub(super) fn has_unsaved(&self) -> bool {
        self.job.is_none() && self.player.as_ref().is_some_and(|player| player.has_unsaved())
    }

    /// Prints the player's remarks, for example about a file that it cannot write.
    pub(super) fn print_remarks(&mut self) -> io::Result<()> {
        let remarks = self.player.as_mut().map(|player| player.remarks()).unwrap_or_default();
        remarks.iter().try_for_each(|remark| self.say(Reply::Info(Info::text(remark))))
    }
}
