//! Tests of `src/core/search/clock.rs`.

use kroo::search::clock::*;
use kroo::search::parameters::score_drop;
use kroo::search::report::Report;
use kroo::time::Instant;
use kroo::value::{Proof, Score, Value};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn clock(limits: TimeLimits) -> Clock {
    Clock::new(Instant::now(), limits)
}

#[test]
fn a_move_time_is_used_but_for_the_overhead() {
    let limits = TimeLimits { movetime: Some(100 * MS), overhead: 10 * MS, ..TimeLimits::default() };
    assert_eq!(clock(limits).hard, Some(90 * MS));
    assert_eq!(clock(limits).soft, None);
    let short = TimeLimits { movetime: Some(4 * MS), ..limits };
    assert_eq!(clock(short).hard, Some(2 * MS));
}

#[test]
fn a_game_clock_is_never_used_up() {
    for left in [1, 5, 20, 100, 1000, 60_000] {
        for moves_to_go in [None, Some(1), Some(2), Some(40)] {
            for increment in [0, 10, 5000] {
                let limits = TimeLimits {
                    left: Some(left * MS),
                    increment: increment * MS,
                    moves_to_go,
                    overhead: 10 * MS,
                    ..TimeLimits::default()
                };
                let hard = clock(limits).hard.expect("a limit");
                assert!(hard < left * MS, "{left} {moves_to_go:?} {increment}");
                assert!(clock(limits).soft.expect("a limit") <= hard);
            }
        }
    }
}

fn report(stable_iterations: u32, score_drop: i32, forced: bool) -> Report {
    let score = Score { value: Value::DRAW, proof: Proof::NONE };
    Report { score, stable_iterations, score_drop, forced, ..Report::default() }
}

#[test]
fn doubt_takes_time_and_proof_saves_it() {
    let share = |stable, drop| share_in_percent(&report(stable, drop, false));
    assert!(share(0, 0) > share(1, 0) && share(1, 0) > share(6, 0) && share(6, 0) == share(7, 0));
    assert!(share(3, score_drop()) > share(3, 0) && share(3, -score_drop()) == share(3, 0));
    let mut proven = report(0, score_drop(), false);
    proven.score.proof = Proof::EXACT;
    assert!(share_in_percent(&proven) < share(6, 0));
}

#[test]
fn a_forced_move_is_played_at_once_by_the_clock() {
    let left = TimeLimits { left: Some(60_000 * MS), ..TimeLimits::default() };
    assert!(clock(left).is_late(&report(0, 0, true)) && !clock(left).is_late(&report(0, 0, false)));
}

#[test]
fn without_limits_there_is_no_end() {
    let clock = clock(TimeLimits::default());
    assert!(!clock.is_up() && !clock.is_late(&report(0, 0, true)));
}
