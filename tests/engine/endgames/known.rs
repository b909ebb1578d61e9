//! The endgames against published results, and against the rules themselves.

use kroo::endgames::{Boards, Endgames, Indexing, board_count};
use kroo::game::{
    Awari, Awari1978, Ayoayo, Board, Flag, Kalah, Position, ROW, Row, Rules, Side, Variant, Verdict, Visitor,
};
use kroo::value::{CENTISEEDS, Score, Value};
use proptest::prelude::*;
use std::thread;
use support::data::{SOLVED, SOLVED_MARGINS, lines};
use support::fixpoint::solve;
use support::games::promised;
use support::naive::{Naive, Rules as NaiveRules};

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

/// A board from twelve pits and the mover's store.
fn board<R: Rules>(pits: [u8; 2 * ROW], store: u8) -> Board {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = pits;
    let rest = R::SEEDS - store - pits.iter().sum::<u8>();
    Board { mover: Row::new([a, b, c, d, e, f], store), other: Row::new([g, h, i, j, k, l], rest) }
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

/// A position's side to move and value after a move of the naive model, by the endgames or by the end.
fn naive_worth<R: Rules>(endgames: &Endgames, naive: &Naive, side: usize) -> Value {
    let lead = naive.stores[side] as i8 - naive.stores[1 - side] as i8;
    if let Some(result) = naive.result {
        let won = if side == 0 { result } else { -result };
        let verdict = [Verdict::Loss, Verdict::Draw, Verdict::Win][(won + 1) as usize];
        return Value::ended(verdict, lead);
    }
    let position = Position::parse(R::VARIANT, &naive.text()).expect("a position");
    let score = endgames.probe::<R>(position.board(), position.board().seeds()).expect("built");
    if naive.side == side { score.value } else { score.value.turned() }
}

/// Every board has the best value that its moves offer, by rules that are not the endgames'.
fn is_the_best_of_its_moves<R: Rules>(seeds: u8) {
    let endgames = Endgames::new();
    assert!(endgames.build::<R>(seeds, &mut || false));
    let rules = NaiveRules::named(R::VARIANT.name());
    let mut checked = 0;
    for pits in
        (1..=seeds).flat_map(Boards::with).map(|board| [board.mover.pits(), board.other.pits()].concat())
    {
        let stored = R::SEEDS - pits.iter().sum::<u8>();
        let pits: [u8; 2 * ROW] = pits.try_into().expect("twelve");
        for store in [stored / 2, stored.div_ceil(2), stored / 2 - 1, stored / 2 + 2] {
            for second in [false, true] {
                let board = board::<R>(pits, store).flag_if(Flag::SecondMove, second);
                let position = Position::new::<R>(board, Side::South);
                if second && !R::SECOND_MOVE || position.verdict().is_some() {
                    continue;
                }
                let naive = Naive::parse(rules, &position.to_string());
                let offers = naive.legal().into_iter().map(|pit| {
                    let mut after = naive.clone();
                    after.play(pit);
                    promised(R::VARIANT, naive_worth::<R>(&endgames, &after, 0))
                });
                let best = offers.max().expect("a game that goes on has a move");
                let score = endgames.probe::<R>(board, board.seeds()).expect("built");
                assert_eq!(promised(R::VARIANT, score.value), best, "{} {position}", R::VARIANT);
                checked += 1;
            }
        }
    }
    assert!(checked > 4000, "{checked}");
}

#[test]
fn boards_are_worth_the_best_of_their_moves() {
    is_the_best_of_its_moves::<Awari>(4);
    is_the_best_of_its_moves::<Awari1978>(4);
    is_the_best_of_its_moves::<Ayoayo>(4);
    is_the_best_of_its_moves::<Kalah>(4);
}

/// With cycles, the equation of the previous test has several solutions; the right one is the fixpoint.
fn is_the_fixpoint<R: Rules>() {
    const SEEDS: u8 = 3;
    let endgames = Endgames::new();
    assert!(endgames.build::<R>(SEEDS, &mut || false));
    let values = solve(R::VARIANT, SEEDS);
    for (&board, &truth) in &values {
        let score = endgames.probe::<R>(board, board.seeds()).expect("built");
        assert_eq!(
            promised(R::VARIANT, score.value),
            promised(R::VARIANT, truth),
            "{} {board:?}",
            R::VARIANT
        );
        assert!(!score.proof.at_least || truth >= score.value, "{board:?}: {score:?}, but {truth:?}");
        assert!(!score.proof.at_most || truth <= score.value, "{board:?}: {score:?}, but {truth:?}");
    }
    assert!(values.len() > 1000);
}

#[test]
fn values_are_those_of_the_fixpoint_for_all_stores() {
    is_the_fixpoint::<Awari>();
    is_the_fixpoint::<Awari1978>();
    is_the_fixpoint::<Ayoayo>();
    is_the_fixpoint::<Kalah>();
}

/// One seed more in the store never makes a result worse.
#[test]
fn more_in_the_store_is_no_worse() {
    let endgames = Endgames::new();
    assert!(endgames.build::<Awari>(6, &mut || false));
    let mut changes = 0;
    for pits in (1..=6).flat_map(Boards::with).step_by(3) {
        let flat: [u8; 2 * ROW] = [pits.mover.pits(), pits.other.pits()].concat().try_into().expect("twelve");
        let seeds = pits.seeds();
        let verdict =
            |store: u8| endgames.probe::<Awari>(board::<Awari>(flat, store), seeds).expect("built").proven();
        // Finished boards are not probed.
        let verdicts: Vec<_> =
            (24 - seeds..=24).filter(|store| 48 - seeds - store <= 24).map(verdict).collect();
        assert!(verdicts.iter().all(Option::is_some) && verdicts.is_sorted(), "{pits:?}: {verdicts:?}");
        changes += usize::from(verdicts.first() != verdicts.last());
    }
    assert!(changes > 1000, "{changes}");
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
