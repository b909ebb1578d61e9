//! The engine as opponent, which chooses moves, and as adviser, which analyses them.

use super::input::InputListener;
use crate::game::{Game, MOVE_LIMIT, Move, Side, Variant, Verdict};
use crate::level::{LEVELS, Level};
use crate::players::{Player, PlayerConfig, PlayerError, Turn, player};
use crate::roster::{PLAYERS, PlayerName};
use crate::search::{Clock, Observer, OutOfMemory, Report, Request, Table, TimeLimits, search};
use crate::time::Instant;
use crate::value::{Kind, Score, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long the opponent may think about a move by default.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Which player the opponent is, and how hard it tries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpponentSettings {
    /// Which player it is.
    pub who: PlayerName,
    /// Random seed, for a player that uses random numbers.
    pub seed: u64,
    /// How well it plays.
    pub level: Level,
    /// Time limit for a move.
    pub time: Duration,
    /// Node limit for a move.
    pub nodes: u64,
    /// Threads that search.
    pub threads: usize,
}

impl OpponentSettings {
    /// The player's name, with the level for the engine: `Kroo (beginner)`, `greedy`.
    #[must_use]
    pub fn description(&self) -> String {
        match self.who {
            PlayerName::Kroo => format!("Kroo ({})", self.level.name()),
            who => who.name().to_owned(),
        }
    }

    /// The player that a [description](OpponentSettings::description) names, with the level for the engine.
    #[must_use]
    pub fn described(text: &str) -> Option<(PlayerName, Option<Level>)> {
        match text.strip_prefix("Kroo (").and_then(|rest| rest.strip_suffix(')')) {
            Some(name) => LEVELS
                .iter()
                .find(|(_, known)| *known == name)
                .map(|(level, _)| (PlayerName::Kroo, Some(*level))),
            None => PLAYERS.iter().find(|(_, known, _)| *known == text).map(|(who, ..)| (*who, None)),
        }
    }
}

/// The opponent.
pub struct Opponent {
    /// Which player it is, and how hard it tries.
    pub settings: OpponentSettings,
    learn_file: Option<PathBuf>,
    player: Box<dyn Player>,
    table: Arc<Table>,
    advice: Advice,
}

/// The advice that was given, and under which limits: time, nodes, threads.
#[derive(Default)]
struct Advice {
    limits: (Duration, u64, usize),
    given: Vec<(Game, Analysis)>,
}

/// Why there is no opponent.
#[derive(Debug, thiserror::Error)]
pub enum OpponentError {
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The player cannot play this rule set, or cannot use its file.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// The result of a search, and how long it took.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The result; its line begins with the best move.
    pub report: Report,
    /// How long it took.
    pub time: Duration,
}

impl Opponent {
    /// An opponent for a rule set, with a transposition table of `hash_mib` MiB. A player that learns uses the file.
    ///
    /// # Errors
    /// If there is no memory for the table, or the player cannot play the rule set or cannot use its file.
    pub fn new(
        settings: OpponentSettings,
        learn_file: Option<PathBuf>,
        variant: Variant,
        hash_mib: usize,
    ) -> Result<Opponent, OpponentError> {
        let player_config = PlayerConfig {
            seed: settings.seed,
            learn_file: learn_file.clone(),
            ..PlayerConfig::new(variant)
        };
        let player = player(settings.who, &player_config)?;
        let table = Arc::new(Table::new(hash_mib)?);
        Ok(Opponent { settings, learn_file, player, table, advice: Advice::default() })
    }

    /// Changes the player or the rule set. What the previous player has learned is forgotten unless it is in the file.
    ///
    /// # Errors
    /// If the new player cannot play the rule set or cannot use its file; then the previous one stays.
    pub fn set_player(&mut self, who: PlayerName, variant: Variant) -> Result<(), PlayerError> {
        let learn_file = self.learn_file.clone();
        self.player = player(
            who,
            &PlayerConfig { seed: self.settings.seed, learn_file, ..PlayerConfig::new(variant) },
        )?;
        self.settings.who = who;
        Ok(())
    }

    /// Its name in sentences.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.settings.who == PlayerName::Kroo { "Kroo" } else { self.settings.who.name() }
    }

    /// Learns from a finished game in which it played a side. Returns remarks for the person.
    pub fn learn(&mut self, game: &Game, side: Side) -> Vec<String> {
        self.player.learn(game, side);
        self.player.remarks()
    }

    /// Chooses a move in a game that is not over.
    pub fn choose(&mut self, game: &Game, input: &InputListener) -> Analysis {
        let clock = self.clock();
        let mut limits = SearchLimits { input, clock, lines: 1 };
        let turn = Turn {
            game: game.clone(),
            request: self.request(game),
            level: self.settings.level,
            table: Arc::clone(&self.table),
        };
        let report = self.player.choose(&turn, &mut limits);
        Analysis { report, time: clock.elapsed() }
    }

    /// Analyses every move in a game that is not over, at full strength, until Ctrl-C or until the time is up. The answer is
    /// kept, so that all advice about a position agrees; another time limit asks anew.
    pub fn advise(&mut self, game: &Game, input: &InputListener) -> Analysis {
        let limits = (self.settings.time, self.settings.nodes, self.settings.threads);
        if self.advice.limits != limits {
            self.advice = Advice { limits, given: Vec::new() };
        }
        if let Some((_, analysis)) = self.advice.given.iter().find(|(known, _)| known == game) {
            return analysis.clone();
        }
        let request = Request { multipv: game.position().moves().len(), ..self.request(game) };
        let analysis = self.think(game, request, input);
        if !input.is_stopped() {
            self.advice.given.push((game.clone(), analysis.clone()));
        }
        analysis
    }

    fn request(&self, game: &Game) -> Request {
        let moves_left = Request::moves_left(game, MOVE_LIMIT);
        let (nodes, threads) = (self.settings.nodes, self.settings.threads);
        Request { moves_left, nodes, threads, ..Request::new(game) }
    }

    fn clock(&self) -> Clock {
        let limits = TimeLimits { movetime: Some(self.settings.time), ..TimeLimits::default() };
        Clock::new(Instant::now(), limits)
    }

    fn think(&self, game: &Game, request: Request, input: &InputListener) -> Analysis {
        debug_assert!(game.position().verdict().is_none());
        let clock = self.clock();
        let mut limits = SearchLimits { input, clock, lines: request.multipv };
        let report = search(&request, &self.table, &mut limits);
        Analysis { report, time: clock.elapsed() }
    }
}

