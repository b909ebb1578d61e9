//! Commands that change the game, the sides or the opponent, and file commands.

use super::Settled;
use super::clock::Clocks;
use super::command::listed;
use super::game_loop::{END_TAGS, GameLoop, TakenBack};
use super::saved_play::{NAMES, PLAYERS, SavedPlay, flags, set_or_remove};
use super::sides::HumanSides;
use crate::game::{Game, Position, Side, Variant};
use crate::level::{self, Strength, ladder};
use crate::ogn::{GameRecord, date};
use crate::printable::counted;
use crate::protocol::{Ending, parse_game};
use crate::roster::{self, PlayerName};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// The event tag of a game of `kroo play`.
const EVENT: &str = "Casual game";

impl GameLoop {
    /// Continues from the state of the document. A finished game may continue.
    fn continue_here(&mut self) {
        let mut before = self.record.game.clone();
        let last = before.undo();
        self.last_move = last.map(|mv| before.effects(mv).expect("a move that was played is legal"));
        (self.last_analysis, self.ended, self.turn_announced) = (None, None, false);
        self.clocks = self.clocks.map(|clocks| clocks.of_game(&self.record));
    }

    /// `undo`: takes back some of the person's moves, and the engine's answers. A resignation, or any other end that is not by
    /// the rules, counts as a move.
    pub(super) fn undo(&mut self, mut count: usize) -> io::Result<()> {
        let settled = self.ended.filter(|ended| ended.is_settled());
        if self.ended.is_some() {
            let tags = END_TAGS.map(|tag| self.record.tag(tag).map(str::to_owned));
            (self.taken_back.tags, self.taken_back.is_settled) = (tags, settled.is_some());
        }
        if let Some(end) = settled {
            self.state_end(None);
            self.continue_here();
            let what = match end {
                Ending::Resignation(_) => "The resignation",
                Ending::Time(_) => "The loss on time",
                Ending::Agreement => "The agreement",
                _ => "The end of the game",
            };
            self.screen.say(&format!("{what} is taken back."))?;
            count -= 1;
        }
        let moves = self.record.game.moves();
        let mut kept = moves.len();
        let mut undone = 0;
        while undone < count
            && let Some(index) = moves[..kept].iter().rposition(|mv| self.is_own(mv.side))
        {
            (kept, undone) = (index, undone + 1);
        }
        if undone > 0 {
            while self.record.notes.len() > kept {
                self.taken_back.moves.extend(self.record.pop());
            }
            self.state_end(None);
            self.continue_here();
            self.paused = self.humans == HumanSides::None;
            self.screen.say(&format!("{} taken back.", counted(undone as u64, "move")))?;
        } else if settled.is_none() {
            return self.screen.wrong("You have no move to take back.");
        }
        self.show_board()?;
        self.autosave()
    }

    /// `redo`: replays moves that `undo` took back, or restores the end that it took back.
    pub(super) fn redo(&mut self, count: usize) -> io::Result<()> {
        let mut redone = 0;
        while redone < count && !self.taken_back.moves.is_empty() {
            redone += 1;
            loop {
                let (mv, notes) = self.taken_back.moves.pop().expect("the loop looks before");
                self.record.push(mv, notes).expect("it was played here before");
                if self.taken_back.moves.last().is_none_or(|&(next, _)| self.is_own(next.side)) {
                    break;
                }
            }
        }
        let is_last = self.taken_back.moves.is_empty() && self.taken_back.tags[0].is_some();
        let ends = is_last && if self.taken_back.is_settled { redone < count } else { redone > 0 };
        if redone == 0 && !ends {
            return self.screen.wrong("There is no move to play again: `redo` follows `undo`.");
        }
        self.state_end(None);
        if ends {
            for (tag, value) in END_TAGS.into_iter().zip(std::mem::take(&mut self.taken_back.tags)) {
                set_or_remove(&mut self.record, tag, value);
            }
        }
        self.continue_here();
        if redone > 0 {
            self.screen.say(&format!("{} played again.", counted(redone as u64, "move")))?;
            self.show_board()?;
        }
        self.announce_end()?;
        self.autosave()
    }

    /// Whether `undo` and `redo` count the moves of a side.
    fn is_own(&self, side: Side) -> bool {
        self.humans == HumanSides::None || self.humans.includes(side)
    }

    /// `swap`: the person and the engine change sides.
    pub(super) fn swap(&mut self) -> io::Result<()> {
        let HumanSides::One(_) = self.humans else {
            return self.screen.wrong("There is no other person to change sides with.");
        };
        self.humans = self.humans.swapped();
        self.turn_announced = false;
        for pair in [NAMES, PLAYERS] {
            let [south, north] = pair.map(|tag| self.record.tag(tag).map(str::to_owned));
            set_or_remove(&mut self.record, pair[0], north);
            set_or_remove(&mut self.record, pair[1], south);
        }
        self.describe();
        let side = self.humans.bottom();
        self.screen.say(&format!("You now play {side}."))?;
        self.show_board()?;
        self.autosave()
    }

    /// Sets the opponent, in a rule set. If it does not know the rules, prints that and returns false.
    fn set_player(&mut self, who: PlayerName, variant: Variant) -> io::Result<bool> {
        if variant == self.position().variant() && who == self.opponent.settings.engine.player {
            return Ok(true);
        }
        match self.opponent.set_player(who, variant) {
            Ok(()) => Ok(true),
            Err(error) => self.screen.wrong(&format!("{error}.")).map(|()| false),
        }
    }

    /// Leaves the current game, and says how to get it again if it is not saved.
    fn leave_game(&mut self) -> io::Result<()> {
        let is_open = self.ended.is_none() && !self.record.game.moves().is_empty();
        if is_open && !self.game_file.contains(&self.record) {
            let words = self.words();
            self.screen.say(&format!("The previous game is not saved. It was: {words}"))?;
        }
        Ok(())
    }

