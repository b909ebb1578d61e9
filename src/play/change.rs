//! What changes the sitting itself: other games, other sides, other opponents, files.

use super::keep::seats_of;
use super::seats::Seats;
use super::sitting::Sitting;
use super::story::Ended;
use super::talk::replayed;
use crate::game::{Game, Position, Side, Variant};
use crate::level::Level;
use crate::ogn::Record;
use crate::protocol::read_game;
use crate::roster::PlayerName;
use std::io;
use std::path::Path;
use std::time::SystemTime;

impl Sitting {
    /// Goes on from another state of a game. What was over may not be so any more.
    fn go_on_from(&mut self, game: Game, comments: Vec<String>) {
        let before =
            game.moves().len().checked_sub(1).map(|last| (replayed(&game, last), game.moves()[last]));
        self.last = before.map(|(before, mv)| before.effects(mv).expect("a move that was played is legal"));
        (self.game, self.comments) = (game, comments);
        (self.thought, self.ended, self.told_turn) = (None, None, false);
    }

    /// Takes back so many moves of a person's, with the answers to them.
    pub(super) fn undo(&mut self, count: usize) -> io::Result<()> {
        let own = |side| self.seats == Seats::None || self.seats.is_person(side);
        let moves = self.game.moves();
        let mut kept = moves.len();
        let mut undone = 0;
        while undone < count
            && let Some(index) = moves[..kept].iter().rposition(|mv| own(mv.side))
        {
            (kept, undone) = (index, undone + 1);
        }
        if undone == 0 {
            return self.screen.wrong("There is no move of yours to take back.");
        }
        let (game, comments) = (replayed(&self.game, kept), self.comments[..kept].to_vec());
        self.go_on_from(game, comments);
        self.paused = self.seats == Seats::None;
        self.screen.say(&format!("Taken back: {undone} move{}.", if undone == 1 { "" } else { "s" }))?;
        self.show_board()?;
        self.keep()
    }

    /// The person and the engine change sides.
    pub(super) fn swap(&mut self) -> io::Result<()> {
        let Seats::One(_) = self.seats else {
            return self.screen.wrong("There is nobody to change sides with.");
        };
        self.seats = self.seats.swapped();
        self.told_turn = false;
        let side = self.seats.below();
        self.screen.say(&format!("You play {side} now."))?;
        self.show_board()?;
        self.keep()
    }

    /// Gives the seat of the engine to a player under some rules; says so if it does not know them.
    fn seat(&mut self, who: PlayerName, variant: Variant) -> io::Result<bool> {
        if variant == self.position().variant() && who == self.opponent.effort.who {
            return Ok(true);
        }
        match self.opponent.seat(who, variant) {
            Ok(()) => Ok(true),
            Err(error) => self.screen.wrong(&format!("{error}.")).map(|()| false),
        }
    }

    /// Puts a game away and begins with another one.
    fn begin(&mut self, game: Game, comments: Vec<String>) -> io::Result<()> {
        if self.ended.is_none() && !self.game.moves().is_empty() && !self.keeper.has(&self.record()) {
            let words = self.words();
            self.screen.say(&format!("The game before this one is not saved. It was {words}"))?;
        }
        self.keeper.next_game();
        self.go_on_from(game, comments);
        self.paused = false;
        (self.began, self.learned) = (SystemTime::now(), false);
        self.show_board()
    }

    /// Another game, perhaps under other rules.
    pub(super) fn new_game(&mut self, variant: Option<Variant>) -> io::Result<()> {
        let variant = variant.unwrap_or(self.position().variant());
        if self.seat(self.opponent.effort.who, variant)? {
            self.screen.say(&format!("A new game of {}.", variant.title()))?;
            self.begin(Game::new(Position::start(variant)), Vec::new())?;
        }
        Ok(())
    }

