//! Tests of `src/session/reader.rs`.

use kroo::session::reader::*;
use std::io::Cursor;

fn all(input: &[u8]) -> Vec<Input> {
    lines(Cursor::new(input.to_vec())).expect("a thread").iter().collect()
}

#[test]
fn lines_are_split_at_line_feeds() {
    let line = |text: &str| Input::Line(text.to_owned());
    assert_eq!(all(b"uci\nd\r\n\nquit"), [line("uci"), line("d\r"), line(""), line("quit")]);
    assert_eq!(all(b""), []);
    assert_eq!(all(b"a\xffb\0\n"), [line("a\u{fffd}b\0")]);
}

#[test]
fn a_long_line_is_dropped_and_the_next_one_read() {
    let mut input = vec![b'x'; MAX_LINE_BYTES];
    input.extend_from_slice(b"\nuci\n");
    assert!(matches!(&all(&input)[..], [Input::Line(_), Input::Line(_)]));
    input.insert(0, b'x');
    assert_eq!(all(&input), [Input::TooLong, Input::Line("uci".to_owned())]);
    assert_eq!(all(&vec![b'x'; 3 * MAX_LINE_BYTES]), [Input::TooLong]);
}
