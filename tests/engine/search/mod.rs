//! Search, evaluation and levels.

mod background;
mod budget;
mod certificates;
mod claims;
mod clock;
mod evaluation;
mod joint_proofs;
mod levels;
mod limit_claims;
mod parameters;
mod paths;
mod probing;
mod proven;
mod scores;
mod several_lines;
mod small_boards;
mod smp;
mod solved_games;
mod solver_bounds;
mod solver_ordering;
mod solving;
mod stopped;
mod transposition;
mod value;
mod won_games;
