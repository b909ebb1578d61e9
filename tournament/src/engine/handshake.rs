//! The handshake: an engine's first lines, and how it gets ready for each game.

use super::error::EngineError;
use super::line_buffer::Line;
use super::options::{self, MOVE_LIMIT, SeedOption};
use super::pipes::PipeError;
use super::spec::EngineSpec;
use super::stop::Stopped;
use super::uci::Engine;
use kroo::game::Variant;
use kroo::printable::MAX_NAME;
use kroo::printable::clipped;
use kroo::protocol::{Command, Dialect, Info, OptionLine, Reply};

/// The most options remembered of an engine; more are a flood.
const MAX_OPTIONS: usize = 1_000;

/// Complaints that are kept.
const MAX_COMPLAINTS: usize = 10;
/// Characters of a complaint that are kept.
const MAX_COMPLAINT: usize = 200;
/// Words of engines that refuse an option, in lower case.
const COMPLAINTS: &str =
    "error|no such|unknown|invalid|failed|cannot|could not|not found|unable|not supported";

/// An engine's lines between `uci` and `uciok`, or `ugi` and `ugiok`.
#[derive(Debug, Default)]
pub struct Introduction {
    pub name: Option<String>,
    /// The options it declares.
    pub options: Vec<OptionLine>,
    /// The last line that is not in the protocol.
    pub garbage: Option<String>,
}

impl Introduction {
    /// Takes in a reply; says whether it was the last, `uciok` or `ugiok`.
    pub fn add(&mut self, reply: &Reply) -> bool {
        match reply {
            Reply::UciOk | Reply::UgiOk => return true,
            Reply::IdName(name) => self.name = Some(name.clone()),
            Reply::Option(option) if self.options.len() < MAX_OPTIONS => self.options.push(option.clone()),
            Reply::Text(text) => self.garbage = Some(text.to_string()),
            _ => {}
        }
        false
    }
}

/// Options for all games of a match, sent to engines that have them.
#[derive(Clone, Copy, Debug)]
pub struct MatchTerms {
    /// The rule set. An engine without the option is taken to play it.
    pub variant: Variant,
    /// After this many moves of both sides the larger store wins; 0 if the stores decide at no move.
    pub move_limit: usize,
}

/// The settings of an engine for a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameTerms<'a> {
    /// Values of options, by their names.
    pub settings: &'a [(&'a str, &'a str)],
    /// The random seed for an engine with an option for it: an engine that draws random numbers then plays the game the same way,
    /// independent of its earlier games.
    pub seed: Option<u64>,
}

impl Engine {
    /// Makes a started engine ready for its first game. Returns the problems with its options: those that it does not declare or
    /// accept, and its own complaints.
    pub fn set_up(
        &mut self,
        spec: &EngineSpec,
        terms: MatchTerms,
        game: GameTerms<'_>,
    ) -> Result<Vec<String>, EngineError> {
        let mut problems = self.initialize(spec, terms)?;
        problems.extend(self.new_game(game)?);
        Ok(problems)
    }

    /// Why an option cannot have all values from one to another.
    pub fn refuses_range(&self, name: &str, [least, most]: [&str; 2]) -> Option<String> {
        let refused = |value| options::set(&self.declared, name, value).err();
        let problem = refused(least).or_else(|| refused(most))?;
        Some(format!("values from {least} to {most} are to be tried: {problem}"))
    }

