//! An engine that answers at once, for measuring the referee: it keeps the game, makes the first legal move,
//! and does nothing else. A `position` that goes on from the last one costs it only the new moves.

use kroo::game::{Fields, Game, Move, Position, Variant};
use std::io::{self, BufRead, Write};

/// The game, and the line that told it.
struct Table {
    variant: Variant,
    game: Game,
    told: Vec<u8>,
}

impl Table {
    fn new(variant: Variant) -> Table {
        Table { variant, game: Game::new(Position::start(variant)), told: Vec::new() }
    }

    /// Takes a `position` line.
    fn set(&mut self, line: &[u8]) {
        let known = if !self.told.is_empty() && line.starts_with(&self.told) { self.told.len() } else { 0 };
        if known == 0 {
            let mut words = line.split(|&byte| byte == b' ').skip(1);
            let start = match words.next() {
                Some(b"fen") => words
                    .next()
                    .and_then(|text| std::str::from_utf8(text).ok()?.parse::<Fields>().ok())
                    .and_then(|fields| fields.position(self.variant).ok()),
                _ => Some(Position::start(self.variant)),
            };
            self.game = Game::new(start.unwrap_or_else(|| Position::start(self.variant)));
        }
        let from = match known {
            0 => line.windows(7).position(|word| word == b" moves ").map_or(line.len(), |at| at + 7),
            known => known,
        };
        for mv in line[from..].iter().filter_map(|&letter| Move::from_letter(char::from(letter))) {
            // The referee sends only legal moves.
            let _ = self.game.play(mv);
        }
        self.told.clear();
        // Only a line that already has moves can go on with more.
        if from < line.len() {
            self.told.extend_from_slice(line);
        }
    }

    fn best(&self) -> String {
        match self.game.position().moves().first() {
            Some(best) => format!("bestmove {best}\n"),
            None => "bestmove 0000\n".to_owned(),
        }
    }
}

fn introduction() -> String {
    let variants: String = Variant::ALL.iter().map(|variant| format!(" var {variant}")).collect();
    format!("id name Instant\noption name UCI_Variant type combo default awari{variants}\nuciok\n")
}

fn main() -> io::Result<()> {
    let mut table = Table::new(Variant::Awari);
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = line.trim_ascii_end();
        match text {
            b"uci" => output.write_all(introduction().as_bytes())?,
            b"isready" => output.write_all(b"readyok\n")?,
            b"quit" => return Ok(()),
            _ if text.starts_with(b"position") => table.set(text),
            _ if text.starts_with(b"go") => output.write_all(table.best().as_bytes())?,
            _ => {
                if let Some(name) = text.strip_prefix(b"setoption name UCI_Variant value ") {
                    let named = std::str::from_utf8(name).ok().and_then(|name| name.parse().ok());
                    table = Table::new(named.unwrap_or(table.variant));
                }
            }
        }
        line.clear();
    }
    Ok(())
}
