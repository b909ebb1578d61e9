//! The engine at the board: it chooses moves, and says what it thinks of those of others.

use super::ear::Ear;
use crate::game::{Game, Move, Side, Variant, Verdict};
use crate::level::Level;
use crate::players::{Player, PlayerConfig, PlayerError, Turn, player};
use crate::roster::PlayerName;
use crate::search::{Clock, Observer, OutOfMemory, Report, Request, Table, TimeLimits, search};
use crate::value::{Score, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How hard the engine tries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Which of the players it is.
    pub who: PlayerName,
    /// Where the lots begin of a player who draws some.
    pub seed: u64,
    /// How well it plays.
    pub level: Level,
    /// How long it thinks at the most.
    pub time: Duration,
    /// Nodes that it visits at the most.
    pub nodes: u64,
    /// Threads that search together.
    pub threads: usize,
}

/// The engine.
pub struct Opponent {
    /// How hard it tries.
    pub effort: Effort,
    learn_file: Option<PathBuf>,
    player: Box<dyn Player>,
    table: Arc<Table>,
}

/// Why there is no opponent.
#[derive(Debug, thiserror::Error)]
pub enum OpponentError {
    /// There is no memory for the table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The player does not play these rules.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// What it thought of a move.
#[derive(Clone, Debug)]
pub struct Thought {
    /// What it found; its line begins with the move.
    pub report: Report,
    /// How long it took.
    pub time: Duration,
}

impl Opponent {
    /// An engine for a rule set, with a table of so many MiB, which learns from a file if it learns.
    ///
    /// # Errors
    /// If there is no memory for the table, or the player does not know the rules or cannot use its file.
    pub fn new(
        effort: Effort,
        learn_file: Option<PathBuf>,
        variant: Variant,
        hash_mib: usize,
    ) -> Result<Opponent, OpponentError> {
        let equipment =
            PlayerConfig { seed: effort.seed, learn_file: learn_file.clone(), ..PlayerConfig::new(variant) };
        let player = player(effort.who, &equipment)?;
        Ok(Opponent { effort, learn_file, player, table: Arc::new(Table::new(hash_mib)?) })
    }

    /// Lets another player take the seat, or plays under other rules. What the one before has learned is forgotten,
    /// unless it stands in the file.
    ///
    /// # Errors
    /// If the player does not know the rules or cannot use its file; then the one before keeps the seat.
    pub fn seat(&mut self, who: PlayerName, variant: Variant) -> Result<(), PlayerError> {
        let learn_file = self.learn_file.clone();
        self.player =
            player(who, &PlayerConfig { seed: self.effort.seed, learn_file, ..PlayerConfig::new(variant) })?;
        self.effort.who = who;
        Ok(())
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.effort.who == PlayerName::Kroo { "Kroo" } else { self.effort.who.name() }
    }

    /// Who it is and how well it plays, for a list.
    #[must_use]
    pub fn description(&self) -> String {
        match self.effort.who {
            PlayerName::Kroo => format!("Kroo ({})", self.effort.level.name()),
            who => who.name().to_owned(),
        }
    }

    /// A game is over in which it played a side. Says what there is to say of it.
    pub fn learn(&mut self, game: &Game, side: Side) -> Vec<String> {
        self.player.learn(game, side);
        self.player.remarks()
    }

    /// Chooses a move where a game stands, which is not over.
    pub fn choose(&mut self, game: &Game, ear: &Ear) -> Thought {
        let clock = self.clock();
        let mut watch = Watch { ear, clock, lines: 1 };
        let turn = Turn {
            game: game.clone(),
            request: self.request(game),
            level: self.effort.level,
            table: Arc::clone(&self.table),
        };
        let report = self.player.choose(&turn, &mut watch);
        Thought { report, time: clock.elapsed() }
    }

    /// Weighs all moves where a game stands, which is not over, with all that it can. Until Ctrl-C, or its time is up.
    pub fn weigh(&self, game: &Game, ear: &Ear) -> Thought {
        self.think(game, Request { multipv: game.position().moves().len(), ..self.request(game) }, ear)
    }

    /// The best move where a game stands, which is not over.
    pub fn advise(&self, game: &Game, ear: &Ear) -> Thought {
        self.think(game, self.request(game), ear)
    }

    fn request(&self, game: &Game) -> Request {
        Request { nodes: self.effort.nodes, threads: self.effort.threads, ..Request::new(game) }
    }

    fn clock(&self) -> Clock {
        let limits = TimeLimits { movetime: Some(self.effort.time), ..TimeLimits::default() };
        Clock::new(Instant::now(), limits)
    }

    fn think(&self, game: &Game, request: Request, ear: &Ear) -> Thought {
        debug_assert!(game.position().verdict().is_none());
        let clock = self.clock();
        let mut watch = Watch { ear, clock, lines: request.multipv };
        let report = search(&request, &self.table, &mut watch);
        Thought { report, time: clock.elapsed() }
    }
}

/// Ends a search when the time is up, when there is nothing to choose, or when Ctrl-C is heard.
struct Watch<'a> {
    ear: &'a Ear,
    clock: Clock,
    lines: usize,
}

impl Observer for Watch<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.ear.is_stopped() || self.clock.is_up()
    }

    fn iteration(&mut self, report: &Report) -> bool {
        report.forced && self.lines == 1
    }
}

impl Thought {
    /// The move.
    #[must_use]
    pub fn best(&self) -> Move {
        self.report.pv[0]
    }

    /// The moves with their scores and lines, the best first.
    #[must_use]
    pub fn lines(&self) -> Vec<(Score, &[Move])> {
        let others = self.report.others.iter().map(|(score, line)| (*score, line.as_slice()));
        std::iter::once((self.report.score, self.report.pv.as_slice())).chain(others).collect()
    }

    /// What stands in a game file after the move.
    #[must_use]
    pub fn comment(&self) -> String {
        format!("{}/{} {:.3}s", in_seeds(self.report.score.value), self.report.depth, self.time.as_secs_f64())
    }
}

/// A value in seeds.
#[must_use]
pub fn in_seeds(value: Value) -> String {
    format!("{:+.2}", f64::from(value.centiseeds()) / 100.0)
}

/// A score in words, for whoever makes the move: `wins for certain, by 6 or more`, `+1.25`.
#[must_use]
pub fn in_words(score: Score) -> String {
    let margin = (score.value.centiseeds() / 100).abs();
    let more = if score.proof.is_exact() { "" } else { " or more" };
    match score.proven() {
        Some(Verdict::Win) if score.value.centiseeds() <= 0 => "wins for certain".to_owned(),
        Some(Verdict::Loss) if score.value.centiseeds() >= 0 => "loses for certain".to_owned(),
        Some(Verdict::Win) => format!("wins for certain, by {margin}{more}"),
        Some(Verdict::Loss) => format!("loses for certain, by {margin}{more}"),
        Some(Verdict::Draw) => "a draw for certain".to_owned(),
        None => in_seeds(score.value),
    }
}

/// Moves as they are written in a row.
#[must_use]
pub fn written(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}
