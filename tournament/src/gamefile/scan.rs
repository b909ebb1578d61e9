//! From lines to games.

use super::{GameText, MoveText};
use kroo::game::Move;
use std::io::{self, BufRead};
use std::mem;

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Why a game file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system says so.
    #[error("line {line}: {error}")]
    Read {
        /// The line, from 1.
        line: usize,
        /// What it says.
        error: io::Error,
    },
    /// Something that is no part of a game.
    #[error("line {line}, column {column}: {problem}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// What stands there, and what was expected.
        problem: String,
    },
}

/// The games of a file, in order. After an error there are no more.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line: usize,
    game: GameText,
    /// Text of a comment that has not ended.
    comment: Option<String>,
    done: bool,
}

/// What a line did to the game.
enum Step {
    /// The game goes on.
    More,
    /// It was complete before this line, which must be read again as part of the next.
    Before,
    /// It is complete.
    Complete,
}

impl<R: BufRead> Reader<R> {
    /// Reads a file.
    pub fn new(input: R) -> Reader<R> {
        Reader { input, line: 0, game: GameText::default(), comment: None, done: false }
    }

    /// The next line without its end; `None` at the end of the file.
    fn next_line(&mut self) -> Result<Option<String>, ReadError> {
        let mut bytes = Vec::new();
        self.line += 1;
        let line = self.line;
        let read = io::Read::take(&mut self.input, LONGEST).read_until(b'\n', &mut bytes);
        match read.map_err(|error| ReadError::Read { line, error })? {
            0 => Ok(None),
            read if read as u64 == LONGEST => {
                Err(self.fail(1, "the line is longer than a megabyte".to_owned()))
            }
            _ => Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned())),
        }
    }

    fn fail(&self, column: usize, problem: String) -> ReadError {
        ReadError::Syntax { line: self.line, column, problem }
    }

    fn next_game(&mut self) -> Result<Option<GameText>, ReadError> {
        while let Some(line) = self.next_line()? {
            let line = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { &line };
            match self.take_line(line)? {
                Step::More => {}
                Step::Complete => return Ok(Some(mem::take(&mut self.game))),
                Step::Before => {
                    let game = mem::take(&mut self.game);
                    self.take_line(line)?;
                    return Ok(Some(game));
                }
            }
        }
        if self.comment.is_some() {
            return Err(self.fail(1, "a comment is not closed: expected `}`".to_owned()));
        }
        self.done = true;
        let game = mem::take(&mut self.game);
        Ok((game != GameText::default()).then_some(game))
    }

    fn take_line(&mut self, line: &str) -> Result<Step, ReadError> {
        let begun = !self.game.moves.is_empty() || self.game.last.is_some();
        let text = line.trim();
        if self.comment.is_none() {
            if text.is_empty() {
                return Ok(if begun { Step::Complete } else { Step::More });
            }
            if text.starts_with('[') {
                if begun {
                    return Ok(Step::Before);
                }
                let tag = tag(text)
                    .ok_or_else(|| self.fail(1, "this is no tag: expected `[Name \"value\"]`".to_owned()))?;
                self.begin();
                self.game.tags.push(tag);
                return Ok(Step::More);
            }
        }
        self.begin();
        self.words(line).map(|()| Step::More)
    }

    fn begin(&mut self) {
        if self.game.line == 0 {
            self.game.line = self.line;
        }
    }

    /// Reads a line of moves.
    fn words(&mut self, line: &str) -> Result<(), ReadError> {
        let mut rest = line;
        loop {
            if let Some(mut comment) = self.comment.take() {
                let Some((inside, after)) = rest.split_once('}') else {
                    comment.push_str(rest);
                    comment.push(' ');
                    self.comment = Some(comment);
                    return Ok(());
                };
                comment.push_str(inside);
                self.remark(comment.trim());
                rest = after;
            }
            rest = rest.trim_start();
            let column = line.chars().count() - rest.chars().count() + 1;
            if rest.is_empty() || rest.starts_with(';') {
                return Ok(());
            }
            if let Some(after) = rest.strip_prefix('{') {
                self.comment = Some(String::new());
                rest = after;
                continue;
            }
            let end = rest.find([' ', '\t', '{']).unwrap_or(rest.len());
            let word = &rest[..end];
            self.word(word).map_err(|problem| self.fail(column, problem))?;
            rest = &rest[end..];
        }
    }

    fn remark(&mut self, text: &str) {
        if let Some(last) = self.game.moves.last_mut() {
            if !last.comment.is_empty() {
                last.comment.push(' ');
            }
            last.comment.push_str(text);
        }
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|byte| byte == b'.') {
            return Ok(());
        }
        if self.game.last.is_some() {
            return Err(format!("`{}` after the result: expected an empty line", clipped(word)));
        }
        if word == "*" || is_result(word) {
            self.game.last = Some(word.to_owned());
            return Ok(());
        }
        let mut letters = word.chars();
        let mv = letters.next().and_then(Move::from_letter);
        let seeds = letters.as_str();
        let captured =
            seeds.is_empty() || seeds.strip_prefix('+').is_some_and(|seeds| seeds.parse::<u8>().is_ok());
        match mv {
            Some(mv) if captured => {
                self.game.moves.push(MoveText { mv, comment: String::new() });
                Ok(())
            }
            _ => Err(format!(
                "`{}`: expected a move (A to F or a to f, perhaps with +N), its number, a comment or a result",
                clipped(word)
            )),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<GameText, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.next_game();
        self.done |= game.is_err();
        game.transpose()
    }
}

