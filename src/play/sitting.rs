//! A sitting at the board: whose turn it is, what is done about it, and how it ends.

use super::board::{Style, View, draw};
use super::command::{self, Command};
use super::ear::{Ear, Heard};
use super::keep::{Keeper, record};
use super::opponent::{Opponent, Thought};
use super::screen::Screen;
use super::seats::{Seats, capital};
use super::story::{Ended, MOST_MOVES, Teller};
use crate::game::{Game, Move, MoveEffects, Position, Side};
use crate::ogn::Record;
use std::io;
use std::time::{Duration, SystemTime};

/// Whoever watches the engine play against itself sees each move for so long at the least.
const PACE: Duration = Duration::from_millis(700);
/// Whoever waits longer than this is told what for.
const LONG: Duration = Duration::from_secs(3);

/// A person, the board, and the engine.
pub struct Sitting {
    pub(super) screen: Screen,
    pub(super) ear: Ear,
    pub(super) style: Style,
    pub(super) seats: Seats,
    pub(super) opponent: Opponent,
    pub(super) keeper: Keeper,
    pub(super) game: Game,
    /// What is said after each move in the game file.
    pub(super) comments: Vec<String>,
    /// When the game began.
    pub(super) began: SystemTime,
    /// What the last move did.
    pub(super) last: Option<MoveEffects>,
    /// What the engine thought when it moved last.
    pub(super) thought: Option<Thought>,
    /// How the game has ended, once that has been told.
    pub(super) ended: Option<Ended>,
    /// Whether the engine waits for `go` before it moves.
    pub(super) paused: bool,
    /// Whether it has been said whose turn it is.
    pub(super) told_turn: bool,
    /// Whether the engine has had its lesson from this game.
    pub(super) learned: bool,
    /// Whether Ctrl-C was the last that was heard.
    warned: bool,
}

/// Whether the sitting goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    GoOn,
    Leave,
}

impl Sitting {
    /// A sitting at a game.
    pub(super) fn new(
        screen: Screen,
        ear: Ear,
        style: Style,
        seats: Seats,
        opponent: Opponent,
        game: Game,
    ) -> Sitting {
        Sitting {
            screen,
            ear,
            style,
            seats,
            opponent,
            keeper: Keeper::default(),
            game,
            comments: Vec::new(),
            began: SystemTime::now(),
            last: None,
            thought: None,
            ended: None,
            paused: false,
            told_turn: false,
            learned: false,
            warned: false,
        }
    }

    /// Plays until somebody leaves.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(super) fn run(&mut self) -> io::Result<()> {
        self.greet()?;
        self.show_board()?;
        loop {
            self.see_whether_it_ended()?;
            let flow = if self.engine_is_to_move() { self.engine_moves()? } else { self.ask()? };
            if flow == Flow::Leave {
                return self.take_leave();
            }
        }
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn teller(&self) -> Teller {
        Teller { seats: self.seats, engine: self.opponent.name() }
    }

    fn engine_is_to_move(&self) -> bool {
        self.ended.is_none() && !self.paused && !self.seats.is_person(self.position().side())
    }

    fn greet(&mut self) -> io::Result<()> {
        let (title, who) = (self.position().variant().title(), self.opponent.description());
        let seats = match self.seats {
            Seats::One(side) => {
                let begins = if side == self.position().side() { "you begin" } else { "the engine begins" };
                format!("You play {side} against {who}, and {begins}.")
            }
            Seats::Both => "Two people play.".to_owned(),
            Seats::None => format!("{} plays both sides.", capital(&who)),
        };
        self.screen.say(&format!(
            "{title}. {seats} Type the number of a pit to sow it. `rules` tells the rules, `help` the commands, `quit` ends."
        ))
    }

    /// Draws the board as it is.
    pub(super) fn show_board(&mut self) -> io::Result<()> {
        let teller = self.teller();
        let names = Side::BOTH.map(|side| match self.seats {
            Seats::One(_) => format!("{side} ({})", teller.person(side).name()),
            _ => side.to_string(),
        });
        let below = self.seats.below();
        let view = View { position: self.game.position(), below, last: self.last.as_ref(), names };
        let lines = draw(&view, self.style, &self.screen);
        lines.iter().try_for_each(|line| self.screen.line(line))
    }

