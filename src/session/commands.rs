//! What each command does.

use super::worker::Job;
use super::{
    Answer, Background, Flow, NAME, Session, Sheet, Task, answer, bench, endgames, explain, opening, seat,
};
use crate::evaluate::Weights;
use crate::game::{Game, Move, Pit, Position, Side, Variant, draw};
use crate::players::{PlayerError, Turn};
use crate::protocol::options::{self, OPTIONS};
use crate::protocol::{
    COMMANDS, Command, Effect, GoCommand, Info, Limits, MAX_DEPTH, PositionCommand, Reply, Settings, Start,
};
use crate::roster::PlayerName;
use crate::search::{self, Clock, Request, Table, TimeLimits};
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The grammar may speak of as many plies as are searched.
const _: () = assert!(MAX_DEPTH == search::MAX_DEPTH as u32);

/// Nodes for solving in a search without limits, in hundredths of those for looking ahead.
const ALL_ON_SOLVING: u64 = 1000;

/// The time limits of a search that ponders, which count from `ponderhit`.
pub(super) struct PonderClock(TimeLimits);

impl<W: Write> Session<W> {
    pub(super) fn take_command(&mut self, command: &Command) -> io::Result<Flow> {
        if self.task.is_some() && must_wait(command) {
            self.error("a search is running: send `stop` and wait for its answer first")?;
            return Ok(Flow::GoOn);
        }
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.say(Reply::ReadyOk)?,
            Command::SetOption { name, value } => self.set_option(name, value.as_deref())?,
            Command::NewGame => {
                self.forget();
                self.game = Game::new(Position::start(self.settings.variant));
                self.sheet = Sheet::default();
                self.refresh()?;
            }
            Command::Position(position) => match set_up(self.settings.variant, position) {
                Ok(game) => {
                    self.game = game;
                    self.sheet.told(&self.game);
                    self.learn()?;
                }
                Err(error) => self.error(error)?,
            },
            Command::Go(GoCommand::Search(limits)) => self.go(limits)?,
            Command::Go(GoCommand::Perft(plies)) | Command::Perft(plies) => {
                self.begin(Job::Perft(*self.game.position(), *plies));
            }
            Command::Bench(depth) => {
                let depth = depth.map_or(bench::DEPTH, |depth| depth as u8);
                self.begin(Job::Bench(depth));
            }
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Quit => return Ok(Flow::Quit),
            Command::Display => self.display()?,
            Command::Eval => self.explain()?,
            Command::Endgame(position) => self.explore(position.as_ref())?,
            Command::Help => self.help()?,
            Command::Debug(_) => {}
        }
        Ok(Flow::GoOn)
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(Reply::IdName(NAME.to_owned()))?;
        self.say(Reply::IdAuthor("the Kroo authors".to_owned()))?;
        for spec in OPTIONS {
            self.say(Reply::Option(spec.line()))?;
        }
        self.say(Reply::UciOk)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        let mut settings = self.settings.clone();
        let effect = match options::set(&mut settings, name, value) {
            Ok(effect) => effect,
            Err(error) => return self.error(error),
        };
        match effect {
            Effect::Nothing => {}
            Effect::ClearTable => self.forget(),
            Effect::ResizeTable => match Table::new(settings.hash_mib) {
                Ok(table) => self.table = Arc::new(table),
                Err(error) => return self.error(error),
            },
            Effect::LoadWeights if settings.player == PlayerName::Evolved => match seat::player_of(&settings)
            {
                Ok(player) => (self.player, self.sheet) = (Some(player), Sheet::default()),
                Err(error) => return self.error(format_args!("option {name}: {error}")),
            },
            Effect::LoadWeights => match seat::weights_of(&settings) {
                Ok(weights) => {
                    self.weights = weights;
                    self.forget();
                }
                Err(error) => return self.error(format_args!("option {name}: {error}")),
            },
            Effect::OpenBook => match opening::book_of(&settings) {
                Ok(book) => self.book = book,
                Err(error) => return self.error(error),
            },
            Effect::NewPlayer => {
                let other_files = seat::reads_other_files(&settings, &self.settings);
                let eval_file = if other_files { mem::take(&mut settings.eval_file) } else { String::new() };
                match seat::player_of(&settings) {
                    Ok(player) => {
                        (self.player, self.sheet) = (Some(player), Sheet::default());
                        self.pass_on_remarks()?;
                    }
                    Err(error) => return self.error(format_args!("option {name}: {error}")),
                }
                self.pass_on_remarks()?;
                if !eval_file.is_empty() {
                    self.weights = Weights::built_in(settings.variant);
                    self.forget();
                    let text = "EvalFile is empty again: it was for another player";
                    self.say(Reply::Info(Info::text(text)))?;
                }
            }
            Effect::NewLots => {
                let player = self.player.as_mut();
                player.expect("options are set between searches").reseed(settings.seed);
            }
            Effect::OpenEndgames => match self.open_endgames(&settings)? {
                Some(files) => self.endgame_files = files,
                None => return Ok(()),
            },
            Effect::NewVariant => {
                self.endgame_files = self.open_endgames(&settings)?.flatten();
                let eval_file = mem::take(&mut settings.eval_file);
                match seat::player_of(&settings) {
                    Ok(player) => (self.player, self.sheet) = (Some(player), Sheet::default()),
                    Err(error @ PlayerError::OtherRules { .. }) => {
                        return self.error(format_args!("option {name}: {error}; set Player first"));
                    }
                    Err(error) => return self.error(format_args!("option {name}: {error}")),
                }
                self.pass_on_remarks()?;
                self.forget();
                self.weights = Weights::built_in(settings.variant);
                if !eval_file.is_empty() {
                    self.say(Reply::Info(Info::text(
                        "EvalFile is empty again: it was for another rule set",
                    )))?;
                }
                self.game = Game::new(Position::start(settings.variant));
            }
        }
        self.settings = settings;
        if effect == Effect::NewVariant && self.background.is_some() {
            self.background = Background::begin(&self.settings);
        }
        Ok(())
    }

    /// Maps the endgames of a folder, and tells what there is. None if it cannot be used.
    fn open_endgames(&mut self, settings: &Settings) -> io::Result<Option<Option<u8>>> {
        let variant = settings.variant;
        match endgames::open(settings) {
            Ok(None) if settings.endgame_path.is_empty() => Ok(Some(None)),
            Ok(files) => {
                let told = match files {
                    Some(seeds) => format!("endgames of {variant} up to {seeds} seeds"),
                    None => format!("no endgames of {variant} in {}", settings.endgame_path),
                };
                self.say(Reply::Info(Info::text(&told)))?;
                Ok(Some(files))
            }
            Err(error) => {
                self.error(format_args!("option EndgamePath: {error}"))?;
                Ok(None)
            }
        }
    }

    /// Empties the table. A new one costs nothing until it is used, however large; if there is no room for two, the
    /// old one is cleared.
    fn forget(&mut self) {
        match Table::new(self.settings.hash_mib) {
            Ok(table) => self.table = Arc::new(table),
            Err(_) => self.table.clear(),
        }
    }

    /// Begins a job whose answer is not held back.
    fn begin(&mut self, job: Job) {
        self.task = Some(Task::new(false));
        self.send(job);
    }

    /// Hands the job of the task to the search thread.
    fn send(&self, job: Job) {
        let control = self.task.as_ref().map(|task| Arc::clone(&task.control)).unwrap_or_default();
        self.link.jobs.send((job, control)).expect("the search thread lives as long as the session");
    }

    fn go(&mut self, limits: &Limits) -> io::Result<()> {
        let started = Instant::now();
        let position = *self.game.position();
        let held = limits.infinite || limits.ponder;
        let time = time_limits(limits, position.side(), &self.settings);
        let task = self.task.insert(Task::new(held));
        self.sheet.asked(&self.game, limits.ponder);
        if limits.ponder {
            task.ponder = (!limits.infinite).then_some(PonderClock(time));
        } else if !limits.infinite {
            task.control.set_clock(Clock::new(started, time));
        }
        if let Some(verdict) = position.verdict() {
            self.say(Reply::Info(answer::game_over(&position, verdict, self.settings.show_wdl)))?;
            return self.finish(Answer::GameOver);
        }
        match legal_among(&position, &limits.searchmoves) {
            Ok(only) => {
                if let Some(report) = self.book_move(limits) {
                    self.show_book_move(&report, started.elapsed())?;
                    return self.finish(Answer::BestMove(report));
                }
                let request = Request {
                    weights: Arc::clone(&self.weights),
                    ..request(&self.game, limits, only, (&self.settings, self.endgame_files))
                };
                self.refresh()?;
                let turn = Turn {
                    game: self.game.clone(),
                    request,
                    level: self.settings.level,
                    table: Arc::clone(&self.table),
                };
                let player = self.player.take().expect("no other job runs");
                self.send(Job::Choose(Box::new(turn), player));
                Ok(())
            }
            Err(error) => {
                self.task = None;
                self.error(error)
            }
        }
    }

    /// The expected move was played: the clock runs from now on, and the answer is wanted.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(task) = &mut self.task else { return Ok(()) };
        let Some(PonderClock(limits)) = task.ponder.take() else { return Ok(()) };
        self.sheet.expected_move_was_made();
        task.control.set_clock(Clock::new(Instant::now(), limits));
        self.release()
    }

    fn display(&mut self) -> io::Result<()> {
        let position = *self.game.position();
        for line in draw(&position) {
            self.text(line)?;
        }
        self.say(Reply::Fen(position.to_string()))?;
        self.say(Reply::Result(answer::result(&position)))
    }

    fn explain(&mut self) -> io::Result<()> {
        let position = *self.game.position();
        if position.verdict().is_some() {
            return self.text("the game is over, there is nothing to evaluate".to_owned());
        }
        let lines = explain::explain(&position, &self.weights);
        lines.into_iter().try_for_each(|line| self.text(line))
    }

    /// What the endgames know of a position, or of the one that stands there.
    fn explore(&mut self, command: Option<&PositionCommand>) -> io::Result<()> {
        let given = match command.map(|command| set_up(self.settings.variant, command)).transpose() {
            Ok(given) => given,
            Err(error) => return self.error(format_args!("endgame: {error}")),
        };
        let game = given.as_ref().unwrap_or(&self.game);
        match endgames::explore(game.position()) {
            Ok(lines) => lines.into_iter().try_for_each(|line| self.text(line)),
            Err(error) => self.error(error),
        }
    }

    fn help(&mut self) -> io::Result<()> {
        for (usage, what) in COMMANDS {
            self.text(format!("  {usage}"))?;
            self.text(format!("      {what}"))?;
        }
        Ok(())
    }
}