/// Ends a search when the time is up, when there is only one move, or on Ctrl-C.
struct SearchLimits<'a> {
    input: &'a InputListener,
    clock: Clock,
    lines: usize,
}

impl Observer for SearchLimits<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.input.is_stopped() || self.clock.is_up()
    }

    fn iteration(&mut self, report: &Report) -> bool {
        report.forced && self.lines == 1
    }
}

impl Analysis {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> Move {
        self.report.pv[0]
    }

    /// The moves with their scores and lines, best first.
    #[must_use]
    pub fn lines(&self) -> Vec<(Score, &[Move])> {
        let others = self.report.others.iter().map(|(score, line)| (*score, line.as_slice()));
        std::iter::once((self.report.score, self.report.pv.as_slice())).chain(others).collect()
    }

    /// The comment after the move in a game file: score in seeds, depth in plies, and time.
    #[must_use]
    pub fn comment(&self) -> String {
        format!("{}/{} {:.3}s", in_seeds(self.report.score.value), self.report.depth, self.time.as_secs_f64())
    }
}

/// A value in seeds: `+1.25`.
#[must_use]
pub fn in_seeds(value: Value) -> String {
    format!("{:+.2}", f64::from(value.shown_centiseeds()) / 100.0)
}

/// A score in words, from the mover's point of view: `a certain win by 6 or more`, `+1.25`.
#[must_use]
pub fn in_words(score: Score) -> String {
    let margin = (score.value.centiseeds() / 100).abs();
    let more = if score.proof.is_exact() { "" } else { " or more" };
    match score.proven() {
        Some(Verdict::Win) if score.value.centiseeds() <= 0 => "a certain win".to_owned(),
        Some(Verdict::Loss) if score.value.centiseeds() >= 0 => "a certain loss".to_owned(),
        Some(Verdict::Win) => format!("a certain win by {margin}{more}"),
        Some(Verdict::Loss) => format!("a certain loss by {margin}{more}"),
        Some(Verdict::Draw) => "a certain draw".to_owned(),
        None => match score.value.kind() {
            Kind::Win(_) => format!("{}, a win found", in_seeds(score.value)),
            Kind::Loss(_) => format!("{}, a loss found", in_seeds(score.value)),
            Kind::Estimate(_) => in_seeds(score.value),
        },
    }
}

/// Moves as a list with spaces: `F f E`.
#[must_use]
pub fn written(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}
