//! The rules of Kroo for Python: boards, game files and endgame files, compiled as the module `kroo._rules`.
//!
//! Use the package `kroo` in `clients/python/src`, which wraps these classes with types and documentation. They are for what
//! Python would do slowly, or differently from the engine:
//!
//! | class | content |
//! |---|---|
//! | `Board` (`board.rs`) | a game: position, legal moves, `push` and `pop`, result, `perft` |
//! | `Games` (`ogn.rs`) | the games of an open file, one after the other |
//! | `Database` (`database.rs`) | the endgame files of a folder |
//!
//! ```py
//! board = kroo.Board("oware")       # kroo._rules.Board; a wrong name is a ValueError that lists the right ones
//! board.push("F")                   # an illegal move is a ValueError with the reason, and changes nothing
//! print(board.legal_moves, board.fen())
//! ```
//!
//! Every call takes and returns plain values of Python: a move is a letter, a position its fifteen fields. Computations that
//! take long look for Ctrl-C between their parts.
//!
//! # Imports
//! It imports `kroo-core` and `kroo-protocol`, never `kroo`: conversations with an engine are written in Python and work with any
//! engine.

mod board;
mod database;
mod ogn;
mod rules;

use pyo3::prelude::*;

/// The rules of all games, compiled.
#[pymodule]
fn _rules(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VARIANTS", board::variants())?;
    module.add_class::<board::Board>()?;
    module.add_class::<database::Database>()?;
    module.add_class::<ogn::Games>()?;
    module.add_function(wrap_pyfunction!(rules::rules_name, module)?)?;
    module.add_function(wrap_pyfunction!(rules::fair_starts, module)?)?;
    module.add_function(wrap_pyfunction!(ogn::write, module)?)
}
