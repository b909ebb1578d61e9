//! The engines of a worker: those that run are used again for its next game.

use super::affinity::WorkerAffinity;
use crate::engine::{Engine, EngineError, Stop, Supervisor};
use crate::plan::MatchPlan;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Running engines, by their places in the list.
pub(super) struct EnginePool<'a> {
    plan: &'a MatchPlan,
    supervisor: &'a Arc<Supervisor>,
    stop: &'a Stop,
    affinity: Option<WorkerAffinity<'a>>,
    running: BTreeMap<usize, Engine>,
}

/// Takes warnings about an engine.
pub(super) type Warn<'a> = dyn Fn(usize, String) + 'a;

/// An engine for the next game.
enum Candidate {
    /// It has played before.
    Running(Engine),
    /// It has just been started, if that was possible.
    Started(Result<Engine, EngineError>),
}

impl<'a> EnginePool<'a> {
    pub fn new(
        plan: &'a MatchPlan,
        supervisor: &'a Arc<Supervisor>,
        stop: &'a Stop,
        affinity: Option<WorkerAffinity<'a>>,
    ) -> EnginePool<'a> {
        EnginePool { plan, supervisor, stop, affinity, running: BTreeMap::new() }
    }

    /// Takes the two engines of a game, ready for it if possible. All others are told to quit.
    pub fn take(&mut self, players: [usize; 2], warn: &Warn<'_>) -> [Result<Engine, EngineError>; 2] {
        self.supervisor.reap_orphans();
        let running = std::mem::take(&mut self.running);
        let stays =
            |engine: usize| players.contains(&engine) && !self.plan.contestants[engine].engine.restart;
        let (staying, leaving): (BTreeMap<_, _>, BTreeMap<_, _>) =
            running.into_iter().partition(|&(engine, _)| stays(engine));
        self.running = staying;
        if !leaving.is_empty() {
            self.unpin();
        }
        Engine::quit_all(leaving.into_values().collect());
        let candidates = players.map(|player| match self.running.remove(&player) {
            Some(engine) => Candidate::Running(engine),
            None => Candidate::Started(self.start(player)),
        });
        let [south, north] = candidates;
        [self.prepare(players[0], south, warn), self.prepare(players[1], north, warn)]
    }

    /// Returns an engine to the pool after a game.
    pub fn put_back(&mut self, player: usize, engine: Engine) {
        self.running.insert(player, engine);
    }

    /// Has no engine stay pinned to a processor, because some are about to be started or to exit.
    pub fn unpin(&self) {
        if let Some(affinity) = self.affinity {
            affinity.release();
        }
    }

    /// Tells all engines to quit.
    pub fn quit(self) {
        self.unpin();
        Engine::quit_all(self.running.into_values().collect());
    }

    fn start(&self, player: usize) -> Result<Engine, EngineError> {
        self.unpin();
        Engine::start(&self.plan.contestants[player].engine, self.supervisor, self.stop)
    }

    /// Makes an engine ready for a game. If one fails between two games it loses neither, and is restarted.
    fn prepare(&self, player: usize, candidate: Candidate, warn: &Warn<'_>) -> Result<Engine, EngineError> {
        let started = match candidate {
            Candidate::Started(started) => started,
            Candidate::Running(mut engine) => match engine.new_game() {
                Ok(()) => return Ok(engine),
                Err(error) => {
                    self.unpin();
                    drop(engine);
                    if let EngineError::Stopped(stopped) = error {
                        return Err(stopped.into());
                    }
                    warn(player, format!("{error} between two games; it is started again"));
                    self.start(player)
                }
            },
        };
        let mut engine = started?;
        for refused in engine.initialize(&self.plan.contestants[player].engine, self.plan.variant)? {
            warn(player, refused);
        }
        engine.new_game()?;
        Ok(engine)
    }
}
