//! A game on its board.

use kroo_core::game::{Game, Move, Position, Side, Variant, Verdict, draw};
use kroo_protocol::{GameResult, parse_game};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The names of the rule sets.
pub(crate) fn variants() -> Vec<&'static str> {
    Variant::ALL.iter().map(|variant| variant.name()).collect()
}

/// A game: a start position, its moves, and the current position.
#[pyclass(module = "kroo", subclass, skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) game: Game,
}

#[pymethods]
impl Board {
    /// A game from the start position of a rule set, or from another position, with moves made.
    #[new]
    #[pyo3(
        signature = (variant = "awari", fen = None, moves = MoveList::default()),
        text_signature = "(variant='awari', fen=None, moves='')"
    )]
    fn new(variant: &str, fen: Option<&str>, moves: MoveList) -> PyResult<Board> {
        let variant: Variant = variant.parse().map_err(value_error)?;
        let start = fen.unwrap_or("startpos");
        if start.split_whitespace().count() != 1 {
            return Err(value_error(format!("a position is one word of 15 fields, not {start:?}")));
        }
        let moves = moves.0;
        let moves = if moves.trim().is_empty() { String::new() } else { format!(" moves {moves}") };
        let game = parse_game(variant, &format!("{start}{moves}")).map_err(value_error)?;
        Ok(Board { game })
    }

    /// The name of the rule set.
    #[getter]
    fn variant(&self) -> &'static str {
        self.game.position().variant().name()
    }

    /// The side to move, `S` or `N`.
    #[getter]
    fn turn(&self) -> char {
        self.game.position().side().letter()
    }

    /// The seeds in the pits A to F, then a to f.
    #[getter]
    fn pits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = Side::BOTH.map(|side| self.game.position().row(side).pits());
        PyTuple::new(py, rows.concat())
    }

    /// The seeds in South's store and in North's.
    #[getter]
    fn stores(&self) -> (u8, u8) {
        let [south, north] = Side::BOTH.map(|side| self.game.position().store(side));
        (south, north)
    }

    /// The moves made, a letter each.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.moves().iter().map(|mv| mv.letter()))
    }

    /// The legal moves; empty if the game is over.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.position().moves().iter().map(|mv| mv.letter()))
    }

    /// The fields of the position at the start of the game.
    #[getter]
    fn start_fen(&self) -> String {
        self.game.start().to_string()
    }

    /// The fields of the position.
    fn fen(&self) -> String {
        self.game.position().to_string()
    }

    /// Whether a move is legal.
    fn is_legal(&self, mv: &str) -> bool {
        one_move(mv).is_ok_and(|mv| self.game.position().play(mv).is_ok())
    }

    /// Makes a move.
    fn push(&mut self, mv: &str) -> PyResult<()> {
        let played = one_move(mv)?;
        self.game.play(played).map_err(|error| value_error(format!("{mv}: {error}")))
    }

    /// Takes back the last move, and returns it.
    fn pop(&mut self) -> PyResult<char> {
        let last = self.game.undo().ok_or_else(|| PyIndexError::new_err("no move has been made"))?;
        Ok(last.letter())
    }

    /// The last move, if any.
    fn peek(&self) -> Option<char> {
        self.game.moves().last().map(|mv| mv.letter())
    }

    /// Returns to the start of the game.
    fn reset(&mut self) {
        self.game = Game::new(*self.game.start());
    }

    /// Whether the game is over.
    fn is_game_over(&self) -> bool {
        self.game.position().verdict().is_some()
    }

    /// `1-0` if South has won, `0-1`, `1/2-1/2`, or `*` during the game.
    fn result(&self) -> &'static str {
        GameResult::of(self.game.position()).word()
    }

    /// The winner, `S` or `N`; `None` after a draw and during the game.
    fn winner(&self) -> Option<char> {
        let won = |side: &Side| self.game.position().verdict_for(*side) == Some(Verdict::Win);
        Side::BOTH.into_iter().find(won).map(Side::letter)
    }

    /// The number of sequences of `depth` moves. Other threads run meanwhile, and Ctrl-C ends it.
    fn perft(slf: &Bound<'_, Self>, depth: u32) -> PyResult<u64> {
        let position = *slf.borrow().game.position();
        slf.py().detach(|| {
            let interrupted = Interrupted::default();
            let count = position.perft(depth, &|| interrupted.is_pending());
            interrupted.error.into_inner().map_or(Ok(count.unwrap_or_default()), Err)
        })
    }

    /// The number of moves made.
    fn ply(&self) -> usize {
        self.game.moves().len()
    }

    /// The end of the game, or `None` while it goes on: a `kroo.Outcome`.
    fn outcome<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let class = slf.py().import("kroo.outcome")?.getattr("Outcome")?;
        let board = slf.borrow();
        let is_over = board.is_game_over();
        is_over.then(|| class.call1((board.winner(), board.result()))).transpose()
    }

    /// The board as a picture, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("kroo.svg")?.getattr("board")?.call1((slf,))
    }

    /// Another board with the same game, of the same class and with the same attributes.
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, class) = (slf.py(), slf.get_type());
        let game = slf.borrow().game.clone();
        if class.is(py.get_type::<Board>()) {
            return Ok(Bound::new(py, Board { game })?.into_any());
        }
        let copy = py.get_type::<Board>().call_method1("__new__", (&class,))?;
        copy.cast::<Board>()?.borrow_mut().game = game;
        copy.getattr("__dict__")?.call_method1("update", (slf.getattr("__dict__")?,))?;
        Ok(copy)
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Board::copy(slf)
    }

    fn __deepcopy__<'py>(slf: &Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let copy = Board::copy(slf)?;
        if let Ok(attributes) = copy.getattr("__dict__") {
            let deep = slf.py().import("copy")?.call_method1("deepcopy", (&attributes, memo))?;
            attributes.call_method1("update", (deep,))?;
        }
        Ok(copy)
    }

    /// The class and its arguments, without a call of `__init__`, and the attributes of a subclass.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let new = slf.py().get_type::<Board>().getattr("__new__")?;
        let board = slf.borrow();
        let words = (slf.get_type().into_any(), board.variant(), board.start_fen(), board.letters());
        Ok((new, words, slf.getattr("__dict__").ok()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Board>().is_ok_and(|other| other.borrow().game == self.game)
    }

    fn __str__(&self) -> String {
        draw(self.game.position()).join("\n")
    }

    fn __repr__(&self) -> String {
        let start = self.game.start();
        let fen = match *start == Position::start(start.variant()) {
            true => String::new(),
            false => format!(", fen='{start}'"),
        };
        let moves = self.letters();
        let moves = if moves.is_empty() { moves } else { format!(", moves='{moves}'") };
        format!("Board('{}'{fen}{moves})", self.variant())
    }

    /// The board in a frame, North above.
    fn unicode(&self) -> String {
        let position = self.game.position();
        let cells =
            |pits: Vec<u8>| pits.iter().map(|seeds| format!("{seeds:^4}")).collect::<Vec<_>>().join("│");
        let mut north = position.row(Side::North).pits().to_vec();
        north.reverse();
        let south = position.row(Side::South).pits().to_vec();
        let line =
            |left: &str, middle: &str, right: &str| format!("{left}{}{right}", ["────"; 6].join(middle));
        [
            format!("     {}", ["f", "e", "d", "c", "b", "a"].join("    ")),
            format!("   {}", line("┌", "┬", "┐")),
            format!("   │{}│", cells(north)),
            format!(
                "{:>2} {} {:<2}",
                position.store(Side::North),
                line("├", "┼", "┤"),
                position.store(Side::South)
            ),
            format!("   │{}│", cells(south)),
            format!("   {}", line("└", "┴", "┘")),
            format!("     {}", ["A", "B", "C", "D", "E", "F"].join("    ")),
        ]
        .join("\n")
    }
}