    /// Tells it if the game has just come to an end.
    fn see_whether_it_ended(&mut self) -> io::Result<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        let by_move = self.last.as_ref().and_then(|last| last.end);
        let over = self.position().verdict().is_some();
        let ended = match by_move {
            _ if !over && self.game.moves().len() < MOST_MOVES => return Ok(()),
            _ if !over => Ended::MoveLimit,
            Some(end) => Ended::Rules(end),
            None => Ended::SetUp,
        };
        self.end(ended)
    }

    /// The game is over.
    pub(super) fn end(&mut self, ended: Ended) -> io::Result<()> {
        self.ended = Some(ended);
        let handed = self.last.as_ref().map_or([0, 0], |last| last.awarded);
        let story = self.teller().ended(ended, handed, self.position());
        self.screen.say(&story)?;
        if !std::mem::replace(&mut self.learned, true) {
            for side in Side::BOTH.into_iter().filter(|&side| !self.seats.is_person(side)) {
                for remark in self.opponent.learn(&self.game, side) {
                    self.screen.say(&remark)?;
                }
            }
        }
        self.keep()?;
        if self.screen.prompts() {
            self.screen.say("`new` begins another game, `undo` takes a move back, `review` looks at the last one, `quit` leaves.")?;
        }
        Ok(())
    }

    /// Has the engine make the move that is to be made.
    pub(super) fn engine_moves(&mut self) -> io::Result<Flow> {
        self.ask_for_patience("Ctrl-C makes it move at once")?;
        let thought = self.opponent.choose(&self.game, &self.ear);
        let watched = self.seats == Seats::None;
        if watched && self.screen.prompts() {
            self.ear.pause(PACE.saturating_sub(thought.time));
        }
        let stop = self.ear.take_stop();
        if stop == Some(Heard::Terminate) {
            return Ok(Flow::Leave);
        }
        let (mv, comment) = (thought.best(), thought.comment());
        self.thought = Some(thought);
        self.make(mv, comment)?;
        if stop.is_some() && watched {
            self.paused = true;
            self.screen.say("Stopped. `go` lets the game go on.")?;
        }
        Ok(Flow::GoOn)
    }

    /// Says that the engine thinks, if that can take long, and how that is ended.
    pub(super) fn ask_for_patience(&mut self, end: &str) -> io::Result<()> {
        if self.screen.prompts() && self.opponent.effort.time >= LONG {
            let name = capital(self.opponent.name());
            self.screen.say(&format!("{name} thinks. {end}."))?;
        }
        Ok(())
    }

    /// Makes a legal move and tells what it does.
    fn make(&mut self, mv: Move, comment: String) -> io::Result<()> {
        let effects = self.game.effects(mv).expect("the move is legal");
        self.game.play(mv).expect("the move is legal");
        self.comments.push(comment);
        self.told_turn = false;
        let story = self.teller().moved(&effects);
        self.last = Some(effects);
        self.screen.say(&story)?;
        let next = self.position().side();
        let chain = next == mv.side && !self.seats.is_person(next) && self.position().verdict().is_none();
        if !chain {
            self.show_board()?;
        }
        self.keep()
    }

    /// Sows a pit for a person, or says why that cannot be.
    pub(super) fn sow(&mut self, named: command::Named) -> io::Result<()> {
        let position = *self.position();
        let mv = named.by(position.side());
        if self.ended.is_some() {
            let story = self.teller().refused(mv, &position, &crate::game::MoveError::GameOver);
            return self.screen.wrong(&story);
        }
        if !self.seats.is_person(position.side()) {
            return self.screen.wrong("You watch, and the engine waits: `go` lets it move.");
        }
        match position.play(mv) {
            Ok(_) => self.make(mv, String::new()),
            Err(error) => {
                let story = self.teller().refused(mv, &position, &error);
                self.screen.wrong(&story)
            }
        }
    }

    /// Waits for somebody to say something, and does it.
    fn ask(&mut self) -> io::Result<Flow> {
        if self.ended.is_none() && !self.told_turn {
            self.told_turn = true;
            let again =
                self.last.as_ref().is_some_and(|last| last.again && last.mv.side == self.position().side());
            let story = self.teller().turn(self.position(), again);
            self.screen.say(&story)?;
        }
        self.screen.prompt()?;
        let heard = self.ear.listen();
        let warned = std::mem::take(&mut self.warned);
        match heard {
            Heard::Line(line) => match command::parse(&line) {
                Ok(Some(command)) => self.carry_out(command),
                Ok(None) => Ok(Flow::GoOn),
                Err(error) => self.screen.wrong(&error).map(|()| Flow::GoOn),
            },
            Heard::Interrupt if self.screen.prompts() && !warned => {
                self.warned = true;
                self.screen.end_prompt()?;
                self.screen.say("Ctrl-C once more leaves, as `quit` does.").map(|()| Flow::GoOn)
            }
            Heard::End | Heard::Interrupt | Heard::Terminate => {
                self.screen.end_prompt()?;
                Ok(Flow::Leave)
            }
        }
    }

    fn carry_out(&mut self, command: Command) -> io::Result<Flow> {
        match command {
            Command::Quit => return Ok(Flow::Leave),
            Command::Go => return self.go(),
            Command::Sow(named) => self.sow(named)?,
            Command::Hint => self.hint()?,
            Command::Think => self.think()?,
            Command::Why => self.why()?,
            Command::Review => self.review()?,
            Command::Moves => self.tell_moves()?,
            Command::Rules => self.tell_rules()?,
            Command::Help => self.help()?,
            Command::Board(style) => {
                self.style = style.unwrap_or(self.style);
                self.show_board()?;
            }
            Command::Position(None) => self.tell_position()?,
            Command::Position(Some(words)) => self.set_up(&words)?,
            Command::Undo(count) => self.undo(count)?,
            Command::Swap => self.swap()?,
            Command::New(variant) => self.new_game(variant)?,
            Command::Save { path, over } => self.save(path.as_deref(), over)?,
            Command::Load(path, number) => self.load(&path, number)?,
            Command::Level(level) => self.level(level)?,
            Command::Player(who) => self.player(who)?,
            Command::Time(time) => {
                self.opponent.effort.time = time;
                self.screen.say(&format!("The engine thinks for {} s at the most.", time.as_secs_f64()))?;
            }
            Command::Resign => self.resign()?,
        }
        Ok(Flow::GoOn)
    }

    /// The engine moves for whoever is to move; where it plays both sides, it goes on.
    fn go(&mut self) -> io::Result<Flow> {
        if self.ended.is_some() {
            self.screen.wrong("The game is over.")?;
            return Ok(Flow::GoOn);
        }
        self.paused = false;
        if self.seats.is_person(self.position().side()) { self.engine_moves() } else { Ok(Flow::GoOn) }
    }

    /// The game with what is known about it.
    pub(super) fn record(&self) -> Record {
        let engine = self.opponent.description();
        record(&self.game, &self.comments, self.seats, &engine, self.ended, self.began)
    }

    /// Writes the game, if it is written after every turn.
    pub(super) fn keep(&mut self) -> io::Result<()> {
        match self.keeper.after_turn(self.record()) {
            Ok(()) => Ok(()),
            Err(error) => self.screen.wrong(&format!("The game could not be saved: {error}")),
        }
    }

    /// Says what becomes of the game that is left.
    fn take_leave(&mut self) -> io::Result<()> {
        let record = self.record();
        match self.keeper.path() {
            Some(path) if self.keeper.has(&record) => {
                let line = format!("The game is in {}.", path.display());
                self.screen.say(&line)
            }
            _ if self.game.moves().is_empty() || self.ended.is_some() => Ok(()),
            _ => {
                let (variant, words) = (self.position().variant(), self.words());
                self.screen.say("The game is not saved. To go on with it:")?;
                self.screen.line(&format!("  kroo play --variant {variant} --position {words}"))
            }
        }
    }

    /// The game in the words of `position`.
    pub(super) fn words(&self) -> String {
        let start = self.game.start();
        let is_start = *start == Position::start(start.variant());
        let mut words = if is_start { "startpos".to_owned() } else { start.to_string() };
        if !self.game.moves().is_empty() {
            words.push_str(" moves ");
            words.extend(self.game.moves().iter().map(|mv| mv.letter()));
        }
        words
    }
}