/// Whether a command would disturb a job that runs.
fn must_wait(command: &Command) -> bool {
    match command {
        Command::SetOption { .. }
        | Command::NewGame
        | Command::Go(_)
        | Command::Bench(_)
        | Command::Perft(_) => true,
        Command::Uci
        | Command::Debug(_)
        | Command::IsReady
        | Command::Position(_)
        | Command::Stop
        | Command::PonderHit
        | Command::Quit
        | Command::Display
        | Command::Eval
        | Command::Endgame(_)
        | Command::Help => false,
    }
}

/// The game that a `position` command tells.
fn set_up(variant: Variant, command: &PositionCommand) -> Result<Game, String> {
    let start = match &command.start {
        Start::Startpos => Position::start(variant),
        Start::Fen(text) => Position::parse(variant, text).map_err(|error| format!("position: {error}"))?,
    };
    let mut game = Game::new(start);
    for (index, &mv) in command.moves.iter().enumerate() {
        game.play(mv).map_err(|error| format!("position: move {} (`{mv}`): {error}", index + 1))?;
    }
    Ok(game)
}

/// The pits of moves that must all be legal.
fn legal_among(position: &Position, moves: &[Move]) -> Result<Vec<Pit>, String> {
    let legal = |&mv: &Move| match position.play(mv) {
        Ok(_) => Ok(mv.pit),
        Err(error) => Err(format!("go: searchmoves: `{mv}`: {error}")),
    };
    moves.iter().map(legal).collect()
}

