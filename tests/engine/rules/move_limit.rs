//! The move limit: near it the search plays for the stores at that move, like exhaustive search.

use kroo::endgames::Boards;
use kroo::game::{Board, Game, Kalah, Position, RuleOptions, Rules as _, Variant};
use kroo::search::claims::{MoveLimit, settling_plies};
use kroo::search::{Request, SearchMemory, Silent, search};
use kroo::value::UNKNOWN_PLIES;
use kroo::value::{Proof, Score, Value};
use proptest::prelude::*;
use std::collections::HashMap;
use support::games::{any_game, is_over};
use support::limit::Limited;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Also with a table that has the same boards with other numbers of moves left.
    #[test]
    fn near_the_limit_the_search_is_exact(game in any_game(0..160), moves_left in 1..=4u32) {
        prop_assume!(!is_over(&game));
        let table = SearchMemory::new(1).expect("memory");
        for moves_left in [moves_left + 1, moves_left] {
            let move_limit = game.moves().len() + moves_left as usize;
            let request = Request { move_limit, ..Request::new(&game) };
            let score = search(&request, &table, &mut Silent).score;
            let (verdict, margin) = Limited::new(game.position().variant(), &game).value(moves_left);
            let expected = Value::ended(verdict, margin as i8);
            let seeds = game.position().board().seeds();
            if seeds > 7 || score.proof.is_exact() {
                prop_assert!(score.proof.is_exact(), "{} with {} moves left", game.position(), moves_left);
                prop_assert_eq!(score.value, expected, "{} with {} moves left", game.position(), moves_left);
            } else {
                // A winner that deadlines make sure is all that the search proves.
                let verdict = Score { value: expected, proof: Proof::EXACT }.proven();
                prop_assert_eq!(score.proven(), verdict, "{} with {} moves left", game.position(), moves_left);
            }
        }
    }

    /// No proof of these games takes 1,000 moves, so that limit changes nothing.
    #[test]
    fn a_limit_far_away_is_not_seen(game in any_game(0..60)) {
        prop_assume!(!is_over(&game));
        // Boards with deadlines are searched otherwise.
        prop_assume!(game.position().board().seeds() > 14);
        let report = |move_limit| {
            let request = Request { move_limit, nodes: 5_000, ..Request::new(&game) };
            search(&request, &SearchMemory::new(1).expect("memory"), &mut Silent)
        };
        let (without, with) = (report(0), report(game.moves().len() + 1000));
        prop_assert_eq!((&without.pv, without.nodes, without.score), (&with.pv, with.nodes, with.score));
    }
}

/// The values of boards with empty stores for their movers, by the plies left to a limit where the stores decide.
type Values = HashMap<(Board, u32), i32>;

fn value_at_limit(board: Board, left: u32, known: &mut Values) -> i32 {
    if let Some(ending) = Kalah::ending(board) {
        return ending.margin().into();
    }
    if left == 0 {
        return 0;
    }
    if let Some(&value) = known.get(&(board, left)) {
        return value;
    }
    let mut offer = |pit| {
        let step = Kalah::play(board, pit).expect("every sowing ends");
        let value =
            i32::from(step.board.lead()) + value_at_limit(step.board.without_stores(), left - 1, known);
        if step.again { value } else { -value }
    };
    let best = Kalah::moves(board).into_iter().map(&mut offer).max().expect("it is not over");
    known.insert((board, left), best);
    best
}

/// With the rest to the opponent, games are longer than with the usual rules: three plies a seed are too few.
#[test]
fn a_limit_beyond_the_plies_that_settle_a_board_changes_no_value() {
    const SEEDS: u8 = 5;
    for options in RuleOptions::ALL {
        let mut known = Values::new();
        for board in Boards::with(SEEDS).map(|board| board.with_options(options)) {
            let settled = settling_plies::<Kalah>(board, SEEDS).into();
            let value = value_at_limit(board, settled, &mut known);
            assert_eq!(value, value_at_limit(board, settled + 15, &mut known), "{options:?} {board:?}");
        }
    }
}

#[test]
fn a_game_is_at_its_limit_from_that_move_on_and_never_at_none() {
    let mut game = Game::new(Position::start(Variant::Kalah));
    let at = |game: &Game| [0, 1, 2].map(|limit| game.is_at_limit(limit));
    assert_eq!(at(&game), [false; 3]);
    game.play(game.position().moves()[0]).expect("a listed move");
    assert_eq!(at(&game), [false, true, false]);
    game.play(game.position().moves()[0]).expect("a listed move");
    assert_eq!(at(&game), [false, true, true]);
}

#[test]
fn the_search_sees_the_limit_from_forty_plies_on() {
    let game = Game::new(Position::start(Variant::Kalah));
    for (move_limit, is_near, allowed) in
        [(0, false, [true; 3]), (41, false, [true, false, false]), (1, true, [false; 3])]
    {
        let limit = MoveLimit::new(&Request { move_limit, ..Request::new(&game) });
        assert_eq!(
            (limit.is_near(), [41, 42, UNKNOWN_PLIES].map(|plies| limit.allows(0, plies))),
            (is_near, allowed)
        );
        assert_eq!(limit.allows(1, 40), limit.allows(0, 41));
    }
    assert!(MoveLimit::new(&Request { move_limit: 40, ..Request::new(&game) }).is_near());
}
