//! The tests of the executable `kroo`: what it answers over pipes, on a terminal, at a shell and over HTTP.

mod clients;
mod command;
mod commands;
mod endgames;
#[cfg(unix)]
mod files;
mod hostile_input;
mod play;
mod players;
mod session;
mod transcripts;
mod web;
