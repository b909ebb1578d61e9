//! The players over the line protocol, and files of lessons.

mod learning;
mod protocol;
mod sharing;
