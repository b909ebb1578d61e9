//! Kroo.
pub mod game;
