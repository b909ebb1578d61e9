//! The endgames against published results, and against the rules themselves.

use kroo::endgames::{Boards, Endgames, Indexing, board_count};
use kroo::game::{
    Awari, Awari1978, Ayoayo, Board, Kalah, Position, ROW, Row, Rules, Variant, Verdict, Visitor,
};
use kroo::value::{CENTISEEDS, Score};
use proptest::prelude::*;
use std::thread;
use support::data::{SOLVED, SOLVED_MARGINS, lines};

/// Probes a position, after building the databases that it needs.
struct Probe<'a>(&'a Endgames, Position);

impl Visitor for Probe<'_> {
    type Output = Option<Score>;

    fn visit<R: Rules>(self) -> Option<Score> {
        let Probe(endgames, position) = self;
        let seeds = position.board().seeds();
        assert!(endgames.build::<R>(seeds, &mut || false));
        endgames.probe::<R>(position.board(), seeds)
    }
}

fn position(words: &[&str]) -> Position {
    let variant: Variant = words[0].parse().expect("a rule set");
    Position::parse(variant, words[1]).expect("a position")
}

#[test]
fn solved_positions() {
    let endgames = Endgames::new();
    for (line, words) in lines(SOLVED) {
        let position = position(&words);
        let verdict = position.verdict().unwrap_or_else(|| {
            let score = position.variant().visit(Probe(&endgames, position)).expect("covered");
            score.proven().expect("certain")
        });
        let expected: i32 = words[2].parse().expect("a result");
        assert_eq!(verdict as i32 - Verdict::Draw as i32, expected, "line {line}");
    }
}

#[test]
fn solved_margins() {
    let endgames = Endgames::new();
    let mut checked = 0;
    for (line, words) in lines(SOLVED_MARGINS) {
        let position = position(&words);
        if position.verdict().is_some() || position.board().seeds() > 11 {
            continue;
        }
        let score = position.variant().visit(Probe(&endgames, position)).expect("covered");
        let expected: i32 = words[2].parse().expect("a margin");
        assert_eq!(score.value.centiseeds(), expected * CENTISEEDS, "line {line}");
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
}

fn any_pits() -> impl Strategy<Value = [u8; 2 * ROW]> {
    (0..=48usize, prop::collection::vec(0..2 * ROW, 48), 0..2 * ROW).prop_map(|(seeds, places, heap)| {
        let mut pits = [0; 2 * ROW];
        // Some seeds are heaped, so that large pits are not rare.
        places[..seeds].iter().for_each(|&pit| pits[if pit < heap { heap } else { pit }] += 1);
        pits
    })
}

proptest! {
    /// On boards of any size, an index is below the count, differs from its neighbours', and does not depend on the stores.
    /// Indices increase in the order that compares the last pit that differs.
    #[test]
    fn numbers_tell_boards_apart(pits in any_pits(), from in 0..2 * ROW, to in 0..2 * ROW, store in 0..40u8) {
        let rank = |pits: [u8; 2 * ROW], store: u8| {
            let [a, b, c, d, e, f, g, h, i, j, k, l] = pits;
            let (mover, other) = (Row::new([a, b, c, d, e, f], store), Row::new([g, h, i, j, k, l], store / 2));
            Indexing::get().rank(Board { mover, other })
        };
        let number = rank(pits, 0);
        prop_assert!(number < board_count(pits.iter().sum()));
        prop_assert_eq!(number, rank(pits, store));
        prop_assume!(pits[from] > 0 && from != to);
        let mut moved = pits;
        moved[from] -= 1;
        moved[to] += 1;
        // The order of indices: by the seeds of the other row, then by that row, then by the mover's; of two rows, the one with
        // more seeds before the last difference comes later.
        let seeds = |pits: &[u8; 2 * ROW], row: usize| pits[row * ROW..][..ROW].iter().sum::<u8>();
        let row = |row: usize| {
            let sums = |pits: &[u8; 2 * ROW], pit: usize| pits[row * ROW..][..pit].iter().sum::<u8>();
            (1..ROW).rev().map(|pit| sums(&pits, pit).cmp(&sums(&moved, pit))).collect::<Vec<_>>()
        };
        let by_seeds = seeds(&pits, 1).cmp(&seeds(&moved, 1));
        let order = [vec![by_seeds], row(1), row(0)].concat();
        let order = order.into_iter().find(|order| order.is_ne()).expect("they differ");
        prop_assert_eq!(number.cmp(&rank(moved, 0)), order, "{:?} and {:?}", pits, moved);
    }
}

/// A stop at any time leaves whole databases, and later builds give the same values as an uninterrupted one.
fn can_be_stopped<R: Rules>() {
    const SEEDS: u8 = 6;
    let whole = Endgames::new();
    let mut looks = 0;
    assert!(whole.build::<R>(SEEDS, &mut || {
        looks += 1;
        false
    }));
    assert_eq!(whole.built::<R>(), Some(SEEDS));
    let broken = Endgames::new();
    for enough in 0..looks {
        let mut left = enough;
        let done = broken.build::<R>(SEEDS, &mut || {
            left -= 1;
            left < 0
        });
        assert_eq!(done, broken.built::<R>() == Some(SEEDS));
        if let Some(built) = broken.built::<R>() {
            let rank = enough as usize * 7919 % board_count(built);
            let board = Boards::with(built).nth(rank).expect("a board with this rank");
            if R::ending(board).is_none() {
                assert_eq!(broken.probe::<R>(board, built), whole.probe::<R>(board, built));
            }
        }
        let above = broken.built::<R>().map_or(0, |built| built + 1);
        let first = Boards::with(above).next().expect("a board");
        assert!(above > SEEDS || broken.probe::<R>(first, above).is_none());
    }
    same::<R>(&whole, &broken, SEEDS);
}

/// All boards have the same values in two sets.
fn same<R: Rules>(one: &Endgames, other: &Endgames, seeds: u8) {
    assert_eq!((one.built::<R>(), other.built::<R>()), (Some(seeds), Some(seeds)));
    for board in (1..=seeds).flat_map(Boards::with).filter(|&board| R::ending(board).is_none()) {
        assert_eq!(one.probe::<R>(board, board.seeds()), other.probe::<R>(board, board.seeds()), "{board:?}");
    }
}

#[test]
fn building_can_be_stopped_anywhere() {
    can_be_stopped::<Awari>();
    can_be_stopped::<Awari1978>();
    can_be_stopped::<Ayoayo>();
    can_be_stopped::<Kalah>();
}

#[test]
fn two_threads_may_build_at_once() {
    let (alone, shared) = (Endgames::new(), Endgames::new());
    assert!(alone.build::<Awari>(7, &mut || false));
    thread::scope(|scope| {
        let builders: Vec<_> =
            (0..2).map(|_| scope.spawn(|| shared.build::<Awari>(7, &mut || false))).collect();
        assert!(builders.into_iter().all(|builder| builder.join().expect("it ends")));
    });
    same::<Awari>(&alone, &shared, 7);
}
