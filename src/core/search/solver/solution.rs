//! What is known of the first boards of solved games, computed once and compiled in.
//!
//! Near the start, proofs take longest and boards are few. There are two kinds of files:
//!
//! - the values of all boards after a number of plies, a byte for each: its mover's gain. The order of the boards and the values
//!   of earlier ones follow from the rules. `awari1978` has one of seven plies. The solver makes it without a compiled-in one
//!   ([`Request::solution`](crate::search::Request::solution)), so it copies no mistakes: `cargo bench -p bench --bench
//!   solved_games -- solution awari1978 --plies 7`;
//! - the best play from some starts (`best_play.rs`), where too many boards take long. `kalah` has one.

use super::best_play::{self, Known};
use super::bounds::ProvenBounds;
use crate::game::{Board, Pit, Position, ROW, Rules, Side, Step, Variant};
use crate::under;
use ahash::{HashMapExt as _, HashSet};
use once_cell::sync::OnceCell;
use std::cmp::Reverse;

/// The bounds of the first boards' gains.
pub(super) struct Solution {
    known: Known,
}

impl Solution {
    /// The solution of a rule set's openings, if one is compiled in.
    pub fn built_in<R: Rules>() -> Option<&'static Solution> {
        static ALL: [OnceCell<Option<Solution>>; Variant::ALL.len()] =
            [const { OnceCell::new() }; Variant::ALL.len()];
        let read = || {
            let values = R::ABOUT.solution.map(read_values::<R>);
            let known = values.or_else(|| R::ABOUT.best_play.map(best_play::read::<R>));
            known.map(|known| Solution { known })
        };
        ALL[R::VARIANT.index()].get_or_init(read).as_ref()
    }

    /// What is known of a board's gain.
    pub fn bounds(&self, board: Board) -> Option<ProvenBounds> {
        self.known.get(&board.without_stores()).copied()
    }

    /// A board's gain, if it is known.
    pub fn gain(&self, board: Board) -> Option<i8> {
        self.bounds(board).filter(|bounds| bounds.at_least == bounds.at_most).map(|bounds| bounds.at_least)
    }

    /// A move that gains at least `gain`, if one is known.
    pub fn move_that_gains(&self, board: Board, gain: i8) -> Option<Pit> {
        self.bounds(board).filter(|bounds| bounds.at_least >= gain)?.pit
    }
}

/// Reads the values of all boards after a number of plies.
///
/// # Panics
/// If they are not for this rule set.
fn read_values<R: Rules>(file: &[u8]) -> Known {
    let [plies, bytes @ ..] = file else { panic!("a solution has a number of plies") };
    let mut layers = layers::<R>(*plies);
    let last = layers.pop().expect("the start");
    assert_eq!(last.len(), bytes.len(), "a solution has a byte for each board");
    let exact = |gain, pit| ProvenBounds { at_least: gain, at_most: gain, pit };
    let mut known = Known::with_capacity(2 * last.len());
    known.extend(last.into_iter().zip(bytes.iter().map(|&byte| exact(byte.cast_signed(), None))));
    for board in layers.into_iter().rev().flatten() {
        let gain_by = |step: Step| {
            let (lead, to) = (step.board.lead(), step.board.without_stores());
            let next = match R::ending(to) {
                Some(ending) => ending.margin(),
                None => known.get(&to).expect("what comes after is known").at_least,
            };
            if step.again { lead + next } else { -lead - next }
        };
        // The first of the best moves.
        let best = steps::<R>(board).map(|(pit, step)| (gain_by(step), Reverse(pit))).max();
        let (gain, Reverse(pit)) = best.expect("a board that is not over has a move");
        known.insert(board, exact(gain, Some(pit)));
    }
    known
}

fn steps<R: Rules>(board: Board) -> impl Iterator<Item = (Pit, Step)> {
    R::moves(board).into_iter().filter_map(move |pit| Some((pit, R::play(board, pit)?)))
}

/// The boards with empty stores after no ply, one ply, and so on, that are not over, each seen by its mover and listed once,
/// where it first occurs.
fn layers<R: Rules>(plies: u8) -> Vec<Vec<Board>> {
    let mut layers = vec![vec![Position::start(R::VARIANT).board()]];
    for _ in 0..plies {
        let mut seen = HashSet::default();
        let reached = layers.last().into_iter().flatten().flat_map(|&board| steps::<R>(board));
        let boards = reached.map(|(_, step)| step.board.without_stores());
        let layer = boards.filter(|&board| R::ending(board).is_none() && seen.insert(board)).collect();
        layers.push(layer);
    }
    layers
}

/// Reads the solution of a rule set's opening, if there is one, so that the first search does not wait for it.
pub fn prepare(variant: Variant) {
    let _ = under!(variant, R => Solution::built_in::<R>());
}

/// The positions of an opening's solution of `plies` plies, in order; seeds not in the pits are in the mover's store.
pub fn positions_of_solution(variant: Variant, plies: u8) -> Vec<Position> {
    let all = 2 * ROW as u8 * variant.rule_set().seeds_a_pit();
    let position = |board: Board| {
        let board = Board { mover: board.mover.bank(all - board.seeds()), ..board };
        under!(variant, R => Position::new::<R>(board, Side::South))
    };
    under!(variant, R => layers::<R>(plies)).pop().into_iter().flatten().map(position).collect()
}
