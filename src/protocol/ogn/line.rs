//! A line of a game file that is partly read.

use super::error::Place;

/// A line and the reading position in it.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub text: String,
    pub number: usize,
    /// Bytes read.
    pub read: usize,
    /// Bytes whose characters have been counted, and the count: with it [`Line::place`] takes linear time in all.
    pub counted: (usize, usize),
    /// Whether the line is partly read.
    pub is_open: bool,
}

impl Line {
    pub fn rest(&self) -> &str {
        &self.text[self.read..]
    }

    /// The place of the next character.
    pub fn place(&mut self) -> Place {
        let (bytes, characters) = self.counted;
        let characters = characters + self.text[bytes..self.read].chars().count();
        self.counted = (self.read, characters);
        Place { line: self.number, column: characters + 1 }
    }

    pub fn skip_blanks(&mut self) {
        self.read = self.text.len() - self.rest().trim_start().len();
    }

    /// Reads up to a character, exclusively.
    pub fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &str {
        let (begin, length) = (self.read, self.rest().find(ends).unwrap_or(self.rest().len()));
        self.read += length;
        &self.text[begin..self.read]
    }

    /// Reads a character if it is the next one.
    pub fn take(&mut self, wanted: char) -> bool {
        let taken = self.rest().starts_with(wanted);
        self.read += if taken { wanted.len_utf8() } else { 0 };
        taken
    }
}
