//! Tests of `src/core/search/clock.rs`.

use kroo::search::clock::*;
use kroo::search::parameters::score_drop;
use kroo::search::report::Report;
use kroo::time::{Instant, set_clock};
use kroo::value::{Proof, Score, Value};
use std::cell::Cell;
use std::thread;
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

/// Milliseconds left, increment, moves to the next control and for this move, against the two deadlines.
#[test]
fn a_move_gets_its_share_of_the_clock_and_at_most_half_or_nine_tenths() {
    for (left, increment, moves_to_go, movetime, soft, hard) in [
        (60_000, 1000, None, None, 1875, 11_250),
        (60_000, 0, Some(40), None, 1500, 9000),
        (60_000, 0, Some(10), None, 3000, 18_000),
        (60_000, 0, Some(3), None, 10_000, 30_000),
        (10_000, 0, Some(1), None, 4500, 9000),
        (10_000, 5000, Some(1), None, 4500, 9000),
        (1000, 8000, None, None, 250, 500),
        (60_000, 0, None, Some(2000), 1500, 2000),
        (60_000, 0, None, Some(20_000), 1500, 9000),
    ] {
        let limits = TimeLimits {
            left: Some(left * MS),
            increment: increment * MS,
            moves_to_go,
            movetime: movetime.map(|time: u32| time * MS),
            overhead: Duration::ZERO,
        };
        let found = clock(limits);
        assert_eq!((found.soft, found.hard), (Some(soft * MS), Some(hard * MS)), "{limits:?}");
    }
}

/// On a thread of its own, since a clock that stops would keep other tests from their end.
#[test]
fn the_deadlines_are_reached_to_the_millisecond() {
    thread_local! {
        static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }
    let check = || {
        set_clock(|| NOW.get());
        let clock = clock(TimeLimits { left: Some(20_000 * MS), ..TimeLimits::default() });
        assert_eq!(clock.end(), Some(Instant::now() + 3000 * MS));
        // The soft deadline is 500 ms: 150 % of it, and 25 % with a proof.
        for (proof, soft) in [(Proof::NONE, 750 * MS), (Proof::EXACT, 125 * MS)] {
            let mut report = report(0, 0, false);
            report.score.proof = proof;
            NOW.set(soft - MS);
            assert!(!clock.is_late(&report), "{proof:?}");
            NOW.set(soft);
            assert!(clock.is_late(&report), "{proof:?}");
        }
        NOW.set(2999 * MS);
        assert!(!clock.is_up());
        NOW.set(3000 * MS);
        assert!(clock.is_up());
    };
    thread::spawn(check).join().expect("no failed assertion");
}

fn report(stable_iterations: u32, score_drop: i32, forced: bool) -> Report {
    let score = Score { value: Value::DRAW, proof: Proof::NONE };
    Report { score, stable_iterations, score_drop, forced, ..Report::default() }
}

#[test]
fn doubt_takes_time_and_proof_saves_it() {
    let share = |stable, drop| share_in_percent(&report(stable, drop, false));
    assert_eq!(
        [share(0, 0), share(6, 0), share(0, score_drop()), share(6, score_drop())],
        [150, 78, 225, 117]
    );
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
