//! The conversation: one loop that owns the output.
//!
//! Three threads work together over channels. The **reader** turns input into lines. The **search thread** takes jobs
//! and tells what it finds. The **loop** in [`Session::run`] stands between them: it reads both channels, keeps the
//! settings, the game and the table, and is the only one that writes. So `isready` is answered during a search, and no
//! two lines are ever mixed.
//!
//! At most one job runs. What would disturb it (another `go`, options, a new game) is refused until it has ended;
//! `stop` waits for the job's last word before the next line is read, so a program may send `stop`, `position` and `go`
//! in one breath.

mod answer;
mod bench;
mod commands;
mod endgames;
mod explain;
mod linger;
mod opening;
mod reader;
mod seat;
mod worker;

use crate::book::{Book, BookError};
use crate::endgame::FileError;
use crate::evaluate::{EvalFileError, Weights};
pub use crate::game::draw;
use crate::game::{Game, Position};
use crate::learn::LearnError;
use crate::players::{Player, PlayerError};
use crate::protocol::{Command, Info, Reply, Settings, Text};
use crate::search::{OutOfMemory, Report, Table};
use crossbeam_channel::{Receiver, RecvError, select};
use endgames::Background;
use linger::{at_once, linger};
use reader::Input;
pub use reader::LONGEST_LINE;
use seat::Sheet;
use std::io::{self, Read, Write};
use std::sync::Arc;
use worker::{Control, Event, Link};

/// The name that the engine gives itself.
pub const NAME: &str = concat!("Kroo ", env!("CARGO_PKG_VERSION"));

/// Everything between the first line and the last.
pub struct Session<W> {
    output: W,
    settings: Settings,
    game: Game,
    table: Arc<Table>,
    weights: Arc<Weights>,
    /// The book of `BookFile`; none for the one that is built in.
    book: Option<Book>,
    /// Who chooses the moves; none while it does.
    player: Option<Box<dyn Player>>,
    /// What the player has answered in this game.
    sheet: Sheet,
    link: Link,
    /// Up to how many seeds `EndgamePath` has endgames of the rule set.
    endgame_files: Option<u8>,
    /// The small endgames that are worked out while the conversation goes on.
    background: Option<Background>,
    task: Option<Task>,
}

/// A job that has not given its last word.
struct Task {
    control: Arc<Control>,
    /// The answer must wait for `stop` or `ponderhit`.
    held: bool,
    /// The answer that waits.
    answer: Option<Answer>,
    /// What to set the clock by when the expected move is played.
    ponder: Option<commands::PonderClock>,
}

impl Task {
    fn new(held: bool) -> Task {
        Task { control: Arc::default(), held, answer: None, ponder: None }
    }
}

/// The last word of a search.
enum Answer {
    BestMove(Report),
    GameOver,
}

/// What the loop hears of.
enum News {
    Line(Result<Input, RecvError>),
    Event(Result<Event, RecvError>),
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    Quit,
}

