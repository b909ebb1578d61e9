//! Game files.

use crate::board::{Board, value_error};
use kroo_core::game::{Move, Variant};
use kroo_protocol::ogn::{GameRecord, GameText, MoveText, Place, ReadError, Reader, VariationText};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::io::{self, BufRead, Read};

/// A game for Python: the board at its end, the tags, the comment before the first move, the moves, and what was left out.
type GameForPython = (Board, Vec<(String, String)>, String, Vec<MoveForPython>, String);

/// A move for Python: the letter, the annotation, the comment, and the variations, each a list of moves.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) struct MoveForPython(String, String, String, Vec<Vec<MoveForPython>>);

/// The games of a file that Python has opened, one after the other.
#[pyclass(module = "kroo")]
pub(crate) struct Games {
    reader: Reader<PythonFile>,
    untagged: Option<Variant>,
}

#[pymethods]
impl Games {
    /// Games without a rule set get `variant`.
    #[new]
    #[pyo3(signature = (file, variant = None))]
    fn new(file: Py<PyAny>, variant: Option<&str>) -> PyResult<Games> {
        let untagged = variant.map(str::parse).transpose().map_err(value_error)?;
        let file = PythonFile { file, line: Vec::new(), read: 0 };
        Ok(Games { reader: Reader::new(file), untagged })
    }

    fn __iter__(games: PyRef<'_, Self>) -> PyRef<'_, Self> {
        games
    }

    /// The next game. After a fault the next call goes on behind it.
    fn __next__(&mut self) -> PyResult<Option<GameForPython>> {
        match self.reader.next() {
            None => Ok(None),
            Some(Ok(text)) => for_python(text, self.untagged).map(Some),
            Some(Err(error)) => {
                self.reader.resume();
                Err(match error {
                    ReadError::Io { error, .. } => error.into(),
                    ReadError::Text(error) => value_error(error),
                })
            }
        }
    }
}

fn for_python(text: GameText, untagged: Option<Variant>) -> PyResult<GameForPython> {
    let moves = text.moves.clone();
    let record = text.play_as(untagged).map_err(value_error)?;
    let result = record.result().to_owned();
    let mut tags = record.tags;
    if !tags.iter().any(|(name, _)| name == "Result") {
        tags.push(("Result".to_owned(), result));
    }
    Ok((
        Board { game: record.game },
        tags,
        record.before,
        moves.into_iter().map(MoveForPython::from).collect(),
        record.omitted.to_string(),
    ))
}

impl From<MoveText> for MoveForPython {
    fn from(text: MoveText) -> MoveForPython {
        let variations = text.variations.into_iter();
        // A comment before the first move of a variation becomes a part of that move's.
        let line = |VariationText { before, mut moves }: VariationText| {
            if let Some(first) = moves.first_mut().filter(|_| !before.is_empty()) {
                first.comment = format!("{before} {}", first.comment).trim_end().to_owned();
            }
            moves.into_iter().map(MoveForPython::from).collect()
        };
        MoveForPython(text.mv.letter().to_string(), text.sign, text.comment, variations.map(line).collect())
    }
}

impl TryFrom<MoveForPython> for MoveText {
    type Error = PyErr;

    fn try_from(mv: MoveForPython) -> PyResult<MoveText> {
        let MoveForPython(letter, sign, comment, variations) = mv;
        let mut letters = letter.chars();
        let mv = letters.next().and_then(Move::from_letter).filter(|_| letters.next().is_none());
        let mv = mv.ok_or_else(|| value_error(format!("a move is one letter, not {letter:?}")))?;
        if sign.len() > 2 || sign.chars().any(|sign| !"!?".contains(sign)) {
            return Err(value_error(format!("an annotation is one or two of `!` and `?`, not {sign:?}")));
        }
        let line = |line: Vec<MoveForPython>| {
            let moves = line.into_iter().map(MoveText::try_from).collect::<PyResult<_>>()?;
            Ok(VariationText { moves, ..VariationText::default() })
        };
        let variations = variations.into_iter().map(line).collect::<PyResult<_>>()?;
        Ok(MoveText { mv, banked: None, sign, comment, variations, place: Place::default() })
    }
}

/// A file of Python, read by lines.
struct PythonFile {
    file: Py<PyAny>,
    line: Vec<u8>,
    read: usize,
}

impl PythonFile {
    fn next_line(&mut self) -> PyResult<()> {
        Python::attach(|py| {
            let line = self.file.bind(py).call_method0("readline")?;
            self.line = if let Ok(text) = line.cast::<PyString>() {
                text.to_string_lossy().into_owned().into_bytes()
            } else if let Ok(bytes) = line.cast::<PyBytes>() {
                bytes.as_bytes().to_owned()
            } else {
                return Err(PyTypeError::new_err("a file of games is one whose `readline` gives text"));
            };
            self.read = 0;
            Ok(())
        })
    }
}

impl BufRead for PythonFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len() {
            self.next_line().map_err(io::Error::other)?;
        }
        Ok(&self.line[self.read..])
    }

    fn consume(&mut self, amount: usize) {
        self.read += amount;
    }
}

impl Read for PythonFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let amount = self.fill_buf()?.read(into)?;
        self.consume(amount);
        Ok(amount)
    }
}

/// A game as text. The moves are those of the board, as far as they are given.
#[pyfunction]
pub(crate) fn write(
    board: &Board,
    tags: Vec<(String, String)>,
    comment: String,
    moves: Vec<MoveForPython>,
) -> PyResult<String> {
    let played = board.game.moves();
    let mut texts: Vec<MoveText> = moves.into_iter().map(MoveText::try_from).collect::<PyResult<_>>()?;
    if texts.len() > played.len() || texts.iter().zip(played).any(|(text, mv)| text.mv != *mv) {
        return Err(value_error("the moves of the game are not those of its board"));
    }
    for mv in &played[texts.len()..] {
        let plain = MoveForPython(mv.letter().to_string(), String::new(), String::new(), Vec::new());
        texts.push(plain.try_into()?);
    }
    let mut record = GameRecord { before: comment, ..GameRecord::new(board.game.clone()) };
    for (name, value) in tags.iter().filter(|(name, _)| name != "Variant" && name != "FEN") {
        if name.is_empty()
            || name.contains(|c: char| c.is_whitespace() || c.is_control() || "\"[]".contains(c))
        {
            return Err(value_error(format!(
                "the name of a tag is one word without quotes and brackets, not {name:?}"
            )));
        }
        record.set_tag(name, value);
    }
    record.with_moves(&texts).map_err(|error| value_error(format!("a variation: {}", error.fault)))
}
