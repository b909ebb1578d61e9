//! Every proven value against complete solutions of all boards with a few seeds.
//!
//! The solution is a fixpoint: every board begins with the value of endless play, and takes the best that its moves offer until
//! nothing changes. It uses no search, paths or tables.

use kroo::game::{
    Avalanche, Awari, Awari1978, Ayoayo, Board, Ending, Flag, Game, Kalah, Position, ROW, Row, Rules, Side,
};
use kroo::search::{Request, SearchMemory, Silent, search};
use kroo::value::Value;
use std::collections::HashMap;

/// Maximum seeds on the board.
const SEEDS: u8 = 3;
/// One position in this many is searched; a prime, to avoid patterns.
const STRIDE: usize = 13;

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
pub fn boards<R: Rules>(seeds: u8) -> Vec<Board> {
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
pub fn known<R: Rules>(values: &HashMap<Board, Value>, board: Board) -> Value {
    ending::<R>(board).map_or_else(|| values[&board], |ending| Value::of(&ending))
}

/// The best that a board's moves offer.
fn best<R: Rules>(values: &HashMap<Board, Value>, board: Board) -> Value {
    let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
    let offers = steps.map(|step| {
        let value = known::<R>(values, step.board);
        if step.again { value } else { value.turned() }
    });
    offers.max().expect("a board that is not over has a move")
}

/// The value of every unfinished board.
pub fn solve<R: Rules>(most_seeds: u8) -> HashMap<Board, Value> {
    let mut values = HashMap::new();
    for seeds in 0..=most_seeds {
        let live: Vec<Board> =
            boards::<R>(seeds).into_iter().filter(|&board| ending::<R>(board).is_none()).collect();
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

/// Searches boards with one table, and compares each claim and its move with the solution.
fn check<R: Rules>(lines: usize, threads: usize, stride: usize) {
    let values = solve::<R>(SEEDS);
    let table = SearchMemory::new(1).expect("memory");
    let (mut searched, mut claims) = (0, 0);
    let all = (1..=SEEDS).flat_map(boards::<R>).filter(|board| values.contains_key(board));
    for (index, board) in all.enumerate().filter(|(index, _)| index % stride == 0) {
        searched += 1;
        let position = Position::new::<R>(board, Side::South);
        let nodes = if index % 2 == 0 { 300 } else { 3000 };
        let request =
            Request { depth: 40, nodes, multipv: lines, threads, ..Request::new(&Game::new(position)) };
        let report = search(&request, &table, &mut Silent);
        let (score, truth) = (report.score, values[&board]);
        assert!(!score.proof.at_least || truth >= score.value, "{position}: {score:?}, but {truth:?}");
        assert!(!score.proof.at_most || truth <= score.value, "{position}: {score:?}, but {truth:?}");
        claims += u32::from(score.proof.at_least);
        let best = (report.score, report.pv.clone());
        for (place, (score, line)) in std::iter::once(&best).chain(&report.others).enumerate() {
            let step = R::play(board, line[0].pit).expect("legal");
            let value = known::<R>(&values, step.board);
            let value = if step.again { value } else { value.turned() };
            let told =
                format!("{position}: line {} ({}) is called {score:?}, but {value:?}", place + 1, line[0]);
            assert!(!score.proof.at_least || value >= score.value, "{told}");
            assert!(!score.proof.at_most || value <= score.value, "{told}");
        }
    }
    assert!(claims * 3 > searched, "only {claims} claims in {searched} searches");
}

/// One line on one thread; all lines; two threads; and both.
fn check_all<R: Rules>() {
    check::<R>(1, 1, STRIDE);
    check::<R>(6, 1, STRIDE + 4);
    check::<R>(1, 2, 4 * STRIDE + 1);
    check::<R>(6, 2, 4 * STRIDE + 7);
}

#[test]
fn awari() {
    check_all::<Awari>();
}

#[test]
fn awari1978() {
    check_all::<Awari1978>();
}

#[test]
fn ayoayo() {
    check_all::<Ayoayo>();
}

#[test]
fn kalah() {
    check_all::<Kalah>();
}

#[test]
fn avalanche() {
    check_all::<Avalanche>();
}
