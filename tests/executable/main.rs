//! The tests of the executable `kroo`: what it answers over pipes, on a terminal, at a shell and to a browser.

mod analyse;
mod browser;
mod clients;
mod command;
mod endgame_builds;
mod endgame_memory;
mod endgame_packs;
mod hostile;
#[cfg(unix)]
mod long_files;
#[cfg(target_os = "linux")]
mod on_time;
mod openings;
mod play;
mod players;
mod plot;
mod session;
mod shell;
mod solve;
#[cfg(unix)]
mod special_files;
mod transcripts;
mod tuning;
mod web;
