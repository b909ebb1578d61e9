//! Games that the engine plays against itself, for their positions.
//!
//! A game depends on its number and the random seed alone, so it does not matter which thread plays it. Most games begin
//! with some random moves from the start. The others begin with a few seeds in random pits, so that endings are covered.
//! Now and then a random move is made, since a search evaluates many boards that good play would never reach.

use super::data::TrainingPosition;
use crate::evaluate::Weights;
use crate::game::{
    Board, Flag, Game, MOVE_LIMIT, Position, Row, Rules, Side, Variant, Verdict, Visitor, split_mix,
};
use crate::search::{Request, Silent, Table, search};
use crate::value::Score;
use std::sync::Arc;

// How games begin and how random they are is our own choice; the weights that are compiled in were made with it.

/// One game in so many begins with few seeds.
const FEW_SEEDS: u64 = 3;
/// The most seeds in the pits of such a game.
const MOST_FEW: u64 = 26;
/// A game from the start begins with fewer random plies than this.
const RANDOM_PLIES: u64 = 16;
/// One move in so many is a random one.
const RANDOM_MOVE: u64 = 12;
/// MiB of the transposition table: searches of a few thousand nodes need no more.
const TABLE: usize = 1;

/// Plays games of the engine against itself.
pub struct SelfPlay {
    /// The rule set.
    pub variant: Variant,
    /// Nodes of each search.
    pub nodes: u64,
    /// The random seed.
    pub seed: u64,
    /// The weights that the searches evaluate with.
    pub weights: Arc<Weights>,
}

/// A number below a bound that is small against 2^64.
fn below(state: &mut u64, bound: u64) -> u64 {
    split_mix(state) % bound
}

impl SelfPlay {
    /// The positions of the game with this number.
    #[must_use]
    pub fn game(&self, number: u64) -> Vec<TrainingPosition> {
        let mut state = self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The first number is thrown away: those of games with similar states are similar.
        split_mix(&mut state);
        let table = Table::new(TABLE).expect("a small table fits");
        let mut game = self.opening(&mut state);
        let mut seen: Vec<(Side, Board, Score)> = Vec::new();
        let mut proven = None;
        while game.position().verdict().is_none() && seen.len() < MOVE_LIMIT {
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
        let finished = |(mover, board, score): (Side, Board, Score)| {
            let (result, margin) = if mover == side { (result, margin) } else { (result.turned(), -margin) };
            TrainingPosition { board, score, result, margin }
        };
        seen.into_iter().map(finished).collect()
    }

    /// The position from which a game is played with searches; it is not over.
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

    /// Few seeds in random pits, and the others in the stores, such that usually neither side has won yet.
    fn few_seeds(&self, state: &mut u64) -> Position {
        let (all, second) = self.variant.visit(SeedsAndSecondMove);
        let few = 1 + below(state, MOST_FEW);
        let mut pits = [[0; 6]; 2];
        for _ in 0..few {
            pits[below(state, 2) as usize][below(state, 6) as usize] += 1;
        }
        let stored = u64::from(all) - few;
        // The stores differ by little more than what is left to play for.
        let range = stored.min(few + 2);
        let mine = (stored - range) / 2 + below(state, range + 1);
        let [mover, other] =
            [(pits[0], mine), (pits[1], stored - mine)].map(|(pits, store)| Row::new(pits, store as u8));
        let flagged = second && below(state, 4) == 0;
        let board = Board { mover, other }.flag_if(Flag::SecondMove, flagged);
        self.variant.visit(ToPosition(board))
    }
}

/// The side to move, and the result and the lead for it; where the game is not over the stores decide.
fn outcome(position: &Position) -> (Side, Verdict, i8) {
    let margin = position.board().lead();
    let by_stores = match margin {
        0 => Verdict::Draw,
        1.. => Verdict::Win,
        _ => Verdict::Loss,
    };
    (position.side(), position.verdict().unwrap_or(by_stores), margin)
}

/// The seeds of a game, and whether a turn has a second move.
struct SeedsAndSecondMove;

impl Visitor for SeedsAndSecondMove {
    type Output = (u8, bool);

    fn visit<R: Rules>(self) -> (u8, bool) {
        (R::SEEDS, R::SECOND_MOVE)
    }
}

/// The position of a board, with South to move.
struct ToPosition(Board);

impl Visitor for ToPosition {
    type Output = Position;

    fn visit<R: Rules>(self) -> Position {
        Position::new::<R>(self.0, Side::South)
    }
}
