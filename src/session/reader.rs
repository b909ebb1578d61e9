//! The thread that reads standard input.

use crate::files::BYTE_ORDER_MARK;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, BufRead, BufReader, Read};
use std::thread;

/// Maximum length of a line in bytes. The 250 moves of a game take a four-thousandth of it.
pub const MAX_LINE_BYTES: usize = 1 << 20;
/// Maximum lines in the channel, which bounds the memory: a faster writer has to wait.
const MAX_WAITING: usize = 16;

/// An item of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its line feed; invalid UTF-8 is replaced by the replacement character.
    Line(String),
    /// A line that was too long and was dropped.
    TooLong,
}

/// Reads lines on a thread of its own; the end of the input closes the channel.
pub fn lines(input: impl Read + Send + 'static) -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(MAX_WAITING);
    // The thread is never joined: it may be blocked in a read at exit.
    let reader = thread::Builder::new().name("reader".to_owned());
    reader.spawn(move || read(BufReader::new(input), &sender))?;
    Ok(receiver)
}

/// Sends lines until the input ends or the receiver is gone.
fn read(mut input: impl BufRead, sender: &Sender<Input>) {
    let mut line = Vec::new();
    // Some systems write the mark before the first line.
    let mut mark = Some(BYTE_ORDER_MARK);
    loop {
        line.clear();
        let limit = MAX_LINE_BYTES as u64 + 1;
        // A read error ends the input, because it cannot be reported to anyone.
        let Ok(length) = input.by_ref().take(limit).read_until(b'\n', &mut line) else { return };
        if length == 0 {
            return;
        }
        let ended = line.last() == Some(&b'\n');
        let item = if line.len() > MAX_LINE_BYTES && !ended {
            if !skip_line(&mut input) {
                return;
            }
            line.shrink_to(MAX_LINE_BYTES / 16);
            Input::TooLong
        } else {
            line.truncate(line.len() - usize::from(ended));
            let text = String::from_utf8_lossy(&line);
            let unmarked = mark.and_then(|mark| text.strip_prefix(mark));
            Input::Line(unmarked.unwrap_or(&text).to_owned())
        };
        mark = None;
        if sender.send(item).is_err() {
            return;
        }
    }
}

/// Drops input up to the end of the line; returns whether it could be read.
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
