//! The positions of a batch, and the file of answers that continues it.

use crate::files::records::{GrowingFile, LineReader};
use crate::files::{self, BYTE_ORDER_MARK, why};
use crate::game::{Game, Variant};
use crate::protocol::parse_game;
use serde_json::Value as Json;
use std::error::Error;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The largest file of positions that is read, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// The longest line of an answer, in bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// The field of an answer with the CRC-32 of the others, written without it.
const CHECK: &str = "check";
/// The beginning of each answer.
const BEGIN: &[u8] = b"{\"asked\":\"";

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

/// The positions of a file, one a line, of the rule set that its text names. Text after `#` is a comment.
///
/// # Errors
/// The line that is no position, or why the file cannot be read.
pub(super) fn read(path: Option<&Path>, variant: impl Fn(&str) -> Variant) -> Result<Vec<Game>, String> {
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
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    let (variant, lines) = (variant(text), text.lines());
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

/// A file of answers, one JSON object a line, each on the disk before the next position is begun.
#[derive(Debug)]
pub(super) struct AnswerFile {
    file: GrowingFile,
    /// The answers of an interrupted batch, in order.
    pub answers: Vec<Json>,
}

impl AnswerFile {
    /// Opens or creates a file of the answers to a batch, each like `expected`: of the same rule set, with the same question.
    /// Torn lines at its end are removed.
    ///
    /// # Errors
    /// If it has other content, another process writes it, or it cannot be read and written. It is unchanged then.
    pub(super) fn open(path: &Path, expected: &[Json]) -> Result<AnswerFile, Box<dyn Error>> {
        let mut file = GrowingFile::open(path)?;
        if file.end() == 0 {
            file.begin(b"")?;
        }
        // The same handle: some systems let no other one read a locked file.
        let same = file.file().try_clone().map_err(|error| file.unread(error))?;
        let mut lines = LineReader::new(path, same);
        let mut answers = Vec::new();
        while let Some(line) = lines.next_line(LONGEST_LINE, |line| answer_of(line).map(|_| ()))? {
            answers.push(answer_of(line)?);
        }
        if lines.torn() > 0 && !is_begun(&file, lines.offset()).map_err(|error| file.unread(error))? {
            let (path, line) = (path.display(), answers.len() + 1);
            return Err(
                format!("{path}, line {line}: not an answer of `kroo solve`; name another file").into()
            );
        }
        check(path, &answers, expected)?;
        file.cut(lines.offset())?;
        Ok(AnswerFile { file, answers })
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, answer: &Json) -> Result<(), Box<dyn Error>> {
        let mut answer = answer.clone();
        answer[CHECK] = checksum(&answer).into();
        Ok(self.file.append(format!("{answer}\n").as_bytes())?)
    }
}

/// The answer of a line, which is given with its end; or the fault of the line.
fn answer_of(line: &[u8]) -> Result<Json, String> {
    let line = line.strip_suffix(b"\n").ok_or("it does not end")?;
    let mut answer: Json = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let written = answer.as_object_mut().and_then(|fields| fields.remove(CHECK)).ok_or("it has no check")?;
    let found = checksum(&answer);
    if written == found.as_str() { Ok(answer) } else { Err(format!("its check should be {found}")) }
}

fn checksum(answer: &Json) -> String {
    format!("{:08x}", crc32fast::hash(answer.to_string().as_bytes()))
}

/// Whether what follows the whole lines is an answer that was being written, or has not reached the disk.
fn is_begun(file: &GrowingFile, end: u64) -> io::Result<bool> {
    let mut rest = Vec::new();
    let mut file = file.file();
    file.seek(SeekFrom::Start(end))?;
    file.take(LARGEST_FILE).read_to_end(&mut rest)?;
    let written = rest.iter().rposition(|&byte| byte != 0).map_or(&[][..], |last| &rest[..=last]);
    Ok(written.starts_with(BEGIN) || BEGIN.starts_with(written))
}

/// The first answer that is not one to the first positions of the batch is an error.
fn check(path: &Path, answers: &[Json], expected: &[Json]) -> Result<(), String> {
    let fields = ["variant", "position", "asked", "moves"];
    let same = |found: &Json, expected: &Json| {
        fields.iter().all(|&field| match field {
            "moves" => found[field].is_null() == expected[field].is_null(),
            _ => found[field] == expected[field],
        })
    };
    for (number, found) in (1..).zip(answers) {
        let expected = expected.get(number - 1).unwrap_or(&Json::Null);
        if !same(found, expected) {
            return Err(format!(
                "{}, line {number}: the answer of another batch, about {} of {}; name another file",
                path.display(),
                found["position"].as_str().unwrap_or("?"),
                found["variant"].as_str().unwrap_or("?")
            ));
        }
    }
    Ok(())
}
