//! Endgames compared with each other.

use kroo::endgames::{Boards, Endgames};
use kroo::game::{Board, Flag, Rules, Variant};

/// Compares two sets on all boards with `seeds` seeds and any store.
pub fn agree(variant: Variant, one: &Endgames, other: &Endgames, seeds: u8) {
    under_rules!(variant, R => agree_of::<R>(one, other, seeds));
}

fn agree_of<R: Rules>(one: &Endgames, other: &Endgames, seeds: u8) {
    for board in Boards::with(seeds) {
        for store in 0..=R::SEEDS - seeds {
            let rest = R::SEEDS - seeds - store;
            let board = Board { mover: board.mover.bank(store), other: board.other.bank(rest) };
            for board in [board, board.flag_if(Flag::SecondMove, R::SECOND_MOVE)] {
                assert_eq!(one.probe::<R>(board, seeds), other.probe::<R>(board, seeds), "{board:?}");
            }
        }
    }
}
