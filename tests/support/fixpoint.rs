//! Complete solutions of all boards with a few seeds.
//!
//! A solution is a fixpoint: every board begins with the value of endless play, and takes the best that its moves offer until
//! nothing changes. It uses no search, paths or tables.

use kroo::game::{Board, Ending, Flag, ROW, Row, Rules, Variant};
use kroo::value::Value;
use std::collections::HashMap;

/// All distributions of seeds over twelve pits.
pub fn spreads(seeds: u8) -> Vec<[u8; 2 * ROW]> {
    let mut all = vec![[0; 2 * ROW]];
    for _ in 0..seeds {
        // A seed is only added at or after the last one, so no distribution occurs twice.
        let more = |pits: &[u8; 2 * ROW]| {
            let (pits, last) = (*pits, pits.iter().rposition(|&pit| pit > 0).unwrap_or(0));
            (last..2 * ROW).map(move |pit| {
                let mut next = pits;
                next[pit] += 1;
                next
            })
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}

/// All boards with `seeds` seeds, with any stores.
pub fn boards(variant: Variant, seeds: u8) -> Vec<Board> {
    under_rules!(variant, R => boards_of::<R>(seeds))
}

fn boards_of<R: Rules>(seeds: u8) -> Vec<Board> {
    let stored = R::SEEDS - seeds;
    let mut all = Vec::new();
    for pits in spreads(seeds) {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = pits;
        for store in 0..=stored {
            let mover = Row::new([a, b, c, d, e, f], store);
            let other = Row::new([g, h, i, j, k, l], stored - store);
            let board = Board { mover, other };
            all.push(board);
            if R::SECOND_MOVE {
                all.push(board.flag_if(Flag::SecondMove, true));
            }
        }
    }
    all
}

fn ending<R: Rules>(board: Board) -> Option<Ending> {
    let stuck = || R::moves(board).into_iter().all(|pit| R::play(board, pit).is_none());
    R::ending(board).or_else(|| stuck().then(|| R::stuck(board)))
}

/// The value of a board: that of its end, or a known one.
pub fn known(variant: Variant, values: &HashMap<Board, Value>, board: Board) -> Value {
    under_rules!(variant, R => known_of::<R>(values, board))
}

fn known_of<R: Rules>(values: &HashMap<Board, Value>, board: Board) -> Value {
    ending::<R>(board).map_or_else(|| values[&board], |ending| Value::of(&ending))
}

/// The best that a board's moves offer.
fn best<R: Rules>(values: &HashMap<Board, Value>, board: Board) -> Value {
    let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
    let offers = steps.map(|step| {
        let value = known_of::<R>(values, step.board);
        if step.again { value } else { value.turned() }
    });
    offers.max().expect("a board that is not over has a move")
}

/// The value of every unfinished board.
pub fn solve(variant: Variant, most_seeds: u8) -> HashMap<Board, Value> {
    under_rules!(variant, R => solve_of::<R>(most_seeds))
}

fn solve_of<R: Rules>(most_seeds: u8) -> HashMap<Board, Value> {
    let mut values = HashMap::new();
    for seeds in 0..=most_seeds {
        let live: Vec<Board> =
            boards_of::<R>(seeds).into_iter().filter(|&board| ending::<R>(board).is_none()).collect();
        values.extend(live.iter().map(|&board| (board, Value::of(&R::cycle(board)))));
        loop {
            let next: Vec<(Board, Value)> =
                live.iter().map(|&board| (board, best::<R>(&values, board))).collect();
            let changed = next.iter().any(|(board, value)| values[board] != *value);
            values.extend(next);
            if !changed {
                break;
            }
        }
    }
    values
}
