//! The session and its loop: what it waits for, and how replies are held back and released.

use super::bench::BenchLine;
use super::endgames::{self, BackgroundEndgames};
use super::move_record::MoveRecord;
use super::reader::{self, Input, MAX_LINE};
use super::search_thread::{self, Event, JobChannels, JobControl};
use super::spin::{poll, spin};
use super::{book_moves, info, player};
use crate::book::{Book, BookError};
use crate::endgame::EndgameFileError;
use crate::evaluate::{EvalFileError, Weights};
use crate::game::{Game, Position};
use crate::learn::LearnError;
use crate::players::{Player, PlayerError};
use crate::protocol::{Command, GoCommand, Info, Reply, Settings, Text};
use crate::search::{OutOfMemory, Report, Table, TimeLimits};
use crossbeam_channel::{Receiver, RecvError, never, select};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The engine's name and version, as `id name` prints it.
pub const NAME: &str = concat!("Kroo ", env!("CARGO_PKG_VERSION"));

/// A conversation: the state that lives from its first line to its last.
pub struct Session<W> {
    pub(super) output: W,
    pub(super) settings: Settings,
    pub(super) game: Game,
    pub(super) table: Arc<Table>,
    pub(super) weights: Arc<Weights>,
    /// The book of `BookFile`; none for the built-in one.
    pub(super) book: Option<Book>,
    /// The player that chooses the moves; none while it is choosing on the search thread.
    pub(super) player: Option<Box<dyn Player>>,
    /// The moves that the player has answered in this game.
    pub(super) move_record: MoveRecord,
    pub(super) channels: JobChannels,
    /// Whether it has been said that `Threads` is more than the machine is good for.
    pub(super) threads_remarked: bool,
    /// Largest number of seeds for which `EndgamePath` has files of the rule set.
    pub(super) endgame_files: Option<u8>,
    /// The small endgames that are built while the conversation goes on.
    pub(super) background: Option<BackgroundEndgames>,
    pub(super) job: Option<RunningJob>,
    /// What the reader has read.
    pub(super) lines: Receiver<Input>,
    /// Lines that came while a short job was waited for.
    pub(super) waiting: VecDeque<Input>,
}

/// A job whose final reply has not been printed yet.
pub(super) struct RunningJob {
    pub(super) control: Arc<JobControl>,
    /// Whether the reply must wait for `stop` or `ponderhit`.
    held: bool,
    /// Whether it ends by itself.
    pub(super) bounded: bool,
    /// The reply that waits.
    reply: Option<FinalReply>,
    /// While pondering: the time limits that count from `ponderhit`.
    pub(super) ponder: Option<TimeLimits>,
}

impl RunningJob {
    pub(super) fn new(held: bool, bounded: bool) -> RunningJob {
        RunningJob { control: Arc::default(), held, bounded, reply: None, ponder: None }
    }
}

/// What a search ends with.
pub(super) enum FinalReply {
    BestMove(Report),
    GameOver,
}

/// What the loop receives: an item of one of the two channels, or the end of that channel, or nothing for a while.
enum Incoming {
    Line(Result<Input, RecvError>),
    Event(Result<Event, RecvError>),
    Idle,
}

/// Whether the conversation goes on; a break ends it.
pub(super) type Flow = ControlFlow<()>;