    /// Leaves the current game and starts another one.
    fn start(&mut self, game: Game) -> io::Result<()> {
        self.leave_game()?;
        self.game_file.next_game();
        self.begin(game);
        self.show_board()
    }

    /// Begins a game, with a new document.
    pub(super) fn begin(&mut self, game: Game) {
        let clocks = self.clocks.map(|clocks| Clocks::new(clocks.setting, game.moves().len()));
        self.clocks = clocks;
        self.resume(GameRecord::new(game));
        self.record.set_tag("Event", EVENT);
        self.record.set_tag("Date", &date(SystemTime::now()));
        self.record.set_tag("Termination", "unfinished");
        self.state_end(self.current_end());
        self.describe();
    }

    /// `new`: another game, possibly of another rule set.
    pub(super) fn new_game(&mut self, variant: Option<Variant>) -> io::Result<()> {
        let variant = variant.unwrap_or(self.position().variant());
        if self.set_player(self.opponent.settings.engine.player, variant)? {
            self.screen.say(&format!("A new game of {}.", variant.title()))?;
            self.start(Game::new(Position::start(variant)))?;
        }
        Ok(())
    }

    /// `position P`: a game from a given position.
    pub(super) fn set_up(&mut self, words: &str) -> io::Result<()> {
        match parse_game(self.position().variant(), words) {
            Ok(game) => self.start(game),
            Err(error) => self.screen.wrong(&format!("This is not a position: {error}.")),
        }
    }

    /// `save`: saves the game to a file.
    pub(super) fn save(&mut self, path: Option<&Path>, over: bool) -> io::Result<()> {
        match self.game_file.save(path, over, self.record.clone()) {
            Ok(path) => {
                let line = format!("Saved in {}.", path.display());
                self.screen.say(&line)
            }
            Err(error) => self.screen.wrong(&format!("Not saved: {error}.")),
        }
    }

    /// `load`: continues a game from a file.
    pub(super) fn load(&mut self, path: &Path, number: Option<usize>) -> io::Result<()> {
        let mut game_file = self.game_file.clone();
        let (record, number, count) = match game_file.load(path, number) {
            Ok(found) => found,
            Err(error) => return self.screen.wrong(&format!("Not loaded: {error}.")),
        };
        let saved = SavedPlay::of(&record);
        let who = saved.opponent.map_or(self.opponent.settings.engine.player, |(who, _)| who);
        if !self.set_player(who, record.game.position().variant())? {
            return Ok(());
        }
        self.leave_game()?;
        self.game_file = game_file;
        self.humans = saved.humans.unwrap_or(self.humans);
        let moves = record.game.moves().len();
        self.clocks = saved.clocks.or(self.clocks.map(|clocks| Clocks::new(clocks.setting, moves)));
        saved.settle(&mut self.opponent.settings, Settled::default());
        let title = record.game.position().variant().title();
        let which = if count > 1 { format!("game {number} of {count}, ") } else { String::new() };
        let moves = counted(moves as u64, "move");
        let players = self.players();
        self.screen.say(&format!("Loaded: {which}{title}, {moves}. {players}"))?;
        self.resume(record);
        self.show_board()
    }

    /// Continues a game from its document.
    pub(super) fn resume(&mut self, record: GameRecord) {
        self.record = record;
        self.continue_here();
        (self.taken_back, self.paused) = (TakenBack::default(), false);
        // A finished game was learned from before it was saved.
        self.learned = self.current_end().is_some();
    }

    /// `level`: sets the engine's strength, or lists the levels.
    pub(super) fn level(&mut self, strength: Option<Strength>) -> io::Result<()> {
        let Some(strength) = strength else {
            self.say_opponent()?;
            let [least, most] = ladder(self.position().variant()).range();
            let levels = listed(&level::names());
            return self.screen.say(&format!("The levels are {levels}; or an Elo from {least} to {most}."));
        };
        self.opponent.settings.engine.set_strength(strength);
        if self.opponent.settings.engine.player != PlayerName::Kroo
            && !self.set_player(PlayerName::Kroo, self.position().variant())?
        {
            return Ok(());
        }
        self.describe();
        match strength {
            Strength::Level(level) => {
                self.screen.say(&format!("The engine now plays at level {}.", level.name()))
            }
            Strength::Elo(elo) => self.screen.say(&format!("The engine now plays at {elo} Elo.")),
        }
    }

    /// `player`: chooses the opponent, or lists the players.
    pub(super) fn player(&mut self, who: Option<PlayerName>) -> io::Result<()> {
        match who {
            None => {
                self.say_opponent()?;
                self.screen.say(&format!("The players are {}.", listed(&roster::names())))
            }
            Some(who) if self.set_player(who, self.position().variant())? => {
                self.describe();
                self.say_opponent()
            }
            Some(_) => Ok(()),
        }
    }

    fn say_opponent(&mut self) -> io::Result<()> {
        let line = format!("You are playing against {}.", self.opponent.settings.description());
        self.screen.say(&line)
    }

    /// `resign`: the person gives up the game.
    pub(super) fn resign(&mut self) -> io::Result<()> {
        let side = match self.humans {
            _ if self.ended.is_some() => return self.screen.wrong("The game is over."),
            HumanSides::One(side) => side,
            HumanSides::Both => self.position().side(),
            HumanSides::None => {
                return self.screen.wrong("You are only watching, so there is nothing to resign.");
            }
        };
        self.taken_back = TakenBack::default();
        self.state_end(Some(Ending::Resignation(side)));
        self.end(Ending::Resignation(side))
    }

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
