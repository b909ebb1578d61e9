//! Conversations with the executable: every command, what it changes, and what it must leave alone.

mod analysis;
mod commands;
mod counting;
mod endgame_options;
mod evalfile;
mod flags;
mod fuzz;
mod habits;
mod limits;
mod meanwhile;
mod position_command;
mod rule_options;
mod searching;
mod seeds;
mod setoption;
mod strength;
mod threads;
#[cfg(feature = "tune")]
mod tuned;
mod unread;
mod waiting;

use kroo::game::Variant;
use kroo::protocol::{Info, InfoScore, Reply};
use support::client::Client;

/// Where South has won.
const FINISHED: &str = "position fen 0-0-0-0-0-0-0-0-0-0-0-0-25-23-N";
const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

fn text(replies: &[Reply]) -> Vec<String> {
    replies.iter().map(Reply::to_string).collect()
}

fn score(info: &Info) -> InfoScore {
    info.score.unwrap_or_else(|| panic!("no score: {info}"))
}

/// An engine that plays this variant.
fn playing(variant: Variant) -> Client {
    Client::with_flags(&["--variant", variant.name()])
}
