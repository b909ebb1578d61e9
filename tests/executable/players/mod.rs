//! The players over the line protocol, and files of lessons.

mod avoiding;
mod learning;
mod protocol;
mod sharing;
