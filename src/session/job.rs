//! Jobs, the long-running parts of a conversation: their control, their events and their execution.

use super::endgames;
use crate::bench::{self, BenchLine};
use crate::endgames::Endgames;
use crate::game::{Move, Position};
use crate::plan::background::Growth;
use crate::players::{Player, Turn};
use crate::protocol::SolveCommand;
use crate::search::{Clock, Observer, Report, SearchMemory};
use crate::solve::{Answer, Bounds, Pause, Solving};
use crate::time::Instant;
use once_cell::sync::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After this long, a search reports the root move being searched, as UCI engines do.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);

/// Time between two reports of a position that is being solved.
const BOUNDS_INTERVAL: Duration = Duration::from_millis(500);

/// The session's control of a running job.
#[derive(Debug, Default)]
pub struct JobControl {
    stopped: AtomicBool,
    clock: OnceCell<Clock>,
    /// The background endgame builder.
    growth: OnceCell<Arc<Growth>>,
}

impl JobControl {
    /// Stops the job at its next check.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Sets the clock that ends the search. A pondering search has none before `ponderhit`. Only the first call counts.
    pub fn set_clock(&self, clock: Clock) {
        let _ = self.clock.set(clock);
        // After `ponderhit` the background work is already running.
        if let Some(growth) = self.growth.get() {
            growth.set_end(self.end());
        }
    }

    /// Sets the background endgame builder.
    pub fn set_growth(&self, growth: Arc<Growth>) {
        let _ = self.growth.set(growth);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn end(&self) -> Option<Instant> {
        self.clock.get().and_then(Clock::end)
    }

    /// Starts or pauses the background work.
    fn set_searching(&self, searching: bool) {
        if let Some(growth) = self.growth.get() {
            growth.set_end(self.end());
            growth.set_searching(searching);
        }
    }
}

/// A job.
pub enum Job {
    /// A player chooses a move; with its progress, if the search was suspended.
    Choose(Box<Turn>, Box<dyn Player>, Option<Progress>),
    /// Counts move sequences.
    Perft(Position, u32),
    /// Builds endgames, and reports what they know about a position.
    Endgame(Position, Arc<Endgames>),
    /// Searches the positions of `bench`.
    Bench(u8),
    /// Solves a position with a table.
    Solve(Box<Solving>, Arc<SearchMemory>),
}

/// The progress of a suspended search. Resumed from the table, it soon regains its depth.
pub struct Progress {
    started: Instant,
    /// The last reported iteration.
    told: Option<Report>,
    /// Nodes of the suspended searches.
    nodes: u64,
}

/// How a job proceeds after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterPause {
    /// It continues.
    GoOn,
    /// It is suspended, if it can be resumed later; there are no other pauses.
    Leave,
}

/// An event of a job.
pub enum Event {
    /// A complete iteration; the time since the search began.
    Iteration(Report, Duration),
    /// A long search starts a move of the root: depth, move, and the move's number from 1.
    Current(u8, Move, usize),
    /// The chosen move; the player is returned.
    BestMove(Report, Box<dyn Player>),
    /// Perft: the number of move sequences after a move.
    Count(Move, u64),
    /// The end of a perft: nodes, `None` if it was stopped, and the time.
    Total(Option<u64>, Duration),
    /// The end of a bench: nodes, `None` if it was stopped, and the time.
    BenchTotal(Option<u64>, Duration),
    /// The lines of `endgame` about a position, or why there are none.
    Endgame(Result<Vec<String>, String>),
    /// A notice for people.
    Notice(String),
    /// Bench: a finished position.
    Bench(BenchLine),
    /// Solving: the current bounds, the nodes, and the time since it began.
    Bounds(Bounds, u64, Duration),
    /// The end of solving.
    Solved(Answer, SolveCommand),
}

