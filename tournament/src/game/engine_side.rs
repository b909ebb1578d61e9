//! One side of a game: an engine, its limits and its clock.

use super::limits::{Clock, Limits};
use super::outcome::Termination;
use super::played::Overruns;
use super::searches::SearchInfo;
use crate::engine::{Engine, EngineError, MoveDeadline, Scheduled, Stopped};
use kroo::game::{Game, Move, Side};
use kroo::protocol::{Command, GoCommand, Limits as GoLimits, PositionCommand};
use std::time::{Duration, Instant};

/// The least time between two looks at the shares of both engines, which take some tenths of a millisecond.
const SHARE_EVERY: Duration = Duration::from_millis(200);
/// The least processor time for which a rival is blamed, and the least multiple of the engine's own time.
const LEAST_TAKEN: (Duration, u32) = (Duration::from_millis(100), 3);

/// What both engines of a game had of the processors up to a moment.
#[derive(Clone, Copy, Debug)]
struct Shares {
    at: Instant,
    own: Scheduled,
    /// The rival's processor time.
    rival: Duration,
}

impl Shares {
    fn of(own: &Engine, rival: &Engine) -> Shares {
        Shares { own: own.scheduled(), rival: rival.processor_time(), at: Instant::now() }
    }
}

/// Whether an engine was kept from a processor by its rival, the shares within this time being given: it was ready to run, and
/// waited, for half of it, while the rival had several times as much of the processors as it had itself. An engine that starts many
/// processes on its own time waits too, but has as much of the processors as there is.
pub fn is_starved(within: Duration, own: Scheduled, rival: Duration) -> bool {
    let (least, times) = LEAST_TAKEN;
    own.waited * 2 >= within && rival >= least && rival >= own.ran * times
}

/// An engine that plays one side of a game.
#[derive(Debug)]
pub struct EngineSide<'a> {
    engine: &'a mut Engine,
    limits: &'a Limits,
    pub(super) clock: Option<Clock>,
    /// The time used.
    pub(super) used: Duration,
    pub(super) overruns: Overruns,
    /// The processor shares of both engines just before its turn, if it has a time limit.
    before: Option<Shares>,
    /// The reply that the engine expects to its last move.
    expected: Option<Move>,
    /// While it ponders: the moves of the position that it ponders on.
    pondering: Option<Vec<Move>>,
}

/// A fault for which an engine loses a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFault {
    /// The kind of fault.
    pub termination: Termination,
    /// The act, as a sentence about the engine without its name: `closed its output`.
    pub detail: String,
}

impl EngineFault {
    /// The fault of an engine that has given no answer that counts.
    pub fn in_game(error: EngineError) -> Result<EngineFault, Stopped> {
        let termination = match error {
            EngineError::NotStarted(_) => Termination::FailedToStart,
            EngineError::Crash(_) => Termination::Crash,
            EngineError::NoAnswer { .. } => Termination::NoAnswer,
            EngineError::Garbage { .. } => Termination::Garbage,
            EngineError::NoMove(_) => Termination::NoMove,
            EngineError::Late { .. } | EngineError::Suspended { itself: true, .. } => {
                Termination::TimeForfeit
            }
            EngineError::Stalled { .. } => Termination::MachineStall,
            EngineError::Suspended { .. } | EngineError::Starved { .. } | EngineError::ShimLost => {
                Termination::Disturbed
            }
            EngineError::Stopped(stopped) => return Err(stopped),
            // The caller stops the match.
            EngineError::OutOfResources(_) | EngineError::Replaced(_) => return Err(Stopped),
        };
        Ok(EngineFault { termination, detail: error.to_string() })
    }

    /// The fault of an engine that has not got ready for a game.
    pub fn at_start(error: EngineError) -> Result<EngineFault, Stopped> {
        let fault = EngineFault::in_game(error)?;
        let termination = match fault.termination {
            again @ (Termination::Disturbed | Termination::MachineStall) => again,
            _ => Termination::FailedToStart,
        };
        Ok(EngineFault { termination, ..fault })
    }
}

