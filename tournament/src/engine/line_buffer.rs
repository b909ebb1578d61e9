//! Cuts bytes into lines, in bounded memory.

use kroo::files::BYTE_ORDER_MARK;
use std::mem;

/// The longest line that is kept, in bytes. No line of the protocol comes near it.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

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
    /// A line has been taken.
    begun: bool,
}

/// A line without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The text, without the end of the line.
    Text(&'a [u8]),
    /// More than 64 KiB without an end. It is reported once, as soon as it is too long.
    Overlong,
}

impl Default for LineBuffer {
    fn default() -> LineBuffer {
        let buffer = vec![0; MAX_LINE_BYTES].into_boxed_slice();
        let (start, searched, end, newline) = (0, 0, 0, None);
        LineBuffer { buffer, start, searched, newline, end, skipping: false, overlong: false, begun: false }
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

    /// Takes in `bytes` bytes, which have been written to [`LineBuffer::space`].
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

    /// The next whole line; the first one without the byte order mark that some systems write before it.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        if !self.has_line() {
            return None;
        }
        let is_first = !mem::replace(&mut self.begun, true);
        if mem::take(&mut self.overlong) {
            return Some(Line::Overlong);
        }
        let newline = self.newline.take()?;
        let start = mem::replace(&mut self.start, self.searched);
        let line = &self.buffer[start..newline];
        let mark = is_first.then(|| BYTE_ORDER_MARK.to_string());
        let unmarked = mark.and_then(|mark| line.strip_prefix(mark.as_bytes()));
        Some(Line::Text(unmarked.unwrap_or(line)))
    }
}
