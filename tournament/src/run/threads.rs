//! The threads of this machine that play games, each with its own engines.

use super::collector::Context;
use super::engine_pool::{EnginePool, TrialFailure, Warn};
use super::identities::Identities;
use super::link::{LocalLink, WorkerEvent, WorkerLink};
use super::live_boards::LiveBoards;
use super::processors::{allowed, pin, pin_to};
use super::worker::GameWorker;
use crate::engine::{Engine, Stop, Supervisor};
use crate::plan::MatchPlan;
use crossbeam_channel::Sender;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

/// The needs of threads that play.
#[derive(Clone, Copy)]
pub struct GameThreads<'a> {
    /// The match.
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
    /// Starts each engine once, to see whether it works. Hands over those that can play on.
    ///
    /// # Errors
    /// Why the games cannot begin.
    pub fn try_engines(&self, warn: &Warn<'_>) -> Result<BTreeMap<usize, Engine>, TrialFailure> {
        let processors = allowed();
        if self.plan.affinity {
            // Those that can play on are the first thread's.
            pin_to(0);
        }
        let ready = self.pool(BTreeMap::new()).trial(warn);
        pin(&processors);
        ready
    }

    fn pool(&self, ready: BTreeMap<usize, Engine>) -> EnginePool<'_> {
        EnginePool::new(self.plan, self.supervisor, self.stop, self.identities, ready)
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
        let pool = self.pool(ready);
        let (plan, stop, boards) = (self.plan, self.stop, self.boards);
        GameWorker { plan, stop, pool, link: &link, number, boards }.play_all();
    }
}

/// Plays with the threads of this machine: first each engine is started once.
pub fn play_here(supervisor: &Arc<Supervisor>, context: &Context<'_>, events: &Sender<WorkerEvent>) {
    let Context { plan, scheduler, identities, stop, shown, .. } = *context;
    let threads = GameThreads { plan, supervisor, stop, identities, boards: shown.boards.as_deref() };
    let tell = |event| _ = events.send(event);
    let tried = match plan.tolerance.max_faults {
        None => Ok(BTreeMap::new()),
        Some(_) => threads.try_engines(&|engine, text| tell(WorkerEvent::Warning(engine, text))),
    };
    let ready = match tried {
        Ok(ready) => ready,
        Err(TrialFailure::Stopped) => return,
        Err(TrialFailure::Broken(problems)) => {
            return tell(WorkerEvent::Broken(format!("{}; no game was played", problems.join("; "))));
        }
        Err(TrialFailure::Failed(text)) => {
            stop.set();
            return tell(WorkerEvent::Failed(text));
        }
    };
    let count = plan.games().min(plan.concurrency as u64) as usize;
    threads.play(count, ready, |_| LocalLink { scheduler, events: events.clone() });
}
