//! The hot half of Kroo: the rules of all games, what a position is worth, the endgames, and the search.
//!
//! It depends on no other package of the project, and is compiled as one unit: a sowing that is not inlined where a search calls it
//! costs more than anything else here. Begin with [`game::Position`], and from there [`search::search`]. Imports go one way:
//! `game ← value ← evaluate, endgame ← search`; [`files`], [`printable`], [`time`] and `prefetch` know none of them.

pub mod endgame;
pub mod evaluate;
pub mod files;
pub mod game;
mod prefetch;
pub mod printable;
pub mod search;
pub mod time;
pub mod value;
