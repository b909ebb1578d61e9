//! Games: moves, clocks, openings, endings, and their processors.

mod affinity;
mod endings;
mod idle_work;
mod match_clocks;
mod matches;
mod played_openings;
mod pondering;
mod real_engine;
mod repetition;
mod speed;
