//! The tests of the engine as a library: its rules against vectors and a slow model, its search, its endgames, its players,
//! its grammar, its files, and what it shows in a shell.

mod endgames;
mod files;
mod players;
mod protocol;
mod rules;
mod search;
mod shell;
