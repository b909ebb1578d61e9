//! Rule sets by the options that choose them.

use crate::board::value_error;
use kroo_core::game::{Variant, fair_starts as starts};
use kroo_protocol::{Settings, options};
use pyo3::prelude::*;

/// The name of the rule set that these options choose, set in this order.
#[pyfunction]
pub(crate) fn rules_name(chosen: Vec<(String, String)>) -> PyResult<&'static str> {
    let mut settings = Settings::default();
    for (name, value) in chosen {
        options::set(&mut settings, &name, Some(&value)).map_err(value_error)?;
    }
    Ok(settings.variant.name())
}

/// The proven draws among the start positions of a game, each as fifteen fields.
#[pyfunction]
pub(crate) fn fair_starts(variant: &str) -> PyResult<Vec<String>> {
    let variant: Variant = variant.parse().map_err(value_error)?;
    Ok(starts(variant).iter().map(ToString::to_string).collect())
}
