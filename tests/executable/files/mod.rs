//! Files of every kind that commands read and write.

mod long;
mod special;
