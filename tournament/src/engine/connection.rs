//! A running engine, seen as bytes that go in and lines that come out.
//!
//! All communication with an engine passes through here. Nothing is interpreted or skipped: the check sees every line unchanged,
//! and all lines are in its [`Conversation`].

use super::conversation::{Conversation, LastWords, Speaker, SpokenLine};
use super::error::EngineError;
use super::line_buffer::Line;
use super::pipes::{PipeError, Pipes, ReceivedLine};
use super::process::{EngineEnd, EngineProcess};
use super::spec::EngineSpec;
use super::stop::Stop;
use super::supervisor::Supervisor;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Reads in [`Connection::discard_pending`]. The rest of a flood is left to the next wait for an answer.
const MAX_DISCARDING_READS: usize = 16;
/// How long after the end of its output an engine may take to exit, before its exit status is looked at.
const EXIT_DELAY: Duration = Duration::from_millis(400);

/// A running engine: its process and its pipes.
#[derive(Debug)]
pub struct Connection {
    pub(super) pipes: Pipes,
    pub(crate) process: EngineProcess,
    stop: Stop,
    conversation: Conversation,
}

impl Connection {
    /// Starts an engine's process.
    pub fn open(spec: &EngineSpec, supervisor: &Arc<Supervisor>, stop: &Stop) -> io::Result<Connection> {
        let (process, pipes) = EngineProcess::start(spec, supervisor)?;
        let label = || format!("{}({})", spec.name, process.pid().as_raw_nonzero());
        let conversation = Conversation::begin(supervisor.log().map(|log| (Arc::clone(log), label())));
        Ok(Connection { pipes, process, stop: stop.clone(), conversation })
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), PipeError> {
        self.conversation.sent(bytes);
        self.pipes.send(&mut bytes, deadline, &self.stop)
    }

    /// A question that is asked now with these bytes, which [`Connection::answer`] sends.
    pub fn ask<'a>(&mut self, bytes: &'a [u8], within: Duration) -> Question<'a> {
        let question = Question { unsent: bytes, asked: Instant::now(), within, stalled: Duration::ZERO };
        self.conversation.sent(bytes);
        question
    }

    pub(super) fn send_rest(&mut self, question: &mut Question<'_>) -> Result<(), PipeError> {
        let deadline = question.deadline();
        self.pipes.send(&mut question.unsent, deadline, &self.stop)
    }

    /// Sends the rest of a question, and reads lines until one is accepted. Every wait for an engine is here: no engine can
    /// extend its deadline by writing, because each read checks it first.
    ///
    /// # Errors
    /// Why none was accepted before the answer was due. Lines written before the process ended are still delivered.
    /// [`PipeError::Aside`] as soon as another output, if one is given, has something to be read: ask again after reading it.
    pub fn answer<T>(
        &mut self,
        question: &mut Question<'_>,
        aside: Option<BorrowedFd<'_>>,
        mut accept: impl FnMut(ReceivedLine<'_>) -> Option<T>,
    ) -> Result<T, PipeError> {
        loop {
            let sent = self.send_rest(question);
            match sent.and_then(|()| self.pipes.receive(question.deadline(), &self.stop, aside)) {
                Ok(received) => {
                    self.conversation.received(received.at, received.line);
                    if let Some(answer) = accept(received) {
                        return Ok(answer);
                    }
                }
                Err(PipeError::TimedOut) if question.excuse(&self.stop) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the engine's output, without waiting. Returns whether more may come; the lines are passed on.
    pub(super) fn absorb(&mut self, mut take: impl FnMut(Line<'_>)) -> bool {
        let conversation = &mut self.conversation;
        self.pipes.absorb(1, |at, line| {
            conversation.received(at, line);
            take(line);
        })
    }

    /// Discards the engine's unread output.
    pub(super) fn discard_pending(&mut self) {
        let conversation = &mut self.conversation;
        self.pipes.absorb(MAX_DISCARDING_READS, |at, line| conversation.received(at, line));
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.conversation.keep(Instant::now(), Speaker::Referee, b"(end of input)");
        self.pipes.close_input();
    }

    /// Waits for the process to exit; says whether it did so in time. Its output is discarded.
    pub fn await_exit(&mut self, deadline: Instant) -> bool {
        let exited = self.pipes.await_exit(deadline, Some(&self.stop));
        let what: &[u8] = if exited { b"(exit)" } else { b"(still running)" };
        self.conversation.keep(Instant::now(), Speaker::Engine, what);
        exited
    }

    /// Kills the process, if it still runs, and its descendants. Returns how it has ended the first time.
    pub fn kill(&mut self) -> Option<EngineEnd> {
        let end = self.process.kill();
        if let Some(end) = &end {
            self.conversation.happened(&end.describe());
        }
        end
    }

    /// The engine's last lines. It is killed first, which completes its standard error.
    pub fn last_words(&mut self) -> LastWords {
        self.kill();
        // Output that the referee has not read.
        self.discard_pending();
        self.conversation.last_words(self.process.errors())
    }

    /// Why a process gives no answer that has closed its input or output: `ended with exit status 3`.
    pub fn end(&mut self) -> EngineError {
        // It may have ended before it read the question, and explained why: waiting for its exit discards that text.
        self.discard_pending();
        let exited = self.pipes.await_exit(Instant::now() + EXIT_DELAY, Some(&self.stop));
        EngineError::Crash(match self.kill() {
            Some(EngineEnd::WithoutShim) if exited && !self.process.ends_its_own_shim() => {
                return EngineError::ShimLost;
            }
            Some(end) if exited => end.describe(),
            _ if self.pipes.is_deaf() => "closed its input".to_owned(),
            _ => "closed its output".to_owned(),
        })
    }

    /// The last lines of the conversation.
    pub fn transcript(&self) -> Vec<SpokenLine> {
        self.conversation.lines().collect()
    }
}

/// A question that has been asked. Its time runs only while the referee runs: time when the referee was not scheduled is not the
/// engine's.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The part that the engine has not read yet.
    unsent: &'a [u8],
    /// When it was asked.
    pub asked: Instant,
    /// How long the answer may take.
    pub within: Duration,
    stalled: Duration,
}

impl Question<'_> {
    /// Whether the engine has read all of it.
    pub fn is_sent(&self) -> bool {
        self.unsent.is_empty()
    }

    /// When the answer is due, by the known stalls.
    fn deadline(&self) -> Instant {
        self.asked + self.within + self.stalled
    }

    /// Gives the engine the time that the referee has missed since the question; says whether there was more of it than
    /// known.
    fn excuse(&mut self, stop: &Stop) -> bool {
        let stalled = stop.stalled_since(self.asked);
        stalled > std::mem::replace(&mut self.stalled, stalled)
    }
}