/// `[Name "value"]`, in which a backslash takes the meaning from a quote or a backslash.
fn tag(text: &str) -> Option<(String, String)> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, rest) = inside.split_once(char::is_whitespace)?;
    let quoted = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    let (mut value, mut escaped) = (String::new(), false);
    for letter in quoted.chars() {
        match letter {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return None,
            letter => {
                value.push(letter);
                escaped = false;
            }
        }
    }
    (!escaped).then(|| (name.to_owned(), value))
}

/// Seeds or points with a dash between.
fn is_result(word: &str) -> bool {
    let side = |text: &str| text == "1/2" || text.parse::<u8>().is_ok();
    word.split_once('-').is_some_and(|(south, north)| side(south) && side(north))
}

fn clipped(word: &str) -> String {
    word.chars().take(20).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use kroo::game::{Side, Variant};

    fn read(text: &str) -> Result<Vec<GameText>, ReadError> {
        Reader::new(text.as_bytes()).collect()
    }

    #[test]
    fn games_are_read_as_people_write_them() {
        let text = "\u{feff}[Variant \"Oware Abapa\"]\r\n[South \"a \\\"b\\\" \\\\\"]\n[Result \"0-1\"]\n\n\
                    1. F f{one\nmore} 2. E b+2 ; rest of the line\n20-25\n\n\n[Variant \"kalah\"]\n\nA {x} {y}";
        let games = read(text).unwrap_or_default();
        let [first, second] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!(
            (first.line, first.variant(), first.tag("South")),
            (1, Some(Variant::Oware), Some("a \"b\" \\"))
        );
        let letters: String = first.moves.iter().map(|text| text.mv.letter()).collect();
        assert_eq!((letters.as_str(), first.moves[1].comment.as_str()), ("FfEb", "one more"));
        assert_eq!((first.stores(), first.outcome()), (Some([20, 25]), Some(Outcome::Win(Side::North))));
        assert_eq!((second.line, second.variant()), (10, Some(Variant::Kalah)));
        assert_eq!((second.moves[0].comment.as_str(), second.outcome()), ("x y", None));
    }

    #[test]
    fn what_is_no_game_is_refused_with_its_place() {
        for (text, expected) in [
            ("1. F x", "line 1, column 6: `x`: expected a move"),
            ("\n[Variant]\n", "line 2, column 1: this is no tag"),
            ("1. F {no end", "line 2, column 1: a comment is not closed"),
            ("F 25-20 f", "line 1, column 9: `f` after the result"),
        ] {
            let error = read(text).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }
}
