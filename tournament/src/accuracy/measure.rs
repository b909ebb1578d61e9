//! Asks engines for moves, and the endgame files what they give away.

use super::options::AccuracyOptions;
use super::sample::sample;
use super::truth::Truth;
use crate::engine::{Engine, EngineError, MatchTerms, MoveDeadline, Stop, Supervisor, position_of};
use crate::failure::Failure;
use crate::game::Limits;
use crate::plan::Contestant;
use kroo::endgame::Endgames;
use kroo::game::{Game, MOVE_LIMIT, Position, Variant};
use kroo::progress::Progress;
use kroo::protocol::{GoCommand, Limits as GoLimits};
use std::sync::Arc;

/// Why a measurement ends early.
enum Ended {
    /// It was stopped.
    Stopped,
    /// It has failed.
    Failed(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Ended {
        Ended::Failed(failure)
    }
}

/// The values of an engine's moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineAccuracy {
    /// Moves that were in time.
    pub moves: u64,
    /// Those that give the result away.
    pub gave_result: u64,
    /// Those that give seeds away.
    pub gave_seeds: u64,
    /// How many half seeds in all.
    pub half_seeds: u64,
    /// Moves that were late, and do not count.
    pub late: u64,
}

/// The measurement.
#[derive(Clone, Debug)]
pub struct Accuracy {
    /// The engines, in their order.
    pub engines: Vec<EngineAccuracy>,
    /// Positions that all of them were asked for.
    pub positions: u64,
    /// Those in which some move gives the result away.
    pub with_choice: u64,
    /// Positions that were to be measured.
    pub wanted: u64,
    /// Their rule set.
    pub variant: Variant,
}

/// Measures all engines on the same positions, each engine without any memory of the position before. After a stop the
/// moves measured so far count.
///
/// # Errors
/// If there are no positions or files, or an engine does not work.
pub fn measure(
    options: &AccuracyOptions,
    contestants: &[Contestant],
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
) -> Result<Accuracy, Failure> {
    let (variant, positions) = sample(options)?;
    let endgames = Endgames::new();
    let opened = endgames.open_headers_of(variant, &options.endgame_folder()?, *options.seeds.0.end());
    opened.map_err(|error| Failure::at("--endgame", error))?;
    let mut measured = Accuracy {
        engines: vec![EngineAccuracy::default(); contestants.len()],
        positions: 0,
        with_choice: 0,
        wanted: positions.len() as u64,
        variant,
    };
    let mut engines = Vec::new();
    for contestant in contestants {
        match started(contestant, variant, supervisor, stop) {
            Ok(engine) => engines.push(engine),
            Err(_) if stop.is_set() => return Ok(measured),
            Err(failure) => return Err(failure),
        }
    }
    let mut progress = Progress::new("positions", measured.wanted);
    for position in &positions {
        let truth = Truth::of(position, &endgames).ok_or_else(|| {
            let most = options.seeds.0.end();
            Failure::new(format!(
                "the endgame files have no value for {position}: build all databases up to {most} seeds (`kroo endgame build \
                 --variant {variant} --seeds {most}`), name their folder by --endgame, or choose fewer --seeds"
            ))
        })?;
        let mut counts = measured.engines.clone();
        for ((engine, contestant), count) in engines.iter_mut().zip(contestants).zip(&mut counts) {
            match ask(engine, contestant, position, &truth, count) {
                Ok(()) => {}
                Err(Ended::Stopped) => break,
                Err(Ended::Failed(failure)) => return Err(failure),
            }
        }
        if stop.is_set() {
            break;
        }
        measured.engines = counts;
        measured.positions += 1;
        let best = truth.best_result();
        measured.with_choice += u64::from(truth.moves().any(|mv| truth.result(mv) != Some(best)));
        let given: Vec<String> = measured.engines.iter().map(|count| count.gave_result.to_string()).collect();
        progress.at(measured.positions, &format!("results given away: {}", given.join(", ")));
    }
    progress.clear();
    Engine::quit_all(engines.into_iter().enumerate(), |_, _| {});
    Ok(measured)
}

/// Asks an engine for a move, and counts what it gives away.
fn ask(
    engine: &mut Engine,
    contestant: &Contestant,
    position: &Position,
    truth: &Truth,
    count: &mut EngineAccuracy,
) -> Result<(), Ended> {
    let message = format!("{}\n{}\n", position_of(&Game::new(*position)), go(&contestant.limits));
    let searched =
        engine.new_game(&[]).and_then(|_| engine.search(&message, deadline(&contestant.limits), None));
    let mv = match searched {
        Ok(result) => result.best,
        Err(EngineError::Late { .. } | EngineError::Stalled { .. }) => {
            count.late += 1;
            return Ok(());
        }
        Err(EngineError::Stopped(_)) => return Err(Ended::Stopped),
        Err(error) => return Err(failed(contestant, engine, error).into()),
    };
    let (Some(result), Some(given)) = (truth.result(mv), truth.half_seeds_given(mv)) else {
        let name = &contestant.engine.name;
        return Err(Failure::new(format!("{name} answered `{mv}` in {position}, which is not legal")).into());
    };
    count.moves += 1;
    count.gave_result += u64::from(result != truth.best_result());
    count.gave_seeds += u64::from(given > 0);
    count.half_seeds += u64::from(given);
    Ok(())
}

/// An engine that is ready.
fn started(
    contestant: &Contestant,
    variant: Variant,
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
) -> Result<Engine, Failure> {
    let name = &contestant.engine.name;
    let started = Engine::start(&contestant.engine, supervisor, stop);
    let mut engine = started.map_err(|error| Failure::new(format!("{name} {error}")))?;
    let terms = MatchTerms { variant, move_limit: MOVE_LIMIT };
    match engine.set_up(&contestant.engine, terms, &[]) {
        Ok(problems) if problems.is_empty() => Ok(engine),
        Ok(problems) => Err(Failure::at(name, problems.join("; "))),
        Err(error) => Err(failed(contestant, &mut engine, error)),
    }
}

fn failed(contestant: &Contestant, engine: &mut Engine, error: EngineError) -> Failure {
    // After a stop the engine is not at fault.
    let stopped = matches!(error, EngineError::Stopped(_));
    let words = if stopped { String::new() } else { engine.kill().brief() };
    Failure::new(format!("{} {error}{words}", contestant.engine.name))
}

fn go(limits: &Limits) -> GoCommand {
    GoCommand::Search(GoLimits {
        depth: limits.depth,
        nodes: limits.nodes,
        movetime: limits.move_time.map(|time| time.as_millis() as u64),
        ..GoLimits::default()
    })
}

fn deadline(limits: &Limits) -> MoveDeadline {
    match limits.move_time {
        Some(time) => MoveDeadline::Limit { time, margin: limits.margin },
        None => MoveDeadline::Watchdog(limits.watchdog),
    }
}
