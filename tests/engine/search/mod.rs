//! Search, evaluation and levels.

mod evaluation;
mod levels;
mod lines;
mod paths;
mod proven;
mod scores;
mod solved_games;
mod won_games;
