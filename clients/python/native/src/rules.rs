//! Rule sets by the options that choose them.

use crate::board::value_error;
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
