//! The output in a terminal and in a browser.

mod play_clock;
mod play_command;
mod play_input;
mod play_screen;
mod printable;
mod progress;
mod review;
mod review_scores;
mod web_address;
mod web_files;
mod web_guard;
mod web_server;
