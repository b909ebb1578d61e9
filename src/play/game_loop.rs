//! The game loop: turns, the engine's moves, the person's commands, and the end of the game.

use super::board::{View, draw};
use super::board_style::BoardStyle;
use super::clock::Clocks;
use super::command::{self, PitChoice, PlayCommand};
use super::game_file::GameFile;
use super::input::{InputEvent, InputListener};
use super::narration::Narrator;
use super::opponent::{Analysis, Opponent};
use super::screen::Screen;
use super::sides::{HumanSides, Notation, capital};
use crate::game::{Move, MoveEffects, MoveError, Position, Side};
use crate::ogn::{GameRecord, MoveNotes};
use crate::protocol::{Ending, GameResult};
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

/// Least time between moves when a person watches the engine play both sides, which makes each change visible.
const MIN_MOVE_TIME: Duration = Duration::from_millis(700);
/// Thinking time from which the engine announces that it thinks and how to interrupt it.
const LONG_THINK: Duration = Duration::from_secs(3);

/// The state of `kroo play`.
pub struct GameLoop {
    pub(super) screen: Screen,
    pub(super) input: InputListener,
    pub(super) style: BoardStyle,
    pub(super) humans: HumanSides,
    pub(super) opponent: Opponent,
    pub(super) game_file: GameFile,
    /// The game, as the document to save.
    pub(super) record: GameRecord,
    pub(super) last_move: Option<MoveEffects>,
    /// The engine's analysis of its last move.
    pub(super) last_analysis: Option<Analysis>,
    /// The end of the game, once announced.
    pub(super) ended: Option<Ending>,
    /// The moves and the end for `redo`.
    pub(super) taken_back: TakenBack,
    /// The clocks of people, if they play with clocks.
    pub(super) clocks: Option<Clocks>,
    pub(super) notation: Notation,
    /// Whether the engine waits for `go` before it moves.
    pub(super) paused: bool,
    pub(super) turn_announced: bool,
    pub(super) learned: bool,
    /// Whether the last input was a first Ctrl-C; a second one quits.
    interrupted: bool,
}

/// Moves that were taken back, until another one is played.
#[derive(Debug, Default)]
pub(super) struct TakenBack {
    /// The moves with their annotations, last one first.
    pub(super) moves: Vec<(Move, MoveNotes)>,
    /// The tags of the end after them.
    pub(super) tags: [Option<String>; 2],
    /// Whether that end counts as a move, because the rules have not brought it about.
    pub(super) is_settled: bool,
}

pub(super) const END_TAGS: [&str; 2] = ["Result", "Termination"];

/// Whether the loop continues; a break quits.
type Flow = ControlFlow<()>;

impl GameLoop {
    pub(super) fn new(
        screen: Screen,
        input: InputListener,
        style: BoardStyle,
        humans: HumanSides,
        opponent: Opponent,
        record: GameRecord,
    ) -> GameLoop {
        GameLoop {
            screen,
            input,
            style,
            humans,
            opponent,
            game_file: GameFile::default(),
            record,
            last_move: None,
            last_analysis: None,
            ended: None,
            taken_back: TakenBack::default(),
            clocks: None,
            notation: Notation::default(),
            paused: false,
            turn_announced: false,
            learned: false,
            interrupted: false,
        }
    }

    pub(super) fn run(&mut self) -> io::Result<()> {
        self.greet()?;
        self.show_board()?;
        loop {
            self.announce_end()?;
            self.run_clock();
            let flow = if self.is_engines_turn() { self.engine_moves()? } else { self.ask()? };
            if flow == Flow::Break(()) {
                return self.leave();
            }
        }
    }

    pub(super) fn position(&self) -> &Position {
        self.record.game.position()
    }

    pub(super) fn narrator(&self) -> Narrator {
        Narrator { humans: self.humans, engine: self.opponent.name(), notation: self.notation }
    }

    fn is_engines_turn(&self) -> bool {
        self.ended.is_none() && !self.paused && !self.humans.includes(self.position().side())
    }

    fn greet(&mut self) -> io::Result<()> {
        let (title, players) = (self.position().variant().title(), self.players());
        let over = self.current_end().is_some();
        let begun = !self.record.game.moves().is_empty();
        let first = match self.humans {
            _ if over => " This game is over.",
            HumanSides::One(side) if begun && side == self.position().side() => " It is your turn.",
            HumanSides::One(_) if begun => " It is the engine's turn.",
            HumanSides::One(side) if side == self.position().side() => " You move first.",
            HumanSides::One(_) => " The engine moves first.",
            HumanSides::Both | HumanSides::None => "",
        };
        let sow =
            if over || self.humans == HumanSides::None { "" } else { " Type the number of a pit to sow it." };
        self.screen.say(&format!(
            "{title}. {players}{first}{sow} `rules` explains the rules, `help` lists the commands, `quit` leaves."
        ))
    }