impl<'a> EngineSide<'a> {
    /// A side with an engine that is ready for the game.
    pub fn new(engine: &'a mut Engine, limits: &'a Limits) -> EngineSide<'a> {
        let clock = limits.clock.map(Clock::new);
        EngineSide {
            engine,
            limits,
            clock,
            used: Duration::ZERO,
            overruns: Overruns::default(),
            before: None,
            expected: None,
            pondering: None,
        }
    }

    /// Has the engine find a move; the clocks are South's and North's. Its rival may ponder meanwhile.
    pub(super) fn search(
        &mut self,
        position: &PositionCommand,
        clocks: [Option<Clock>; 2],
        rival: &mut EngineSide<'_>,
    ) -> Result<(Move, SearchInfo), EngineError> {
        if self.deadline().margin.is_some()
            && self.before.is_none_or(|before| before.at.elapsed() >= SHARE_EVERY)
        {
            self.before = Some(Shares::of(self.engine, rival.engine));
        }
        let ponderer = rival.pondering.is_some().then_some(&mut *rival.engine);
        let result = match self.pondering.take() {
            Some(moves) if moves == position.moves => self.engine.ponder_hit(self.deadline(), ponderer),
            pondering => {
                if pondering.is_some() {
                    self.engine.ponder_miss(self.stop_deadline())?;
                }
                let message = self.message(position, clocks, false);
                self.engine.search(&message, self.deadline(), ponderer)
            }
        };
        let result = result.map_err(|error| self.starved(&error, rival).unwrap_or(error))?;
        self.expected = result.ponder;
        self.used += result.elapsed;
        if let MoveDeadline { time, margin: Some(_) } = self.deadline() {
            self.overruns.add(result.elapsed.saturating_sub(time));
        }
        if let Some(clock) = &mut self.clock {
            clock.spend(result.elapsed);
        }
        let info = result.info.unwrap_or_default();
        let left = self.clock.map(|clock| clock.left());
        Ok((result.best, SearchInfo::new(info, result.elapsed, left)))
    }

    /// The reason why it is late, if its rival had the processors.
    fn starved(&self, error: &EngineError, rival: &EngineSide<'_>) -> Option<EngineError> {
        let is_late = matches!(
            error,
            EngineError::Late { .. } | EngineError::Stalled { .. } | EngineError::NoAnswer { .. }
        );
        let before = self.before.filter(|_| is_late)?;
        let now = Shares::of(self.engine, rival.engine);
        let (within, own) = (now.at - before.at, now.own.since(before.own));
        let rival = now.rival.saturating_sub(before.rival);
        is_starved(within, own, rival).then_some(EngineError::Starved {
            within,
            waited: own.waited,
            worked: own.ran,
            rival,
        })
    }

    /// Shows the engine a position: at the end of a game, how it ended.
    pub(super) fn show(&mut self, position: &PositionCommand) {
        self.engine.send(&[Command::Position(position.clone())]);
    }

    /// Lets the engine ponder while its opponent is to move, if it is asked to: on the reply that it expects, if that is
    /// legal and gives it the move.
    pub(super) fn ponder(&mut self, game: &Game, position: &PositionCommand, clocks: [Option<Clock>; 2]) {
        if !self.limits.ponder || self.pondering.is_some() {
            return;
        }
        let Some(expected) = self.expected.take() else { return };
        let Ok(after) = game.position().play(expected) else { return };
        if after.verdict().is_none() && after.side() != game.position().side() {
            let mut guess = position.clone();
            guess.moves.push(expected);
            self.engine.ponder(&self.message(&guess, clocks, true));
            self.pondering = Some(guess.moves);
        }
    }

    /// Ends a search whose answer is not needed, because the match was stopped.
    pub(crate) fn give_up(&mut self) {
        self.engine.send(&[Command::Stop]);
    }

    /// Ends pondering at the end of a game. If the engine does not stop, that shows before its next game.
    pub(super) fn stop_pondering(&mut self) {
        if self.pondering.take().is_some() {
            let _ = self.engine.ponder_miss(self.stop_deadline());
        }
    }

    /// How long the engine may take to end a search that is no longer wanted.
    fn stop_deadline(&self) -> MoveDeadline {
        MoveDeadline { time: Duration::ZERO, margin: Some(self.limits.margin) }
    }

    /// `position` and `go`.
    fn message(&self, position: &PositionCommand, clocks: [Option<Clock>; 2], ponder: bool) -> String {
        self.engine.search_lines(position, &self.go(clocks, ponder))
    }

    fn go(&self, clocks: [Option<Clock>; 2], ponder: bool) -> GoCommand {
        let mut go = GoLimits {
            ponder,
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            movetime: self.limits.move_time.map(milliseconds),
            ..GoLimits::default()
        };
        // An engine without a clock is not told its opponent's.
        if let Some(own) = self.clock {
            let left = |side: Side| clocks[side.index()].map(|clock| milliseconds(clock.left()) as i64);
            let increment = |side: Side| {
                let increment = clocks[side.index()].map_or(Duration::ZERO, |clock| clock.increment());
                Some(milliseconds(increment)).filter(|&increment| increment > 0)
            };
            (go.wtime, go.btime) = (left(Side::South), left(Side::North));
            (go.winc, go.binc) = (increment(Side::South), increment(Side::North));
            go.movestogo = own.moves_to_go();
        }
        GoCommand::Search(go)
    }

    fn deadline(&self) -> MoveDeadline {
        let overdrawn = self.clock.map_or(Duration::ZERO, |clock| clock.overdrawn());
        let margin = self.limits.margin.saturating_sub(overdrawn);
        match self.clock.map(|clock| clock.left()).or(self.limits.move_time) {
            Some(time) => MoveDeadline { time, margin: Some(margin) },
            None => MoveDeadline { time: self.limits.watchdog, margin: None },
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}
