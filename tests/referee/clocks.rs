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
