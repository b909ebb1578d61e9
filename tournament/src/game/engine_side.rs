//! One side of the table: an engine, its limits and its clock.

use super::{Clock, Limits, SearchInfo, Termination};
use crate::engine::{Engine, EngineError, MoveDeadline, Stop, Stopped};
use kroo::game::{Game, Move, Side};
use kroo::protocol::{Command, GoCommand, Limits as GoLimits, PositionCommand};
use std::fmt::Write;
use std::time::Duration;

/// Room for `position` and `go` besides the moves, in bytes.
const MESSAGE: usize = 160;

/// An engine at the table.
#[derive(Debug)]
pub struct EngineSide<'a> {
    engine: &'a mut Engine,
    limits: &'a Limits,
    clock: Option<Clock>,
    used: Duration,
    /// The answer that the engine expects to its last move.
    expected: Option<Move>,
    /// While it ponders, the moves of the position that it ponders about.
    pondering: Option<Vec<Move>>,
}

/// Something an engine loses a game for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFault {
    /// The reason.
    pub termination: Termination,
    /// What exactly it did; said of the engine, as in "closed its pipes".
    pub detail: String,
}

impl EngineFault {
    /// What a failure to answer in a game means.
    ///
    /// # Errors
    /// If play was stopped, which is nobody's fault.
    pub fn in_game(failure: EngineError) -> Result<EngineFault, Stopped> {
        let termination = match failure {
            EngineError::NotStarted(_) => Termination::FailedToStart,
            EngineError::Crash(_) => Termination::Crash,
            EngineError::NoAnswer { .. } => Termination::NoAnswer,
            EngineError::Garbage { .. } => Termination::Garbage,
            EngineError::NoMove(_) => Termination::NoMove,
            EngineError::Late { .. } => Termination::TimeForfeit,
            EngineError::Stopped(stopped) => return Err(stopped),
            // Whoever has seen it stops the match.
            EngineError::OutOfResources(_) => return Err(Stopped),
        };
        Ok(EngineFault { termination, detail: failure.to_string() })
    }

    /// What a failure to get ready for a game means.
    ///
    /// # Errors
    /// If play was stopped, which is nobody's fault.
    pub fn at_start(failure: EngineError) -> Result<EngineFault, Stopped> {
        let fault = EngineFault::in_game(failure)?;
        Ok(EngineFault { termination: Termination::FailedToStart, ..fault })
    }
}

impl<'a> EngineSide<'a> {
    /// An engine that is ready for the game.
    pub fn new(engine: &'a mut Engine, limits: &'a Limits) -> EngineSide<'a> {
        EngineSide {
            engine,
            limits,
            clock: limits.clock.map(Clock::new),
            used: Duration::ZERO,
            expected: None,
            pondering: None,
        }
    }

    /// The clock, if there is one.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// The time used.
    pub(super) fn used(&self) -> Duration {
        self.used
    }

    /// Lets the engine find a move; the clocks are South's and North's.
    pub(super) fn think(
        &mut self,
        position: &PositionCommand,
        clocks: [Option<Clock>; 2],
        stop: &Stop,
    ) -> Result<(Move, SearchInfo), EngineError> {
        let answer = match self.pondering.take() {
            Some(moves) if moves == position.moves => self.engine.ponder_hit(self.patience(), stop)?,
            pondering => {
                if pondering.is_some() {
                    self.engine.ponder_missed(self.breather(), stop)?;
                }
                let message = self.message(position, clocks, false);
                self.engine.think(&message, self.patience(), stop)?
            }
        };
        self.expected = answer.ponder;
        self.used += answer.elapsed;
        if let Some(clock) = &mut self.clock {
            clock.spend(answer.elapsed);
        }
        let info = answer.info.unwrap_or_default();
        Ok((answer.best, SearchInfo { time: answer.elapsed, depth: info.depth, score: info.score }))
    }

    /// Shows the engine how the game stands, for it to see how it ended.
    pub(super) fn show(&mut self, position: &PositionCommand, stop: &Stop) {
        self.engine.remark(&[Command::Position(position.clone())], stop);
    }

    /// Lets the engine ponder, if it wants to, while the other is to move: on the answer that it expects, if that is
    /// legal and makes it its turn.
    pub(super) fn ponder(
        &mut self,
        game: &Game,
        position: &PositionCommand,
        clocks: [Option<Clock>; 2],
        stop: &Stop,
    ) {
        if !self.limits.ponder || self.pondering.is_some() {
            return;
        }
        let Some(expected) = self.expected.take() else { return };
        let Ok(after) = game.position().play(expected) else { return };
        if after.verdict().is_none() && after.side() != game.position().side() {
            let mut guess = position.clone();
            guess.moves.push(expected);
            self.engine.ponder(&self.message(&guess, clocks, true), stop);
            self.pondering = Some(guess.moves);
        }
    }

    /// Ends pondering at the end of a game. An engine that does not stop is noticed when it is wanted next.
    pub(super) fn rest(&mut self, stop: &Stop) {
        if self.pondering.take().is_some() {
            let _ = self.engine.ponder_missed(self.breather(), stop);
        }
    }

    /// How long an engine may take to end a search that is not wanted any more.
    fn breather(&self) -> MoveDeadline {
        MoveDeadline::Limit { time: Duration::ZERO, margin: self.limits.margin }
    }

    /// `position` and `go`.
    fn message(&self, position: &PositionCommand, clocks: [Option<Clock>; 2], ponder: bool) -> String {
        let mut message = String::with_capacity(MESSAGE + position.moves.len());
        // Nothing can go wrong in a text.
        let _ = write!(message, "{position}\n{}\n", self.go(clocks, ponder));
        message
    }

    fn go(&self, clocks: [Option<Clock>; 2], ponder: bool) -> GoCommand {
        let mut go = GoLimits {
            ponder,
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            movetime: self.limits.move_time.map(milliseconds),
            ..GoLimits::default()
        };
        // An engine without a clock is not told the other's.
        if let Some(own) = self.clock {
            let left = |side: Side| clocks[side.index()].map(|clock| milliseconds(clock.left()) as i64);
            let gained = |side: Side| {
                let increment = clocks[side.index()].map_or(Duration::ZERO, |clock| clock.increment());
                Some(milliseconds(increment)).filter(|&increment| increment > 0)
            };
            (go.wtime, go.btime) = (left(Side::South), left(Side::North));
            (go.winc, go.binc) = (gained(Side::South), gained(Side::North));
            go.movestogo = own.moves_to_go();
        }
        GoCommand::Search(go)
    }

    fn patience(&self) -> MoveDeadline {
        let margin = self.limits.margin;
        match self.clock.map(|clock| clock.left()).or(self.limits.move_time) {
            Some(time) => MoveDeadline::Limit { time, margin },
            None => MoveDeadline::Watchdog(self.limits.watchdog),
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}