    /// Sends `uci` or `ugi`, reads the engine's introduction, and sets its options. Returns why some could not be set, and the
    /// engine's complaints about the others before its `readyok`.
    fn initialize(&mut self, spec: &EngineSpec, terms: MatchTerms) -> Result<Vec<String>, EngineError> {
        let mut introduction = Introduction::default();
        let expected = match self.protocol {
            Dialect::Uci => "`uciok`",
            Dialect::Ugi => "`ugiok`",
        };
        self.ask(&[self.protocol.hello()], expected, |reply| introduction.add(reply))?;
        self.id_name = introduction.name.map(|name| clipped(&name, MAX_NAME));
        self.declared = introduction.options;
        let is_chosen =
            |seed: &SeedOption| spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(seed.name()));
        self.seed = SeedOption::of(&self.declared).filter(|seed| !is_chosen(seed));
        let declared = &self.declared;
        let rules = options::rules(declared, terms.variant);
        let wanted = spec.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let rules = rules.iter().map(|(name, value)| (*name, value.as_str()));
        let set = rules.chain(wanted).map(|(name, value)| options::set(declared, name, value));
        // Unless the user set another value.
        let is_told = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(MOVE_LIMIT));
        let move_limit = options::set(declared, MOVE_LIMIT, &terms.move_limit.to_string());
        let set = move_limit.ok().filter(|_| !is_told).map(Ok).into_iter().chain(set).collect();
        self.make_ready(set, None)
    }

    /// Sends the options that can be set and another command, and waits until the engine is ready if it was sent anything.
    /// Returns why the other options cannot be set, and the engine's complaints about these.
    fn make_ready(
        &mut self,
        set: Vec<Result<Command, String>>,
        then: Option<Command>,
    ) -> Result<Vec<String>, EngineError> {
        let (set, refused): (Vec<_>, Vec<_>) = set.into_iter().partition(Result::is_ok);
        let mut commands: Vec<Command> = set.into_iter().flatten().collect();
        let mut refused: Vec<String> = refused.into_iter().filter_map(Result::err).collect();
        let is_told = !commands.is_empty();
        commands.extend(then);
        if !commands.is_empty() {
            commands.push(Command::IsReady);
            self.ask(&commands, "`readyok`", |reply| {
                refused.extend(complaint(reply).filter(|_| is_told && refused.len() < MAX_COMPLAINTS));
                *reply == Reply::ReadyOk
            })?;
        }
        Ok(refused)
    }

    /// Announces a new game and waits until the engine is ready. Only changed values and the random seed are sent. Returns the
    /// problems with them.
    pub fn new_game(&mut self, game: GameTerms<'_>) -> Result<Vec<String>, EngineError> {
        self.connection.discard_pending();
        let mut set = Vec::new();
        for &(name, value) in game.settings {
            if self.settings.insert(name.to_owned(), value.to_owned()).is_none_or(|known| known != value) {
                set.push(options::set(&self.declared, name, value));
            }
        }
        if let (Some(option), Some(seed)) = (&self.seed, game.seed)
            && !game.settings.iter().any(|(name, _)| name.eq_ignore_ascii_case(option.name()))
        {
            set.push(Ok(option.set(seed)));
        }
        self.make_ready(set, Some(Command::NewGame))
    }

    /// Sends commands, and reads replies up to the one that is accepted.
    fn ask(
        &mut self,
        commands: &[Command],
        expected: &'static str,
        mut accept: impl FnMut(&Reply) -> bool,
    ) -> Result<(), EngineError> {
        let text = self.lines(commands);
        let mut question = self.connection.ask(text.as_bytes(), self.startup);
        let answered = self.connection.answer(&mut question, None, |received| {
            let Line::Text(text) = received.line else { return None };
            let reply = Reply::parse(&String::from_utf8_lossy(text)).ok()?;
            accept(&reply).then_some(())
        });
        answered.map_err(|error| match error {
            PipeError::Stopped => Stopped.into(),
            PipeError::Closed => match self.connection.end() {
                EngineError::Crash(end) => EngineError::Crash(format!("{end} before {expected}")),
                error => error,
            },
            PipeError::TimedOut | PipeError::Aside => {
                let within = self.startup;
                let suspended = self.suspended(expected, within, question.asked);
                suspended.unwrap_or(EngineError::NoAnswer { expected, within })
            }
        })
    }
}

/// An engine's complaint about an option: a text or a line outside the protocol that names an error.
pub(crate) fn complaint(reply: &Reply) -> Option<String> {
    let text = match reply {
        Reply::Info(Info { string: Some(text), .. }) => text.to_string(),
        Reply::Text(text) => text.to_string(),
        _ => return None,
    };
    let small = text.to_lowercase();
    COMPLAINTS.split('|').any(|word| small.contains(word)).then(|| clipped(&text, MAX_COMPLAINT))
}
