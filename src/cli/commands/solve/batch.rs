//! The positions of a batch, and the file of answers that continues it.

use crate::files::{self, BYTE_ORDER_MARK, LockError, why};
use crate::game::{Game, Variant};
use crate::protocol::parse_game;
use serde_json::Value as Json;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The largest file of positions or answers that is read, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// The beginning of each answer.
const BEGIN: &str = "{\"asked\":\"";

/// Whether a word consists of moves.
pub(super) fn are_moves(word: &str) -> bool {
    word.chars().all(|c| matches!(c, 'A'..='F' | 'a'..='f'))
}

/// The game of a text: a position, `startpos`, either with `moves` and moves, or only moves from the start.
///
/// # Errors
/// The fault of the text.
pub(super) fn game_of(variant: Variant, text: &str) -> Result<Game, String> {
    if text.split_whitespace().all(are_moves) {
        return parse_game(variant, &format!("startpos moves {text}"));
    }
    parse_game(variant, text)
}

/// The positions of a file, one a line. Text after `#` is a comment.
///
/// # Errors
/// The line that is no position, or why the file cannot be read.
pub(super) fn read(variant: Variant, path: Option<&Path>) -> Result<Vec<Game>, String> {
    let name = path.map_or("standard input".to_owned(), |path| path.display().to_string());
    let mut bytes = Vec::new();
    let read = match path {
        Some(path) => {
            files::open_at_most(path, LARGEST_FILE).and_then(|mut file| file.read_to_end(&mut bytes))
        }
        None => io::stdin().take(LARGEST_FILE).read_to_end(&mut bytes),
    };
    read.map_err(|error| {
        format!("{name} cannot be read: {}", path.map_or(error.to_string(), |path| why(path, &error)))
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text).lines();
    let lines = (1..).zip(lines.map(|line| line.split('#').next().unwrap_or_default().trim()));
    let game = |(number, line): (usize, &str)| {
        game_of(variant, line).map_err(|error| format!("{name}, line {number}: {error}"))
    };
    let games: Vec<Game> = lines.filter(|(_, line)| !line.is_empty()).map(game).collect::<Result<_, _>>()?;
    if games.is_empty() {
        return Err(format!("{name} has no position: write one a line"));
    }
    Ok(games)
}

/// A file of answers, one JSON object a line, each synced to the disk before the next position is begun.
#[derive(Debug)]
pub(super) struct AnswerFile {
    path: PathBuf,
    file: File,
    /// The answers of an interrupted batch, in order.
    pub answers: Vec<Json>,
}

impl AnswerFile {
    /// Opens or creates a file of the answers to a batch, each like `expected`: of the same rule set, with the same question. An
    /// incomplete last line is removed.
    ///
    /// # Errors
    /// If it has other content, another process writes it, or it cannot be read and written. It is unchanged then.
    pub(super) fn open(path: &Path, expected: &[Json]) -> Result<AnswerFile, String> {
        let failed = |error: io::Error| format!("{}: {}", path.display(), why(path, &error));
        let mut options = File::options();
        let mut file = files::open_with(options.read(true).write(true).create(true).truncate(false), path)
            .map_err(failed)?;
        files::lock(&file).map_err(|error: LockError| failed(error.into()))?;
        if file.metadata().map_err(failed)?.len() > LARGEST_FILE {
            return Err(failed(files::too_large(LARGEST_FILE)));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let (whole, rest) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
        let foreign = |number: usize| {
            format!("{}, line {number}: not an answer of `kroo solve`; name another file", path.display())
        };
        let answer = |(number, line): (usize, &str)| {
            let answer = serde_json::from_str(line).ok();
            answer.filter(|answer: &Json| answer["position"].is_string()).ok_or_else(|| foreign(number))
        };
        let answers: Vec<Json> = (1..).zip(whole.lines()).map(answer).collect::<Result<_, _>>()?;
        if !rest.starts_with(BEGIN) && !BEGIN.starts_with(rest) {
            return Err(foreign(answers.len() + 1));
        }
        let answers = AnswerFile { path: path.to_owned(), file, answers };
        answers.check(expected)?;
        answers.file.set_len(whole.len() as u64).map_err(failed)?;
        (&answers.file).seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(answers)
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, answer: &Json) -> Result<(), String> {
        let line = format!("{answer}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// The first answer that is not one to the first positions of the batch is an error.
    fn check(&self, expected: &[Json]) -> Result<(), String> {
        let fields = ["variant", "position", "asked", "moves"];
        let same = |found: &Json, expected: &Json| {
            fields.iter().all(|&field| match field {
                "moves" => found[field].is_null() == expected[field].is_null(),
                _ => found[field] == expected[field],
            })
        };
        for (number, found) in (1..).zip(&self.answers) {
            let expected = expected.get(number - 1).unwrap_or(&Json::Null);
            if !same(found, expected) {
                return Err(format!(
                    "{}, line {number}: the answer of another batch, about {} of {}; name another file",
                    self.path.display(),
                    found["position"].as_str().unwrap_or("?"),
                    found["variant"].as_str().unwrap_or("?")
                ));
            }
        }
        Ok(())
    }
}
