//! From `go` to a search: [`Plan::of`] makes a plan of limits, game and settings. The session, `kroo play` and `kroo analyse`
//! execute plans and build no requests of their own, except for `bench`.

pub mod background;
#[doc(hidden)]
pub mod endgame_files;
mod resources;

pub use endgame_files::built;
pub use resources::{ResourceError, Resources, eval_file_kind_changes, player_of, weights_of};

use crate::game::{Game, Move, Pit, Position, Side, Verdict};
use crate::level::Strength;
use crate::protocol::{Limits, MAX_DEPTH, Settings};
use crate::roster::PlayerName;
use crate::search::{self, Purpose, Request, TimeLimits};
use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The grammar and the search have the same maximum depth.
const _: () = assert!(MAX_DEPTH == search::MAX_DEPTH as u32);

/// Maximum search threads for each processor. With 128, a search of 300 ms took 0.4 to 8.5 s.
pub const THREADS_PER_PROCESSOR: usize = 4;

/// The plan of a `go`.
pub struct Plan {
    /// The source of the move.
    pub answer: Answer,
    /// The time limits of the side to move; `None` where only `stop` counts.
    pub time: Option<TimeLimits>,
    /// Whether the clock starts at `ponderhit`.
    pub ponders: bool,
    /// Whether the reply waits for `stop` or `ponderhit`.
    pub held: bool,
    /// Whether the search ends by itself.
    pub bounded: bool,
}

/// The source of the answer to a `go`.
pub enum Answer {
    /// The game is over, with this verdict for the side to move.
    GameOver(Verdict),
    /// A player, with this request.
    Search(Box<Request>),
}

impl Plan {
    /// The plan for limits in a game.
    ///
    /// # Errors
    /// If a move of `searchmoves` is illegal.
    pub fn of(
        limits: &Limits,
        game: &Game,
        settings: &Settings,
        resources: &Resources,
    ) -> Result<Plan, String> {
        let position = game.position();
        let answer = match position.verdict() {
            Some(verdict) => Answer::GameOver(verdict),
            None => {
                let only = legal_among(position, &limits.searchmoves)?;
                Answer::Search(Box::new(request(limits, game, only, settings, resources)))
            }
        };
        Ok(Plan {
            answer,
            time: (!limits.infinite).then(|| time_limits(limits, game, settings)),
            ponders: limits.ponder,
            held: limits.infinite || limits.ponder,
            bounded: limits.are_bounded(position.side()),
        })
    }
}

/// The number of threads, at most `wanted`, that search at once: more would wait for each other while the clock runs. A small
/// number is never reduced, which saves each `go` the ten system calls that count the processors.
pub fn useful_threads(wanted: usize) -> usize {
    if wanted <= THREADS_PER_PROCESSOR {
        return wanted;
    }
    wanted.min(THREADS_PER_PROCESSOR * thread::available_parallelism().map_or(1, NonZero::get))
}

fn legal_among(position: &Position, moves: &[Move]) -> Result<Vec<Pit>, String> {
    let legal = |&mv: &Move| match position.play(mv) {
        Ok(_) => Ok(mv.pit),
        Err(error) => Err(format!("go: searchmoves: `{mv}`: {error}")),
    };
    moves.iter().map(legal).collect()
}

fn request(
    limits: &Limits,
    game: &Game,
    only: Vec<Pit>,
    settings: &Settings,
    resources: &Resources,
) -> Request {
    let (tablebase, endgames) = resources.endgame_files.policy(limits, resources.background.is_some());
    let most = MAX_DEPTH;
    // A win in N moves of the mover is within 2 N plies where sides alternate.
    let mate = limits.mate.map_or(most, |moves| moves.saturating_mul(2));
    Request {
        search_moves: only,
        depth: limits.depth.unwrap_or(most).min(mate).min(most) as u8,
        nodes: limits.nodes.unwrap_or(u64::MAX),
        move_limit: settings.move_limit,
        purpose: match limits.mate {
            Some(_) => Purpose::FirstWin,
            // No move is awaited, so the search should find the exact result.
            None if limits.are_open() => Purpose::Analysis,
            None => Purpose::Move,
        },
        multipv: settings.multipv,
        threads: useful_threads(settings.threads),
        weights: Arc::clone(&resources.weights),
        endgames,
        endgame_seeds: settings.endgame_seeds,
        tablebase,
        solution: settings.solution
            && limits.by_time()
            && settings.strength() == Strength::FULL
            && settings.player == PlayerName::Kroo,
        ..Request::new(game)
    }
}

/// The time limits of the side to move.
fn time_limits(limits: &Limits, game: &Game, settings: &Settings) -> TimeLimits {
    let (left, increment) = match game.position().side() {
        Side::South => (limits.wtime, limits.winc),
        Side::North => (limits.btime, limits.binc),
    };
    let own_moves_left = game.moves_left(settings.move_limit).map(|moves| moves.div_ceil(2));
    TimeLimits {
        movetime: limits.movetime.map(Duration::from_millis),
        left: left.map(|time| Duration::from_millis(time.max(0) as u64)),
        increment: Duration::from_millis(increment.unwrap_or(0)),
        moves_to_go: limits.movestogo.filter(|&moves| moves > 0).into_iter().chain(own_moves_left).min(),
        overhead: Duration::from_millis(settings.move_overhead_ms),
    }
}
