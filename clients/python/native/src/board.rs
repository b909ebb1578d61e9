//! A game on its board.

use kroo_core::game::{Game, Move, Position, Side, Variant, Verdict, draw};
use kroo_protocol::{GameResult, parse_game};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

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
    #[pyo3(signature = (variant = "awari", fen = None, moves = ""))]
    fn new(variant: &str, fen: Option<&str>, moves: &str) -> PyResult<Board> {
        let variant: Variant = variant.parse().map_err(value_error)?;
        let start = fen.unwrap_or("startpos");
        if start.split_whitespace().count() != 1 {
            return Err(value_error(format!("a position is one word of 15 fields, not {start:?}")));
        }
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
        let Some((last, moves)) = self.game.moves().split_last() else {
            return Err(PyIndexError::new_err("no move has been made"));
        };
        let mut game = Game::new(*self.game.start());
        moves.iter().for_each(|&mv| game.play(mv).expect("it was played"));
        let last = last.letter();
        self.game = game;
        Ok(last)
    }

    /// The last move, if there is one.
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

    /// The number of sequences of `depth` moves.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        let position = *self.game.position();
        py.detach(|| position.perft(depth, &|| false)).unwrap_or_default()
    }

    /// Another board with the same game.
    fn copy(&self) -> Board {
        self.clone()
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String, String, String))> {
        let class = py.get_type::<Board>().into_any().unbind();
        Ok((class, (self.variant().to_owned(), self.start_fen(), self.letters())))
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

/// The Python error of an invalid value.
pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn one_move(text: &str) -> PyResult<Move> {
    let mut letters = text.chars();
    let mv = letters.next().and_then(Move::from_letter).filter(|_| letters.next().is_none());
    mv.ok_or_else(|| value_error(format!("a move is one of the letters A to F and a to f, not {text:?}")))
}
