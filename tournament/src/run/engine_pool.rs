//! The engines of a worker: running ones are used again for its next game. Before the first game all engines are started once,
//! which finds those that do not work.

use crate::engine::{Engine, EngineError, GameTerms, LastWords, Stop, Supervisor, locked};
use crate::plan::MatchPlan;
use crate::schedule::ScheduledGame;
use crate::tuning::TuningPlan;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The `id name` of each engine, by its place in the list, if known. The same program may run another engine, for instance a
/// script, or one that reads a file of weights.
#[derive(Debug)]
pub struct Identities(Mutex<Vec<Option<String>>>);

impl Identities {
    /// No engine is known yet.
    pub fn new(engines: usize) -> Identities {
        Identities(Mutex::new(vec![None; engines]))
    }

    /// Notes a name from the journal. The latest one counts.
    pub fn learn(&self, engine: usize, name: &str) {
        locked(&self.0)[engine] = Some(name.to_owned());
    }

    /// Records that an engine has been set up. Returns an error if its name has changed; an engine without a name proves nothing.
    pub fn meet(&self, engine: usize, name: Option<&str>) -> Option<String> {
        let (name, mut names) = (name?, locked(&self.0));
        let known = &mut names[engine];
        match known {
            Some(before) if before != name => Some(format!(
                "it calls itself `{name}`, but `{before}` has played under its name before: it is another engine"
            )),
            _ => {
                *known = Some(name.to_owned());
                None
            }
        }
    }
}

/// Running engines, by their places in the list.
pub(super) struct EnginePool<'a> {
    pub plan: &'a MatchPlan,
    pub supervisor: &'a Arc<Supervisor>,
    pub stop: &'a Stop,
    pub identities: &'a Identities,
    pub running: BTreeMap<usize, Engine>,
    /// Engines that have been made ready, and have not played yet.
    pub ready: BTreeMap<usize, Engine>,
}

/// Why an engine is not ready for a game.
pub(super) enum NotReady {
    /// It does not work this time, which costs it the game. These are its last words.
    Fault(EngineError, LastWords),
    /// It refuses options that were set: any game would show something else than was asked for.
    Refuses(String),
}

/// Why the games cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialFailure {
    /// These engines do not work, or refuse their options: a sentence about each.
    Broken(Vec<String>),
    /// Something else does not work.
    Failed(String),
    /// The match was stopped.
    Stopped,
}

impl From<EngineError> for NotReady {
    fn from(error: EngineError) -> NotReady {
        NotReady::Fault(error, LastWords::default())
    }
}

/// Takes warnings about an engine.
pub(super) type Warn<'a> = dyn Fn(usize, String) + 'a;

/// Tells engines to quit.
fn quit(engines: impl IntoIterator<Item = (usize, Engine)>, warn: &Warn<'_>) {
    Engine::quit_all(engines, |player, time| {
        let time = time.as_secs_f64();
        let text = format!(
            "it had not exited {time} s after `quit`, and was killed; quit=SECONDS gives it more time"
        );
        warn(player, text);
    });
}

/// An engine for the next game.
enum Candidate {
    /// It has played before.
    Running(Engine),
    /// It has been made ready, and has not played yet.
    Ready(Engine),
    /// It has just been started, if that was possible.
    Started(Result<Engine, EngineError>),
}

