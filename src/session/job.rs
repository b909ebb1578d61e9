//! A job: the part of a conversation that takes its time. What controls it, what it tells, and how it is done.

use super::bench::{self, BenchLine};
use super::endgames;
use crate::endgame::Endgames;
use crate::game::{Move, Position};
use crate::plan::background::Growth;
use crate::players::{Player, Turn};
use crate::search::{Clock, Observer, Report};
use crate::time::Instant;
use once_cell::sync::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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
        // After `ponderhit` the work is going on already.
        if let Some(growth) = self.growth.get() {
            growth.set_end(self.end());
        }
    }

    /// Sets who builds endgames beside the search.
    pub fn set_growth(&self, growth: Arc<Growth>) {
        let _ = self.growth.set(growth);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn end(&self) -> Option<Instant> {
        self.clock.get().and_then(Clock::end)
    }

    /// Has the work beside the search go on or pause.
    fn set_searching(&self, searching: bool) {
        if let Some(growth) = self.growth.get() {
            growth.set_end(self.end());
            growth.set_searching(searching);
        }
    }
}

/// What is to be done.
pub enum Job {
    /// Have a player choose a move.
    Choose(Box<Choice>),
    /// Count move sequences.
    Perft(Position, u32),
    /// Say what the endgames know about a position, after building them.
    Endgame(Position, Arc<Endgames>),
    /// Search the fixed positions.
    Bench(u8),
}

/// A move that a player is to choose, and how far it has come.
pub struct Choice {
    turn: Turn,
    player: Box<dyn Player>,
    /// When it was left in the middle.
    progress: Option<Progress>,
}

impl Choice {
    pub fn new(turn: Turn, player: Box<dyn Player>) -> Choice {
        Choice { turn, player, progress: None }
    }
}

/// What has been done when a search was left. It goes on with what is in the table, so it soon is where it was.
struct Progress {
    started: Instant,
    /// The last report that was told, if there was one.
    told: Option<Report>,
    /// Nodes of the searches that were left.
    nodes: u64,
}

/// What a job does after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterPause {
    /// It goes on.
    GoOn,
    /// It is left, if it can be gone on with later: there are no other pauses.
    Leave,
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
    /// The end of a perft: nodes, or none if it was stopped, and the time it took.
    Total(Option<u64>, Duration),
    /// The end of a bench, likewise.
    BenchTotal(Option<u64>, Duration),
    /// What the endgames know about a position, in lines, or why they say nothing.
    Endgame(Result<Vec<String>, String>),
    /// Something for people to know.
    Notice(String),
    /// Bench: one position is done.
    Bench(BenchLine),
}

/// Who does jobs, on whatever thread: how a job tells what it finds, and pauses.
pub struct JobRunner<'a> {
    /// Takes the events. If nobody wants them any more, they are lost.
    pub tell: &'a dyn Fn(Event),
    /// Is called whenever a job looks whether to stop: a driver with one thread can do something else meanwhile.
    pub pause: &'a dyn Fn() -> AfterPause,
}

