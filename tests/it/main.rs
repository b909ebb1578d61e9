//! The tests of the engine: its rules against vectors and a slow model, its grammar, its search, its executable.

mod analyse;
mod book;
mod brute;
mod client;
mod clients;
mod conversion;
mod documents;
mod effects;
mod endgame_builds;
mod endgame_files;
mod endgame_memory;
mod endgame_packs;
mod endgames;
mod evaluation;
mod examples;
#[cfg(unix)]
mod files;
mod fixpoint;
#[path = "../fuzz.rs"]
#[allow(dead_code, reason = "the other test crates share it")]
mod fuzz;
mod grammar;
mod hostile;
mod levels;
mod lines;
mod move_limit;
#[allow(dead_code, reason = "the whole model stands here, whatever the tests of today ask of it")]
mod naive;
mod ogn;
#[cfg(target_os = "linux")]
mod on_time;
mod packages;
mod paths;
mod play;
mod players;
mod plot;
mod properties;
mod readers;
mod rule_set;
mod scores;
mod search;
mod session;
mod setup;
mod shell;
mod solved_games;
#[path = "../source.rs"]
mod source;
#[cfg(unix)]
mod special_files;
mod tidiness;
#[path = "../tools.rs"]
#[allow(dead_code, reason = "the test crates share it")]
mod tools;
mod transcripts;
mod tuning;
mod vectors;
mod web;
mod won_games;
