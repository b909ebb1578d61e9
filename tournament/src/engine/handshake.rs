//! The beginning of an engine's life, and of each game.

use super::EngineSpec;
use super::line_buffer::Line;
use super::options::{self, VARIANT};
use super::pipes::PipeError;
use super::stop::{Stop, Stopped};
use super::talk::{Engine, EngineError, was_suspended};
use kroo::game::Variant;
use kroo::protocol::{Command, Reply};
use std::time::Instant;

/// Options that are kept of an engine; more than that is a flood.
const OPTIONS: usize = 1_000;

impl Engine {
    /// Asks for the introduction and sets the options; says which ones could not be set.
    ///
    /// The rules are set if the engine has an option for them. One that has not is taken to play what is played.
    ///
    /// # Errors
    /// Why it is not ready.
    pub fn greet(
        &mut self,
        spec: &EngineSpec,
        variant: Variant,
        stop: &Stop,
    ) -> Result<Vec<String>, EngineError> {
        self.ask(&[Command::Uci], "`uciok`", stop, |reply, declared| {
            match reply {
                Reply::UciOk => return true,
                Reply::Option(option) if declared.len() < OPTIONS => declared.push(option),
                _ => {}
            }
            false
        })?;
        let rules = options::has(&self.declared, VARIANT).then(|| (VARIANT, variant.name()));
        let wanted = spec.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let set =
            rules.into_iter().chain(wanted).map(|(name, value)| options::set(&self.declared, name, value));
        let (mut commands, mut refused) = (Vec::new(), Vec::new());
        for command in set {
            match command {
                Ok(command) => commands.push(command),
                Err(problem) => refused.push(problem),
            }
        }
        self.remark(&commands, stop);
        Ok(refused)
    }

    /// Tells that the next game is another one, and waits until the engine is ready.
    ///
    /// # Errors
    /// Why it is not ready.
    pub fn new_game(&mut self, stop: &Stop) -> Result<(), EngineError> {
        self.pipes.drain();
        let ready = |reply, _: &mut Vec<_>| reply == Reply::ReadyOk;
        self.ask(&[Command::NewGame, Command::IsReady], "`readyok`", stop, ready)
    }

    /// Sends commands and reads until the answer.
    fn ask(
        &mut self,
        commands: &[Command],
        expected: &'static str,
        stop: &Stop,
        mut is_answer: impl FnMut(Reply, &mut Vec<kroo::protocol::OptionLine>) -> bool,
    ) -> Result<(), EngineError> {
        let text: String = commands.iter().map(|command| format!("{command}\n")).collect();
        let mut start = Instant::now();
        let mut silence = self.pipes.send(text.as_bytes(), start + self.startup, stop).err();
        while silence.is_none() {
            match self.pipes.receive(start + self.startup, stop) {
                Ok(heard) => {
                    let Line::Text(text) = heard.line else { continue };
                    let Ok(reply) = Reply::parse(&String::from_utf8_lossy(text)) else { continue };
                    if is_answer(reply, &mut self.declared) {
                        return Ok(());
                    }
                }
                Err(PipeError::TimedOut) if was_suspended(&mut start, stop) => {}
                Err(reason) => silence = Some(reason),
            }
        }
        Err(match silence {
            Some(PipeError::Stopped) => Stopped.into(),
            Some(PipeError::Closed) => {
                EngineError::Crash(format!("{} before {expected}", self.post_mortem(stop)))
            }
            Some(PipeError::TimedOut) | None => EngineError::NoAnswer { expected, within: self.startup },
        })
    }
}
