//! Tests of `src/core/search/solver/ordering.rs`.

use kroo::endgames::Boards;
use kroo::game::{Awari1978, Game, Kalah, Pit, Position, ROW, Rules, Variant};
use kroo::search::solver::ordering::*;
use kroo::search::{Request, SearchMemory, Silent, prove, solver_takes};
use std::collections::BTreeSet;

fn largest_capture_agrees<R: Rules>(pits: usize) {
    for board in Boards::with(6) {
        let on_its_way = |pit: &Pit| pit.index() + usize::from(board.mover.pit(*pit)) < pits;
        let takes = |pit: Pit| {
            let sowing = R::sow(board, pit).expect("a sowing ends");
            let (sown, after) = (sowing.board, R::capture(sowing).seen_by_mover());
            after.mover.store() - sown.mover.store()
        };
        let largest = board.mover.occupied().into_iter().filter(on_its_way).map(takes).max().unwrap_or(0);
        assert_eq!(largest_capture::<R>(board.mover, board.other), i32::from(largest), "{board:?}");
    }
}

#[test]
fn the_largest_capture_is_that_of_the_rules() {
    largest_capture_agrees::<Kalah>(ROW);
    largest_capture_agrees::<Awari1978>(PAST_OTHER_ROW);
}

#[test]
fn a_sowing_of_as_many_seeds_as_home_has_keeps_the_turn() {
    for board in Boards::with(7) {
        let keeps = |pit: &Pit| Kalah::play(board, *pit).is_some_and(|step| step.again);
        let keepers = Kalah::moves(board).into_iter().filter(keeps).count();
        assert_eq!(board.mover.like(home::<Kalah>()).len() as usize, keepers, "{board:?}");
    }
}

/// The nodes of proofs are to the solver as the bench signature is to the search: a change in the order of moves, or in the
/// results that the table keeps, gives other numbers.
#[test]
fn the_nodes_of_proofs_are_a_signature_of_the_solver() {
    let nodes = |variant: Variant, seeds, target| {
        let start = Position::start(variant.with_seeds(seeds).expect("in the range"));
        let memory = SearchMemory::new(16).expect("memory");
        prove(&Request::new(&Game::new(start)), target, &memory, &mut Silent).nodes
    };
    assert_eq!(nodes(Variant::Kalah, 3, 3), 171_255);
    assert_eq!([0, 10].map(|target| nodes(Variant::Awari1978, 3, target)), [54_631, 15_365]);
}

#[test]
fn the_solver_takes_the_games_that_come_to_an_end() {
    let takes = |&variant: &Variant| solver_takes(&Position::start(variant));
    let taken: BTreeSet<&str> =
        Variant::ALL.iter().filter(|variant| takes(variant)).map(|variant| variant.name()).collect();
    assert_eq!(taken, BTreeSet::from(["avalanche", "awari1978", "kalah"]));
}
