//! Tests of `src/play/screen.rs`.

use kroo::play::screen::*;

#[test]
fn lines_are_wrapped_to_the_width() {
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("  one two three\n\nfour", 9), ["  one two", "  three", "", "four"]);
    assert_eq!(wrapped("extraordinary day", 5), ["extraordinary", "day"]);
    assert_eq!(wrapped("", 5), Vec::<String>::new());
}
