//! The players of the sources.

pub mod evolved;
