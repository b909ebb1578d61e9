//! Every proven value against complete solutions of all boards with a few seeds ([`support::fixpoint`]).

use kroo::game::{Avalanche, Awari, Awari1978, Ayoayo, Game, Kalah, Position, Rules, Side};
use kroo::search::{ReportedLine, Request, SearchMemory, Silent, search};
use support::fixpoint::{boards, known, solve};

/// Maximum seeds on the board.
const SEEDS: u8 = 3;
/// One position in this many is searched; a prime, to avoid patterns.
const STRIDE: usize = 13;

/// Searches boards with one table, and compares each claim and its move with the solution.
fn check<R: Rules>(lines: usize, threads: usize, stride: usize) {
    let values = solve(R::VARIANT, SEEDS);
    let table = SearchMemory::new(1).expect("memory");
    let (mut searched, mut claims) = (0, 0);
    let all =
        (1..=SEEDS).flat_map(|seeds| boards(R::VARIANT, seeds)).filter(|board| values.contains_key(board));
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
        for (place, ReportedLine { score, pv: line, .. }) in report.lines().into_iter().enumerate() {
            let step = R::play(board, line[0].pit).expect("legal");
            let value = known(R::VARIANT, &values, step.board);
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
