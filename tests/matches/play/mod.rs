//! Games: moves, clocks, openings, endings, and their processors.

mod adjudication;
mod affinity;
mod long_match;
mod match_clocks;
mod matches;
mod played_openings;
mod pondering;
mod real_engine;
mod repetition;
