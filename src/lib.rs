//! Kroo.
pub mod evaluate;
pub mod game;
pub mod search;
pub mod value;
