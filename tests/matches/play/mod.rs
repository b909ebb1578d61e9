//! Games: moves, clocks, openings, endings, and their processors.

mod affinity;
mod clocks;
mod endings;
mod idle_work;
mod matches;
mod openings;
mod pondering;
mod real_engine;
mod repetition;
mod speed;
