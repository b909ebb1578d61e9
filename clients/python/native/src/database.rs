//! Endgame files.

use crate::board::{Board, value_error};
use kroo_core::endgames::{Endgames, MAX_SEEDS};
use kroo_core::game::{Position, Rules, Variant, Verdict, Visitor};
use kroo_core::value::Score;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Hundredths of a seed, the result, and the bound.
type Certainty = (i32, Option<&'static str>, Option<&'static str>);

/// The endgame files of a rule set in a folder.
#[pyclass(module = "kroo", frozen)]
pub(crate) struct Database {
    endgames: Endgames,
    variant: Variant,
    seeds: Option<u8>,
    /// The first fault of a file that was found.
    fault: OnceLock<String>,
}

#[pymethods]
impl Database {
    /// Maps the files. Their values are checked when they are first read.
    #[new]
    fn new(folder: PathBuf, variant: &str) -> PyResult<Database> {
        let variant: Variant = variant.parse().map_err(value_error)?;
        let endgames = Endgames::new();
        let opened = endgames.open_headers_of(variant, &folder, MAX_SEEDS);
        let seeds = opened.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Database { endgames, variant, seeds, fault: OnceLock::new() })
    }

    /// The most seeds in the pits with a file; `None` without files.
    #[getter]
    fn seeds(&self) -> Option<u8> {
        self.seeds
    }

    /// The name of the rule set.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// The proven score of the side to move: hundredths of a seed, the result, and whether the number is a lower or an upper
    /// bound. `None` if the files have no result for the position.
    fn probe(&self, board: &Board) -> PyResult<Option<Certainty>> {
        let position = *board.game.position();
        if position.variant() != self.variant {
            return Err(value_error(format!(
                "the files are of {}, and the board of {}",
                self.variant,
                position.variant()
            )));
        }
        if position.verdict().is_some() {
            return Err(value_error("the game is over"));
        }
        let score = self.variant.visit(Probe(&self.endgames, position));
        if let Some(error) = self.variant.visit(Lost(&self.endgames)) {
            let error = self.fault.get_or_init(|| error);
            return Err(PyOSError::new_err(error.clone()));
        }
        // A damaged file is left out, with all files of more seeds: what they had is not known to be missing.
        let reaches = self.variant.visit(Reaches(&self.endgames, position));
        match self.fault.get().filter(|_| !reaches) {
            Some(error) if self.seeds.is_some_and(|seeds| seeds >= position.board().seeds()) => {
                Err(PyOSError::new_err(error.clone()))
            }
            _ => Ok(score.filter(|score| score.proof.at_least || score.proof.at_most).map(told)),
        }
    }
}

fn told(score: Score) -> (i32, Option<&'static str>, Option<&'static str>) {
    let proven = score.proven().map(Verdict::word);
    let bound = match (score.proof.at_least, score.proof.at_most) {
        (true, false) => Some("lower"),
        (false, true) => Some("upper"),
        _ => None,
    };
    (score.value.shown_centiseeds(), proven, bound)
}

struct Probe<'a>(&'a Endgames, Position);

impl Visitor for Probe<'_> {
    type Output = Option<Score>;

    fn visit<R: Rules>(self) -> Option<Score> {
        let board = self.1.board();
        self.0.built::<R>().filter(|&built| built >= board.seeds())?;
        self.0.probe::<R>(board, board.seeds())
    }
}

/// Visitor: whether the files that are left have a position.
struct Reaches<'a>(&'a Endgames, Position);

impl Visitor for Reaches<'_> {
    type Output = bool;

    fn visit<R: Rules>(self) -> bool {
        self.0.built::<R>().is_some_and(|built| built >= self.1.board().seeds())
    }
}

/// Visitor: the first file found damaged.
struct Lost<'a>(&'a Endgames);

impl Visitor for Lost<'_> {
    type Output = Option<String>;

    fn visit<R: Rules>(self) -> Option<String> {
        self.0.take_lost_files::<R>().first().map(ToString::to_string)
    }
}
