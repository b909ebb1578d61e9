//! Tests of what `src/play` reads (`input.rs`) and prints (`screen.rs`), and of `src/progress.rs`.

use crossbeam_channel::unbounded;
use kroo::play::input::*;
use kroo::play::screen::*;
use kroo::progress::*;

#[test]
fn long_lines_are_cut_but_none_is_lost() {
    let (sender, lines) = unbounded();
    let long = "x".repeat(3 * MAX_LINE_BYTES as usize);
    read(format!("a\n{long}\n b \r\n\nlast").as_bytes(), &sender);
    drop(sender);
    let length = |event| if let InputEvent::Line(line) = event { line.len() } else { usize::MAX };
    let lengths: Vec<usize> = lines.iter().map(length).collect();
    assert_eq!(lengths, [1, MAX_LINE_BYTES as usize, 1, 0, 4]);
}

#[test]
fn lines_are_wrapped_to_the_width() {
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("  one two three\n\nfour", 9), ["  one two", "  three", "", "four"]);
    assert_eq!(wrapped("extraordinary day", 5), ["extraordinary", "day"]);
    assert_eq!(wrapped("", 5), Vec::<String>::new());
}

#[test]
fn what_was_there_before_does_not_count_as_speed() {
    let mut progress = Progress::new("things", 100);
    progress.skip(40);
    assert_eq!(progress.rate(40), 0.0);
    assert_eq!(progress.rate(30), 0.0);
    let (less, more) = (progress.rate(41), progress.rate(60));
    assert!(less > 0.0 && more > less);
}

#[test]
fn time_is_told_in_hours_minutes_and_seconds() {
    assert_eq!([0.9, 61.0, 3_725.0].map(clock), ["0:00:00", "0:01:01", "1:02:05"]);
    assert_eq!(clock(f64::MAX).split(':').count(), 3);
}
