//! The engines of a worker.

use super::affinity::WorkerAffinity;
use crate::engine::{Engine, EngineError, Stop, Supervisor};
use crate::plan::MatchPlan;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Engines that run, by their places in the list.
pub(super) struct EnginePool<'a> {
    plan: &'a MatchPlan,
    supervisor: &'a Arc<Supervisor>,
    stop: &'a Stop,
    /// Where they sit, if that matters.
    place: Option<WorkerAffinity<'a>>,
    running: BTreeMap<usize, Engine>,
}

/// Takes what should be known about an engine.
pub(super) type Warn<'a> = dyn Fn(usize, String) + 'a;

/// An engine on its way to a game.
enum Candidate {
    /// It has played before.
    OpenJournal(Engine),
    /// It has just been started, if it could be.
    Fresh(Result<Engine, EngineError>),
}

impl<'a> EnginePool<'a> {
    pub fn new(
        plan: &'a MatchPlan,
        supervisor: &'a Arc<Supervisor>,
        stop: &'a Stop,
        place: Option<WorkerAffinity<'a>>,
    ) -> EnginePool<'a> {
        EnginePool { plan, supervisor, stop, place, running: BTreeMap::new() }
    }

    /// The two engines of a game, ready for it if possible. All others are sent home.
    pub fn call(&mut self, players: [usize; 2], warn: &Warn<'_>) -> [Result<Engine, EngineError>; 2] {
        self.supervisor.reap_orphans();
        let running = std::mem::take(&mut self.running);
        let stays =
            |engine: usize| players.contains(&engine) && !self.plan.contestants[engine].engine.restart;
        let (staying, leaving): (BTreeMap<_, _>, BTreeMap<_, _>) =
            running.into_iter().partition(|&(engine, _)| stays(engine));
        self.running = staying;
        if !leaving.is_empty() {
            self.clear();
        }
        Engine::dismiss(leaving.into_values().collect(), self.stop);
        let candidates = players.map(|player| match self.running.remove(&player) {
            Some(engine) => Candidate::OpenJournal(engine),
            None => Candidate::Fresh(self.launch(player)),
        });
        let [south, north] = candidates;
        [self.prepare(players[0], south, warn), self.prepare(players[1], north, warn)]
    }

    /// Keeps an engine for the next game.
    pub fn keep(&mut self, player: usize, engine: Engine) {
        self.running.insert(player, engine);
    }

    /// Engines are to be started or to go, so that none may be kept on one processor.
    pub fn clear(&self) {
        if let Some(place) = self.place {
            place.clear();
        }
    }

    /// Sends all engines home.
    pub fn dismiss(self) {
        self.clear();
        Engine::dismiss(self.running.into_values().collect(), self.stop);
    }

    fn launch(&self, player: usize) -> Result<Engine, EngineError> {
        self.clear();
        Engine::launch(&self.plan.contestants[player].engine, self.supervisor)
    }

    /// Makes an engine ready for a game. One that fails between two games loses neither: it is started again.
    fn prepare(&self, player: usize, candidate: Candidate, warn: &Warn<'_>) -> Result<Engine, EngineError> {
        let fresh = match candidate {
            Candidate::Fresh(fresh) => fresh,
            Candidate::OpenJournal(mut engine) => match engine.new_game(self.stop) {
                Ok(()) => return Ok(engine),
                Err(failure) => {
                    self.clear();
                    drop(engine);
                    if let EngineError::Stopped(stopped) = failure {
                        return Err(stopped.into());
                    }
                    warn(player, format!("{failure} between two games; it is started again"));
                    self.launch(player)
                }
            },
        };
        let mut engine = fresh?;
        for refused in engine.greet(&self.plan.contestants[player].engine, self.plan.variant, self.stop)? {
            warn(player, refused);
        }
        engine.new_game(self.stop)?;
        Ok(engine)
    }
}
