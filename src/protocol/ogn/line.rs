//! A line of a game file, and how much of it has been read.

use super::error::Place;

/// A line, and how far it has been read.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub text: String,
    /// Its number, from 1.
    pub number: usize,
    /// The bytes that have been read.
    pub read: usize,
    /// Bytes whose characters are counted, and how many characters these are: so that none is counted twice.
    pub counted: (usize, usize),
    /// Whether something has been read of it, but not all.
    pub is_open: bool,
}

impl Line {
    pub fn rest(&self) -> &str {
        &self.text[self.read..]
    }

    /// The next character's place.
    pub fn place(&mut self) -> Place {
        let (bytes, characters) = self.counted;
        let characters = characters + self.text[bytes..self.read].chars().count();
        self.counted = (self.read, characters);
        Place { line: self.number, column: characters + 1 }
    }

    pub fn skip_blanks(&mut self) {
        self.read = self.text.len() - self.rest().trim_start().len();
    }

    /// Reads on up to a character, which is left.
    pub fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &str {
        let (begin, length) = (self.read, self.rest().find(ends).unwrap_or(self.rest().len()));
        self.read += length;
        &self.text[begin..self.read]
    }

    /// Reads one character, if it is this one.
    pub fn take(&mut self, wanted: char) -> bool {
        let taken = self.rest().starts_with(wanted);
        self.read += if taken { wanted.len_utf8() } else { 0 };
        taken
    }
}
