//! The commands of the referee, recipes and examples.

mod adapters;
mod arguments;
mod check;
mod examples;
mod recipes;
mod sprt;
mod tuning;
