//! When the player learns, and what it has to say about that.

use super::conversation::Session;
use crate::protocol::{Info, Reply};
use std::io::{self, Write};

impl<W: Write> Session<W> {
    /// Has the player learn from a finished game, once for each game.
    ///
    /// While the player is thinking it cannot learn; then the game waits until the search has ended.
    pub(super) fn learn(&mut self) -> io::Result<()> {
        let Some(player) = &mut self.player else { return Ok(()) };
        if let Some(game) = self.move_record.take_finished() {
            for side in self.move_record.sides(&game) {
                self.move_record.learned |= player.learn(&game, side);
            }
        }
        self.print_remarks()
    }

    /// Has the player read what other engines have learned.
    pub(super) fn refresh(&mut self) -> io::Result<()> {
        if let Some(player) = &mut self.player {
            player.refresh();
        }
        self.print_remarks()
    }

    /// Writes what the player could not write when it learned it, if it can be written now. Not while a move is awaited.
    pub(super) fn save_learned(&mut self) -> io::Result<()> {
        if let Some(player) = self.player.as_mut().filter(|player| player.has_unsaved()) {
            player.save();
            self.print_remarks()?;
        }
        Ok(())
    }

    /// Whether something could not be written, and no move is awaited: then it is time to try again now and then.
    pub(super) fn has_unsaved(&self) -> bool {
        self.job.is_none() && self.player.as_ref().is_some_and(|player| player.has_unsaved())
    }

    /// Prints what the player has to say, for example about a file that it cannot write.
    pub(super) fn print_remarks(&mut self) -> io::Result<()> {
        let remarks = self.player.as_mut().map(|player| player.remarks()).unwrap_or_default();
        remarks.iter().try_for_each(|remark| self.say(Reply::Info(Info::text(remark))))
    }
}
