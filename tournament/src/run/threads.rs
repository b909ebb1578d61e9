//! The threads of this machine that play games, each with its own engines.

use super::collector::Context;
use super::engine_pool::{EnginePool, Identities, TrialFailure, Warn};
use super::live::LiveBoards;
use super::worker::{GameWorker, LocalLink, WorkerEvent, WorkerLink};
use crate::engine::{Engine, Stop, Supervisor};
use crate::plan::MatchPlan;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

/// The needs of threads that play.
#[derive(Clone, Copy)]
pub struct GameThreads<'a> {
    pub plan: &'a MatchPlan,
    /// Starts the engines.
    pub supervisor: &'a Arc<Supervisor>,
    /// Ends the games early.
    pub stop: &'a Stop,
    /// The engines' `id name`s.
    pub identities: &'a Identities,
    /// Where boards are shown, if they are.
    pub boards: Option<&'a LiveBoards>,
}

impl GameThreads<'_> {
    /// Starts each engine once, to see whether it works, unless the games go on whatever engines do (--recover). Hands over
    /// those that can play on.
    pub fn try_engines(&self, warn: &Warn<'_>) -> Result<BTreeMap<usize, Engine>, TrialFailure> {
        if self.plan.tolerance.max_faults.is_none() {
            return Ok(BTreeMap::new());
        }
        let allowed = sched_getaffinity(None);
        if self.plan.affinity {
            // Those that can play on are the first thread's.
            pin_to(0);
        }
        let ready = self.pool(BTreeMap::new()).trial(warn);
        let _ = allowed.and_then(|allowed| sched_setaffinity(None, &allowed));
        ready
    }

    fn pool(&self, ready: BTreeMap<usize, Engine>) -> EnginePool<'_> {
        let GameThreads { plan, supervisor, stop, identities, .. } = *self;
        EnginePool { plan, supervisor, stop, identities, running: BTreeMap::new(), ready }
    }

    /// Plays with several threads, each with a link of its own, until none has another game. The first thread begins with
    /// engines that are ready already.
    pub fn play<L: WorkerLink + Send>(
        &self,
        count: usize,
        ready: BTreeMap<usize, Engine>,
        link: impl Fn(usize) -> L,
    ) {
        let mut ready = Some(ready);
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for number in 0..count {
                let (mine, ready) = (link(number), ready.take().unwrap_or_default());
                let work = move || self.play_one(number, mine, ready);
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        let other = link(number);
                        let text = format!("the system starts no thread for another game: {error}");
                        other.tell(WorkerEvent::Failed(text));
                        self.stop.set();
                        other.leave();
                        break;
                    }
                }
            }
            let ends: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
            if let Some(panic) = ends.into_iter().find_map(Result::err) {
                resume_unwind(panic);
            }
        });
    }

    fn play_one<L: WorkerLink>(&self, number: usize, link: L, ready: BTreeMap<usize, Engine>) {
        if self.plan.affinity {
            pin_to(number);
        }
        GameWorker { pool: self.pool(ready), link: &link, number, boards: self.boards }.play_all();
    }
}

/// Plays with the threads of this machine: first each engine is started once.
pub fn play_here(supervisor: &Arc<Supervisor>, context: &Context<'_>) {
    let &Context { plan, scheduler, identities, stop, shown, ref events, .. } = context;
    let threads = GameThreads { plan, supervisor, stop, identities, boards: shown.boards.as_deref() };
    let warn = |engine, text| context.tell(WorkerEvent::Warning(engine, text));
    let ready = match threads.try_engines(&warn) {
        Ok(ready) => ready,
        Err(TrialFailure::Stopped) => return,
        Err(TrialFailure::Broken(problems)) => {
            return context.tell(WorkerEvent::Broken(format!("{}; no game was played", problems.join("; "))));
        }
        Err(TrialFailure::Failed(text)) => {
            stop.set();
            return context.tell(WorkerEvent::Failed(text));
        }
    };
    let count = plan.games().min(plan.concurrency as u64) as usize;
    threads.play(count, ready, |_| LocalLink { scheduler, events: events.clone() });
}

/// Pins the calling thread, and everything that it starts from now on, to one of the allowed processors, selected by this number
/// modulo their count. The engines of a game and the thread that referees it take turns, so one processor is enough for them.
/// Engines that answer at once spend most of a move's time waking up another processor; sharing one saves that.
fn pin_to(number: usize) {
    let allowed = sched_getaffinity(None).unwrap_or_default();
    let processors: Vec<usize> =
        (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect();
    let mut one = CpuSet::new();
    if let Some(count) = NonZero::new(processors.len()) {
        one.set(processors[number % count]);
        let _ = sched_setaffinity(None, &one);
    }
}
