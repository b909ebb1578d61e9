//! Clocks and limits of a game.

use kroo_referee::game::{Clock, Limits, TimeControl};
use std::time::Duration;

#[test]
fn the_time_is_added_again_after_its_moves() {
    let mut clock = Clock::new("2/10+1".parse().expect("a time control"));
    let second = Duration::from_secs(1);
    assert_eq!((clock.left(), clock.moves_to_go()), (11 * second, Some(2)));
    clock.spend(4 * second);
    assert_eq!((clock.left(), clock.moves_to_go()), (8 * second, Some(1)));
    clock.spend(8 * second);
    assert_eq!((clock.left(), clock.moves_to_go()), (11 * second, Some(2)));
}

#[test]
fn what_was_used_of_the_margin_is_paid_back() {
    let millis = Duration::from_millis;
    let mut clock = Clock::new("2/0.2+0.01".parse().expect("a time control"));
    clock.spend(millis(240));
    assert_eq!((clock.left(), clock.overdrawn()), (millis(0), millis(20)));
    clock.spend(millis(5));
    // Both 10 ms and 200 ms are added, and 25 ms are owed.
    assert_eq!((clock.left(), clock.overdrawn()), (millis(185), millis(0)));
    let mut sudden = Clock::new("0.2".parse().expect("a time control"));
    sudden.spend(millis(210));
    sudden.spend(millis(30));
    assert_eq!((sudden.left(), sudden.overdrawn()), (millis(0), millis(40)));
}

#[test]
fn time_controls_are_read_as_they_are_written() {
    for text in ["40/60+0.6", "10+0.1", "5", "0.05+0.005", "1/0.25", "0+1", "0.001"] {
        assert_eq!(text.parse::<TimeControl>().expect(text).to_string(), text);
    }
    let minutes: TimeControl = "1:30+1".parse().expect("minutes");
    assert_eq!(minutes.base, Duration::from_secs(90));
    for text in [
        "",
        "+",
        "0",
        "0+0",
        "x",
        "-1",
        "1+-1",
        "0.0009",
        "0/5",
        "/5",
        "5/",
        "1e3",
        "inf",
        "nan",
        "1:2:3",
        "5+",
        "99999999999",
    ] {
        assert!(text.parse::<TimeControl>().is_err(), "{text}");
    }
}

#[test]
fn limits_are_shown_as_on_the_command_line() {
    let clock = "2+0.01".parse().ok();
    let limits = Limits { clock, depth: Some(8), ..Limits::default() };
    assert_eq!(limits.to_string(), "tc=2+0.01 depth=8");
    let limits = Limits { move_time: Some(Duration::from_millis(20)), nodes: Some(5), ..Limits::default() };
    assert_eq!(limits.to_string(), "st=0.02 nodes=5");
}

#[test]
fn limits_that_cannot_be_kept_are_refused() {
    let millis = Duration::from_millis;
    let clock = |text: &str| Limits { clock: text.parse().ok(), ..Limits::default() };
    let move_time = |time| Limits { move_time: Some(time), ..Limits::default() };
    let longest = Duration::from_secs(30_000_000);
    let by_moves = |moves| {
        let control = TimeControl { moves: Some(moves), base: millis(1), increment: Duration::ZERO };
        Limits { clock: Some(control), ..Limits::default() }
    };
    let depth = |depth| Limits { depth: Some(depth), ..Limits::default() };
    for sound in [
        Limits::default(),
        clock("0+1"),
        move_time(millis(1)),
        move_time(longest),
        by_moves(1),
        depth(1),
        depth(127),
        Limits { nodes: Some(1), ..Limits::default() },
    ] {
        assert_eq!(sound.check(&[longest]), Ok(()), "{sound}");
        assert!(sound.check(&[Duration::ZERO, longest + millis(1)]).is_err(), "{sound}");
    }
    for wrong in [
        move_time(longest + millis(1)),
        move_time(Duration::from_micros(999)),
        Limits { margin: longest + millis(1), ..clock("1") },
        Limits { move_time: Some(millis(10)), ..clock("1") },
        by_moves(0),
        depth(0),
        depth(128),
        Limits { nodes: Some(0), ..Limits::default() },
    ] {
        assert!(wrong.check(&[]).is_err(), "{wrong}");
    }
}

#[test]
fn scaled_times_are_never_shorter_than_a_millisecond() {
    let millis = Duration::from_millis;
    let scaled = |text: &str, factor| {
        let limits = Limits { clock: text.parse().ok(), ..Limits::default() }.scaled(factor);
        limits.to_string()
    };
    assert_eq!([scaled("40/60+0.6", 0.5), scaled("0+1", 2.0)], ["tc=40/30+0.3", "tc=0+2"]);
    assert_eq!(scaled("0.004", 0.01), "tc=0.001");
    let move_time = |factor| Limits { move_time: Some(millis(20)), ..Limits::default() }.scaled(factor);
    assert_eq!([0.001, 3.0].map(|factor| move_time(factor).move_time), [Some(millis(1)), Some(millis(60))]);
}

#[test]
fn moves_depend_on_the_machine_with_a_clock_or_a_time_for_each_move() {
    let limits = Limits { depth: Some(8), nodes: Some(5), ..Limits::default() };
    let by_clock = Limits { clock: "1".parse().ok(), ..limits };
    let by_move = Limits { move_time: Some(Limits::MOVE_TIME), ..limits };
    assert_eq!([limits, by_clock, by_move].map(|limits| limits.is_timed()), [false, true, true]);
}
