//! The protocol as it is spoken in a match: `position`, `go` and `bestmove`, and pondering.
//!
//! Nothing here reads more of an engine's output than a match needs: of all `info` lines only the last one with a definite
//! score is parsed, after the move has come. A caller that needs every line reads the [`Connection`] itself.
//!
//! # UGI
//! An engine that speaks UGI gets the same commands in its own words, and never ponders.
//!
//! # Pondering
//! An engine that ponders is given the position after the move it expects, and `go ponder`. If that move is made,
//! `ponderhit` starts its clock. Otherwise `stop` ends its search, and that answer is discarded. An engine that answers
//! before either has answered: the move is there when it is wanted.

use super::answer::{Garbage, ScoreLine, best_move, take};
use super::connection::Connection;
use super::conversation::LastWords;
use super::error::EngineError;
use super::options::SeedOption;
use super::pipes::PipeError;
use super::proc_fs::Scheduled;
use super::spec::EngineSpec;
use super::stop::{Stop, Stopped};
use super::supervisor::Supervisor;
use kroo::game::{Game, Move, Position};
use kroo::protocol::{Command, Dialect, GoCommand, Info, OptionLine, PositionCommand, StartPosition};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the referee waits for a late answer before the engine counts as hung.
const GRACE: Duration = Duration::from_millis(500);
/// How long an engine may take to read a command that needs no answer.
const SEND_TIMEOUT: Duration = Duration::from_millis(100);
/// If the referee has not run for this long without a break, and an engine is suspended, both were (chosen, not measured). A
/// busy machine holds the referee up for less at a time.
const ALL_SUSPENDED: Duration = Duration::from_millis(500);
/// Room for `position` and `go` besides the moves, in bytes.
const SEARCH_LINES_BYTES: usize = 160;

/// A running engine in a match.
#[derive(Debug)]
pub struct Engine {
    pub(super) connection: Connection,
    pub(super) stop: Stop,
    pub(super) protocol: Dialect,
    pub(super) startup: Duration,
    /// How long it may take to exit after `quit`.
    quit: Duration,
    pub(super) id_name: Option<String>,
    /// The options that it declares.
    pub(super) declared: Vec<OptionLine>,
    /// The values that were set for single games, by their options.
    pub(super) settings: BTreeMap<String, String>,
    /// Its option for the random seed of a game, unless the user has chosen a value.
    pub(super) seed: Option<SeedOption>,
    /// The `info` line of this search with the score that counts.
    score: ScoreLine,
    /// A `bestmove` that came while the engine pondered.
    early: Option<String>,
}

#[derive(Clone, Debug)]
pub struct SearchResult {
    pub best: Move,
    /// The time from the writing of `go` to the reading of the answer.
    pub elapsed: Duration,
    /// The last `info` line with a definite score, or else the last one with a bound.
    pub info: Option<Info>,
    /// The reply that the engine expects.
    pub ponder: Option<Move>,
}

/// How long the answer to `go` may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveDeadline {
    /// The time limit; without one, the time after which the engine counts as hung.
    pub time: Duration,
    /// The margin of a time limit, which the engine is not told. An answer after both is late, but for a short while still
    /// read.
    pub margin: Option<Duration>,
}

impl Engine {
    /// Starts an engine's process. `initialize` is next; other engines can start up meanwhile.
    pub fn start(
        spec: &EngineSpec,
        supervisor: &Arc<Supervisor>,
        stop: &Stop,
    ) -> Result<Engine, EngineError> {
        let connection = Connection::open(spec, supervisor, stop)
            .map_err(|error| EngineError::at_start(&spec.command, error))?;
        let EngineSpec { startup, quit, protocol, .. } = *spec;
        Ok(Engine {
            connection,
            stop: stop.clone(),
            protocol,
            startup,
            quit,
            id_name: None,
            declared: Vec::new(),
            settings: BTreeMap::new(),
            seed: None,
            score: ScoreLine::default(),
            early: None,
        })
    }

