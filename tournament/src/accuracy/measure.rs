//! Asks engines for moves, and the endgame files what they give away.

use super::options::AccuracyOptions;
use super::sample::{SampleError, sample};
use super::truth::Truth;
use crate::arguments::ArgumentError;
use crate::engine::{Engine, EngineError, MatchTerms, MoveDeadline, Stop, Supervisor, position_of};
use crate::game::Limits;
use crate::plan::Contestant;
use kroo::endgame::{EndgameFileError, Endgames};
use kroo::game::{Game, MOVE_LIMIT, Position, Variant};
use kroo::progress::Progress;
use kroo::protocol::{GoCommand, Limits as GoLimits};
use std::sync::Arc;

/// Why nothing can be measured, or not to the end.
#[derive(Debug, thiserror::Error)]
pub enum AccuracyError {
    /// There is no folder with endgame files.
    #[error(transparent)]
    Folder(#[from] ArgumentError),
    /// There are no positions.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The endgame files cannot be used.
    #[error("--endgame: {0}")]
    Endgames(#[from] EndgameFileError),
    /// The files know too little.
    #[error(
        "the endgame files do not say what the moves of {0} are worth: they need all databases up to its seeds"
    )]
    Unknown(Position),
    /// An engine does not work.
    #[error("{name} {error}{words}")]
    Engine {
        /// Its name.
        name: String,
        /// What it did.
        error: EngineError,
        /// What it has said last.
        words: String,
    },
    /// An engine refuses options.
    #[error("{name}: {problems}")]
    Refused {
        /// Its name.
        name: String,
        /// What it refuses.
        problems: String,
    },
    /// An engine has made a move that there is not.
    #[error("{name} answered `{mv}` in {position}, which is not legal")]
    Illegal {
        /// Its name.
        name: String,
        /// The move.
        mv: String,
        /// The position.
        position: Position,
    },
}

/// What an engine's moves were worth.
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

/// What was measured.
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

/// Measures all engines on the same positions, each engine without any memory of the position before. What was measured until
/// it was stopped counts.
///
/// # Errors
/// If there are no positions or files, or an engine does not work.
pub fn measure(
    options: &AccuracyOptions,
    contestants: &[Contestant],
    supervisor: &Arc<Supervisor>,
    stop: &Stop,
) -> Result<Accuracy, AccuracyError> {
    let (variant, positions) = sample(options)?;
    let endgames = Endgames::new();
    endgames.open_headers_of(variant, &options.endgame_folder()?, *options.seeds.0.end())?;
    let mut engines = Vec::new();
    for contestant in contestants {
        engines.push(started(contestant, variant, supervisor, stop)?);
    }
    let mut measured = Accuracy {
        engines: vec![EngineAccuracy::default(); engines.len()],
        positions: 0,
        with_choice: 0,
        wanted: positions.len() as u64,
        variant,
    };
    let mut progress = Progress::new("positions", measured.wanted);
    for position in &positions {
        let truth = Truth::of(position, &endgames).ok_or(AccuracyError::Unknown(*position))?;
        let mut counts = measured.engines.clone();
        for ((engine, contestant), count) in engines.iter_mut().zip(contestants).zip(&mut counts) {
            match ask(engine, contestant, position, &truth, count) {
                Err(AccuracyError::Engine { error: EngineError::Stopped(_), .. }) => break,
                asked => asked?,
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
) -> Result<(), AccuracyError> {
    let message = format!("{}\n{}\n", position_of(&Game::new(*position)), go(&contestant.limits));
    let searched =
        engine.new_game(&[]).and_then(|_| engine.search(&message, deadline(&contestant.limits), None));
    let mv = match searched {
        Ok(result) => result.best,
        Err(EngineError::Late { .. } | EngineError::Stalled { .. }) => {
            count.late += 1;
            return Ok(());
        }
        Err(error) => return Err(failed(contestant, engine, error)),
    };
    let (Some(result), Some(given)) = (truth.result(mv), truth.half_seeds_given(mv)) else {
        let (name, mv) = (contestant.engine.name.clone(), mv.to_string());
        return Err(AccuracyError::Illegal { name, mv, position: *position });
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
) -> Result<Engine, AccuracyError> {
    let name = || contestant.engine.name.clone();
    let started = Engine::start(&contestant.engine, supervisor, stop);
    let mut engine =
        started.map_err(|error| AccuracyError::Engine { name: name(), error, words: String::new() })?;
    let terms = MatchTerms { variant, move_limit: MOVE_LIMIT };
    match engine.set_up(&contestant.engine, terms, &[]) {
        Ok(problems) if problems.is_empty() => Ok(engine),
        Ok(problems) => Err(AccuracyError::Refused { name: name(), problems: problems.join("; ") }),
        Err(error) => Err(failed(contestant, &mut engine, error)),
    }
}

fn failed(contestant: &Contestant, engine: &mut Engine, error: EngineError) -> AccuracyError {
    // Who was told to stop has nothing to say.
    let stopped = matches!(error, EngineError::Stopped(_));
    let words = if stopped { String::new() } else { engine.last_words().brief() };
    AccuracyError::Engine { name: contestant.engine.name.clone(), error, words }
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