    pub(super) fn players(&self) -> String {
        let who = self.opponent.settings.description();
        match self.humans {
            HumanSides::One(side) => format!("You play {side} against {who}."),
            HumanSides::Both => "Two people play.".to_owned(),
            HumanSides::None => format!("{} plays both sides.", capital(&who)),
        }
    }

    pub(super) fn show_board(&mut self) -> io::Result<()> {
        let narrator = self.narrator();
        let names = Side::BOTH.map(|side| match self.humans {
            HumanSides::One(_) => format!("{side} ({})", narrator.subject(side).name()),
            _ => side.to_string(),
        });
        let bottom = self.humans.bottom();
        let view =
            View { position: self.record.game.position(), bottom, last: self.last_move.as_ref(), names };
        let lines = draw(&view, self.style, &self.screen);
        self.screen.board(&lines)
    }

    /// Announces the end if the game has just ended.
    pub(super) fn announce_end(&mut self) -> io::Result<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        let Some(end) = self.current_end() else { return Ok(()) };
        if self.record.result() == GameResult::Ongoing.word() {
            self.state_end(Some(end));
        }
        self.end(end)
    }

    /// How the game has ended, if it has.
    pub(super) fn current_end(&self) -> Option<Ending> {
        self.record.ending(self.opponent.settings.engine.move_limit)
    }

    /// Writes into the document how the game has ended here, or that a game that had ended goes on.
    pub(super) fn state_end(&mut self, ended: Option<Ending>) {
        let result = GameResult::of_south(ended.map(|ended| ended.south(self.position()))).word();
        if ended.is_some() || self.record.result() != result {
            self.record.set_tag("Result", result);
            let said = ended.map_or_else(|| "unfinished".to_owned(), |ended| ended.to_string());
            self.record.set_tag("Termination", &said);
        }
    }

    /// Ends the game: announces it, lets the engine learn, and saves.
    pub(super) fn end(&mut self, ended: Ending) -> io::Result<()> {
        self.ended = Some(ended);
        let handed = self.last_move.as_ref().map_or([0, 0], |last| last.awarded);
        let text = self.narrator().ended(ended, handed, &self.record.game, self.record.tag("Termination"));
        self.screen.say(&text)?;
        if !std::mem::replace(&mut self.learned, true) {
            for side in Side::BOTH.into_iter().filter(|&side| !self.humans.includes(side)) {
                for remark in self.opponent.learn(&self.record.game, side) {
                    self.screen.say(&remark)?;
                }
            }
        }
        self.autosave()?;
        if self.screen.prompts() {
            self.screen.say(
                "`new` starts another game, `undo` takes a move back, `review` judges the last one, `quit` leaves.",
            )?;
        }
        Ok(())
    }

    /// Lets the engine choose and make a move.
    pub(super) fn engine_moves(&mut self) -> io::Result<Flow> {
        self.announce_thinking("Ctrl-C makes it move at once")?;
        for fault in self.opponent.take_faults() {
            self.screen.wrong(&format!("{fault}."))?;
        }
        let analysis = self.opponent.choose(&self.record.game, &self.input);
        let watched = self.humans == HumanSides::None;
        if watched && self.screen.prompts() {
            self.input.pause(MIN_MOVE_TIME.saturating_sub(analysis.time));
        }
        let stop = self.input.take_stop();
        if stop == Some(InputEvent::Terminate) {
            return Ok(Flow::Break(()));
        }
        let (mv, comment) = (analysis.best(), analysis.comment());
        self.last_analysis = Some(analysis);
        self.make(mv, comment)?;
        if stop.is_some() && watched {
            self.paused = true;
            self.screen.say("Stopped. `go` continues the game.")?;
        }
        Ok(Flow::Continue(()))
    }

    /// Announces that the engine is thinking, and how to interrupt it, if it may take long.
    pub(super) fn announce_thinking(&mut self, interrupt: &str) -> io::Result<()> {
        if self.screen.prompts() && self.opponent.settings.time >= LONG_THINK {
            let name = capital(self.opponent.name());
            self.screen.say(&format!("{name} is thinking. {interrupt}."))?;
        }
        Ok(())
    }

    fn make(&mut self, mv: Move, comment: String) -> io::Result<()> {
        let effects = self.record.game.effects(mv).expect("the move is legal");
        let mut notes = vec![comment];
        if let Some(clocks) = self.clocks.as_mut().filter(|_| self.humans.includes(mv.side)) {
            clocks.moved(mv.side);
            notes.push(clocks.note(mv.side));
        }
        let comment = notes.join(" ").trim().to_owned();
        self.record.push(mv, MoveNotes::of_comment(comment)).expect("the move is legal");
        self.taken_back = TakenBack::default();
        self.turn_announced = false;
        let text = self.narrator().moved(&effects);
        self.last_move = Some(effects);
        self.state_end(self.current_end());
        self.screen.say(&text)?;
        let next = self.position().side();
        let engine_goes_on =
            next == mv.side && !self.humans.includes(next) && self.position().verdict().is_none();
        if !engine_goes_on {
            self.show_board()?;
        }
        self.autosave()
    }

    /// Makes a person's move, or explains why it is illegal.
    fn sow(&mut self, choice: PitChoice) -> io::Result<()> {
        let position = *self.position();
        let mv = choice.by(position.side());
        self.notation = choice.notation();
        if self.ended.is_some() {
            let text = self.narrator().refused(mv, &position, &MoveError::GameOver);
            return self.screen.wrong(&text);
        }
        if !self.humans.includes(position.side()) {
            return self.screen.wrong("You are watching, and the engine is waiting. `go` lets it move.");
        }
        match position.play(mv) {
            Ok(_) => self.make(mv, String::new()),
            Err(error) => {
                let text = self.narrator().refused(mv, &position, &error);
                self.screen.wrong(&text)
            }
        }
    }

    fn ask(&mut self) -> io::Result<Flow> {
        if self.ended.is_none() && !self.turn_announced {
            self.turn_announced = true;
            let side = self.position().side();
            let again = self.last_move.as_ref().is_some_and(|last| last.again && last.mv.side == side);
            let text = if self.humans == HumanSides::None {
                format!("{side} is to move. `go` continues the game.")
            } else {
                self.narrator().turn(self.position(), again) + &self.time_left(side)
            };
            self.screen.say(&text)?;
        }
        let event = self.screen.listen(&self.input, self.clocks.and_then(|clocks| clocks.patience()))?;
        let interrupted = std::mem::take(&mut self.interrupted);
        // What comes after the time has run out comes too late for a move.
        self.drop_flag()?;
        match event {
            InputEvent::TimeOut => Ok(Flow::Continue(())),
            InputEvent::Line(line) => match command::parse(&line) {
                Ok(Some(command)) => self.carry_out(command),
                Ok(None) => Ok(Flow::Continue(())),
                Err(error) => self.screen.wrong(&error).map(|()| Flow::Continue(())),
            },
            InputEvent::Interrupt if self.screen.prompts() && !interrupted => {
                self.interrupted = true;
                self.screen.say("Press Ctrl-C again to leave, or type `quit`.").map(|()| Flow::Continue(()))
            }
            InputEvent::End | InputEvent::Interrupt | InputEvent::Terminate => Ok(Flow::Break(())),
        }
    }

    fn carry_out(&mut self, command: PlayCommand) -> io::Result<Flow> {
        match command {
            PlayCommand::Quit => return Ok(Flow::Break(())),
            PlayCommand::Go => return self.go(),
            PlayCommand::Sow(choice) => self.sow(choice)?,
            PlayCommand::Hint => self.hint()?,
            PlayCommand::Think => self.think()?,
            PlayCommand::Why => self.why()?,
            PlayCommand::Review => self.review()?,
            PlayCommand::Moves => self.tell_moves()?,
            PlayCommand::Rules => self.tell_rules()?,
            PlayCommand::Help => self.help()?,
            PlayCommand::Board(style) => {
                self.style = style.unwrap_or(self.style);
                self.show_board()?;
            }
            PlayCommand::Position(None) => self.tell_position()?,
            PlayCommand::Position(Some(words)) => self.set_up(&words)?,
            PlayCommand::Undo(count) => self.undo(count)?,
            PlayCommand::Redo(count) => self.redo(count)?,
            PlayCommand::Swap => self.swap()?,
            PlayCommand::New(variant) => self.new_game(variant)?,
            PlayCommand::Save { path, over } => self.save(path.as_deref(), over)?,
            PlayCommand::Load(path, number) => self.load(&path, number)?,
            PlayCommand::Level(level) => self.level(level)?,
            PlayCommand::Player(who) => self.player(who)?,
            PlayCommand::Time(time) => {
                self.opponent.settings.time = time;
                self.describe_limits();
                self.screen.say(&format!("The engine thinks for at most {} s.", time.as_secs_f64()))?;
            }
            PlayCommand::Clock(setting) => self.set_clock(setting)?,
            PlayCommand::Resign => self.resign()?,
        }
        Ok(Flow::Continue(()))
    }

    /// Lets the engine move for the side to move, or resume playing both sides.
    fn go(&mut self) -> io::Result<Flow> {
        if self.ended.is_some() {
            self.screen.wrong("The game is over.")?;
            return Ok(Flow::Continue(()));
        }
        self.paused = false;
        if self.humans.includes(self.position().side()) {
            let name = capital(self.opponent.name());
            self.screen.say(&format!("{name} chooses this move."))?;
            self.engine_moves()
        } else {
            Ok(Flow::Continue(()))
        }
    }
}