impl Board {
    fn letters(&self) -> String {
        self.game.moves().iter().map(|mv| mv.letter()).collect()
    }
}

/// A function, its arguments, and the attributes of the result.
type Reduced<'py> =
    (Bound<'py, PyAny>, (Bound<'py, PyAny>, &'static str, String, String), Option<Bound<'py, PyAny>>);

/// A list of moves from Python: text as in the protocol, or a sequence of texts as `move_stack`.
#[derive(Default)]
pub(crate) struct MoveList(String);

impl<'py> FromPyObject<'_, 'py> for MoveList {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveList> {
        let words = given.extract::<Vec<String>>().map(|words| words.join(" "));
        given.extract::<String>().or(words).map(MoveList).map_err(|_| {
            let given = given.repr().map_or_else(|_| "another object".to_owned(), |text| text.to_string());
            PyTypeError::new_err(format!(
                "`moves` is text such as 'FfEc', or a sequence of letters, not {given}"
            ))
        })
    }
}

/// Asks Python from time to time whether a signal, such as that of Ctrl-C, has raised an error.
struct Interrupted {
    error: RefCell<Option<PyErr>>,
    asked: Cell<Instant>,
}

impl Default for Interrupted {
    fn default() -> Interrupted {
        Interrupted { error: RefCell::default(), asked: Cell::new(Instant::now()) }
    }
}

impl Interrupted {
    fn is_pending(&self) -> bool {
        if self.asked.get().elapsed() > INTERVAL {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                *self.error.borrow_mut() = Some(error);
            }
            self.asked.set(Instant::now());
        }
        self.error.borrow().is_some()
    }
}

/// The longest delay before a signal is noticed.
const INTERVAL: Duration = Duration::from_millis(50);

/// The Python error of an invalid value.
pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn one_move(text: &str) -> PyResult<Move> {
    let mut letters = text.chars();
    let mv = letters.next().and_then(Move::from_letter).filter(|_| letters.next().is_none());
    mv.ok_or_else(|| value_error(format!("a move is one of the letters A to F and a to f, not {text:?}")))
}
