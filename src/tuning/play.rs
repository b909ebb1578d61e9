//! Games that the engine plays against itself, for their positions.
//!
//! A game depends on its number and the seed alone, so it does not matter which thread plays it. Most begin with some
//! random moves from the start; others with a few seeds strewn at random, so that endings are covered. On the way a
//! random move is made now and then: the search evaluates many boards that good play would never reach.

use super::records::Record;
use crate::evaluate::Weights;
use crate::game::{Board, Game, Position, Row, Rules, Side, Variant, Verdict, Visitor, split_mix};
use crate::search::{Request, Silent, Table, search};
use crate::value::Score;
use std::sync::Arc;

/// One game in so many begins with few seeds.
const FEW_SEEDS: u64 = 3;
/// At most so many seeds lie on such a board.
const MOST_FEW: u64 = 26;
/// A game from the start begins with fewer random moves than this.
const RANDOM_PLIES: u64 = 16;
/// One move in so many is a random one.
const RANDOM_MOVE: u64 = 12;
/// The stores decide after so many plies.
const LONGEST: usize = 250;
/// MiB of the table: games of small searches need no more.
const TABLE: usize = 1;

/// Plays games of one kind.
pub struct Player {
    /// The rule set.
    pub variant: Variant,
    /// Nodes a search.
    pub nodes: u64,
    /// What the random numbers begin from.
    pub seed: u64,
    /// What the searches evaluate with.
    pub weights: Arc<Weights>,
}

/// A number below a bound that is small against 2^64.
fn below(state: &mut u64, bound: u64) -> u64 {
    split_mix(state) % bound
}

impl Player {
    /// The records of the game with this number.
    #[must_use]
    pub fn game(&self, number: u64) -> Vec<Record> {
        let mut state = self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // A first number that is thrown away parts games whose states lie near each other.
        split_mix(&mut state);
        let table = Table::new(TABLE).expect("a small table fits");
        let mut game = self.opening(&mut state);
        let mut seen: Vec<(Side, Board, Score)> = Vec::new();
        let mut proven = None;
        while game.position().verdict().is_none() && seen.len() < LONGEST {
            let weights = Arc::clone(&self.weights);
            let request = Request { nodes: self.nodes, weights, ..Request::new(&game) };
            let report = search(&request, &table, &mut Silent);
            let position = *game.position();
            seen.push((position.side(), position.board(), report.score));
            if let Some(verdict) = report.score.proven() {
                let margin = (report.score.value.centiseeds() / 100) as i8;
                proven = Some((position.side(), verdict, margin));
                break;
            }
            let moves = position.moves();
            let random = below(&mut state, RANDOM_MOVE) == 0;
            let mv =
                if random { moves[below(&mut state, moves.len() as u64) as usize] } else { report.pv[0] };
            game.play(mv).expect("a move that was listed is legal");
        }
        let (side, result, margin) = proven.unwrap_or_else(|| outcome(game.position()));
        let record = |(mover, board, score): (Side, Board, Score)| {
            let (result, margin) = if mover == side { (result, margin) } else { (result.turned(), -margin) };
            Record { board, score, result, margin }
        };
        seen.into_iter().map(record).collect()
    }

    /// A game that has not ended, at the point from which it is searched.
    fn opening(&self, state: &mut u64) -> Game {
        loop {
            let few = below(state, FEW_SEEDS) == 0;
            let start = if few { self.few_seeds(state) } else { Position::start(self.variant) };
            let plies = if few { 0 } else { below(state, RANDOM_PLIES) };
            let mut game = Game::new(start);
            for _ in 0..plies {
                let moves = game.position().moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[below(state, moves.len() as u64) as usize];
                game.play(mv).expect("a move that was listed is legal");
            }
            if game.position().verdict().is_none() {
                // What was before counts for `oware` only, and a search of the position alone is as good.
                return Game::new(*game.position());
            }
        }
    }

    /// Few seeds at random, the rest in the stores; neither side has won yet if it can be helped.
    fn few_seeds(&self, state: &mut u64) -> Position {
        let (all, second) = self.variant.visit(Kind);
        let few = 1 + below(state, MOST_FEW);
        let mut pits = [[0; 6]; 2];
        for _ in 0..few {
            pits[below(state, 2) as usize][below(state, 6) as usize] += 1;
        }
        let stored = u64::from(all) - few;
        // The difference is at most about what is left to play for.
        let spread = stored.min(few + 2);
        let mine = (stored - spread) / 2 + below(state, spread + 1);
        let [mover, other] =
            [(pits[0], mine), (pits[1], stored - mine)].map(|(pits, store)| Row::new(pits, store as u8));
        let flagged = second && below(state, 4) == 0;
        let board = Board { mover, other }.flag_if(crate::game::Flag::SecondMove, flagged);
        self.variant.visit(Settle(board))
    }
}

/// How a game stands, seen by the side to move.
fn outcome(position: &Position) -> (Side, Verdict, i8) {
    let margin = position.board().lead();
    let by_stores = match margin {
        0 => Verdict::Draw,
        1.. => Verdict::Win,
        _ => Verdict::Loss,
    };
    (position.side(), position.verdict().unwrap_or(by_stores), margin)
}

/// Seeds in the game, and whether a turn has a second move.
struct Kind;

impl Visitor for Kind {
    type Output = (u8, bool);

    fn visit<R: Rules>(self) -> (u8, bool) {
        (R::SEEDS, R::SECOND_MOVE)
    }
}

struct Settle(Board);

impl Visitor for Settle {
    type Output = Position;

    fn visit<R: Rules>(self) -> Position {
        Position::new::<R>(self.0, Side::South)
    }
}
