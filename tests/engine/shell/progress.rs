//! Tests of `src/progress.rs`.

use kroo::progress::*;

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
