//! The output in a terminal and in a browser.

mod play_clock;
mod play_command;
mod play_text;
mod printable;
mod progress;
mod review;
mod web;
mod web_server;
