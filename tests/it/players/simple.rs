//! `random`, `greedy`, `careful`.
