//! Tests of the engine as a library: its rules against vectors and a slow model, its search, endgames, players, grammar and
//! files, and its output in a shell.

mod endgames;
mod files;
mod players;
mod protocol;
mod rules;
mod search;
mod shell;
