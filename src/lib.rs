//! Kroo.
pub mod arguments;
pub mod evaluate;
pub mod game;
pub mod protocol;
pub mod search;
pub mod session;
pub mod value;
