//! The text of a game.

use super::record::GameRecord;
use kroo_core::game::{Board, Game, Move, Pit, Position, Rules, Side, Visitor};
use std::fmt;

/// The tags of every game after `Variant`, in order.
pub const TAGS: [&str; 7] = ["Event", "Site", "Date", "Round", "South", "North", "Result"];

/// Characters in a line of moves.
const WIDTH: usize = 79;

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut line = Wrapped { out: f, column: 0 };
        self.write_moves(&mut line)?;
        let [south, north] = self.stores();
        line.word(&format!("{south}-{north}"))?;
        writeln!(f, "\n")
    }
}

impl GameRecord {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| {
            // A tag ends with its line, so control characters become spaces.
            let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
        };
        let start = self.game.start();
        tag("Variant", start.variant().title())?;
        for name in TAGS {
            let value = if name == "Result" { self.result() } else { self.tag(name).unwrap_or("?") };
            tag(name, value)?;
        }
        if *start != Position::start(start.variant()) {
            tag("FEN", &start.to_string())?;
        }
        let others = self.tags.iter().filter(|(name, _)| !TAGS.contains(&name.as_str()));
        others.into_iter().try_for_each(|(name, value)| tag(name, value))
    }

    fn write_moves(&self, line: &mut Wrapped<'_, '_>) -> fmt::Result {
        let mut game = Game::new(*self.game.start());
        let (mut number, mut last) = (0, None);
        for (index, &mv) in self.game.moves().iter().enumerate() {
            if mv.side == Side::South && last != Some(Side::South) || last.is_none() {
                number += 1;
                line.word(&format!("{number}{}", if mv.side == Side::South { "." } else { "..." }))?;
            }
            last = Some(mv.side);
            line.word(&move_text(mv, banked(game.position(), mv)))?;
            let comment = self.comments.get(index).map_or("", String::as_str).trim();
            if !comment.is_empty() {
                let comment = comment.replace('}', ")").replace('{', "(");
                format!("{{{comment}}}").split_whitespace().try_for_each(|word| line.word(word))?;
            }
            game.play(mv).expect("the moves of a game that was played are legal");
        }
        Ok(())
    }
}

fn move_text(mv: Move, banked: u8) -> String {
    if banked == 0 { mv.to_string() } else { format!("{mv}+{banked}") }
}

/// The seeds that a legal move brings into the mover's store, without those awarded by the end of the game.
pub(super) fn banked(position: &Position, mv: Move) -> u8 {
    position.variant().visit(Banked { board: position.board(), pit: mv.pit })
}

struct Banked {
    board: Board,
    pit: Pit,
}

impl Visitor for Banked {
    type Output = u8;

    fn visit<R: Rules>(self) -> u8 {
        let after = R::play(self.board, self.pit)
            .map_or(self.board.mover, |step| if step.again { step.board.mover } else { step.board.other });
        after.store() - self.board.mover.store()
    }
}

/// Fills words into lines.
struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Wrapped<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            writeln!(self.out)?;
            self.column = 0;
        } else if self.column > 0 {
            write!(self.out, " ")?;
            self.column += 1;
        }
        self.column += length;
        write!(self.out, "{word}")
    }
}
