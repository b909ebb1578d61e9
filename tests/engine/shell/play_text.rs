//! Tests of what `src/play` reads (`input.rs`) and prints (`screen.rs`).

use crossbeam_channel::unbounded;
use kroo::play::input::*;
use kroo::play::screen::*;

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
