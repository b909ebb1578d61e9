//! The solution of an opening: the values of a game's first boards, computed once and compiled in.
//!
//! Near the start, proofs take longest and boards are few. The file has a number of plies, then a byte for each board after
//! exactly that number: its mover's gain. The order of the boards and the values of earlier ones follow from the rules.
//!
//! `awari1978` has one of seven plies. `cargo bench -p bench --bench solved_games -- solution awari1978 --plies 7` makes it
//! with the solver, without a compiled-in one ([`Request::solution`](crate::search::Request::solution)), so it copies no
//! mistakes.

use crate::game::{Board, Pit, Position, ROW, Rules, Side, Step, Variant, Visitor};
use ahash::{HashMap, HashMapExt as _, HashSet};
use once_cell::sync::OnceCell;

/// The gain of each board of the first plies for its mover.
pub(super) struct Solution {
    gains: HashMap<Board, i8>,
}

impl Solution {
    /// The solution of a rule set's opening, if one is compiled in.
    pub fn built_in<R: Rules>() -> Option<&'static Solution> {
        static ALL: [OnceCell<Option<Solution>>; Variant::ALL.len()] =
            [const { OnceCell::new() }; Variant::ALL.len()];
        let read = || R::ABOUT.solution.map(Solution::read::<R>);
        ALL[R::VARIANT.index()].get_or_init(read).as_ref()
    }

    /// Reads a file.
    ///
    /// # Panics
    /// If it is not for this rule set.
    fn read<R: Rules>(file: &[u8]) -> Solution {
        let [plies, bytes @ ..] = file else { panic!("a solution has a number of plies") };
        let mut layers = layers::<R>(*plies);
        let last = layers.pop().expect("the start");
        assert_eq!(last.len(), bytes.len(), "a solution has a byte for each board");
        let mut gains = HashMap::with_capacity(2 * last.len());
        gains.extend(last.into_iter().zip(bytes.iter().map(|&byte| byte.cast_signed())));
        let mut solution = Solution { gains };
        for board in layers.into_iter().rev().flatten() {
            let best = steps::<R>(board).map(|(_, step)| solution.gain_by::<R>(step));
            let best = best.max().expect("a board that is not over has a move");
            solution.gains.insert(board, best.expect("what comes after is known"));
        }
        solution
    }

    /// A board's gain for its mover.
    pub fn gain(&self, board: Board) -> Option<i8> {
        self.gains.get(&board.without_stores()).copied()
    }

    /// A move's gain from a board with empty stores.
    fn gain_by<R: Rules>(&self, step: Step) -> Option<i8> {
        let (lead, to) = (step.board.lead(), step.board.without_stores());
        let next = R::ending(to).map(|ending| ending.margin()).or_else(|| self.gain(to))?;
        Some(if step.again { lead + next } else { -lead - next })
    }

    /// A best move, if every move of the board is known.
    pub fn best_move<R: Rules>(&self, board: Board) -> Option<Pit> {
        let best = self.gain(board)?;
        let mut moves = steps::<R>(board.without_stores());
        moves.find(|&(_, step)| self.gain_by::<R>(step) == Some(best)).map(|(pit, _)| pit)
    }
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
    struct Read;
    impl Visitor for Read {
        type Output = ();
        fn visit<R: Rules>(self) {
            Solution::built_in::<R>();
        }
    }
    variant.visit(Read);
}

/// The positions of an opening's solution of `plies` plies, in order; seeds not in the pits are in the mover's store.
#[must_use]
pub fn positions_of_solution(variant: Variant, plies: u8) -> Vec<Position> {
    struct Positions(u8);
    impl Visitor for Positions {
        type Output = Vec<Position>;
        fn visit<R: Rules>(self) -> Vec<Position> {
            let all = 2 * ROW as u8 * R::SEEDS_A_PIT;
            let position = |board: Board| {
                let mover = board.mover.bank(all - board.seeds());
                Position::new::<R>(Board { mover, ..board }, Side::South)
            };
            layers::<R>(self.0).pop().into_iter().flatten().map(position).collect()
        }
    }
    variant.visit(Positions(plies))
}