    /// A game from a position that is told.
    pub(super) fn set_up(&mut self, words: &str) -> io::Result<()> {
        match read_game(self.position().variant(), words) {
            Ok(game) => {
                let comments = vec![String::new(); game.moves().len()];
                self.begin(game, comments)
            }
            Err(error) => self.screen.wrong(&format!("That is no position: {error}.")),
        }
    }

    /// Writes the game to a file.
    pub(super) fn save(&mut self, path: Option<&Path>, over: bool) -> io::Result<()> {
        match self.keeper.save(path, over, self.record()) {
            Ok(path) => {
                let line = format!("Saved in {}.", path.display());
                self.screen.say(&line)
            }
            Err(error) => self.screen.wrong(&format!("Not saved: {error}.")),
        }
    }

    /// Goes on with a game from a file.
    pub(super) fn load(&mut self, path: &Path, number: Option<usize>) -> io::Result<()> {
        let mut keeper = self.keeper.clone();
        let (record, number, count) = match keeper.load(path, number) {
            Ok(found) => found,
            Err(error) => return self.screen.wrong(&format!("Not loaded: {error}.")),
        };
        if !self.seat(self.opponent.effort.who, record.game.position().variant())? {
            return Ok(());
        }
        if self.ended.is_none() && !self.game.moves().is_empty() && !self.keeper.has(&self.record()) {
            let words = self.words();
            self.screen.say(&format!("The game before this one is not saved. It was {words}"))?;
        }
        self.keeper = keeper;
        let title = record.game.position().variant().title();
        let which = if count > 1 { format!("game {number} of {count}, ") } else { String::new() };
        let moves = record.game.moves().len();
        let moves = format!("{moves} move{}", if moves == 1 { "" } else { "s" });
        self.screen.say(&format!("Loaded: {which}{title}, {moves}."))?;
        self.take_up(record)?;
        self.show_board()
    }

    /// Goes on with a game that was written down.
    pub(super) fn take_up(&mut self, record: Record) -> io::Result<()> {
        let resigned = match (record.tag("Termination"), record.result()) {
            (Some("resignation"), "1-0") => Some(Side::North),
            (Some("resignation"), "0-1") => Some(Side::South),
            _ => None,
        };
        if let (Seats::One(_), Some(seats @ Seats::One(_))) = (self.seats, seats_of(&record)) {
            self.seats = seats;
        }
        let mut comments = record.comments;
        comments.resize(record.game.moves().len(), String::new());
        self.go_on_from(record.game, comments);
        self.paused = false;
        // A game that was over when it was written has been learned from before.
        (self.began, self.learned) =
            (SystemTime::now(), self.position().verdict().is_some() || resigned.is_some());
        resigned.map_or(Ok(()), |side| self.end(Ended::Resigned(side)))
    }

    /// How well the engine plays from now on, or how well it does.
    pub(super) fn level(&mut self, level: Option<Level>) -> io::Result<()> {
        let Some(level) = level else { return self.player(None) };
        self.opponent.effort.level = level;
        if self.opponent.effort.who != PlayerName::Kroo
            && !self.seat(PlayerName::Kroo, self.position().variant())?
        {
            return Ok(());
        }
        self.screen.say(&format!("The engine plays at the level {} now.", level.name()))
    }

    /// Another opponent, or who it is.
    pub(super) fn player(&mut self, who: Option<PlayerName>) -> io::Result<()> {
        let who = who.unwrap_or(self.opponent.effort.who);
        if self.seat(who, self.position().variant())? {
            let line = format!("Against you plays {}.", self.opponent.description());
            self.screen.say(&line)?;
        }
        Ok(())
    }

    /// The game is given up by the person.
    pub(super) fn resign(&mut self) -> io::Result<()> {
        let side = match self.seats {
            _ if self.ended.is_some() => return self.screen.wrong("The game is over."),
            Seats::One(side) => side,
            Seats::Both => self.position().side(),
            Seats::None => return self.screen.wrong("You watch, so there is nothing to give up."),
        };
        self.end(Ended::Resigned(side))
    }
}
