//! The commands of the referee, recipes and examples.

mod adapters;
mod arguments;
mod check;
mod examples;
mod match_tuning;
mod recipes;
mod sprt;
