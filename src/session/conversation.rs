//! The session: a state machine that takes lines and the events of its job, one at a time, and never waits. It starts jobs,
//! queues lines that must wait for the end of a job, and holds replies back until they are released.

use super::info;
use super::job::{Event, Job, JobControl};
use super::move_record::MoveRecord;
use super::reader::{Input, MAX_LINE_BYTES};
use crate::bench::BenchLine;
use crate::game::{Game, Position};
use crate::learn::LearnError;
use crate::plan::{ResourceError, Resources, player_of};
use crate::players::{Player, PlayerError};
use crate::printable;
use crate::protocol::{Command, Dialect, Info, Reply, Settings, Text};
use crate::review::Review;
use crate::search::{OutOfMemory, Report, SearchMemory, TimeLimits};
use crate::time::Instant;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// The engine's name and version, as `id name` prints it.
pub const NAME: &str = concat!("Kroo ", env!("CARGO_PKG_VERSION"));

/// The state of a conversation.
pub struct Session<W> {
    #[doc(hidden)]
    pub output: W,
    #[doc(hidden)]
    pub settings: Settings,
    /// The dialect of the last `uci` or `ugi`.
    pub(super) dialect: Dialect,
    #[doc(hidden)]
    pub game: Game,
    #[doc(hidden)]
    pub table: Arc<SearchMemory>,
    /// The files named by the settings.
    #[doc(hidden)]
    pub resources: Resources,
    /// The player; `None` while it chooses a move on the search thread.
    #[doc(hidden)]
    pub player: Option<Box<dyn Player>>,
    /// The player's answers in this game.
    #[doc(hidden)]
    pub move_record: MoveRecord,
    /// Whether the warning about `Threads` has been printed.
    pub(super) threads_remarked: bool,
    #[doc(hidden)]
    pub job: Option<RunningJob>,
    /// The review in progress; its searches are the jobs.
    pub(super) review: Option<Review>,
    /// The job, until a driver takes it.
    pending: Option<PendingJob>,
    /// Lines that arrived while the session waits for the end of a job.
    waiting: VecDeque<Input>,
    /// `quit` has arrived.
    quitting: bool,
}

pub(super) type PendingJob = (Job, Arc<JobControl>);

/// Maximum lines that wait for the end of a job before reading pauses.
const MAX_WAITING: usize = 64;

/// A job without its final reply.
pub struct RunningJob {
    pub control: Arc<JobControl>,
    pub(super) started: Instant,
    /// Whether the reply must wait for `stop` or `ponderhit`.
    held: bool,
    /// Whether the job ends by itself.
    pub(super) bounded: bool,
    /// Whether new lines wait for the job's end, because it has been stopped or is over soon.
    awaited: bool,
    /// A finished but held reply.
    reply: Option<FinalReply>,
    /// While pondering: the time limits that count from `ponderhit`.
    pub(super) ponder: Option<TimeLimits>,
}

impl RunningJob {
    pub(super) fn new(held: bool, bounded: bool) -> RunningJob {
        RunningJob {
            control: Arc::default(),
            started: Instant::now(),
            held,
            bounded,
            awaited: false,
            reply: None,
            ponder: None,
        }
    }
}

/// The reply that ends a search.
pub(super) enum FinalReply {
    BestMove(Report),
    GameOver,
}

