//! How an engine gets ready, as in a match: its introduction, its rule set, its options, and a new game.

use super::finding::FindingKind;
use super::session::{CLIPPED, CheckResult, CheckSession};
use crate::engine::{Introduction, complaint, rules_to_set};
use kroo::printable::clipped;
use kroo::protocol::{Command, Reply};
use std::time::Duration;

/// How long an engine that has said `readyok` may go on about the lines before.
const AFTERTHOUGHT: Duration = Duration::from_millis(50);

impl CheckSession<'_> {
    /// Sets the rule set and the options of the command line.
    pub(super) fn make_ready(&mut self) -> CheckResult {
        let declared = self.introduction()?.options;
        // The handshake has chosen a rule set that can be set.
        let rules = rules_to_set(&declared, self.variant).unwrap_or_default();
        for command in &rules {
            self.send_command(command)?;
        }
        if !rules.is_empty() {
            let mut refusal = None;
            self.send("isready")?;
            self.await_ready(|reply| {
                if refusal.is_none() {
                    refusal = complaint(reply);
                }
            })?;
            if let Some(refusal) = refusal {
                let (variant, refusal) = (self.variant, clipped(&refusal, CLIPPED));
                let problem = format!("refuses the rule set {variant}, which it declares: `{refusal}`");
                return self.abort(FindingKind::RuleSetRefused, problem);
            }
        }
        for (name, value) in &self.spec.options {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.new_game()
    }

    /// Sends `uci` or `ugi`, and reads what the engine says of itself.
    pub fn introduction(&mut self) -> CheckResult<Introduction> {
        self.send_command(&self.protocol().hello())?;
        let mut introduction = Introduction::default();
        let startup = self.spec.startup;
        let expected = format!("`{}`", self.protocol().hello_ok());
        self.await_reply(FindingKind::NoUciok, &expected, startup, |reply| introduction.add(reply))?;
        Ok(introduction)
    }

    /// Announces a new game, and waits until the engine is ready.
    pub fn new_game(&mut self) -> CheckResult {
        self.send_command(&Command::NewGame)?;
        self.ready()
    }

    /// Waits until the engine is ready, which it says once.
    pub fn ready(&mut self) -> CheckResult {
        self.send("isready")?;
        self.await_ready(|_| {})?;
        // A second one that comes together with the first would answer the next question.
        if self.unexpected_reply(Duration::ZERO, "nothing", |reply| *reply != Reply::ReadyOk)?.is_some() {
            self.fault(FindingKind::ExtraAnswer, "says `readyok` twice to one `isready`");
        }
        Ok(())
    }

    /// Waits until the engine is ready after a line to which it may have said so already.
    pub fn ready_at_last(&mut self) -> CheckResult {
        self.send("isready")?;
        self.await_ready(|_| {})
    }

    /// Waits until the engine is ready; returns whether it said anything about the line before.
    pub fn ready_after_words(&mut self) -> CheckResult<bool> {
        self.send("isready")?;
        let mut spoke = false;
        self.await_ready(|_| spoke = true)?;
        if !spoke {
            let other = |reply: &Reply| *reply == Reply::ReadyOk;
            spoke = self.unexpected_reply(AFTERTHOUGHT, "nothing", other)?.is_some();
        }
        Ok(spoke)
    }

    /// Reads up to `readyok`; the replies before it are looked at.
    fn await_ready(&mut self, mut look: impl FnMut(&Reply)) -> CheckResult {
        let startup = self.spec.startup;
        self.await_reply(FindingKind::NoReadyok, "`readyok`", startup, |reply| {
            let is_ready = *reply == Reply::ReadyOk;
            if !is_ready {
                look(reply);
            }
            is_ready
        })
    }
}
