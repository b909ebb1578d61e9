//! The thread that reads standard input.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{BufRead, BufReader, Read};
use std::thread;

/// A line longer than this is not a command. Ten thousand moves in a game take a fiftieth of it.
pub const LONGEST_LINE: usize = 1 << 20;
/// Lines that wait to be read; a writer who is faster has to wait, so memory stays bounded.
const WAITING: usize = 16;

/// What the reader hands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end. Bytes that are no text have become the character that stands for them.
    Line(String),
    /// A line that was too long; it was read to its end and dropped.
    TooLong,
}

/// Reads lines on a thread of its own until the input ends, which closes the channel.
pub fn lines(input: impl Read + Send + 'static) -> Receiver<Input> {
    let (sender, receiver) = bounded(WAITING);
    // Nobody waits for the thread: it may be blocked in a read when the program ends.
    let reader = thread::Builder::new().name("reader".to_owned());
    let spawned = reader.spawn(move || read(BufReader::new(input), &sender));
    spawned.expect("a thread can be started");
    receiver
}

/// Hands on lines until there are no more, or until nobody wants them.
fn read(mut input: impl BufRead, sender: &Sender<Input>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = LONGEST_LINE as u64 + 1;
        // A read that fails ends the input: there is nobody left to be told.
        let Ok(length) = input.by_ref().take(limit).read_until(b'\n', &mut line) else { return };
        if length == 0 {
            return;
        }
        let ended = line.last() == Some(&b'\n');
        let item = if line.len() > LONGEST_LINE && !ended {
            if !skip_line(&mut input) {
                return;
            }
            line.shrink_to(LONGEST_LINE / 16);
            Input::TooLong
        } else {
            line.truncate(line.len() - usize::from(ended));
            Input::Line(String::from_utf8_lossy(&line).into_owned())
        };
        if sender.send(item).is_err() {
            return;
        }
    }
}

/// Drops input up to the end of the line; says whether it could be read.
fn skip_line(input: &mut impl BufRead) -> bool {
    loop {
        let Ok(buffer) = input.fill_buf() else { return false };
        if buffer.is_empty() {
            return true;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn all(input: &[u8]) -> Vec<Input> {
        lines(Cursor::new(input.to_vec())).iter().collect()
    }

    #[test]
    fn lines_end_where_they_end() {
        let line = |text: &str| Input::Line(text.to_owned());
        assert_eq!(all(b"uci\nd\r\n\nquit"), [line("uci"), line("d\r"), line(""), line("quit")]);
        assert_eq!(all(b""), []);
        assert_eq!(all(b"a\xffb\0\n"), [line("a\u{fffd}b\0")]);
    }

    #[test]
    fn a_long_line_is_dropped_and_the_next_one_read() {
        let mut input = vec![b'x'; LONGEST_LINE];
        input.extend_from_slice(b"\nuci\n");
        assert!(matches!(&all(&input)[..], [Input::Line(_), Input::Line(_)]));
        input.insert(0, b'x');
        assert_eq!(all(&input), [Input::TooLong, Input::Line("uci".to_owned())]);
        assert_eq!(all(&vec![b'x'; 3 * LONGEST_LINE]), [Input::TooLong]);
    }
}
