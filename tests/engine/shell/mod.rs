//! The output in a terminal and in a browser.

mod page_server;
mod play_clock;
mod play_command;
mod printable;
mod review;
mod screen;
mod web_server;