/// Runs jobs on the current thread.
pub struct JobRunner<'a> {
    /// Receives the events, or drops them if the session is gone.
    pub tell: &'a dyn Fn(Event),
    /// Called at every check for a stop; a driver with one thread can handle other work in it.
    pub pause: &'a dyn Fn() -> AfterPause,
}

impl JobRunner<'_> {
    /// Runs a job; its last event marks its end. A suspended job is returned, to be run again.
    pub fn run(&self, job: Job, control: &JobControl) -> Option<Job> {
        let started = Instant::now();
        let last = match job {
            Job::Choose(mut turn, mut player, progress) => {
                match self.choose(&mut turn, &mut *player, progress, control) {
                    Ok(report) => Event::BestMove(report, player),
                    Err(progress) => return Some(Job::Choose(turn, player, Some(progress))),
                }
            }
            Job::Perft(position, depth) => {
                let total = self.perft(&position, depth, control);
                Event::Total(total, started.elapsed())
            }
            Job::Endgame(position, databases) => {
                Event::Endgame(endgames::probe(&databases, None, &position, &mut || self.is_stopped(control)))
            }
            Job::Bench(depth) => {
                let total = bench::run(depth, &|| self.is_stopped(control), &mut |line| {
                    (self.tell)(Event::Bench(line));
                });
                Event::BenchTotal(total, started.elapsed())
            }
            Job::Solve(mut solving, table) => match self.solve(&mut solving, &table, control) {
                Some(answer) => Event::Solved(answer, solving.task()),
                None => return Some(Job::Solve(solving, table)),
            },
        };
        (self.tell)(last);
        None
    }

    /// The player's choice; the progress if it was suspended.
    fn choose(
        &self,
        turn: &mut Turn,
        player: &mut dyn Player,
        progress: Option<Progress>,
        control: &JobControl,
    ) -> Result<Report, Progress> {
        turn.request.goes_on = progress.is_some();
        let before = progress.unwrap_or_else(|| Progress { started: Instant::now(), told: None, nodes: 0 });
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
        let SearchReporter { progress: done, known_depth, left, ended, .. } = reporter;
        let nodes = done.nodes + report.nodes;
        if left {
            turn.request.nodes = turn.request.nodes.saturating_sub(report.nodes).max(1);
            return Err(Progress { nodes, ..done });
        }
        let report = Report { nodes, ..report };
        if known_depth.is_none_or(|known| report.depth > known) {
            return Ok(report);
        }
        // The search ended before it regained its depth. If it was stopped, its last report before the suspension is better.
        Ok(done.told.filter(|_| ended).unwrap_or_else(|| {
            (self.tell)(Event::Iteration(report.clone(), done.started.elapsed()));
            report
        }))
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

    /// The answer about a position; `None` if the work was suspended.
    fn solve(&self, solving: &mut Solving, table: &SearchMemory, control: &JobControl) -> Option<Answer> {
        control.set_searching(true);
        let growth = control.growth.get().map(|growth| &**growth);
        let mut told = Instant::now();
        let is_done = solving.work(table, growth, &mut |bounds, nodes, time| {
            if told.elapsed() >= BOUNDS_INTERVAL {
                told = Instant::now();
                (self.tell)(Event::Bounds(bounds, nodes, time));
            }
            match (self.pause)() {
                _ if control.is_stopped() => Pause::Stop,
                AfterPause::GoOn => Pause::GoOn,
                AfterPause::Leave => Pause::Leave,
            }
        });
        control.set_searching(false);
        is_done.then(|| solving.answer())
    }

    fn is_stopped(&self, control: &JobControl) -> bool {
        // These jobs are never suspended.
        let _ = (self.pause)();
        control.is_stopped()
    }
}

/// Reports a search to the session, and ends it on `stop` or when the time is up.
struct SearchReporter<'a> {
    control: &'a JobControl,
    runner: &'a JobRunner<'a>,
    progress: Progress,
    /// The depth that was reported before the search was suspended.
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
        // Once requested, a suspension is final: work that it stopped early must not count.
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
