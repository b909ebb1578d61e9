//! The thread that searches.

use super::bench::{self, BenchLine};
use super::endgames::{self, Growth};
use super::spin::{poll, spin};
use crate::game::{Move, Position};
use crate::players::{Player, Turn};
use crate::search::{Clock, Observer, Report};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use once_cell::sync::OnceCell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A search that has lasted this long reports which move it is at, as UCI engines do.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);

/// How the session controls a running job.
#[derive(Debug, Default)]
pub struct JobControl {
    stopped: AtomicBool,
    clock: OnceCell<Clock>,
    /// The work beside the search.
    growth: OnceCell<Arc<Growth>>,
}

impl JobControl {
    /// Stops the job at its next check.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Sets the clock that ends the search. A search that ponders has none before `ponderhit`. Only the first call counts.
    pub fn set_clock(&self, clock: Clock) {
        let _ = self.clock.set(clock);
    }

    /// Sets who builds endgames beside the search.
    pub fn set_growth(&self, growth: Arc<Growth>) {
        let _ = self.growth.set(growth);
    }

    /// Has the work beside the search go on or pause.
    fn set_searching(&self, searching: bool) {
        if let Some(growth) = self.growth.get() {
            growth.set_searching(searching);
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// A job for the search thread.
pub enum Job {
    /// Have a player choose a move.
    Choose(Box<Turn>, Box<dyn Player>),
    /// Count move sequences.
    Perft(Position, u32),
    /// Say what the endgames know about a position, after building them.
    Endgame(Position),
    /// Search the fixed positions.
    Bench(u8),
}

/// An event that a job reports.
pub enum Event {
    /// An iteration is complete; the time since the search began.
    Iteration(Report, Duration),
    /// A long search begins a move of the root: depth, move, and the move's number from 1.
    Current(u8, Move, usize),
    /// The move is chosen. The player comes back with it.
    BestMove(Report, Box<dyn Player>),
    /// Perft: the number of move sequences that begin with a move.
    Count(Move, u64),
    /// The end of a perft or bench: nodes, or none if it was stopped, and the time it took.
    Total(Option<u64>, Duration),
    /// What the endgames know about a position, in lines, or why they say nothing.
    Endgame(Result<Vec<String>, String>),
    /// Something for people to know.
    Notice(String),
    /// Bench: one position is done.
    Bench(BenchLine),
}

/// The search thread's end of the channels.
struct JobRunner {
    jobs: Receiver<(Job, Arc<JobControl>)>,
    events: Sender<Event>,
}

/// The session's end of the channels.
pub struct JobChannels {
    /// Takes jobs, one at a time.
    pub jobs: Sender<(Job, Arc<JobControl>)>,
    /// Gives the events of the job. After the last one the thread waits for the next job.
    pub events: Receiver<Event>,
}

/// Starts the search thread. It ends when the session drops its end of the channels.
///
/// # Errors
/// If the system starts no thread.
pub fn start() -> io::Result<JobChannels> {
    let (job_sender, jobs) = bounded(1);
    // A search sends a few hundred events at most, so the channel does not grow without bound.
    let (events, event_receiver) = unbounded();
    let runner = JobRunner { jobs, events };
    thread::Builder::new().name("search".to_owned()).spawn(move || runner.run())?;
    Ok(JobChannels { jobs: job_sender, events: event_receiver })
}

impl JobRunner {
    fn run(&self) {
        while let Ok((job, control)) = spin(|| poll(&self.jobs)).unwrap_or_else(|| self.jobs.recv()) {
            let started = Instant::now();
            let last = match job {
                Job::Choose(turn, mut player) => {
                    let mut reporter = SearchReporter { control: &control, events: &self.events, started };
                    control.set_searching(true);
                    let report = player.choose(&turn, &mut reporter);
                    control.set_searching(false);
                    Event::BestMove(report, player)
                }
                Job::Perft(position, depth) => {
                    let total = self.perft(&position, depth, &control);
                    Event::Total(total, started.elapsed())
                }
                Job::Endgame(position) => {
                    Event::Endgame(endgames::probe(&position, &mut || control.is_stopped()))
                }
                Job::Bench(depth) => {
                    let total = bench::run(depth, &|| control.is_stopped(), &mut |line| {
                        self.send(Event::Bench(line));
                    });
                    Event::Total(total, started.elapsed())
                }
            };
            self.send(last);
        }
    }

    fn perft(&self, position: &Position, depth: u32, control: &JobControl) -> Option<u64> {
        let mut total = 0;
        for mv in position.moves() {
            let below = position.play(mv).expect("a move that was listed is legal");
            let count = below.perft(depth - 1, &|| control.is_stopped())?;
            self.send(Event::Count(mv, count));
            total += count;
        }
        Some(total)
    }

    /// Sends an event. If the session is gone nobody receives it; the channel of jobs is closed then too.
    fn send(&self, event: Event) {
        let _ = self.events.send(event);
    }
}

/// Reports a search to the session, and ends it on `stop` or when the time is up.
struct SearchReporter<'a> {
    control: &'a JobControl,
    events: &'a Sender<Event>,
    started: Instant,
}

impl Observer for SearchReporter<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.control.is_stopped() || self.control.clock.get().is_some_and(Clock::is_up)
    }

    fn iteration(&mut self, report: &Report) -> bool {
        let _ = self.events.send(Event::Iteration(report.clone(), self.started.elapsed()));
        self.control.clock.get().is_some_and(|clock| clock.is_late(report))
    }

    fn current(&mut self, depth: u8, mv: Move, number: usize) {
        if self.started.elapsed() >= CURRMOVE_DELAY {
            let _ = self.events.send(Event::Current(depth, mv, number));
        }
    }

    fn wants_endgames(&mut self, seeds: u8) {
        if let Some(growth) = self.control.growth.get() {
            growth.want(seeds);
        }
    }

    fn fewer_threads(&mut self, searching: usize, wanted: usize) {
        let text = format!("{searching} of {wanted} threads search: the system starts no more");
        let _ = self.events.send(Event::Notice(text));
    }
}
