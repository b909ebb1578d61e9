//! Self-play games for training positions.
//!
//! A game depends only on its number and the random seed, not on the thread. Most games begin with some random moves from the
//! start; the others with a few seeds in random pits, to cover endings. Some later moves are random too, because a search
//! evaluates many boards that good play would never reach.

use super::data::TrainingPosition;
use crate::endgames::Endgames;
use crate::evaluate::Weights;
use crate::game::{
    Board, Ending, Flag, Game, MOVE_LIMIT, Position, Row, Rules, Side, Variant, Verdict, split_mix,
};
use crate::search::{Request, SearchMemory, Silent, TablebasePolicy, search};
use crate::under;
use crate::value::Score;
use std::sync::Arc;

// The openings and the randomness are our choice; the compiled-in weights were made with them.

/// One game in this many begins with few seeds.
const FEW_SEEDS: u64 = 3;
/// Maximum seeds in the pits of such a game.
const MOST_FEW: u64 = 26;
/// Upper bound (exclusive) of the random plies of a game from the start.
const RANDOM_PLIES: u64 = 16;
/// One move in this many is random.
const RANDOM_MOVE: u64 = 12;
/// MiB of the transposition table, enough for searches of a few thousand nodes.
const TABLE: usize = 1;

/// A generator of self-play games.
pub struct SelfPlay {
    pub variant: Variant,
    /// Nodes of each search.
    pub nodes: u64,
    pub seed: u64,
    /// The evaluation weights of the searches.
    pub weights: Arc<Weights>,
    /// The endgame files for boards with few seeds.
    pub labels: Option<Labels>,
}

/// Endgame files with the results of boards with at most `seeds` seeds.
///
/// Searches of larger boards probe them. Searches of smaller ones do not: games continue as without files, but the files label
/// these positions.
pub struct Labels {
    /// The files.
    pub endgames: Arc<Endgames>,
    pub seeds: u8,
}

/// A random number below a bound that is small against 2^64.
fn below(state: &mut u64, bound: u64) -> u64 {
    split_mix(state) % bound
}

impl SelfPlay {
    pub fn game(&self, number: u64) -> Vec<TrainingPosition> {
        let mut state = self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The first number is discarded, because those of games with similar states are similar.
        split_mix(&mut state);
        let table = SearchMemory::new(TABLE).expect("a small table fits");
        let mut game = self.opening(&mut state);
        let mut seen: Vec<(Side, Board, Score)> = Vec::new();
        let mut proven = None;
        while game.position().verdict().is_none() && seen.len() < MOVE_LIMIT {
            let position = *game.position();
            let known = self.labels.as_ref().and_then(|labels| labels.look_up(&position));
            let report = search(&self.request(&game), &table, &mut Silent);
            let score = known.unwrap_or(report.score);
            seen.push((position.side(), position.board(), score));
            let verdict = report.score.proven().filter(|_| self.files_for(&game).is_none());
            if let Some(verdict) = verdict {
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
        let mut ending = proven.unwrap_or_else(|| outcome(game.position()));
        let mut positions: Vec<TrainingPosition> = Vec::with_capacity(seen.len());
        for &(mover, board, score) in seen.iter().rev() {
            if let Some(verdict) = score.proven() {
                // The result of a position counts only up to the point where it was certain.
                ending = (mover, verdict, (score.value.centiseeds() / 100) as i8);
            }
            let (side, result, margin) = ending;
            let (result, margin) = if mover == side { (result, margin) } else { (result.turned(), -margin) };
            positions.push(TrainingPosition { board, score, result, margin });
        }
        positions.reverse();
        positions
    }

    fn request(&self, game: &Game) -> Request {
        let weights = Arc::clone(&self.weights);
        let request = Request { nodes: self.nodes, weights, ..Request::new(game) };
        match self.files_for(game) {
            Some(labels) => Request {
                endgames: Arc::clone(&labels.endgames),
                tablebase: TablebasePolicy::UpTo(labels.seeds),
                ..request
            },
            None => request,
        }
    }

    /// The files for a search of the current position.
    fn files_for(&self, game: &Game) -> Option<&Labels> {
        self.labels.as_ref().filter(|labels| game.position().board().seeds() > labels.seeds)
    }

    /// An unfinished position where a game with searches begins.
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
                // Earlier moves matter for `oware` only, and a search without them is as good.
                return Game::new(*game.position());
            }
        }
    }

    /// Few seeds in random pits, the others in the stores: usually neither side has won yet.
    fn few_seeds(&self, state: &mut u64) -> Position {
        let (all, second) = under!(self.variant, R => (R::SEEDS, R::SECOND_MOVE));
        let few = 1 + below(state, MOST_FEW);
        let mut pits = [[0; 6]; 2];
        for _ in 0..few {
            pits[below(state, 2) as usize][below(state, 6) as usize] += 1;
        }
        let stored = u64::from(all) - few;
        // The stores differ by little more than the seeds left.
        let range = stored.min(few + 2);
        let mine = (stored - range) / 2 + below(state, range + 1);
        let [mover, other] =
            [(pits[0], mine), (pits[1], stored - mine)].map(|(pits, store)| Row::new(pits, store as u8));
        let flagged = second && below(state, 4) == 0;
        let board = Board { mover, other }.flag_if(Flag::SecondMove, flagged);
        under!(self.variant, R => Position::new::<R>(board, Side::South))
    }
}

impl Labels {
    /// The files' result of a position, if known.
    fn look_up(&self, position: &Position) -> Option<Score> {
        let board = position.board();
        let few = board.seeds() <= self.seeds;
        let score = few
            .then(|| under!(position.variant(), R => self.endgames.probe::<R>(board, board.seeds())))
            .flatten()?;
        score.proven().is_some().then_some(score)
    }
}

/// The side to move, with its result and lead; the stores decide an unfinished game.
fn outcome(position: &Position) -> (Side, Verdict, i8) {
    let by_stores = Ending::by_stores(position.board());
    (position.side(), position.verdict().unwrap_or(by_stores.verdict), by_stores.margin())
}
