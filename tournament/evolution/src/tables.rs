//! Tables like the paper's 1 to 6: an evolved player, and players with random weights, against the engine's levels.
//!
//! Both sides choose by the position alone, so an opening has only one game. Each pair of games therefore begins with its own
//! random moves and is played with sides swapped. Random weights are between −1 and 1, like those of the first generation, with
//! new ones for each pair of games.

use crate::game::{Chooser, Evolved, Outcome, play};
use crate::games::on_threads;
use crate::rng::Rng;
use crate::settings::variant_help;
use clap::builder::RangedU64ValueParser;
use clap::{Args, value_parser};
use kroo::game::{Board, Game, Pit, Position, Rules, Side, Variant, Verdict, Visitor};
use kroo::level::{LEVELS, Level, Strength};
use kroo::players::evolved::{DEPTH, Evaluator, EvolvedWeights, Minimax};
use kroo::players::{Kroo, Player, Silent, Turn};
use kroo::search::{Request, SearchMemory};
use std::fmt::Write;
use std::sync::Arc;

/// The settings of the tables. The comment of a field is the help of its option.
#[derive(Args, Clone, Debug)]
pub struct Plan {
    #[arg(long, value_name = "NAME", default_value = "awari", help = variant_help())]
    pub variant: Variant,
    /// The evolved player's weights.
    #[arg(skip = EvolvedWeights::built_in())]
    pub weights: EvolvedWeights,
    /// Games against each level; the first five also have a row of their own
    #[arg(
        long,
        value_name = "N",
        default_value = "200",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=100_000)
    )]
    pub games: usize,
    /// Search depth of the players of six weights, in plies
    #[arg(long, value_name = "N", default_value_t = DEPTH, value_parser = value_parser!(u8).range(1..=20))]
    pub depth: u8,
    /// Random moves at the beginning of each pair of games
    #[arg(long, value_name = "N", default_value = "4", value_parser = value_parser!(u32).range(0..=1000))]
    pub random_plies: u32,
    /// Moves of both sides together, random ones included, after which the stores decide
    #[arg(long, value_name = "N", default_value = "250", value_parser = value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
}

/// The levels below `full`.
fn opponents() -> impl Iterator<Item = Level> {
    LEVELS.iter().map(|&(level, _)| level).filter(|&level| level != Level::Full)
}

/// A game from the point of view of its player of six weights.
#[derive(Clone, Copy, Debug)]
struct Seen {
    verdict: Verdict,
    own: u8,
    other: u8,
    moves: u32,
}

/// Plays all games, and returns the tables as Markdown.
///
/// `played` is called after each game.
pub fn tables(plan: &Plan, threads: usize, played: &(dyn Fn() + Sync)) -> String {
    let mut text = String::from(
        "| weights | opponent | games | seeds | opponent's seeds | moves | won | drawn | lost |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, weights) in [("drawn", None), ("evolved", Some(plan.weights))] {
        for level in opponents() {
            let games = plan.variant.visit(Series { plan, threads, weights, level, played });
            let five = games.len().min(5);
            for part in [&games[..five], &games[..]].into_iter().take(if games.len() > five { 2 } else { 1 })
            {
                row(&mut text, name, level, part);
            }
        }
    }
    text
}

/// The games of one table.
pub fn count(plan: &Plan) -> u64 {
    2 * opponents().count() as u64 * plan.games as u64
}

fn row(text: &mut String, name: &str, level: Level, games: &[Seen]) {
    let mean = |of: fn(&Seen) -> f64| games.iter().map(of).sum::<f64>() / games.len() as f64;
    let many = |verdict| games.iter().filter(|game| game.verdict == verdict).count();
    let _ = writeln!(
        text,
        "| {name} | `{}` | {} | {:.2} | {:.2} | {:.1} | {} | {} | {} |",
        level.name(),
        games.len(),
        mean(|game| game.own.into()),
        mean(|game| game.other.into()),
        mean(|game| game.moves.into()),
        many(Verdict::Win),
        many(Verdict::Draw),
        many(Verdict::Loss)
    );
}

/// Games of a player of six weights, or of random ones, against a level.
struct Series<'a> {
    plan: &'a Plan,
    threads: usize,
    weights: Option<EvolvedWeights>,
    level: Level,
    played: &'a (dyn Fn() + Sync),
}

impl Visitor for Series<'_> {
    type Output = Vec<Seen>;

    fn visit<R: Rules>(self) -> Vec<Seen> {
        let memory = || {
            let table = SearchMemory::new(1).expect("a small table fits");
            (Minimax::default(), Arc::new(table))
        };
        on_threads(self.threads, self.plan.games, memory, |(room, table), game| {
            let found = self.game::<R>(game, room, table);
            (self.played)();
            found
        })
    }
}

impl Series<'_> {
    fn game<R: Rules>(&self, game: usize, room: &mut Minimax, table: &Arc<SearchMemory>) -> Seen {
        let Plan { depth, max_moves, seed, random_plies, .. } = *self.plan;
        let pair = game / 2;
        let weights = self.weights.map_or_else(
            || {
                let mut rng = Rng::new(seed, pair as u32, 1);
                std::array::from_fn(|_| rng.within(1.0))
            },
            |weights| weights.terms,
        );
        let evaluator = Evaluator::new(weights);
        let start = opening::<R>(random_plies, &mut Rng::new(seed, pair as u32, 0));
        let mut evolved = Evolved { evaluator: &evaluator, depth, room };
        let mut level = LevelPlayer { level: self.level, table };
        let side = Side::BOTH[game % 2];
        let players: [&mut dyn Chooser<R>; 2] = match side {
            Side::South => [&mut evolved, &mut level],
            Side::North => [&mut level, &mut evolved],
        };
        let Outcome { verdict, stores, moves, .. } = play(players, max_moves - random_plies, start);
        let verdict = if side == Side::South { verdict } else { verdict.turned() };
        let (own, other) = (stores[side.index()], stores[side.other().index()]);
        Seen { verdict, own, other, moves: moves + random_plies }
    }
}

/// A position after random moves that do not end the game.
fn opening<R: Rules>(plies: u32, rng: &mut Rng) -> Position {
    loop {
        let mut game = Game::new(Position::start(R::VARIANT));
        for _ in 0..plies {
            let moves = game.position().moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.one_of(moves.len())]).expect("a legal move can be played");
        }
        if game.position().verdict().is_none() {
            return *game.position();
        }
    }
}

/// The engine at a level. Its oversights depend on the position only, so its choices do too.
struct LevelPlayer<'a> {
    level: Level,
    table: &'a Arc<SearchMemory>,
}

impl<R: Rules> Chooser<R> for LevelPlayer<'_> {
    fn choose(&mut self, line: &[Board], side: Side) -> Pit {
        let board = *line.last().expect("the line ends with the board itself");
        let game = Game::new(Position::new::<R>(board, side));
        let (request, table) = (Request::new(&game), Arc::clone(self.table));
        let turn = Turn { request, strength: Strength::Level(self.level), table };
        Kroo.choose(&turn, &mut Silent).pv[0].pit
    }
}
