//! Cuts bytes into lines, in bounded memory.

use std::mem;

/// The longest line that is kept, in bytes. No line of the protocol comes near it.
const MAX_LINE: usize = 64 * 1024;

/// Collects what an engine writes, and cuts it into lines.
#[derive(Debug)]
pub struct LineBuffer {
    buffer: Box<[u8]>,
    /// Where the next line begins.
    start: usize,
    /// Up to here the ends of lines have been looked for.
    searched: usize,
    /// The end of the line that begins at `start`, if it has been found.
    newline: Option<usize>,
    /// Where the bytes end.
    end: usize,
    /// The rest of an overlong line is being discarded.
    skipping: bool,
    /// An overlong line has begun and is not reported yet.
    overlong: bool,
}

/// What stands between two ends of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The text, without the end of the line.
    Text(&'a [u8]),
    /// More than 64 KiB without an end. It is reported once, as soon as it is too long.
    Overlong,
}

impl Default for LineBuffer {
    fn default() -> LineBuffer {
        let buffer = vec![0; MAX_LINE].into_boxed_slice();
        LineBuffer { buffer, start: 0, searched: 0, newline: None, end: 0, skipping: false, overlong: false }
    }
}

impl LineBuffer {
    /// Where the next bytes belong; never empty. Call [`LineBuffer::filled`] with their number afterwards.
    ///
    /// All lines must have been taken before.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            self.overlong |= !mem::replace(&mut self.skipping, true);
            (self.searched, self.end) = (0, 0);
        }
        &mut self.buffer[self.end..]
    }

    /// Takes in so many bytes, which have been written to [`LineBuffer::space`].
    pub fn filled(&mut self, bytes: usize) {
        self.end += bytes;
    }

    /// Whether there is a whole line, or one that is overlong.
    pub fn has_line(&mut self) -> bool {
        while self.newline.is_none() {
            let rest = &self.buffer[self.searched..self.end];
            let Some(length) = memchr::memchr(b'\n', rest) else {
                self.searched = self.end;
                break;
            };
            let newline = self.searched + length;
            self.searched = newline + 1;
            if mem::take(&mut self.skipping) {
                self.start = self.searched;
            } else {
                self.newline = Some(newline);
            }
        }
        self.overlong || self.newline.is_some()
    }

    /// The next whole line.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        if !self.has_line() {
            return None;
        }
        if mem::take(&mut self.overlong) {
            return Some(Line::Overlong);
        }
        let newline = self.newline.take()?;
        let start = mem::replace(&mut self.start, self.searched);
        Some(Line::Text(&self.buffer[start..newline]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(lines: &mut LineBuffer, mut bytes: &[u8], received: &mut Vec<String>) {
        while !bytes.is_empty() {
            let space = lines.space();
            let count = bytes.len().min(space.len()).min(1000);
            space[..count].copy_from_slice(&bytes[..count]);
            lines.filled(count);
            bytes = &bytes[count..];
            while let Some(line) = lines.next_line() {
                received.push(match line {
                    Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    Line::Overlong => "(overlong)".to_owned(),
                });
            }
        }
    }

    #[test]
    fn lines_may_come_in_pieces() {
        let (mut lines, mut received) = (LineBuffer::default(), Vec::new());
        for piece in ["one\ntw", "o", "\n\nthr", "ee"] {
            feed(&mut lines, piece.as_bytes(), &mut received);
        }
        assert_eq!(received, ["one", "two", ""]);
        feed(&mut lines, b"\n", &mut received);
        assert_eq!(received.last().map(String::as_str), Some("three"));
    }

    #[test]
    fn an_overlong_line_is_reported_once_and_its_rest_forgotten() {
        let (mut lines, mut received) = (LineBuffer::default(), Vec::new());
        feed(&mut lines, &vec![b'x'; 10 * MAX_LINE + 77], &mut received);
        assert_eq!(received, ["(overlong)"]);
        feed(&mut lines, b"its end\nnext\n", &mut received);
        assert_eq!(received, ["(overlong)", "next"]);
        feed(&mut lines, &vec![b'z'; 2 * MAX_LINE], &mut received);
        feed(&mut lines, b"\n", &mut received);
        assert_eq!(received.pop().as_deref(), Some("(overlong)"));
        feed(&mut lines, &vec![b'y'; MAX_LINE - 1], &mut received);
        feed(&mut lines, b"\n", &mut received);
        assert_eq!(received.len(), 3);
        assert_eq!(received[2].len(), MAX_LINE - 1);
    }
}