impl JobRunner<'_> {
    /// Does a job; its last event is its end. A job that was left comes back, to be run again.
    pub fn run(&self, job: Job, control: &JobControl) -> Option<Job> {
        let started = Instant::now();
        let last = match job {
            Job::Choose(mut choice) => match self.choose(&mut choice, control) {
                Some(report) => Event::BestMove(report, choice.player),
                None => return Some(Job::Choose(choice)),
            },
            Job::Perft(position, depth) => {
                let total = self.perft(&position, depth, control);
                Event::Total(total, started.elapsed())
            }
            Job::Endgame(position, levels) => {
                Event::Endgame(endgames::probe(&levels, None, &position, &mut || self.is_stopped(control)))
            }
            Job::Bench(depth) => {
                let total = bench::run(depth, &|| self.is_stopped(control), &mut |line| {
                    (self.tell)(Event::Bench(line));
                });
                Event::BenchTotal(total, started.elapsed())
            }
        };
        (self.tell)(last);
        None
    }

    /// Has the player choose; none if the choice was left.
    fn choose(&self, choice: &mut Choice, control: &JobControl) -> Option<Report> {
        let Choice { turn, player, progress } = choice;
        turn.request.goes_on = progress.is_some();
        let before =
            progress.take().unwrap_or_else(|| Progress { started: Instant::now(), told: None, nodes: 0 });
        let mut reporter = SearchReporter {
            control,
            runner: self,
            may_leave: player.can_go_on(turn),
            known_depth: before.told.as_ref().map(|told| told.depth),
            progress: before,
            left: false,
            ended: false,
        };
        control.set_searching(true);
        let report = player.choose(turn, &mut reporter);
        control.set_searching(false);
        let SearchReporter { progress: mut done, known_depth, left, ended, .. } = reporter;
        let nodes = done.nodes + report.nodes;
        if left {
            turn.request.nodes = turn.request.nodes.saturating_sub(report.nodes).max(1);
            done.nodes = nodes;
            *progress = Some(done);
            return None;
        }
        let report = Report { nodes, ..report };
        if known_depth.is_none_or(|known| report.depth > known) {
            return Some(report);
        }
        // It ended on the way back to where it had been. If it was stopped, what it told then is worth more.
        match done.told.filter(|_| ended) {
            Some(told) => Some(told),
            None => {
                (self.tell)(Event::Iteration(report.clone(), done.started.elapsed()));
                Some(report)
            }
        }
    }

    fn perft(&self, position: &Position, depth: u32, control: &JobControl) -> Option<u64> {
        let mut total = 0;
        for mv in position.moves() {
            let below = position.play(mv).expect("a move that was listed is legal");
            let count = below.perft(depth - 1, &|| self.is_stopped(control))?;
            (self.tell)(Event::Count(mv, count));
            total += count;
        }
        Some(total)
    }

    fn is_stopped(&self, control: &JobControl) -> bool {
        // Nobody goes on with these jobs later.
        let _ = (self.pause)();
        control.is_stopped()
    }
}

/// Reports a search to the session, and ends it on `stop` or when the time is up.
struct SearchReporter<'a> {
    control: &'a JobControl,
    runner: &'a JobRunner<'a>,
    progress: Progress,
    /// What was found to this depth was told before the search was left.
    known_depth: Option<u8>,
    may_leave: bool,
    left: bool,
    /// It was stopped, or the time is up.
    ended: bool,
}

impl SearchReporter<'_> {
    fn tell(&self, event: Event) {
        (self.runner.tell)(event);
    }

    fn is_known(&self, depth: u8) -> bool {
        self.known_depth.is_some_and(|known| depth <= known)
    }
}

impl Observer for SearchReporter<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        let leave = (self.runner.pause)() == AfterPause::Leave && self.may_leave;
        self.ended = self.control.is_stopped() || self.control.clock.get().is_some_and(Clock::is_up);
        // Once it is to be left, it is: other work that was stopped for it is not what was meant.
        self.left = (self.left || leave) && !self.ended;
        self.left || self.ended
    }

    fn iteration(&mut self, report: &Report) -> bool {
        if self.left || self.is_known(report.depth) {
            return false;
        }
        let report = Report { nodes: self.progress.nodes + report.nodes, ..report.clone() };
        self.tell(Event::Iteration(report.clone(), self.progress.started.elapsed()));
        let is_late = self.control.clock.get().is_some_and(|clock| clock.is_late(&report));
        self.progress.told = Some(report);
        is_late
    }

    fn current(&mut self, depth: u8, mv: Move, number: usize) {
        if self.progress.started.elapsed() >= CURRMOVE_DELAY && !self.is_known(depth) {
            self.tell(Event::Current(depth, mv, number));
        }
    }

    fn wants_endgames(&mut self, seeds: u8) {
        if let Some(growth) = self.control.growth.get() {
            growth.want(seeds);
        }
    }

    fn fewer_threads(&mut self, searching: usize, wanted: usize) {
        let text = format!("{searching} of {wanted} threads search: the system starts no more");
        self.tell(Event::Notice(text));
    }
}
