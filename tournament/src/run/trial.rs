//! The trial: before the first game, all engines are started once, so that an engine that does not work is no opponent.

use super::engine_pool::too_slow_to_quit;
use super::identities::Identities;
use crate::engine::{Engine, EngineError, GameTerms, Stop, Supervisor};
use crate::plan::MatchPlan;
use crate::tuning::TuningPlan;
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// Starts each engine, sets its options and waits until it is ready; as many at a time as play at once. Returns those that can
/// play on, by their places in the list, for the first worker.
///
/// # Errors
/// Why the games cannot begin.
pub(super) fn try_engines(
    plan: &MatchPlan,
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
    identities: &Identities,
    warn: &mut dyn FnMut(&str),
) -> Result<BTreeMap<usize, Engine>, TrialFailure> {
    let places: Vec<usize> = (0..plan.contestants.len()).collect();
    let (mut ready, mut broken) = (BTreeMap::new(), Vec::new());
    let start = plan.tuning.as_ref().map(TuningPlan::start);
    for group in places.chunks(2 * plan.concurrency.max(1)) {
        let spec = |place: usize| &plan.contestants[place].engine;
        let started: Vec<_> =
            group.iter().map(|&place| (place, Engine::start(spec(place), supervisor, stop))).collect();
        for (place, started) in started {
            let mut words = String::new();
            let settings = plan.settings(start.as_ref(), place);
            let set_up = started.and_then(|mut engine| {
                match engine.set_up(spec(place), plan.terms(), GameTerms { settings: &settings, seed: None })
                {
                    Ok(mut refused) => {
                        if refused.is_empty() {
                            refused.extend(refused_ranges(&engine, plan));
                        }
                        refused.extend(identities.meet(place, engine.id_name()));
                        Ok((engine, refused))
                    }
                    Err(error) => {
                        words = engine.kill().brief();
                        Err(error)
                    }
                }
            });
            match set_up {
                Ok((engine, refused)) if refused.is_empty() || plan.tolerance.lenient => {
                    for problem in refused {
                        warn(&format!("{}: {problem}", plan.name(place)));
                    }
                    ready.insert(place, engine);
                }
                Ok((_, refused)) => {
                    broken.push(format!("{}: {}", plan.name(place), refused.join("; ")));
                }
                Err(EngineError::Stopped(_)) => return Err(TrialFailure::Stopped),
                Err(error @ EngineError::OutOfResources(_)) => {
                    return Err(TrialFailure::Failed(error.to_string()));
                }
                Err(error) => broken.push(format!("{} {error}{words}", plan.name(place))),
            }
        }
        // With more engines it is not known yet which of them the first worker needs.
        if plan.contestants.len() > 2 {
            Engine::quit_all(std::mem::take(&mut ready), |place, time| {
                warn(&format!("{}: {}", plan.name(place), too_slow_to_quit(time)));
            });
        }
    }
    if broken.is_empty() { Ok(ready) } else { Err(TrialFailure::Broken(broken)) }
}

/// An engine's refusal of a value that is going to be tried.
fn refused_ranges(engine: &Engine, plan: &MatchPlan) -> Vec<String> {
    let parameters = plan.tuning.iter().flat_map(|tuning| &tuning.parameters);
    let refused = parameters.filter_map(|parameter| {
        let [least, most] = [parameter.min, parameter.max].map(|value| parameter.text(value));
        engine.refuses_range(&parameter.name, [&least, &most])
    });
    refused.collect()
}