/// Why a session cannot start with given settings.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum StartError {
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error(transparent)]
    Resources(#[from] ResourceError),
    #[error("Player: {0}")]
    Player(PlayerError),
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
    /// A session that writes to `output`.
    ///
    /// # Errors
    /// If there is not enough memory for the transposition table, or a file of the settings is not usable.
    pub fn new(output: W, settings: Settings) -> Result<Session<W>, StartError> {
        let table = Arc::new(SearchMemory::new(settings.hash_mib)?);
        let game = Game::new(Position::start(settings.variant));
        let resources = Resources::open(&settings)?;
        let player = Some(player_of(&settings)?);
        Ok(Session {
            output,
            settings,
            dialect: Dialect::default(),
            game,
            table,
            resources,
            player,
            move_record: MoveRecord::default(),
            threads_remarked: false,
            job: None,
            review: None,
            pending: None,
            waiting: VecDeque::new(),
            quitting: false,
        })
    }

    /// Answers a line, or queues it until the end of the job; `stop` and `quit` end that job.
    pub(super) fn take_line(&mut self, line: Input) -> io::Result<()> {
        match &self.job {
            _ if self.quitting => {}
            Some(job) if job.awaited => {
                if ends_job(&line) {
                    job.control.stop();
                }
                self.waiting.push_back(line);
            }
            _ => self.handle_line(&line)?,
        }
        Ok(())
    }

    /// Handles an event of the job. After the last one, the queued lines are answered.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn take_event(&mut self, event: Event) -> io::Result<()> {
        self.handle_event(event)?;
        while !self.awaits_job() && !self.quitting {
            let Some(line) = self.waiting.pop_front() else { break };
            self.handle_line(&line)?;
        }
        Ok(())
    }

    /// Takes the job to be done, once.
    pub fn take_job(&mut self) -> Option<PendingJob> {
        self.pending.take()
    }

    /// Whether lines wait for the end of the job.
    pub(super) fn awaits_job(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.awaited)
    }

    /// Whether another line can be queued.
    pub(super) fn takes_lines(&self) -> bool {
        self.waiting.len() < MAX_WAITING
    }

    /// Whether `quit` has arrived and the last job has ended.
    pub(super) fn is_over(&self) -> bool {
        self.quitting && self.job.is_none()
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn handle_line(&mut self, line: &Input) -> io::Result<()> {
        let parsed = match line {
            Input::Line(line) => Command::parse(line),
            Input::TooLong => {
                return self.error(format_args!(
                    "the line is longer than {MAX_LINE_BYTES} bytes, so it was dropped"
                ));
            }
        };
        match parsed {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.execute(&command),
            Err(error) => self.error(error),
        }
    }

    /// Starts a job, under the control of the running one.
    pub(super) fn send(&mut self, job: Job) {
        let control = self.job.as_ref().map(|job| Arc::clone(&job.control)).unwrap_or_default();
        self.pending = Some((job, control));
    }

    /// Makes new lines wait for the end of the job.
    pub(super) fn await_job(&mut self) {
        if let Some(job) = &mut self.job {
            job.awaited = true;
        }
    }

    fn handle_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Iteration(..) | Event::Current(..) if self.review.is_some() => Ok(()),
            Event::BestMove(report, _) if self.review.is_some() => self.go_on_with_review(&report),
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
            Event::BenchTotal(total, elapsed) => {
                if let Some(nodes) = total {
                    let speed = info::per_second(nodes, elapsed);
                    self.text(format!("Nodes per second: {speed} on one thread"))?;
                }
                self.say_total(total, elapsed)
            }
            Event::Total(total, elapsed) => self.say_total(total, elapsed),
            Event::Bounds(bounds, nodes, elapsed) => self.say_bounds(bounds, nodes, elapsed),
            Event::Solved(answer, task) => self.end_solve(&answer, task),
        }
    }

    /// Prints the end of a perft or a bench.
    fn say_total(&mut self, total: Option<u64>, elapsed: Duration) -> io::Result<()> {
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

    /// Prints the job's final reply, or keeps it until it is released.
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
        // UGI managers expect lines of exactly two words.
        let ponder = line.get(1).copied().filter(|_| self.dialect == Dialect::Uci);
        self.say(Reply::BestMove { best: line.first().copied(), ponder })
    }

    /// Prints a held reply; later ones are not held.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn release(&mut self) -> io::Result<()> {
        let Some(job) = &mut self.job else { return Ok(()) };
        job.held = false;
        match job.reply.take() {
            Some(reply) => self.finish(reply),
            None => Ok(()),
        }
    }

    /// Stops the job. Later lines wait for its final reply.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn stop(&mut self) -> io::Result<()> {
        if let Some(job) = &self.job {
            job.control.stop();
        }
        self.release()?;
        self.await_job();
        Ok(())
    }

    /// Ends the conversation after the job.
    pub(super) fn quit(&mut self) -> io::Result<()> {
        self.quitting = true;
        self.waiting.clear();
        self.stop()
    }

    /// Prints a reply as one line that controls no terminal, even if it quotes input.
    pub(super) fn say(&mut self, reply: Reply) -> io::Result<()> {
        writeln!(self.output, "{}", printable::line(&reply.to_string()))
    }

    pub(super) fn text(&mut self, line: String) -> io::Result<()> {
        let text = Text::new(&line).expect("a line for people does not look like a reply");
        self.say(Reply::Text(text))
    }

    /// Prints an error; the state is unchanged.
    pub(super) fn error(&mut self, error: impl std::fmt::Display) -> io::Result<()> {
        self.say(Reply::Info(Info::text(&format!("error {error}"))))
    }
}

fn ends_job(line: &Input) -> bool {
    let Input::Line(line) = line else { return false };
    matches!(Command::parse(line), Ok(Some(Command::Stop | Command::Quit)))
}