/// Why no session can begin with these settings.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no memory for the table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The book cannot be used.
    #[error("BookFile: {0}")]
    Book(#[from] BookError),
    /// The files of endgames cannot be used.
    #[error("EndgamePath: {0}")]
    Endgames(#[from] FileError),
    /// The weights cannot be read.
    #[error("EvalFile: {0}")]
    Weights(#[from] EvalFileError),
    /// The player cannot play.
    #[error("Player: {0}")]
    Player(PlayerError),
    /// The file that the player learns from cannot be used.
    #[error("LearnFile: {0}")]
    Learn(LearnError),
}

impl From<PlayerError> for StartError {
    fn from(error: PlayerError) -> StartError {
        match error {
            PlayerError::File(error) => StartError::Learn(error),
            error => StartError::Player(error),
        }
    }
}

impl<W: Write> Session<W> {
    /// A session that writes to an output, with these settings.
    ///
    /// # Errors
    /// If there is no memory for the table, or the weights or the book are not what they should be.
    pub fn new(output: W, settings: Settings) -> Result<Session<W>, StartError> {
        let table = Arc::new(Table::new(settings.hash_mib)?);
        let game = Game::new(Position::start(settings.variant));
        let weights = seat::weights_of(&settings)?;
        let book = opening::book_of(&settings)?;
        let endgame_files = endgames::open(&settings)?;
        let player = Some(seat::player_of(&settings)?);
        let (sheet, link) = (Sheet::default(), worker::start());
        Ok(Session {
            output,
            settings,
            game,
            table,
            weights,
            book,
            player,
            sheet,
            link,
            endgame_files,
            background: None,
            task: None,
        })
    }

    /// Reads lines until `quit` or the end of the input, and answers them.
    ///
    /// # Errors
    /// If the output cannot be written. A reader that has gone is no error: there is nobody left to talk to.
    pub fn run(self, input: impl Read + Send + 'static) -> io::Result<()> {
        let background = Background::begin(&self.settings);
        self.converse_beside(input, background)
    }

    fn converse_beside(
        mut self,
        input: impl Read + Send + 'static,
        background: Option<Background>,
    ) -> io::Result<()> {
        let lines = reader::lines(input);
        self.background = background;
        let result = self.converse(&lines);
        unless_gone(result)
    }

    fn converse(&mut self, lines: &Receiver<Input>) -> io::Result<()> {
        let events = self.link.events.clone();
        loop {
            let soon = linger(|| {
                let event = at_once(&events).map(News::Event);
                event.or_else(|| at_once(lines).map(News::Line))
            });
            let news = soon.unwrap_or_else(|| {
                select! {
                    recv(lines) -> line => News::Line(line),
                    recv(events) -> event => News::Event(event),
                }
            });
            match news {
                News::Line(Ok(line)) if self.take_line(&line)? == Flow::Quit => break,
                News::Line(Ok(_)) => {}
                News::Line(Err(RecvError)) => break,
                News::Event(Ok(event)) => self.take_event(event)?,
                News::Event(Err(RecvError)) => return Err(io::Error::other("the search thread has died")),
            }
            self.output.flush()?;
        }
        self.stop()?;
        self.output.flush()
    }

    /// Carries out one command as if it had been read, and waits until nothing is left to say.
    ///
    /// Nobody can send `stop` here, so no answer is held back.
    ///
    /// # Errors
    /// If the output cannot be written. A reader that has gone is no error.
    pub fn run_one(mut self, command: &Command) -> io::Result<()> {
        let result = self.carry_out(command);
        unless_gone(result)
    }

    fn carry_out(&mut self, command: &Command) -> io::Result<()> {
        self.take_command(command)?;
        self.release()?;
        while self.task.is_some() {
            self.output.flush()?;
            self.next_event()?;
        }
        self.output.flush()
    }

    fn take_line(&mut self, line: &Input) -> io::Result<Flow> {
        let parsed = match line {
            Input::Line(line) => Command::parse(line),
            Input::TooLong => {
                self.error(format_args!("a line is longer than {LONGEST_LINE} bytes, so it was not read"))?;
                return Ok(Flow::GoOn);
            }
        };
        match parsed {
            Ok(None) => Ok(Flow::GoOn),
            Ok(Some(command)) => self.take_command(&command),
            Err(error) => {
                self.error(error)?;
                Ok(Flow::GoOn)
            }
        }
    }

    /// Waits for the next thing that the job tells.
    fn next_event(&mut self) -> io::Result<()> {
        let event = self.link.events.recv().map_err(|_| io::Error::other("the search thread has died"))?;
        self.take_event(event)
    }

    fn take_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Iteration(report, elapsed) => {
                let lines = answer::infos(&report, elapsed, self.settings.show_wdl);
                lines.into_iter().try_for_each(|info| self.say(Reply::Info(info)))
            }
            Event::Current(depth, mv, number) => self.say(Reply::Info(Info {
                depth: Some(u32::from(depth)),
                currmove: Some(mv),
                currmovenumber: Some(number as u32),
                ..Info::default()
            })),
            Event::BestMove(report, player) => {
                self.player = Some(player);
                self.finish(Answer::BestMove(report))?;
                self.learn()
            }
            Event::Count(mv, nodes) => self.say(Reply::PerftMove { mv, nodes }),
            Event::Bench(line) => {
                let bench::Line { variant, position, depth, nodes } = line;
                self.text(format!("{variant} {position} depth {depth} nodes {nodes}"))
            }
            Event::Total(total, elapsed) => {
                self.task = None;
                let Some(nodes) = total else {
                    return self.say(Reply::Info(Info::text("stopped, so there is no total")));
                };
                self.say(Reply::Info(Info {
                    nodes: Some(nodes),
                    nps: Some(answer::per_second(nodes, elapsed)),
                    time: Some(elapsed.as_millis() as u64),
                    ..Info::default()
                }))?;
                self.say(Reply::PerftTotal(nodes))
            }
        }
    }

    /// The job has given its last word: say it, or keep it until it is asked for.
    fn finish(&mut self, answer: Answer) -> io::Result<()> {
        match &mut self.task {
            Some(task) if task.held => {
                task.answer = Some(answer);
                Ok(())
            }
            _ => {
                self.task = None;
                self.say_best_move(&answer)
            }
        }
    }

    fn say_best_move(&mut self, answer: &Answer) -> io::Result<()> {
        let line = match answer {
            Answer::BestMove(report) => &report.pv[..],
            Answer::GameOver => &[],
        };
        self.sheet.answered(line.first().copied());
        self.say(Reply::BestMove { best: line.first().copied(), ponder: line.get(1).copied() })
    }

    /// Says what waits to be said; from now on nothing is held back.
    fn release(&mut self) -> io::Result<()> {
        let Some(task) = &mut self.task else { return Ok(()) };
        task.held = false;
        match task.answer.take() {
            Some(answer) => self.finish(answer),
            None => Ok(()),
        }
    }

    /// Ends the job and waits for its last word.
    fn stop(&mut self) -> io::Result<()> {
        if let Some(task) = &self.task {
            task.control.stop();
        }
        self.release()?;
        while self.task.is_some() {
            self.next_event()?;
        }
        Ok(())
    }

    fn say(&mut self, reply: Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")
    }

    /// A line for people.
    fn text(&mut self, line: String) -> io::Result<()> {
        let text = Text::new(&line).expect("what is said to people cannot be taken for a reply");
        self.say(Reply::Text(text))
    }

    /// What was wrong; nothing has changed.
    fn error(&mut self, error: impl std::fmt::Display) -> io::Result<()> {
        self.say(Reply::Info(Info::text(&format!("error {error}"))))
    }
}

/// What is left of a result if it is no matter that nobody reads the output any more.
fn unless_gone(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