impl EnginePool<'_> {
    /// Starts each engine, sets its options and waits until it is ready; as many at a time as play at once. Returns those that can
    /// play on, by their places in the list, for the first worker.
    pub fn trial(self, warn: &Warn<'_>) -> Result<BTreeMap<usize, Engine>, TrialFailure> {
        let places: Vec<usize> = (0..self.plan.contestants.len()).collect();
        let (mut ready, mut broken) = (BTreeMap::new(), Vec::new());
        let start = self.plan.tuning.as_ref().map(TuningPlan::start);
        for group in places.chunks(2 * self.plan.concurrency.max(1)) {
            let started: Vec<_> = group.iter().map(|&place| (place, self.start(place))).collect();
            for (place, started) in started {
                let settings = self.plan.settings(start.as_ref(), place);
                match self.set_up(place, started, GameTerms { settings: &settings, seed: None }, warn) {
                    Ok(engine) => _ = ready.insert(place, engine),
                    Err(NotReady::Refuses(problem)) => broken.push(problem),
                    Err(NotReady::Fault(EngineError::Stopped(_), _)) => return Err(TrialFailure::Stopped),
                    Err(NotReady::Fault(error @ EngineError::OutOfResources(_), _)) => {
                        return Err(TrialFailure::Failed(error.to_string()));
                    }
                    Err(NotReady::Fault(error, words)) => {
                        broken.push(format!("{} {error}{}", self.plan.name(place), words.brief()));
                    }
                }
            }
            // With more engines it is not known yet which of them the first worker needs.
            if self.plan.contestants.len() > 2 {
                quit(std::mem::take(&mut ready), warn);
            }
        }
        if broken.is_empty() { Ok(ready) } else { Err(TrialFailure::Broken(broken)) }
    }

    /// Takes the two engines of a game, ready for it if possible. All others get `quit`.
    pub fn take(&mut self, scheduled: &ScheduledGame, warn: &Warn<'_>) -> [Result<Engine, NotReady>; 2] {
        let players = scheduled.players;
        self.supervisor.reap_orphans();
        let running = std::mem::take(&mut self.running);
        let stays =
            |engine: usize| players.contains(&engine) && !self.plan.contestants[engine].engine.restart;
        let (staying, leaving): (BTreeMap<_, _>, BTreeMap<_, _>) =
            running.into_iter().partition(|&(engine, _)| stays(engine));
        self.running = staying;
        quit(leaving, warn);
        let candidates =
            players.map(|player| match (self.running.remove(&player), self.ready.remove(&player)) {
                (Some(engine), _) => Candidate::Running(engine),
                (None, Some(engine)) => Candidate::Ready(engine),
                (None, None) => Candidate::Started(self.start(player)),
            });
        let [south, north] = candidates;
        [self.prepare(players[0], south, scheduled, warn), self.prepare(players[1], north, scheduled, warn)]
    }

    /// Returns an engine to the pool after a game.
    pub fn put_back(&mut self, player: usize, engine: Engine) {
        self.running.insert(player, engine);
    }

    /// Tells all engines to quit.
    pub fn quit(self, warn: &Warn<'_>) {
        quit(self.running.into_iter().chain(self.ready), warn);
    }

    fn refuses(&self, player: usize, problems: &[String]) -> NotReady {
        NotReady::Refuses(format!("{}: {}", self.plan.name(player), problems.join("; ")))
    }

    fn start(&self, player: usize) -> Result<Engine, EngineError> {
        Engine::start(&self.plan.contestants[player].engine, self.supervisor, self.stop)
    }

    /// Makes an engine ready for a game. If one fails between two games it loses neither, and is restarted.
    fn prepare(
        &mut self,
        player: usize,
        candidate: Candidate,
        scheduled: &ScheduledGame,
        warn: &Warn<'_>,
    ) -> Result<Engine, NotReady> {
        let settings = self.plan.settings(scheduled.settings.as_deref(), player);
        let game = GameTerms { settings: &settings, seed: Some(self.plan.seed_of(scheduled, player)) };
        let started = match candidate {
            Candidate::Started(started) => started,
            Candidate::Ready(engine) if settings.is_empty() && !engine.takes_seed() => return Ok(engine),
            Candidate::Ready(mut engine) | Candidate::Running(mut engine) => match engine.new_game(game) {
                Ok(refused) if refused.is_empty() => return Ok(engine),
                Ok(refused) => return Err(self.refuses(player, &refused)),
                Err(EngineError::Stopped(stopped)) => {
                    // It gets `quit` like all others, and may have something to save.
                    self.put_back(player, engine);
                    return Err(EngineError::from(stopped).into());
                }
                Err(error) => {
                    let words = engine.kill().brief();
                    drop(engine);
                    warn(player, format!("{error} between two games; it is started again{words}"));
                    self.start(player)
                }
            },
        };
        self.set_up(player, started, game, warn)
    }

    /// Makes an engine ready that has just been started, if that was possible.
    fn set_up(
        &self,
        player: usize,
        started: Result<Engine, EngineError>,
        game: GameTerms<'_>,
        warn: &Warn<'_>,
    ) -> Result<Engine, NotReady> {
        let mut engine = match started {
            Err(error @ EngineError::Replaced(_)) => return Err(self.refuses(player, &[error.to_string()])),
            started => started?,
        };
        let spec = &self.plan.contestants[player].engine;
        let mut refused = match engine.set_up(spec, self.plan.terms(), game) {
            Ok(refused) => refused,
            Err(error) => return Err(NotReady::Fault(error, engine.kill())),
        };
        if refused.is_empty() {
            refused.extend(self.refused_ranges(&engine));
        }
        refused.extend(self.identities.meet(player, engine.id_name()));
        if !refused.is_empty() && !self.plan.tolerance.lenient {
            return Err(self.refuses(player, &refused));
        }
        for problem in refused {
            warn(player, problem);
        }
        Ok(engine)
    }

    /// An engine's refusals of values that are going to be tried.
    fn refused_ranges(&self, engine: &Engine) -> Vec<String> {
        let parameters = self.plan.tuning.iter().flat_map(|tuning| &tuning.parameters);
        let refused = parameters.filter_map(|parameter| {
            let [least, most] = [parameter.min, parameter.max].map(|value| parameter.text(value));
            engine.refuses_range(&parameter.name, [&least, &most])
        });
        refused.collect()
    }
}
