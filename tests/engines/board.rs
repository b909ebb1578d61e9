//! Shared by the test engines: a board, and a legal move without a search.

use kroo::game::{Fields, Game, Move, Position, Side, Variant, Verdict};
use kroo::protocol::{Command, PositionCommand, Query, StartPosition};

/// The position and the rules.
pub struct Board {
    variant: Variant,
    game: Game,
}

impl Default for Board {
    fn default() -> Board {
        Board { variant: Variant::Awari, game: Game::new(Position::start(Variant::Awari)) }
    }
}

impl Board {
    /// The answer of a correct engine to a command.
    pub fn answer(&mut self, command: Command) -> String {
        match command {
            Command::Ugi => self.answer(Command::Uci).replace("uciok", "ugiok"),
            Command::Query(query) => {
                let position = self.game.position();
                let winner = position.verdict_for(Side::South).map(|verdict| match verdict {
                    Verdict::Win => "p1win",
                    Verdict::Draw => "draw",
                    Verdict::Loss => "p2win",
                });
                match query {
                    Query::GameOver => format!("response {}\n", winner.is_some()),
                    Query::P1Turn => format!("response {}\n", position.side() == Side::South),
                    Query::Result => format!("response {}\n", winner.unwrap_or("none")),
                }
            }
            Command::Uci => {
                let variants: String = Variant::ALL.iter().map(|variant| format!(" var {variant}")).collect();
                let name = std::env::var("ID_NAME").unwrap_or_else(|_| "Unruly".to_owned());
                format!(
                    "id name {name}\nid author nobody\noption name UCI_Variant type combo default awari{variants}\n\
                     option name Hash type spin default 16 min 1 max 64\n\
                     option name Ponder type check default false\n\
                     option name MoveLimit type spin default 250 min 0 max 1000\nuciok\n"
                )
            }
            Command::IsReady => "readyok\n".to_owned(),
            Command::SetOption { name, value: Some(value) } if name == "UCI_Variant" => {
                self.variant = value.parse().unwrap_or(self.variant);
                String::new()
            }
            Command::Position(position) => match self.set(&position) {
                Some(game) => {
                    self.game = game;
                    String::new()
                }
                None => "info string error position: it is not legal\n".to_owned(),
            },
            Command::Go(_) => match self.moves().first() {
                Some(best) => format!("bestmove {best}\n"),
                None => "bestmove 0000\n".to_owned(),
            },
            _ => String::new(),
        }
    }

    /// The game of a legal position.
    fn set(&self, position: &PositionCommand) -> Option<Game> {
        let start = match &position.start {
            StartPosition::Startpos => Some(Position::start(self.variant)),
            StartPosition::Fen(text) => {
                text.parse::<Fields>().ok().and_then(|fields| fields.position(self.variant).ok())
            }
        };
        let mut game = Game::new(start?);
        position.moves.iter().all(|&mv| game.play(mv).is_ok()).then_some(game)
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<Move> {
        self.game.position().moves()
    }

    /// The position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }
}