    /// Sends a message, `position` and `go`, and waits for the move. An engine that ponders meanwhile is listened to.
    pub fn search(
        &mut self,
        message: &str,
        deadline: MoveDeadline,
        pondering: Option<&mut Engine>,
    ) -> Result<SearchResult, EngineError> {
        self.forget();
        self.send_and_await_move(message, deadline, pondering)
    }

    /// Lets the engine ponder; the message is `position` and `go ponder`. Nothing is waited for.
    pub fn ponder(&mut self, message: &str) {
        self.forget();
        // If it does not read, that shows when its answer is due.
        let _ = self.connection.send(message.as_bytes(), Instant::now());
    }

    /// The expected move was made: waits for the engine's own.
    pub fn ponder_hit(
        &mut self,
        deadline: MoveDeadline,
        pondering: Option<&mut Engine>,
    ) -> Result<SearchResult, EngineError> {
        self.send_and_await_move(&format!("{}\n", Command::PonderHit), deadline, pondering)
    }

    /// Another move was made, or the game is over: ends the search and discards its answer.
    pub fn ponder_miss(&mut self, deadline: MoveDeadline) -> Result<(), EngineError> {
        match self.send_and_await_move(&format!("{}\n", Command::Stop), deadline, None) {
            // It may have no move if it expects the game to be over, and this time is on no clock.
            Ok(_) | Err(EngineError::NoMove(_) | EngineError::Late { .. } | EngineError::Stalled { .. }) => {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Sends commands that need no answer. Whether they were read shows when the next answer is due.
    pub fn send(&mut self, commands: &[Command]) {
        let text = self.lines(commands);
        let _ = self.connection.send(text.as_bytes(), Instant::now() + SEND_TIMEOUT);
    }

    /// Commands as lines of its protocol.
    pub fn lines(&self, commands: &[Command]) -> String {
        let mut lines = String::new();
        for command in commands {
            // Writing to a string does not fail.
            let _ = writeln!(lines, "{}", self.protocol.write(command));
        }
        lines
    }

    /// `position` and `go` as lines of its protocol, without a copy of the moves: each move needs one such message.
    pub fn search_lines(&self, position: &PositionCommand, go: &GoCommand) -> String {
        let mut lines = String::with_capacity(SEARCH_LINES_BYTES + position.moves.len());
        let _ = write!(lines, "{}\n{}\n", self.protocol.position(position), self.protocol.go(go));
        lines
    }

    /// Its `id name`, once it has been set up: clipped, without control characters.
    pub fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    /// Whether it is given a random seed before each game.
    pub fn takes_seed(&self) -> bool {
        self.seed.is_some()
    }

    /// The processor time used by the engine and all processes that it has started. Finding out takes a tenth of a millisecond.
    pub fn processor_time(&self) -> Duration {
        self.connection.process.time_of_all()
    }

    /// The processor shares of the engine and all processes that it has started. Finding out takes as long.
    pub fn scheduled(&self) -> Scheduled {
        self.connection.process.scheduled()
    }

    /// Kills it and everything that it has started; returns its last lines.
    pub fn kill(&mut self) -> LastWords {
        self.connection.last_words()
    }

    /// Sends `quit` to engines and gives them time to exit, also after the match was stopped. Those that do not exit are
    /// killed, and the function gets their numbers.
    pub fn quit_all(
        engines: impl IntoIterator<Item = (usize, Engine)>,
        mut killed: impl FnMut(usize, Duration),
    ) {
        let mut engines: Vec<(usize, Engine)> = engines.into_iter().collect();
        for (_, engine) in &mut engines {
            engine.send(&[Command::Quit]);
        }
        let start = Instant::now();
        for (number, engine) in &mut engines {
            // Also if the match is stopped meanwhile.
            if !engine.connection.pipes.await_exit(start + engine.quit, None) {
                killed(*number, engine.quit);
            }
        }
    }

    /// Forgets the output of earlier searches.
    fn forget(&mut self) {
        self.connection.discard_pending();
        self.score.clear();
        self.early = None;
    }

    /// Takes the engine's output while it ponders, which keeps its pipe from filling up. Returns whether more may come.
    fn listen(&mut self) -> bool {
        let (score, early, mut garbage) = (&mut self.score, &mut self.early, Garbage::default());
        self.connection.absorb(|line| {
            let answer = take(line, score, &mut garbage);
            // A second answer is no answer to anything.
            if early.is_none() {
                *early = answer;
            }
        })
    }

    /// Why a suspended engine gave no answer; resumes it. If the referee did not run either, all of them were suspended.
    pub(super) fn suspended(
        &self,
        expected: &'static str,
        within: Duration,
        asked: Instant,
    ) -> Option<EngineError> {
        if !self.connection.process.resume_if_suspended() {
            return None;
        }
        let stalled = self.stop.longest_stall_since(asked);
        Some(match stalled {
            stalled if stalled >= ALL_SUSPENDED => EngineError::Stalled { by: stalled, stalled },
            _ => {
                EngineError::Suspended { expected, within, itself: self.connection.process.is_out_of_reach() }
            }
        })
    }

    fn send_and_await_move(
        &mut self,
        message: &str,
        deadline: MoveDeadline,
        mut pondering: Option<&mut Engine>,
    ) -> Result<SearchResult, EngineError> {
        let (limit, timed) = (deadline.time, deadline.margin.is_some());
        let whole = limit + deadline.margin.unwrap_or_default();
        let mut question = self.connection.ask(message.as_bytes(), whole);
        let (start, mut garbage, mut late) = (question.asked, Garbage::default(), false);
        // If it does not read this, or is gone, waiting for its answer shows that.
        if let Some(answer) = self.early.take()
            && self.connection.send_rest(&mut question).is_ok()
        {
            let (best, ponder) = best_move(&answer)?;
            return Ok(SearchResult { best, elapsed: Duration::ZERO, info: self.score.info(best), ponder });
        }
        loop {
            let aside = pondering.as_deref().map(|engine| engine.connection.pipes.output());
            let score = &mut self.score;
            let answered = self.connection.answer(&mut question, aside, |received| {
                Some((take(received.line, score, &mut garbage)?, received.at))
            });
            match answered {
                Ok((answer, at)) => {
                    let elapsed = at.saturating_duration_since(start);
                    if timed && elapsed > whole {
                        let (by, stalled) = (elapsed.saturating_sub(limit), self.stop.stalled_since(start));
                        return Err(match elapsed.saturating_sub(stalled) {
                            own if own > whole => EngineError::Late { by },
                            _ => EngineError::Stalled { by, stalled },
                        });
                    }
                    let (best, ponder) = best_move(&answer)?;
                    return Ok(SearchResult { best, elapsed, info: self.score.info(best), ponder });
                }
                Err(PipeError::TimedOut) => {
                    let within = question.within;
                    if let Some(stalled) = self.suspended("`bestmove`", within, start) {
                        return Err(stalled);
                    }
                    if !timed || late {
                        return Err(garbage.or_no_answer(within));
                    }
                    late = true;
                    question.within += GRACE;
                    // In the middle of a message `stop` would be read as a part of it.
                    if question.is_sent() {
                        self.send(&[Command::Stop]);
                    }
                }
                Err(PipeError::Closed) => return Err(self.connection.end()),
                Err(PipeError::Stopped) => return Err(Stopped.into()),
                Err(PipeError::Aside) => {
                    if !pondering.as_mut().is_some_and(|engine| engine.listen()) {
                        pondering = None;
                    }
                }
            }
        }
    }
}

/// The command that shows a game to an engine: its start, and all its moves.
pub fn position_of(game: &Game) -> PositionCommand {
    let start = *game.start();
    let is_usual = start == Position::start(start.variant());
    let start = if is_usual { StartPosition::Startpos } else { StartPosition::Fen(start.to_string()) };
    PositionCommand { start, moves: game.moves().to_vec() }
}