fn request(
    game: &Game,
    limits: &Limits,
    only: Vec<Pit>,
    (settings, endgame_files): (&Settings, Option<u8>),
) -> Request {
    let most = MAX_DEPTH;
    // Nobody waits for a move: what is wanted is the truth.
    let endless = !limits.ponder
        && *limits
            == Limits {
                searchmoves: limits.searchmoves.clone(),
                infinite: limits.infinite,
                mate: limits.mate,
                ..Limits::default()
            };
    // A win in so many of the mover's moves lies within twice as many plies where sides alternate.
    let mate = limits.mate.map_or(most, |moves| moves.saturating_mul(2));
    Request {
        search_moves: only,
        depth: limits.depth.unwrap_or(most).min(mate).min(most) as u8,
        nodes: limits.nodes.unwrap_or(u64::MAX),
        until_won: limits.mate.is_some(),
        multipv: settings.multipv,
        threads: settings.threads,
        endgame_seeds: settings.endgame_seeds,
        tablebase: endgames::given(limits, endgame_files),
        solver_share: if endless { ALL_ON_SOLVING } else { Request::SOLVER_SHARE },
        ..Request::new(game)
    }
}

/// The time limits of the side to move.
fn time_limits(limits: &Limits, side: Side, settings: &Settings) -> TimeLimits {
    let (left, increment) = match side {
        Side::South => (limits.wtime, limits.winc),
        Side::North => (limits.btime, limits.binc),
    };
    TimeLimits {
        movetime: limits.movetime.map(Duration::from_millis),
        left: left.map(|time| Duration::from_millis(time.max(0) as u64)),
        increment: Duration::from_millis(increment.unwrap_or(0)),
        moves_to_go: limits.movestogo.filter(|&moves| moves > 0),
        overhead: Duration::from_millis(settings.move_overhead_ms),
    }
}
