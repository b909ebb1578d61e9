//! The command `sow`: the effects of moves, step by step, for clients without the rules.

use super::conversation::Session;
use crate::game::{Cell, Move, MoveEffects, Pit, Side};
use crate::protocol::{Ending, GameResult, Reply, play_all};
use std::fmt::Write as _;
use std::io::{self, Write};

impl<W: Write> Session<W> {
    /// Prints the effects of moves from the current position, then the legal moves and the result. The game is unchanged.
    pub(super) fn sow(&mut self, moves: &[Move]) -> io::Result<()> {
        if let Err(error) = play_all(&mut self.game.clone(), moves) {
            self.text(format!("Reason: {}", error.word()))?;
            return self.error(format_args!("sow: {error}"));
        }
        let mut game = self.game.clone();
        for &mv in moves {
            let effects = game.play_telling(mv).expect("the moves have just been played");
            lines(&effects).into_iter().try_for_each(|line| self.text(line))?;
            // The last line before the position says why the game is over.
            if let Some(end) = Ending::of_game(&game, self.settings.move_limit).and_then(Ending::word) {
                self.text(format!("End: {end}"))?;
            }
            self.say(Reply::Fen(game.position().to_string()))?;
        }
        if moves.is_empty() {
            self.say(Reply::Fen(game.position().to_string()))?;
        }
        let position = game.position_at_limit(self.settings.move_limit);
        let legal: String = position.moves().iter().map(Move::to_string).collect();
        self.text(format!("Moves: {}", if legal.is_empty() { "none" } else { &legal }))?;
        self.say(Reply::Result(GameResult::of(&position)))
    }
}

/// The lines of a move, without the position after it.
fn lines(effects: &MoveEffects) -> Vec<String> {
    let mut lines = vec![format!("Move: {}", effects.mv)];
    let mut from = Cell::Pit(effects.mv);
    for falls in &effects.falls {
        let places: String = falls.iter().map(Cell::to_string).collect();
        lines.push(format!("Lap: {from} {places}"));
        from = falls.last().copied().unwrap_or(from);
    }
    let mut captures = String::new();
    for mv in Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| Move { side, pit })) {
        let taken = effects.taken[mv.side.index()][mv.pit.index()];
        if taken > 0 {
            write!(captures, " {mv}{taken}").expect("writing to a string does not fail");
        }
    }
    if !captures.is_empty() {
        lines.push(format!("Capture:{captures}"));
    }
    if effects.end.is_some() {
        let [south, north] = effects.awarded;
        lines.push(format!("Award: S{south} N{north}"));
    }
    lines
}
