//! Time limits, by a clock that advances a tenth of a millisecond each time the engine reads it.

use super::slices::session;
use kroo::session::AfterPause;
use kroo::time::{Instant, set_clock};
use std::cell::Cell;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);
const TICK: Duration = Duration::from_micros(100);
/// Milliseconds within which an answer is immediate: forty readings of the clock.
const AT_ONCE: u32 = 4;

thread_local! {
    static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn ticking() -> Duration {
    NOW.set(NOW.get() + TICK);
    NOW.get()
}

/// The same in steps of 20 ms, for limits of seconds.
fn striding() -> Duration {
    NOW.set(NOW.get() + MS * 20);
    NOW.get()
}

/// The time of the search after some lines, by the test's clock, and its output.
fn asked(lines: &[&str], go: &str) -> (Duration, String) {
    set_clock(ticking);
    let (session, output) = session();
    for line in lines {
        session.take_line(line).expect("an output");
        while session.work(Duration::MAX, &|| AfterPause::GoOn).expect("an output") {}
    }
    let before = output.text().len();
    let started = Instant::now();
    session.take_line(go).expect("an output");
    while session.work(Duration::MAX, &|| AfterPause::GoOn).expect("an output") {}
    (started.elapsed(), output.text().split_off(before))
}

/// Checks that a search answers after a time between two bounds, in milliseconds.
fn assert_takes(lines: &[&str], go: &str, least: u32, most: u32) -> String {
    let (time, said) = asked(lines, go);
    assert!(said.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{go}: {said}");
    assert!(
        time >= MS * least && time <= MS * (most + AT_ONCE),
        "{go}: {time:?} and not {least} to {most} ms"
    );
    said
}

#[test]
fn the_time_of_a_move_is_used_and_kept() {
    for variant in ["awari", "oware", "ayoayo"] {
        let variant = format!("setoption name UCI_Variant value {variant}");
        let own = [variant.as_str(), "setoption name Move Overhead value 0"];
        for time in [1, 20, 120] {
            assert_takes(&own, &format!("go movetime {time}"), time, time);
        }
        let kept = [variant.as_str(), "setoption name Move Overhead value 10"];
        assert_takes(&kept, "go movetime 120", 110, 110);
    }
}

/// The clock of the side to move counts.
#[test]
fn a_clock_is_shared_out_over_the_game() {
    let own = ["setoption name UCI_Variant value oware", "setoption name Move Overhead value 0"];
    assert_takes(&own, "go wtime 2000 btime 1", 10, 300);
    assert_takes(&own, "go wtime 1 btime 1000000", 0, 1);
    let other = [own[0], own[1], "position startpos moves F"];
    assert_takes(&other, "go wtime 1000000 btime 1", 0, 1);
    assert_takes(&other, "go wtime 1 btime 2000", 10, 300);
}

#[test]
fn whoever_has_no_choice_does_not_think() {
    let lines = ["setoption name UCI_Variant value oware", "position fen 0-0-0-0-0-8-6-6-6-6-6-0-5-5-S"];
    let said = assert_takes(&lines, "go wtime 600000 btime 600000", 0, 10);
    assert!(said.contains("info depth 1 ") && !said.contains("info depth 2 "), "{said}");
    assert!(said.ends_with("bestmove F\n"), "{said}");
}

/// Time counts from `go`, even while endgames are built for a root that needs them.
#[test]
fn building_endgames_does_not_cost_the_game() {
    let lines = ["setoption name UCI_Variant value awari", "position fen 1-0-2-1-0-1-0-2-1-0-0-1-20-19-S"];
    for go in ["go movetime 5", "go wtime 5 btime 5"] {
        assert_takes(&lines, go, 0, 5);
    }
}

/// `currmove` appears only after three seconds.
#[test]
fn the_move_that_is_searched_is_told_after_three_seconds() {
    for (go, is_told) in [("go movetime 2900", false), ("go movetime 9000", true)] {
        set_clock(striding);
        let (session, output) = session();
        for line in ["setoption name UCI_Variant value oware", go] {
            session.take_line(line).expect("an output");
        }
        while session.work(Duration::MAX, &|| AfterPause::GoOn).expect("an output") {}
        let text = output.text();
        let told: Vec<_> = text.lines().filter(|line| line.contains(" currmove ")).collect();
        assert_eq!(!told.is_empty(), is_told, "{go}: {text}");
        assert!(told.iter().all(|line| line.contains(" currmovenumber ")), "{told:?}");
    }
}
