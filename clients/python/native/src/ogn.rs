//! Game files.

use crate::board::{Board, value_error};
use kroo_core::game::{Move, Variant};
use kroo_protocol::ogn::{GameRecord, GameText, MoveNotes, MoveText, ReadError, Reader, VariationText};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::io::{self, BufRead, Read};

/// A game for Python: the board at its end, the tags, the comment before the first move, the moves, and the omitted parts.
type GameForPython = (Board, Vec<(String, String)>, String, Vec<MoveForPython>, String);

/// A move for Python: the letter, the annotation, the comment, the variations, each a list of moves, and the comment before it,
/// which only the first move of a variation has.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) struct MoveForPython(String, String, String, Vec<Vec<MoveForPython>>, String);

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
    let record = text.play_as(untagged).map_err(value_error)?;
    let tags = record.tags().to_vec();
    let moves = record.game.moves().iter().zip(record.notes);
    let moves = moves.map(|(&mv, notes)| MoveForPython::from(MoveText::new(mv, notes))).collect();
    Ok((Board { game: record.game.clone() }, tags, record.before, moves, record.omitted.to_string()))
}

impl From<MoveText> for MoveForPython {
    fn from(MoveText { mv, notes, .. }: MoveText) -> MoveForPython {
        let MoveNotes { sign, comment, variations } = notes;
        let line = |VariationText { before, moves }: VariationText| {
            let mut line: Vec<MoveForPython> = moves.into_iter().map(MoveForPython::from).collect();
            line.iter_mut().take(1).for_each(|first| first.4.clone_from(&before));
            line
        };
        let variations = variations.into_iter().map(line).collect();
        MoveForPython(mv.letter().to_string(), sign, comment, variations, String::new())
    }
}

impl TryFrom<MoveForPython> for MoveText {
    type Error = PyErr;

    fn try_from(mv: MoveForPython) -> PyResult<MoveText> {
        let MoveForPython(letter, sign, comment, variations, _) = mv;
        let mut letters = letter.chars();
        let mv = letters.next().and_then(Move::from_letter).filter(|_| letters.next().is_none());
        let mv = mv.ok_or_else(|| value_error(format!("a move is one letter, not {letter:?}")))?;
        if sign.len() > 2 || sign.chars().any(|sign| !"!?".contains(sign)) {
            return Err(value_error(format!("an annotation is one or two of `!` and `?`, not {sign:?}")));
        }
        let line = |line: Vec<MoveForPython>| {
            let before = line.first().map(|first| first.4.clone()).unwrap_or_default();
            let moves = line.into_iter().map(MoveText::try_from).collect::<PyResult<_>>()?;
            Ok(VariationText { before, moves })
        };
        let variations = variations.into_iter().map(line).collect::<PyResult<_>>()?;
        Ok(MoveText::new(mv, MoveNotes { sign, comment, variations }))
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
    let texts: Vec<MoveText> = moves.into_iter().map(MoveText::try_from).collect::<PyResult<_>>()?;
    if texts.len() > played.len() || texts.iter().zip(played).any(|(text, mv)| text.mv != *mv) {
        return Err(value_error("the moves of the game are not those of its board"));
    }
    let notes = texts.into_iter().map(|text| text.notes).collect();
    let record = GameRecord::of_parts(board.game.clone(), tags, comment, notes).map_err(value_error)?;
    Ok(record.to_string())
}
