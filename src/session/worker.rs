//! The thread that searches.

use super::bench;
use super::linger::{at_once, linger};
use crate::game::{Move, Position};
use crate::players::{Player, Turn};
use crate::search::{Clock, Observer, Report};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use once_cell::sync::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// After this long a search tells which move it is at.
const LONG: Duration = Duration::from_secs(3);

/// How the session reaches into a job that is running.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    clock: OnceCell<Clock>,
}

impl Control {
    /// Ends the job as soon as it looks.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Sets the clock that ends the search. Pondering has none until it is set; the first one counts.
    pub fn set_clock(&self, clock: Clock) {
        let _ = self.clock.set(clock);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Work for the thread.
pub enum Job {
    /// Have a player choose a move.
    Choose(Box<Turn>, Box<dyn Player>),
    /// Count move sequences.
    Perft(Position, u32),
    /// Search the fixed positions.
    Bench(u8),
}

/// What the thread tells.
pub enum Event {
    /// An iteration is complete, after so long.
    Iteration(Report, Duration),
    /// A long search comes to a move of the root, the so manieth, at a depth.
    Current(u8, Move, usize),
    /// The move is chosen. The player waits for the next turn.
    BestMove(Report, Box<dyn Player>),
    /// So many sequences begin with a move.
    Count(Move, u64),
    /// The counting or the bench is over: nodes, and how long it took; none if it was stopped.
    Total(Option<u64>, Duration),
    /// A line of the bench.
    Bench(bench::Line),
}

/// The thread's end of the channels.
struct Worker {
    jobs: Receiver<(Job, Arc<Control>)>,
    events: Sender<Event>,
}

/// The session's end of the channels.
pub struct Link {
    /// Takes a job; one at a time.
    pub jobs: Sender<(Job, Arc<Control>)>,
    /// Gives what the job tells; after the last of it the thread waits for the next.
    pub events: Receiver<Event>,
}

/// Starts the thread. It ends when the session drops its end.
pub fn start() -> Link {
    let (job_sender, jobs) = bounded(1);
    // A search tells a few hundred things at the most, so the channel does not grow without bound.
    let (events, event_receiver) = unbounded();
    let worker = Worker { jobs, events };
    let spawned = thread::Builder::new().name("search".to_owned()).spawn(move || worker.run());
    spawned.expect("a thread can be started");
    Link { jobs: job_sender, events: event_receiver }
}

impl Worker {
    fn run(&self) {
        while let Ok((job, control)) = linger(|| at_once(&self.jobs)).unwrap_or_else(|| self.jobs.recv()) {
            let started = Instant::now();
            let last = match job {
                Job::Choose(turn, mut player) => {
                    let mut watch = Watch { control: &control, events: &self.events, started };
                    Event::BestMove(player.choose(&turn, &mut watch), player)
                }
                Job::Perft(position, depth) => {
                    let total = self.perft(&position, depth, &control);
                    Event::Total(total, started.elapsed())
                }
                Job::Bench(depth) => {
                    let total = bench::run(depth, &|| control.is_stopped(), &mut |line| {
                        self.tell(Event::Bench(line));
                    });
                    Event::Total(total, started.elapsed())
                }
            };
            self.tell(last);
        }
    }

    fn perft(&self, position: &Position, depth: u32, control: &Control) -> Option<u64> {
        let mut total = 0;
        for mv in position.moves() {
            let below = position.play(mv).expect("a move that was listed is legal");
            let count = below.perft(depth - 1, &|| control.is_stopped())?;
            self.tell(Event::Count(mv, count));
            total += count;
        }
        Some(total)
    }

    /// A session that is gone does not listen, and closes the channel of jobs next.
    fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }
}

/// Watches a search for the session.
struct Watch<'a> {
    control: &'a Control,
    events: &'a Sender<Event>,
    started: Instant,
}

impl Observer for Watch<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.control.is_stopped() || self.control.clock.get().is_some_and(Clock::is_up)
    }

    fn iteration(&mut self, report: &Report) -> bool {
        let _ = self.events.send(Event::Iteration(report.clone(), self.started.elapsed()));
        self.control.clock.get().is_some_and(|clock| clock.is_late(report))
    }

    fn current(&mut self, depth: u8, mv: Move, number: usize) {
        if self.started.elapsed() >= LONG {
            let _ = self.events.send(Event::Current(depth, mv, number));
        }
    }
}
