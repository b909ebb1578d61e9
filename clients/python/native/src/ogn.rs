//! Game files.

use crate::board::{Board, value_error};
use kroo_core::game::Variant;
use kroo_protocol::ogn::{GameRecord, ReadError, Reader};
use pyo3::prelude::*;

/// A game for Python: the board at its end, the tags, and the comment of each move.
type Told = (Board, Vec<(String, String)>, Vec<String>);

/// The games of a text. Games without a rule set get `variant`.
#[pyfunction]
#[pyo3(signature = (text, variant = None))]
pub(crate) fn read(text: &str, variant: Option<&str>) -> PyResult<Vec<Told>> {
    let untagged: Option<Variant> = variant.map(str::parse).transpose().map_err(value_error)?;
    let game = |game: Result<kroo_protocol::ogn::GameText, ReadError>| {
        let record = game.map_err(value_error)?.play_as(untagged).map_err(value_error)?;
        let result = record.result().to_owned();
        let mut tags = record.tags;
        if !tags.iter().any(|(name, _)| name == "Result") {
            tags.push(("Result".to_owned(), result));
        }
        Ok((Board { game: record.game }, tags, record.comments))
    };
    Reader::new(text.as_bytes()).map(game).collect()
}

/// A game as text.
#[pyfunction]
pub(crate) fn write(board: &Board, tags: Vec<(String, String)>, comments: Vec<String>) -> String {
    let mut record = GameRecord { game: board.game.clone(), tags: Vec::new(), comments };
    tags.iter().filter(|(name, _)| name != "Variant" && name != "FEN").for_each(|(name, value)| {
        record.set_tag(name, value);
    });
    record.to_string()
}
