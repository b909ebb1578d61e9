//! The players over the line protocol, and files of lessons.

mod classic1978_protocol;
mod learning;
mod protocol;
mod sharing;