/// Why a session cannot start with these settings.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The system starts no thread for the search.
    #[error("no thread can be started for the search: {0}")]
    Thread(io::Error),
    /// The book cannot be used.
    #[error("BookFile: {0}")]
    Book(#[from] BookError),
    /// The endgame files cannot be used.
    #[error("EndgamePath: {0}")]
    Endgames(#[from] EndgameFileError),
    /// The weights cannot be read.
    #[error("EvalFile: {0}")]
    Weights(#[from] EvalFileError),
    /// The player cannot play the rule set.
    #[error("Player: {0}")]
    Player(PlayerError),
    /// The file of lessons cannot be used.
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
    /// A session with these settings that writes to an output.
    ///
    /// # Errors
    /// If there is no memory for the transposition table, or a file of the settings cannot be used.
    pub fn new(output: W, settings: Settings) -> Result<Session<W>, StartError> {
        let table = Arc::new(Table::new(settings.hash_mib)?);
        let game = Game::new(Position::start(settings.variant));
        let weights = player::weights_of(&settings)?;
        let book = book_moves::book_of(&settings)?;
        let endgame_files = endgames::open(&settings)?;
        let player = Some(player::player_of(&settings)?);
        Ok(Session {
            output,
            settings,
            game,
            table,
            weights,
            book,
            player,
            move_record: MoveRecord::default(),
            channels: search_thread::start().map_err(StartError::Thread)?,
            threads_remarked: false,
            endgame_files,
            background: None,
            job: None,
            lines: never(),
            waiting: VecDeque::new(),
        })
    }

    /// Reads lines until `quit` or the end of the input, and answers them.
    ///
    /// # Errors
    /// If the output cannot be written. A reader that has gone away is not an error: there is nobody left to talk to.
    pub fn run(self, input: impl Read + Send + 'static) -> io::Result<()> {
        let background = BackgroundEndgames::start(&self.settings);
        self.run_beside(input, background)
    }

    /// The same with background work of the caller's choice.
    pub(super) fn run_beside(
        mut self,
        input: impl Read + Send + 'static,
        background: Option<BackgroundEndgames>,
    ) -> io::Result<()> {
        self.lines = reader::lines(input)?;
        self.background = background;
        let result = self.converse();
        ignore_broken_pipe(result)
    }

    fn converse(&mut self) -> io::Result<()> {
        let (lines, events) = (self.lines.clone(), self.channels.events.clone());
        loop {
            let waiting = self.waiting.pop_front().map(|line| Incoming::Line(Ok(line)));
            let soon = waiting.or_else(|| {
                spin(|| {
                    let event = poll(&events).map(Incoming::Event);
                    event.or_else(|| poll(&lines).map(Incoming::Line))
                })
            });
            let incoming = soon.unwrap_or_else(|| {
                let time_to_save = self.time_to_save();
                select! {
                    recv(lines) -> line => Incoming::Line(line),
                    recv(events) -> event => Incoming::Event(event),
                    recv(time_to_save) -> _ => Incoming::Idle,
                }
            });
            match incoming {
                Incoming::Line(Ok(line)) => {
                    if self.handle_line(&line)?.is_break() {
                        break;
                    }
                }
                Incoming::Line(Err(RecvError)) => {
                    self.finish_bounded_job()?;
                    break;
                }
                Incoming::Idle => self.save_learned()?,
                Incoming::Event(Ok(event)) => self.handle_event(event)?,
                Incoming::Event(Err(RecvError)) => {
                    return Err(io::Error::other("the search thread has died"));
                }
            }
            self.output.flush()?;
        }
        self.stop()?;
        self.output.flush()
    }

    /// Carries out one command and waits for its final reply.
    ///
    /// Nobody can send `stop` here, so no reply is held back.
    ///
    /// # Errors
    /// If the output cannot be written. A reader that has gone away is not an error.
    pub fn run_one(mut self, command: &Command) -> io::Result<()> {
        let result = self.carry_out(command);
        ignore_broken_pipe(result)
    }

    fn carry_out(&mut self, command: &Command) -> io::Result<()> {
        if let Command::Go(GoCommand::Search(_)) = command {
            self.background = BackgroundEndgames::start(&self.settings);
        }
        // After `quit` there is nothing left to do in any case.
        let _ = self.execute(command)?;
        self.release()?;
        while self.job.is_some() {
            self.output.flush()?;
            self.next_event()?;
        }
        self.output.flush()
    }

    fn handle_line(&mut self, line: &Input) -> io::Result<Flow> {
        let parsed = match line {
            Input::Line(line) => Command::parse(line),
            Input::TooLong => {
                self.error(format_args!("the line is longer than {MAX_LINE} bytes, so it was dropped"))?;
                return Ok(Flow::Continue(()));
            }
        };
        match parsed {
            Ok(None) => Ok(Flow::Continue(())),
            Ok(Some(command)) => self.execute(&command),
            Err(error) => {
                self.error(error)?;
                Ok(Flow::Continue(()))
            }
        }
    }

    /// Waits for the next event of the job.
    pub(super) fn next_event(&mut self) -> io::Result<()> {
        let event =
            self.channels.events.recv().map_err(|_| io::Error::other("the search thread has died"))?;
        self.handle_event(event)
    }

    pub(super) fn handle_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Iteration(report, elapsed) => {
                let lines = info::infos(&report, elapsed, self.settings.show_wdl);
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
                self.finish(FinalReply::BestMove(report))?;
                self.output.flush()?;
                self.leave_lost_files_out()?;
                self.learn()
            }
            Event::Endgame(known) => {
                self.job = None;
                self.say_endgame(known)
            }
            Event::Notice(text) => self.say(Reply::Info(Info::text(&text))),
            Event::Count(mv, nodes) => self.say(Reply::PerftMove { mv, nodes }),
            Event::Bench(line) => {
                let BenchLine { variant, position, depth, nodes } = line;
                self.text(format!("{variant} {position} depth {depth} nodes {nodes}"))
            }
            Event::Total(total, elapsed) => {
                self.job = None;
                let Some(nodes) = total else {
                    return self.say(Reply::Info(Info::text("stopped, so there is no total")));
                };
                self.say(Reply::Info(Info {
                    nodes: Some(nodes),
                    nps: Some(info::per_second(nodes, elapsed)),
                    time: Some(elapsed.as_millis() as u64),
                    ..Info::default()
                }))?;
                self.say(Reply::PerftTotal(nodes))
            }
        }
    }

    /// Prints the final reply of the job, or keeps it until it is released.
    pub(super) fn finish(&mut self, reply: FinalReply) -> io::Result<()> {
        match &mut self.job {
            Some(job) if job.held => {
                job.reply = Some(reply);
                Ok(())
            }
            _ => {
                self.job = None;
                self.say_best_move(&reply)
            }
        }
    }

    fn say_best_move(&mut self, reply: &FinalReply) -> io::Result<()> {
        let line = match reply {
            FinalReply::BestMove(report) => &report.pv[..],
            FinalReply::GameOver => &[],
        };
        self.move_record.answered(line.first().copied());
        self.say(Reply::BestMove { best: line.first().copied(), ponder: line.get(1).copied() })
    }

    /// Prints a reply that was held back; from now on none is.
    pub(super) fn release(&mut self) -> io::Result<()> {
        let Some(job) = &mut self.job else { return Ok(()) };
        job.held = false;
        match job.reply.take() {
            Some(reply) => self.finish(reply),
            None => Ok(()),
        }
    }

    /// Stops the job and waits for its final reply.
    pub(super) fn stop(&mut self) -> io::Result<()> {
        if let Some(job) = &self.job {
            job.control.stop();
        }
        self.release()?;
        while self.job.is_some() {
            self.next_event()?;
        }
        Ok(())
    }

    pub(super) fn say(&mut self, reply: Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")
    }

    /// Prints a line for people.
    pub(super) fn text(&mut self, line: String) -> io::Result<()> {
        let text = Text::new(&line).expect("a line for people does not look like a reply");
        self.say(Reply::Text(text))
    }

    /// Prints an error. The state has not changed.
    pub(super) fn error(&mut self, error: impl std::fmt::Display) -> io::Result<()> {
        self.say(Reply::Info(Info::text(&format!("error {error}"))))
    }
}

/// The result, with success in place of the error that the reader of the output has gone away.
fn ignore_broken_pipe(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
