//! Tests of `kroo::search::prove` and of `src/core/search/solver/kept.rs`.

use kroo::game::{Game, Pit, Position, RuleOptions, Variant};
use kroo::search::solver::bounds::{INDEX_BITS, TableSlot};
use kroo::search::{
    KeptProof, Observer, Purpose, Report, Request, SearchMemory, Silent, TablebasePolicy, add_proofs,
    kept_proofs, prove,
};
use std::thread;
use std::time::Duration;
use support::one_of;

fn kalah(seeds: u8) -> Variant {
    Variant::Kalah.with_seeds(seeds).expect("it is in the range")
}

/// Asks about the start of a game, with the endgames that the solver builds.
fn request(game: Variant, threads: usize, moves: &[usize]) -> Request {
    let search_moves = moves.iter().map(|&pit| Pit::new(pit)).collect();
    let tablebase = TablebasePolicy::Available;
    let purpose = Purpose::Analysis;
    let game = Game::new(Position::start(game));
    Request { threads, search_moves, tablebase, purpose, ..Request::new(&game) }
}

fn memory() -> SearchMemory {
    SearchMemory::new(16).expect("memory")
}

#[test]
fn claims_are_answered_by_bounds_of_the_value() {
    // The values that CMancala and the solver agree on.
    let values = [-14, -16, -10, -2, 2, 0];
    for threads in [1, 2] {
        let memory = memory();
        let ask = |moves: &[usize], value: i8, target: i8| {
            let proven = prove(&request(kalah(3), threads, moves), target, &memory, &mut Silent);
            let bound = proven.bound.expect("nothing stops it");
            assert_eq!(bound >= target, value >= target, "{moves:?}, {target}: {bound}");
            assert!(
                if value >= target { bound <= value } else { bound >= value },
                "{moves:?}, {target}: {bound}"
            );
        };
        let moves = values.iter().enumerate().map(|(pit, &value)| (vec![pit], value));
        for (moves, value) in moves.chain([(Vec::new(), 2), (vec![0, 5], 0)]) {
            let far = if one_of(2) == 1 { (-20..=20).collect() } else { vec![-20, 20] };
            far.into_iter().chain(value - 1..=value + 1).for_each(|target| ask(&moves, value, target));
        }
    }
}

#[test]
fn a_later_process_continues_from_the_proofs_that_are_kept() {
    let (first, ask) = (memory(), request(kalah(3), 1, &[]));
    let nodes = |memory: &SearchMemory| {
        let proven = prove(&ask, 4, memory, &mut Silent);
        assert_eq!(proven.bound, Some(2));
        proven.nodes
    };
    let all = nodes(&first);
    let kept: Vec<KeptProof> = kept_proofs(&first, 4).collect();
    let written: Vec<String> = kept.iter().map(KeptProof::to_string).collect();
    let read: Vec<KeptProof> = written.iter().map(|line| line.parse().expect("it was written")).collect();
    assert_eq!(read, kept);
    assert!(kept.len() < all as usize / 100, "{} of {all} nodes", kept.len());
    let second = memory();
    add_proofs(&second, kalah(3), read);
    let less = nodes(&second);
    assert!(less < all / 10, "{less} of {all} nodes");
    for line in
        ["", "1 2 3", "1 2 3 6 4", "1 2 3 - 16", "1 200 3 - 1", "-1 0 0 - 0", "281474976710656 0 0 - 0"]
    {
        assert!(line.parse::<KeptProof>().is_err(), "{line}");
    }
}

struct StopsAfter(u64);

impl Observer for StopsAfter {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

#[test]
fn proofs_of_large_boards_are_kept_with_their_index() {
    let memory = memory();
    for threads in [1, 2] {
        let proven = prove(&request(kalah(6), threads, &[]), 0, &memory, &mut StopsAfter(200_000));
        assert_eq!(proven.bound, None);
        assert!(proven.nodes < 300_000, "{}", proven.nodes);
    }
    let kept: Vec<KeptProof> = kept_proofs(&memory, 1).collect();
    assert!(kept.iter().any(|proof| proof.index >> INDEX_BITS > 0));
    for proof in &kept {
        let found = TableSlot::of(&memory.transpositions, proof.index).load();
        assert_eq!(found, Some(proof.bounds), "{proof}");
    }
}

/// Runs a closure at its first look at the clock after some nodes.
struct After<F>(u64, Option<F>);

impl<F: FnOnce()> Observer for After<F> {
    fn stop(&mut self, nodes: u64) -> bool {
        if nodes >= self.0
            && let Some(run) = self.1.take()
        {
            run();
        }
        false
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

/// A proof does not name its rules, so a search under others that share the memory waits, and clears them then.
#[test]
fn proofs_under_other_rules_wait_for_each_other() {
    let memory = &memory();
    let other = kalah(3).with_options(RuleOptions { empty_capture: true, ..RuleOptions::default() });
    let other = &request(other.expect("kalah has it"), 1, &[]);
    let mut kept = 0;
    thread::scope(|scope| {
        let mut beside = After(
            3_000,
            Some(|| {
                scope.spawn(move || prove(other, 1, memory, &mut Silent));
                thread::sleep(Duration::from_millis(50));
                kept = kept_proofs(memory, 0).count();
            }),
        );
        assert_eq!(prove(&request(kalah(3), 1, &[]), 4, memory, &mut beside).bound, Some(2));
    });
    assert!(kept > 100, "{kept} proofs");
    let alone = prove(other, 1, &self::memory(), &mut Silent);
    assert_eq!(
        prove(other, 1, memory, &mut Silent).bound.map(|bound| bound >= 1),
        alone.bound.map(|bound| bound >= 1)
    );
}
