//! The rules of Kroo for Python: boards, game files and endgame files. The package `kroo` wraps them.
//!
//! It depends on `kroo-core` and `kroo-protocol`. Begin with the class `Board` (`board.rs`).

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
