//! Search, evaluation and levels.

mod background;
mod budget;
mod certificates;
mod claims;
mod clock;
mod conversion;
mod evaluation;
mod joint_proofs;
mod levels;
mod lines;
mod move_limit;
mod parameters;
mod paths;
mod probing;
mod proven;
mod scores;
mod solved_games;
mod solver_bounds;
mod solver_ordering;
mod threads;
mod transposition;
mod value;
mod won_games;
