//! What the search claims about boards with few seeds, against their solution: with endgames and without, for one line and for
//! several, with what earlier searches have left in the table.

use super::paths::check;
use kroo::game::{Awari, Ayoayo, Game, Position, Rules, Side};
use kroo::search::{Purpose, Report, ReportedLine, Request, SearchMemory, Silent, TablebasePolicy, search};
use kroo::value::Score;
use support::fixpoint::{boards, known, solve};

/// Seeds on the largest boards.
const SEEDS: u8 = 4;
/// One board in this many is searched.
const STRIDE: usize = 11;

/// Searches boards one after the other, and checks what is said of each line. Returns the reports.
fn reports<R: Rules>(purpose: Purpose, multipv: usize, endgame_seeds: u8, nodes: u64) -> Vec<Report> {
    let values = solve(R::VARIANT, SEEDS);
    let table = SearchMemory::new(1).expect("memory");
    let tablebase = if endgame_seeds == 0 { TablebasePolicy::UpTo(0) } else { TablebasePolicy::Earned };
    let all = (1..=SEEDS).flat_map(|seeds| boards(R::VARIANT, seeds));
    let mut reports = Vec::new();
    for board in all.filter(|board| values.contains_key(board)).step_by(STRIDE) {
        let position = Position::new::<R>(board, Side::South);
        if position.verdict().is_some() {
            continue;
        }
        let request = Request { purpose, nodes, depth: 30, ..Request::new(&Game::new(position)) };
        let report = search(&Request { multipv, endgame_seeds, tablebase, ..request }, &table, &mut Silent);
        for ReportedLine { score, pv: line, .. } in report.lines() {
            let step = R::play(board, line[0].pit).expect("legal");
            // The score of one line is that of the position.
            let of_move = known(R::VARIANT, &values, step.board).turned();
            let truth = if multipv == 1 { values[&board] } else { of_move };
            check(score, truth, &format!("{position} {}", line[0]));
        }
        reports.push(report);
    }
    reports
}

fn share(reports: &[Report], counts: impl Fn(Score) -> bool) -> f64 {
    reports.iter().filter(|report| counts(report.score)).count() as f64 / reports.len() as f64
}

/// A move that leads to a known win sooner is preferred to one that wins by more.
#[test]
fn what_is_claimed_of_a_known_win_in_awari_is_right() {
    let reports = reports::<Awari>(Purpose::Move, 1, SEEDS, 300);
    assert!(share(&reports, |score| score.proven().is_some()) == 1.0);
    assert!(share(&reports, |score| score.proof.is_exact()) > 0.5);
}

/// A search for the value looks for a larger win.
#[test]
fn most_values_in_awari_are_proven() {
    let reports = reports::<Awari>(Purpose::Value, 1, SEEDS, 3_000);
    assert!(share(&reports, |score| score.proof.is_exact()) > 0.85);
}

/// A side that returns to the root may play another line's move.
#[test]
fn what_is_claimed_of_a_second_line_in_awari_is_right() {
    let reports = reports::<Awari>(Purpose::Move, 2, 0, 3_000);
    assert!(share(&reports, |score| score.proven().is_some()) > 0.7);
}

#[test]
fn every_line_in_ayoayo_is_exact_and_soon_if_it_is_known() {
    for (multipv, endgame_seeds, most_nodes) in [(1, 0, 4), (1, SEEDS, 3), (2, SEEDS, 4), (6, 0, 5)] {
        let reports = reports::<Ayoayo>(Purpose::Move, multipv, endgame_seeds, 1_000);
        for report in &reports {
            assert!(report.lines().iter().all(|line| line.score.proof.is_exact()), "{report:?}");
        }
        let nodes: u64 = reports.iter().map(|report| report.nodes).sum();
        assert!(nodes < most_nodes * reports.len() as u64, "{nodes} nodes for {} boards", reports.len());
    }
}
