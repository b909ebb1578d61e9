//! Tests of `src/core/search/joint_proof.rs` and of proofs that several threads share.

use kroo::game::{Game, Pit, Position, Variant};
use kroo::search::joint_proof::{Claim, JointProof};
use kroo::search::{
    Observer, Purpose, Report, ReportedLine, Request, SearchMemory, Silent, TablebasePolicy, search,
};
use support::games::{is_over, random_game};
use support::one_of;

/// A search whose solver gets most of the nodes.
fn analysis(game: &Game, threads: usize) -> Request {
    let tablebase = TablebasePolicy::Available;
    Request { purpose: Purpose::Analysis, threads, tablebase, ..Request::new(game) }
}

/// The exact values of all moves.
fn values(game: &Game, threads: usize) -> Vec<(char, i32)> {
    let memory = SearchMemory::new(64).expect("memory");
    let multipv = game.position().moves().len();
    let report = search(&Request { multipv, ..analysis(game, threads) }, &memory, &mut Silent);
    let value = |line: ReportedLine| {
        assert!(line.score.proof.is_exact(), "{}, {threads} threads", game.position());
        (line.pv[0].letter(), line.score.value.centiseeds())
    };
    let mut values: Vec<_> = report.lines().into_iter().map(value).collect();
    values.sort_unstable();
    assert_eq!(values.len(), multipv);
    values
}

#[test]
fn threads_prove_the_same_values_of_all_moves() {
    let kalah3 = Variant::Kalah.with_seeds(3).expect("it is in the range");
    let start = Game::new(Position::start(kalah3));
    let wanted = [('A', -1400), ('B', -1600), ('C', -1000), ('D', -200), ('E', 200), ('F', 0)];
    for threads in [1, 2, 4] {
        assert_eq!(values(&start, threads), wanted, "{threads} threads");
    }
    for (variant, plies) in [(kalah3, 6), (Variant::Kalah, 24), (Variant::Awari1978, 14)] {
        for game in (1..4)
            .step_by(one_of(3))
            .map(|seed| random_game(variant, seed, plies))
            .filter(|game| !is_over(game))
        {
            let alone = values(&game, 1);
            for threads in [4, 2].into_iter().take(2 / one_of(2)) {
                assert_eq!(values(&game, threads), alone, "{}, {threads} threads", game.position());
            }
        }
    }
}

/// Stops after a number of nodes, and counts the questions after that.
struct StopsAfter {
    nodes: u64,
    asked_after: u32,
}

impl Observer for StopsAfter {
    fn stop(&mut self, nodes: u64) -> bool {
        self.asked_after += u32::from(nodes >= self.nodes);
        nodes >= self.nodes
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

#[test]
fn a_shared_proof_stops_at_once() {
    let start = Game::new(Position::start(Variant::Kalah));
    let memory = SearchMemory::new(16).expect("memory");
    let mut observer = StopsAfter { nodes: 100_000, asked_after: 0 };
    let report = search(&analysis(&start, 2), &memory, &mut observer);
    assert!(!report.score.proof.is_exact());
    assert!(observer.asked_after <= 3, "asked {} times", observer.asked_after);
}

#[test]
fn a_claim_is_answered_once() {
    let proof = JointProof::default();
    assert!(proof.claim().is_none() && !proof.is_open());
    let claim = Claim { target: 5, ..Claim::default() };
    let first = proof.open(claim.clone());
    assert!(proof.is_open() && !proof.is_over(first));
    assert_eq!(proof.claim().map(|(number, claim)| (number, claim.target)), Some((first, 5)));
    proof.answer(first, (7, Some(Pit::new(2))));
    proof.answer(first, (8, None));
    assert!(proof.is_over(first) && proof.claim().is_none());
    assert_eq!(proof.close(), Some((7, Some(Pit::new(2)))));
    let second = proof.open(claim);
    proof.answer(first, (7, None));
    assert!(!proof.is_over(second));
    assert_eq!(proof.close(), None);
}

#[test]
fn a_board_is_marked_by_one_thread() {
    let proof = JointProof::default();
    let key = 1 << 63 | 12345;
    assert!(!proof.is_searched(key) && proof.start(key) && proof.is_searched(key));
    assert!(!proof.start(key) && !proof.is_searched(key + 1));
    proof.finish(key);
    assert!(!proof.is_searched(key));
}
